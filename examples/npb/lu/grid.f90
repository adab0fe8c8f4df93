! LU: solves the steady compressible flow equations in a cube by symmetric
! successive over-relaxation (SSOR).
!
! The cube is cut in pencils along x and y; z is whole. Two layers of the
! neighbours' points lie around a pencil. Points are numbered from 1 to n; those
! at 1 and n are the fixed boundary.
module lu_grid
  use npb
  implicit none
  include 'mpif.h'
  private
  public :: lu_state, lu_grid_init, lu_exact, lu_start_values
  public :: omega, c1, c2, c3, c4, c5, diffusion

  double precision, parameter :: omega = 1.2d0 ! over-relaxation
  double precision, parameter :: c1 = 1.4d0, c2 = 0.4d0, c3 = 0.1d0, c4 = 1d0, c5 = 1.4d0
  double precision, parameter :: diffusion(3) = [0.75d0, 0.75d0, 1d0] ! along each axis

  integer, parameter :: least_width = 2 ! of a pencil: what its neighbours need

  type :: lu_state
    integer :: comm = MPI_COMM_NULL ! of the ranks that have a pencil
    integer :: ranks = 1
    logical :: active = .false.
    integer :: n = 0                ! points of the cube per axis
    integer :: nx = 0, ny = 0       ! points of this rank
    integer :: before_x = 0, before_y = 0 ! points on lower ranks
    integer :: first_i, last_i, first_j, last_j ! not on the boundary
    integer :: north, south, west, east ! neighbours at lower x, higher x, lower y, higher y
    double precision :: dt, t1, t2, t3  ! time step; 1/h**2, 1/2h, 1/h
    double precision, allocatable :: u(:, :, :, :)       ! the five variables
    double precision, allocatable :: rsd(:, :, :, :)     ! their change
    double precision, allocatable :: forcing(:, :, :, :)
    integer(8) :: delay_points = 0    ! planted
    integer(8) :: boundary_points = 0 ! planted
  end type lu_state

