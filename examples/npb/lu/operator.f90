! The discrete flow equations: what each point's neighbours do to it. The same
! one-dimensional operator is applied to lines along x, y and z.
module lu_operator
  use lu_grid
  use lu_exchange
  implicit none
  private
  public :: lu_forcing, lu_residual

  double precision, parameter :: dissipation = 0.25d0 ! of fourth differences

contains

  ! The forcing that makes lu_exact() a steady solution.
  subroutine lu_forcing(lu)
    type(lu_state), intent(inout) :: lu
    double precision, allocatable :: exact(:, :, :, :)
    integer :: i, j, k

    allocate (exact, mold=lu%u)
    exact = 0
    do k = 1, lu%n
      do j = 1, lu%ny
        do i = 1, lu%nx
          exact(:, i, j, k) = lu_exact(lu%n, lu%before_x + i, lu%before_y + j, k)
        end do
      end do
    end do
    lu%forcing = 0
    call add_operator(lu, exact, lu%forcing)
  end subroutine lu_forcing

  ! rsd = operator(u) - forcing
  subroutine lu_residual(lu)
    type(lu_state), intent(inout) :: lu

    lu%rsd = -lu%forcing
    call add_operator(lu, lu%u, lu%rsd)
  end subroutine lu_residual

  subroutine add_operator(lu, u, change)
    type(lu_state), intent(in) :: lu
    double precision, intent(inout) :: u(5, -1:lu%nx + 2, -1:lu%ny + 2, lu%n)
    double precision, intent(inout) :: change(5, -1:lu%nx + 2, -1:lu%ny + 2, lu%n)
    double precision :: line(5, -1:lu%n + 2), result(5, lu%n)
    integer :: i, j, k, n, nx, ny

    n = lu%n
    nx = lu%nx
    ny = lu%ny
    call lu_exchange_layers(lu, u)
    do k = 2, n - 1
      do j = lu%first_j, lu%last_j
        call apply_to_line(lu, 1, nx, lu%before_x, lu%first_i, lu%last_i, u(:, :, j, k), result)
        change(:, 1:nx, j, k) = change(:, 1:nx, j, k) + result(:, 1:nx)
      end do
      do i = lu%first_i, lu%last_i
        line(:, -1:ny + 2) = u(:, i, :, k)
        call apply_to_line(lu, 2, ny, lu%before_y, lu%first_j, lu%last_j, line, result)
        change(:, i, 1:ny, k) = change(:, i, 1:ny, k) + result(:, 1:ny)
      end do
    end do
    line = 0
    do j = lu%first_j, lu%last_j
      do i = lu%first_i, lu%last_i
        line(:, 1:n) = u(:, i, j, :)
        call apply_to_line(lu, 3, n, 0, 2, n - 1, line, result)
        change(:, i, j, :) = change(:, i, j, :) + result
      end do
    end do
  end subroutine add_operator

  ! Convection, diffusion and dissipation along one axis, for points first to last
  ! of a line of `count`, `before` of which lie on lower ranks.
  subroutine apply_to_line(lu, axis, count, before, first, last, u, result)
    type(lu_state), intent(in) :: lu
    integer, intent(in) :: axis, count, before, first, last
    double precision, intent(in) :: u(5, -1:count + 2)
    double precision, intent(out) :: result(5, count)
    double precision :: convective(5, 0:count + 1), viscous(5, count + 1), weight(-2:2)
    integer :: i

    call convective_flux(axis, count, first, last, u, convective)
    call viscous_flux(lu, axis, count, first, last, u, viscous)
    result = 0
    do i = first, last
      weight = dissipation*dissipation_weights(lu%n, before + i)
      result(:, i) = -lu%t2*(convective(:, i + 1) - convective(:, i - 1)) &
        + lu%t3*c3*c4*(viscous(:, i + 1) - viscous(:, i)) &
        + diffusion(axis)*lu%t1*(u(:, i - 1) - 2*u(:, i) + u(:, i + 1)) &
        - weight(-2)*u(:, i - 2) - weight(-1)*u(:, i - 1) - weight(0)*u(:, i) &
        - weight(1)*u(:, i + 1) - weight(2)*u(:, i + 2)
    end do
  end subroutine apply_to_line

  ! The fourth difference, cut short next to the boundary.
  pure function dissipation_weights(n, at) result(weight)
    integer, intent(in) :: n, at
    double precision :: weight(-2:2)

    weight = [1d0, -4d0, 6d0, -4d0, 1d0]
    if (at <= 3) weight(-2) = 0
    if (at == 2) weight(-1:0) = [0d0, 5d0]
    if (at >= n - 2) weight(2) = 0
    if (at == n - 1) weight(0:1) = [5d0, 0d0]
  end function dissipation_weights

  subroutine convective_flux(axis, count, first, last, u, flux)
    integer, intent(in) :: axis, count, first, last
    double precision, intent(in) :: u(5, -1:count + 2)
    double precision, intent(out) :: flux(5, 0:count + 1)
    double precision :: speed, kinetic
    integer :: i, along

    along = axis + 1 ! the momentum along this axis
    do i = first - 1, last + 1
      speed = u(along, i)/u(1, i)
      kinetic = 0.5d0*(u(2, i)**2 + u(3, i)**2 + u(4, i)**2)/u(1, i)
      flux(1, i) = u(along, i)
      flux(2:4, i) = u(2:4, i)*speed
      flux(along, i) = flux(along, i) + c2*(u(5, i) - kinetic)
      flux(5, i) = (c1*u(5, i) - c2*kinetic)*speed
    end do
  end subroutine convective_flux

  ! Between points i - 1 and i.
  subroutine viscous_flux(lu, axis, count, first, last, u, flux)
    type(lu_state), intent(in) :: lu
    integer, intent(in) :: axis, count, first, last
    double precision, intent(in) :: u(5, -1:count + 2)
    double precision, intent(out) :: flux(5, count + 1)
    double precision :: here(2:5), before(2:5)
    integer :: i, along

    along = axis + 1
    before = u(2:5, first - 1)/u(1, first - 1)
    do i = first, last + 1
      here = u(2:5, i)/u(1, i)
      flux(1, i) = 0
      flux(2:4, i) = lu%t3*(here(2:4) - before(2:4))
      flux(along, i) = 4*flux(along, i)/3
      flux(5, i) = lu%t3*(0.5d0*(1 - c1*c5)*(sum(here(2:4)**2) - sum(before(2:4)**2)) &
        + (here(along)**2 - before(along)**2)/6 + c1*c5*(here(5) - before(5)))
      before = here
    end do
  end subroutine viscous_flux
end module lu_operator
