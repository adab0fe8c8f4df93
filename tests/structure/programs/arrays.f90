! Array statements, loops and what the compiler makes of them.
module fields
  implicit none
  real(8), allocatable :: u(:, :), v(:, :)
contains
  subroutine set_up(n)
    integer, intent(in) :: n
    integer :: i, j
    allocate (u(n, n), v(n, n))
    do j = 1, n
      do i = 1, n
        u(i, j) = real(i, 8)*j
      end do
    end do
    v = 0
  end subroutine set_up

  subroutine smooth(n, steps)
    integer, intent(in) :: n, steps
    integer :: step, i, j
    do step = 1, steps
      do j = 2, n - 1
        do i = 2, n - 1
          v(i, j) = 0.25d0*(u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1))
        end do
      end do
      u(2:n - 1, 2:n - 1) = v(2:n - 1, 2:n - 1)
    end do
  end subroutine smooth

  real(8) function measures(n)
    integer, intent(in) :: n
    integer :: j
    measures = sum(u) + maxval(abs(v))
    do j = 1, n
      measures = measures + dot_product(u(:, j), v(:, j))
    end do
    where (u > 3)
      v = u*2
    elsewhere
      v = u - 1
    end where
    measures = measures + sum(v, mask=v > 0)
  end function measures

  subroutine multiply(a, b, c, n)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n, n), b(n, n)
    real(8), intent(out) :: c(n, n)
    integer :: i, j, k
    c = 0
    do 30 j = 1, n
      do 20 k = 1, n
        do 10 i = 1, n
          c(i, j) = c(i, j) + a(i, k)*b(k, j)
10      continue
20    continue
30  continue
  end subroutine multiply

  integer function while_loop(n)
    integer, intent(in) :: n
    integer :: left
    left = n
    while_loop = 0
    do while (left > 1)
      if (mod(left, 2) == 0) then
        left = left/2
      else
        left = 3*left + 1
      end if
      while_loop = while_loop + 1
    end do
  end function while_loop

  integer function for_ever(n)
    integer, intent(in) :: n
    for_ever = 0
    outer: do
      for_ever = for_ever + 1
      if (for_ever*for_ever > n) exit outer
      if (mod(for_ever, 3) == 0) cycle outer
      for_ever = for_ever + 1
    end do outer
  end function for_ever
end module fields

program arrays
  use fields
  implicit none
  integer :: n
  real(8), allocatable :: c(:, :)
  n = 20 + command_argument_count()
  allocate (c(n, n))
  call set_up(n)
  call smooth(n, 5)
  call multiply(u, v, c, n)
  print *, measures(n), c(2, 3), while_loop(n), for_ever(n)
end program arrays
