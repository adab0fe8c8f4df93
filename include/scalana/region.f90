! Regions for Fortran, as scalana/region.h has them for C: compile this file with the program.
!
!     use scalana_region
!     call scalana_region_begin('refine')
!     ...
!     call scalana_region_end('refine')
!
! Without ScalAna's runtime the two do nothing. Blanks at a name's end do not count.
module scalana_region
  use, intrinsic :: iso_c_binding, only: c_associated, c_char, c_f_procpointer, c_funptr, c_null_char, &
                                         c_null_ptr, c_ptr
  implicit none
  private
  public :: scalana_region_begin, scalana_region_end

  abstract interface
    subroutine change(name) bind(C)
      import :: c_char
      character(kind=c_char), intent(in) :: name(*)
    end subroutine change
  end interface

  interface
    function dlsym(handle, name) bind(C, name='dlsym') result(address)
      import :: c_char, c_funptr, c_ptr
      type(c_ptr), value :: handle
      character(kind=c_char), intent(in) :: name(*)
      type(c_funptr) :: address
    end function dlsym
  end interface

  logical, save :: looked = .false.
  procedure(change), pointer, save :: begins => null(), ends => null()

contains

  subroutine scalana_region_begin(name)
    character(len=*), intent(in) :: name
    if (.not. looked) call look
    if (associated(begins)) call begins(trim(name)//c_null_char)
  end subroutine scalana_region_begin

  subroutine scalana_region_end(name)
    character(len=*), intent(in) :: name
    if (.not. looked) call look
    if (associated(ends)) call ends(trim(name)//c_null_char)
  end subroutine scalana_region_end

  subroutine look
    type(c_funptr) :: address
    address = dlsym(c_null_ptr, 'scalana_profiler_region_begin'//c_null_char)
    if (c_associated(address)) call c_f_procpointer(address, begins)
    address = dlsym(c_null_ptr, 'scalana_profiler_region_end'//c_null_char)
    if (c_associated(address)) call c_f_procpointer(address, ends)
    looked = .true.
  end subroutine look
end module scalana_region