contains

  subroutine lu_grid_init(lu, run, n, dt)
    type(lu_state), intent(out) :: lu
    type(npb_run), intent(in) :: run
    integer, intent(in) :: n
    double precision, intent(in) :: dt
    integer :: across_x, across_y, colour, ierr

    lu%n = n
    lu%dt = dt
    lu%t1 = dble(n - 1)**2
    lu%t2 = dble(n - 1)/2
    lu%t3 = dble(n - 1)
    call choose_ranks(run%ranks, n, across_x, across_y)
    lu%ranks = across_x*across_y
    lu%active = run%rank < lu%ranks
    colour = merge(0, MPI_UNDEFINED, lu%active)
    call mpi_comm_split(MPI_COMM_WORLD, colour, run%rank, lu%comm, ierr)
    if (lu%active) call cut_pencil(lu, run%rank, across_x, across_y)
  end subroutine lu_grid_init

  ! As square as a power of two allows. When the cube is too small for all ranks,
  ! the largest number of ranks that fits does the work.
  subroutine choose_ranks(ranks, n, across_x, across_y)
    integer, intent(in) :: ranks, n
    integer, intent(out) :: across_x, across_y

    across_x = 1
    across_y = 1
    do while (across_x*across_y < ranks)
      if (across_x == across_y) then
        if (n/(2*across_x) < least_width) exit
        across_x = 2*across_x
      else
        if (n/(2*across_y) < least_width) exit
        across_y = 2*across_y
      end if
    end do
  end subroutine choose_ranks

  subroutine cut_axis(n, parts, part, before, count)
    integer, intent(in) :: n, parts, part
    integer, intent(out) :: before, count

    before = n*part/parts
    count = n*(part + 1)/parts - before
  end subroutine cut_axis

  subroutine cut_pencil(lu, rank, across_x, across_y)
    type(lu_state), intent(inout) :: lu
    integer, intent(in) :: rank, across_x, across_y
    integer :: at_x, at_y

    at_x = mod(rank, across_x)
    at_y = rank/across_x
    call cut_axis(lu%n, across_x, at_x, lu%before_x, lu%nx)
    call cut_axis(lu%n, across_y, at_y, lu%before_y, lu%ny)
    lu%north = merge(rank - 1, MPI_PROC_NULL, at_x > 0)
    lu%south = merge(rank + 1, MPI_PROC_NULL, at_x < across_x - 1)
    lu%west = merge(rank - across_x, MPI_PROC_NULL, at_y > 0)
    lu%east = merge(rank + across_x, MPI_PROC_NULL, at_y < across_y - 1)
    lu%first_i = merge(1, 2, at_x > 0)
    lu%first_j = merge(1, 2, at_y > 0)
    lu%last_i = merge(lu%nx, lu%nx - 1, at_x < across_x - 1)
    lu%last_j = merge(lu%ny, lu%ny - 1, at_y < across_y - 1)
    allocate (lu%u(5, -1:lu%nx + 2, -1:lu%ny + 2, lu%n), source=0d0)
    allocate (lu%rsd(5, -1:lu%nx + 2, -1:lu%ny + 2, lu%n), source=0d0)
    allocate (lu%forcing(5, -1:lu%nx + 2, -1:lu%ny + 2, lu%n), source=0d0)
  end subroutine cut_pencil

  ! The solution that the forcing is made for, at a point of the cube: a sum of
  ! powers of x, y and z up to the fourth.
  function lu_exact(n, i, j, k) result(u)
    integer, intent(in) :: n, i, j, k
    double precision :: u(5), x, y, z
    double precision, parameter :: constant(5) = [2d0, 1d0, 2d0, 2d0, 5d0]
    double precision, parameter :: x_power(5, 4) = reshape([ &
      0d0, 0d0, 2d0, 2d0, 4d0, 5d0, 1d0, 0d0, 0d0, 0.1d0, &
      0.02d0, 0.01d0, 0.04d0, 0.03d0, 0.05d0, 0.5d0, 0.4d0, 0.3d0, 0.2d0, 0.1d0], [5, 4])
    double precision, parameter :: y_power(5, 4) = reshape([ &
      0d0, 0d0, 0d0, 0d0, 3d0, 3d0, 2d0, 2d0, 2d0, 0.4d0, &
      0.01d0, 0.03d0, 0.03d0, 0.05d0, 0.04d0, 0.4d0, 0.3d0, 0.5d0, 0.1d0, 0.3d0], [5, 4])
    double precision, parameter :: z_power(5, 4) = reshape([ &
      4d0, 0d0, 0d0, 0d0, 2d0, 0.5d0, 3d0, 3d0, 3d0, 0.3d0, &
      0.03d0, 0.02d0, 0.05d0, 0.04d0, 0.03d0, 0.3d0, 0.5d0, 0.4d0, 0.3d0, 0.2d0], [5, 4])
    integer :: power

    x = dble(i - 1)/(n - 1)
    y = dble(j - 1)/(n - 1)
    z = dble(k - 1)/(n - 1)
    u = constant
    do power = 1, 4
      u = u + x_power(:, power)*x**power + y_power(:, power)*y**power + z_power(:, power)*z**power
    end do
  end function lu_exact

  ! The solution on the boundary; inside, what the boundary values suggest.
  subroutine lu_start_values(lu)
    type(lu_state), intent(inout) :: lu
    integer :: i, j, k

    do k = 1, lu%n
      do j = 1, lu%ny
        do i = 1, lu%nx
          lu%u(:, i, j, k) = start_value(lu%n, lu%before_x + i, lu%before_y + j, k)
        end do
      end do
    end do
  end subroutine lu_start_values

  function start_value(n, i, j, k) result(u)
    integer, intent(in) :: n, i, j, k
    double precision :: u(5), x(5), y(5), z(5)

    if (min(i, j, k) == 1 .or. max(i, j, k) == n) then
      u = lu_exact(n, i, j, k)
      return
    end if
    x = between(i, lu_exact(n, 1, j, k), lu_exact(n, n, j, k))
    y = between(j, lu_exact(n, i, 1, k), lu_exact(n, i, n, k))
    z = between(k, lu_exact(n, i, j, 1), lu_exact(n, i, j, n))
    u = x + y + z - x*y - y*z - z*x + x*y*z
  contains
    function between(at, low, high)
      integer, intent(in) :: at
      double precision, intent(in) :: low(5), high(5)
      double precision :: between(5), weight

      weight = dble(at - 1)/(n - 1)
      between = (1 - weight)*low + weight*high
    end function between
  end function start_value
end module lu_grid
