! truth.h for Fortran.
module truth
  use iso_c_binding
  implicit none
  private :: c_defect, c_end
  interface
    function c_defect(rank) bind(C, name="truth_defect")
      import :: c_bool, c_int
      integer(c_int), value :: rank
      logical(c_bool) :: c_defect
    end function c_defect
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

  subroutine truth_end(cause, part)
    integer, intent(in) :: cause
    real(8), intent(in) :: part
    call c_end(int(cause, c_int), part)
  end subroutine truth_end
end module truth
