! The two sweeps of SSOR. The first runs from the cube's lowest corner to its
! highest, the second back: a plane of a pencil can start when the pencils before
! it have done theirs, so work runs through the ranks as a wavefront.
module lu_sweep
  use npb
  use lu_grid
  use lu_exchange
  implicit none
  private
  public :: lu_sweep_up, lu_sweep_down

  double precision, parameter :: viscosity = c3*c4, conduction = c1*c3*c4*c5

contains

  subroutine lu_sweep_up(lu, run)
    type(lu_state), intent(inout) :: lu
    type(npb_run), intent(inout) :: run
    integer :: k

    do k = 2, lu%n - 1
      call lu_receive_lines(lu, lu%rsd, k, upward)
      if (lu%delay_points > 0) call sweep_in_vain(lu, lu%u, lu%rsd, k, run%sink)
      call lower_plane(lu, lu%u, lu%rsd, k)
      call lu_send_lines(lu, lu%rsd, k, upward)
    end do
  end subroutine lu_sweep_up

  subroutine lu_sweep_down(lu)
    type(lu_state), intent(inout) :: lu
    integer :: k

    do k = lu%n - 1, 2, -1
      call lu_receive_lines(lu, lu%rsd, k, downward)
      call upper_plane(lu, lu%u, lu%rsd, k)
      call lu_send_lines(lu, lu%rsd, k, downward)
    end do
  end subroutine lu_sweep_down

  ! v = D**-1 (v - omega L v), with the new v of the three neighbours before.
  subroutine lower_plane(lu, u, v, k)
    type(lu_state), intent(in) :: lu
    double precision, intent(in) :: u(5, -1:lu%nx + 2, -1:lu%ny + 2, lu%n)
    double precision, intent(inout) :: v(5, -1:lu%nx + 2, -1:lu%ny + 2, lu%n)
    integer, intent(in) :: k
    double precision :: sum(5), right(5)
    integer :: i, j

    do j = lu%first_j, lu%last_j
      do i = lu%first_i, lu%last_i
        sum = 0
        call add_block(lu, 3, -lu%t2, u(1, i, j, k - 1), v(1, i, j, k - 1), sum)
        call add_block(lu, 2, -lu%t2, u(1, i, j - 1, k), v(1, i, j - 1, k), sum)
        call add_block(lu, 1, -lu%t2, u(1, i - 1, j, k), v(1, i - 1, j, k), sum)
        right = v(:, i, j, k) - omega*sum
        call solve_diagonal(lu, u(1, i, j, k), right)
        v(:, i, j, k) = right
      end do
    end do
  end subroutine lower_plane

  ! v = v - D**-1 (omega U v), with the new v of the three neighbours behind.
  subroutine upper_plane(lu, u, v, k)
    type(lu_state), intent(in) :: lu
    double precision, intent(in) :: u(5, -1:lu%nx + 2, -1:lu%ny + 2, lu%n)
    double precision, intent(inout) :: v(5, -1:lu%nx + 2, -1:lu%ny + 2, lu%n)
    integer, intent(in) :: k
    double precision :: sum(5)
    integer :: i, j

    do j = lu%last_j, lu%first_j, -1
      do i = lu%last_i, lu%first_i, -1
        sum = 0
        call add_block(lu, 3, lu%t2, u(1, i, j, k + 1), v(1, i, j, k + 1), sum)
        call add_block(lu, 2, lu%t2, u(1, i, j + 1, k), v(1, i, j + 1, k), sum)
        call add_block(lu, 1, lu%t2, u(1, i + 1, j, k), v(1, i + 1, j, k), sum)
        sum = omega*sum
        call solve_diagonal(lu, u(1, i, j, k), sum)
        v(:, i, j, k) = v(:, i, j, k) - sum
      end do
    end do
  end subroutine upper_plane

  ! The planted delay: one rank works through blocks of the plane again.
  subroutine sweep_in_vain(lu, u, v, k, sink)
    type(lu_state), intent(in) :: lu
    double precision, intent(in) :: u(5, -1:lu%nx + 2, -1:lu%ny + 2, lu%n)
    double precision, intent(in) :: v(5, -1:lu%nx + 2, -1:lu%ny + 2, lu%n)
    integer, intent(in) :: k
    double precision, intent(inout) :: sink
    double precision :: speed, useless
    integer(8) :: point
    integer :: i

    useless = 0
    i = 1
    do point = 1, lu%delay_points ! PLANT delay
      speed = sqrt(u(2, i, 1, k)**2 + u(3, i, 1, k)**2 + u(4, i, 1, k)**2)/u(1, i, 1, k)
      useless = useless + speed*v(1, i, 1, k) + sqrt(c1*c2*u(5, i, 1, k)/u(1, i, 1, k))
      i = merge(1, i + 1, i == lu%nx)
    end do
    sink = sink + useless
  end subroutine sweep_in_vain

  ! sum = sum + B v. The 5 x 5 block B couples a point to a neighbour along `axis`
  ! whose variables are u; it is the Jacobian of the operator, never stored.
  subroutine add_block(lu, axis, t2, u, v, sum)
    type(lu_state), intent(in) :: lu
    integer, intent(in) :: axis
    double precision, intent(in) :: t2 ! with the neighbour's sign
    double precision, intent(in) :: u(5), v(5)
    double precision, intent(inout) :: sum(5)
    double precision :: inverse, speed(2:4), energy, square, shift(2:4), pressure
    double precision :: convective(5), viscous(5), friction(2:4)
    integer :: p

    p = axis + 1
    inverse = 1/u(1)
    speed = u(2:4)*inverse
    energy = u(5)*inverse
    square = speed(2)**2 + speed(3)**2 + speed(4)**2
    shift = v(2:4) - speed*v(1)
    pressure = c2*(0.5d0*square*v(1) - speed(2)*v(2) - speed(3)*v(3) - speed(4)*v(4) + v(5))

    convective(1) = v(p)
    convective(2:4) = speed(p)*shift + speed*v(p)
    convective(p) = convective(p) + pressure
    convective(5) = speed(p)*(c2*(square*v(1) - speed(2)*v(2) - speed(3)*v(3) - speed(4)*v(4)) &
      + c1*(v(5) - energy*v(1))) + (c1*energy - 0.5d0*c2*square)*v(p)

    friction = viscosity
    friction(p) = 4*viscosity/3
    viscous(1) = 0
    viscous(2:4) = friction*inverse*shift
    viscous(5) = inverse*((friction(2) - conduction)*speed(2)*shift(2) &
      + (friction(3) - conduction)*speed(3)*shift(3) &
      + (friction(4) - conduction)*speed(4)*shift(4) + conduction*(v(5) - energy*v(1)))

    sum = sum + lu%dt*(t2*convective - lu%t1*(viscous + diffusion(axis)*v))
  end subroutine add_block

  ! right = D**-1 right. D is lower triangular: density first, then the three
  ! momenta, then energy.
  subroutine solve_diagonal(lu, u, right)
    type(lu_state), intent(in) :: lu
    double precision, intent(in) :: u(5)
    double precision, intent(inout) :: right(5)
    double precision :: inverse, speed, friction, twice, base, energy
    integer :: m

    twice = 2*lu%dt*lu%t1
    base = 1 + twice*(diffusion(1) + diffusion(2) + diffusion(3))
    inverse = 1/u(1)
    right(1) = right(1)/base
    energy = right(5) + 3*twice*conduction*inverse**2*u(5)*right(1)
    friction = viscosity*(4d0/3 + 2) ! summed over the axes
    do m = 2, 4
      speed = u(m)*inverse
      right(m) = (right(m) + twice*friction*inverse*speed*right(1))/(base + twice*friction*inverse)
      energy = energy &
        - twice*(friction - 3*conduction)*inverse*speed*(right(m) - speed*right(1))
    end do
    right(5) = energy/(base + 3*twice*conduction*inverse)
  end subroutine solve_diagonal
end module lu_sweep
