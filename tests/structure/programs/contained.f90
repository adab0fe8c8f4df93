! Procedures within procedures, do concurrent, arguments of assumed shape.
program contained
  implicit none
  integer, parameter :: n = 50
  real :: x(n), y(n), total
  integer :: i, rounds
  rounds = 3 + command_argument_count()
  do i = 1, n
    x(i) = sin(real(i))
  end do
  call outer(rounds)
  do concurrent(i=1:n, x(i) > 0)
    y(i) = sqrt(x(i))
  end do
  total = add(x) + add(y(::2))
  print *, total, letters("a contained program")
contains
  subroutine outer(rounds)
    integer, intent(in) :: rounds
    integer :: round, j
    do round = 1, rounds
      call inner(real(round))
      do j = 2, n
        x(j) = x(j)*0.5 + x(j - 1)
      end do
    end do
  end subroutine outer

  subroutine inner(factor)
    real, intent(in) :: factor
    integer :: k
    do k = 1, n
      y(k) = factor*x(k) + k
    end do
  end subroutine inner

  real function add(values)
    real, intent(in) :: values(:)
    integer :: k
    add = 0
    do k = 1, size(values)
      add = add + values(k)
    end do
  end function add

  integer function letters(text)
    character(len=*), intent(in) :: text
    integer :: k
    letters = 0
    do k = 1, len(text)
      if (text(k:k) >= 'a' .and. text(k:k) <= 'z') letters = letters + 1
    end do
  end function letters
end program contained
