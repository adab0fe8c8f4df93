! What loops do in a small function each, and a loop that several procedures call: the procedures of
! another file. Ways `module` and `paths`.
module work
  implicit none
contains
  real(8) function flop(x, a, b)
    real(8), intent(in) :: x, a, b
    flop = x * a + b
  end function flop
end module work
