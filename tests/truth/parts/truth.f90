! truth.h for Fortran.
module truth
  use iso_c_binding
  implicit none
  private :: c_defect, c_end, c_times, c_extra
  interface
    function c_defect(rank) bind(C, name="truth_defect")
      import :: c_bool, c_int
      integer(c_int), value :: rank
      logical(c_bool) :: c_defect
    end function c_defect
    function c_times(ill, usual, step, steps) bind(C, name="truth_times")
      import :: c_bool, c_int, c_double
      logical(c_bool), value :: ill
      real(c_double), value :: usual
      integer(c_int), value :: step, steps
      real(c_double) :: c_times
    end function c_times
    function c_extra(ill, usual, work, step, steps) bind(C, name="truth_extra")
      import :: c_bool, c_int
      logical(c_bool), value :: ill
      integer(c_int), value :: usual, work, step, steps
      integer(c_int) :: c_extra
    end function c_extra
    subroutine truth_begin() bind(C, name="truth_begin")
    end subroutine truth_begin
    subroutine c_end(cause, part) bind(C, name="truth_end")
      import :: c_int, c_double
      integer(c_int), value :: cause
      real(c_double), value :: part
    end subroutine c_end
  end interface
contains
  logical function truth_defect(rank)
    integer, intent(in) :: rank
    truth_defect = logical(c_defect(int(rank, c_int)))
  end function truth_defect

  real(8) function truth_times(ill, usual, step, steps)
    logical, intent(in) :: ill
    real(8), intent(in) :: usual
    integer, intent(in) :: step, steps
    truth_times = c_times(logical(ill, c_bool), usual, step, steps)
  end function truth_times

  integer function truth_extra(ill, usual, work, step, steps)
    logical, intent(in) :: ill
    integer, intent(in) :: usual, work, step, steps
    truth_extra = c_extra(logical(ill, c_bool), usual, work, step, steps)
  end function truth_extra

  subroutine truth_end(cause, part)
    integer, intent(in) :: cause
    real(8), intent(in) :: part
    call c_end(int(cause, c_int), part)
  end subroutine truth_end
end module truth
