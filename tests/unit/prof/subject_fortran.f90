! SUBJECT names the entry: this file is built by gfortran and by flang.
module SUBJECT_kinds
  implicit none
  interface
    subroutine probe() bind(c, name="probe")
    end subroutine
  end interface
contains
  recursive subroutine deeper(n, a)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(:)
    real(8) :: work(size(a))
    work = a * 2
    if (n > 0) then
      call deeper(n - 1, work)
    else
      call probe()
    end if
    a = a + work
  end subroutine
end module

subroutine SUBJECT(n)
  use SUBJECT_kinds
  implicit none
  integer, intent(in) :: n
  real(8) :: a(64)
  integer :: i
  a = 1
  do i = 1, n
    call inner(i)
  end do
  call deeper(n, a(1:64:2))
contains
  subroutine inner(k)
    integer, intent(in) :: k
    a(k) = a(k) + k
    call probe()
  end subroutine
end subroutine
