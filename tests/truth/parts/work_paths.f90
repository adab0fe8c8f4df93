module work
  implicit none
contains
  subroutine iterate(x, count, a, b)
    real(8), intent(inout) :: x
    integer, intent(in) :: count
    real(8), intent(in) :: a, b
    integer :: i
    do i = 1, count ! CAUSE
      x = x * a + b
    end do
  end subroutine iterate
end module work
