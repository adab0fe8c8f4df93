! A module, contained procedures and an external one.
module kernels
  implicit none
contains
  subroutine relax(u, n)
    integer, intent(in) :: n
    real, intent(inout) :: u(n)
    integer :: i, k
    do k = 1, 10
      do i = 2, n - 1
        u(i) = 0.5 * (u(i - 1) + u(i + 1))
      end do
    end do
  end subroutine relax
end module kernels

subroutine outside(u, n)
  use kernels
  integer, intent(in) :: n
  real, intent(inout) :: u(n)
  call relax(u, n)
  u(1) = u(1) + sum(u)
end subroutine outside

program main_program
  use kernels
  implicit none
  real :: u(100)
  u = 1.0
  call relax(u, 100)
  call outside(u, 100)
  call show()
contains
  subroutine show()
    print *, u(1), maxval(u)
  end subroutine show
end program main_program
