! The figures by which the specification judges a run: norms of the residual and
! of the error, and the pressure on the faces of a box inside the cube.
module lu_verify
  use lu_grid
  implicit none
  include 'mpif.h'
  private
  public :: lu_class, lu_classes, lu_figures, lu_measure, lu_agrees

  type :: lu_figures
    double precision :: residual(5) = 0, error(5) = 0, surface = 0
  end type lu_figures

  type :: lu_class
    integer :: n
    integer :: iterations
    double precision :: dt
    type(lu_figures) :: expected
  end type lu_class

  double precision, parameter :: tolerance = 1d-8

  type(lu_class), parameter :: lu_classes(4) = [ &
    lu_class(12, 50, 0.5d0, lu_figures( &
      [1.6196343210976702d-2, 2.1976745164821318d-3, 1.5179927653399185d-3, &
       1.5029584435994323d-3, 3.4264073155896461d-2], &
      [6.4223319957960924d-4, 8.4144342047347926d-5, 5.8588269616485186d-5, &
       5.8474222595157350d-5, 1.3103347914111294d-3], 7.8418928865937083d0)), &
    lu_class(33, 300, 1.5d-3, lu_figures( &
      [1.236511638192d1, 1.317228477799d0, 2.550120713095d0, 2.326187750252d0, 2.826799444189d1], &
      [4.867877144216d-1, 5.064652880982d-2, 9.281818101960d-2, 8.570126542733d-2, &
       1.084277417792d0], 1.161399311023d1)), &
    lu_class(64, 250, 2d0, lu_figures( &
      [7.7902107606689367d2, 6.3402765259692870d1, 1.9499249727292479d2, &
       1.7845301160418537d2, 1.8384760349464247d3], &
      [2.9964085685471943d1, 2.8194576365003349d0, 7.3473412698774742d0, &
       6.7139225687777051d0, 7.0715315688392578d1], 2.6030925604886277d1)), &
    lu_class(102, 250, 2d0, lu_figures( &
      [3.5532672969982736d3, 2.6214750795310692d2, 8.8333721850952190d2, &
       7.7812774739425265d2, 7.3087969592545314d3], &
      [1.1401176380212709d2, 8.1098963655421574d0, 2.8480597317698308d1, &
       2.5905394567832939d1, 2.6054907504857413d2], 4.7887162703308227d1))]

contains

  subroutine lu_measure(lu, figures)
    type(lu_state), intent(in) :: lu
    type(lu_figures), intent(out) :: figures
    integer :: i, j, k

    do k = 2, lu%n - 1
      do j = lu%first_j, lu%last_j
        do i = lu%first_i, lu%last_i
          figures%residual = figures%residual + lu%rsd(:, i, j, k)**2
          figures%error = figures%error + (lu%u(:, i, j, k) &
            - lu_exact(lu%n, lu%before_x + i, lu%before_y + j, k))**2
        end do
      end do
    end do
    call add_up(lu, figures%residual)
    call add_up(lu, figures%error)
    figures%residual = sqrt(figures%residual/dble(lu%n - 2)**3)
    figures%error = sqrt(figures%error/dble(lu%n - 2)**3)
    figures%surface = surface_integral(lu)
  end subroutine lu_measure

  subroutine add_up(lu, values)
    type(lu_state), intent(in) :: lu
    double precision, intent(inout) :: values(5)
    double precision :: mine(5)
    integer :: ierr

    mine = values
    call mpi_allreduce(mine, values, 5, MPI_DOUBLE_PRECISION, MPI_SUM, lu%comm, ierr)
  end subroutine add_up

  ! The box runs from 2 to n - 1 along x, to n - 2 along y, and from 3 to n - 1
  ! along z. Each face is summed up by the trapezoidal rule.
  function surface_integral(lu) result(total)
    type(lu_state), intent(in) :: lu
    double precision :: total, sums(5), wx, wy, wz
    integer :: i, j, k, x, y

    sums = 0
    do k = 3, lu%n - 1
      wz = trapezoid(k, 3, lu%n - 1)
      do j = 1, lu%ny
        y = lu%before_y + j
        wy = trapezoid(y, 2, lu%n - 2)
        do i = 1, lu%nx
          x = lu%before_x + i
          wx = trapezoid(x, 2, lu%n - 1)
          if (k == 3 .or. k == lu%n - 1) sums(1) = sums(1) + wx*wy*pressure(lu%u(:, i, j, k))
          if (y == 2 .or. y == lu%n - 2) sums(2) = sums(2) + wx*wz*pressure(lu%u(:, i, j, k))
          if (x == 2 .or. x == lu%n - 1) sums(3) = sums(3) + wy*wz*pressure(lu%u(:, i, j, k))
        end do
      end do
    end do
    call add_up(lu, sums)
    total = 0.25d0*(sums(1) + sums(2) + sums(3))/lu%t1
  end function surface_integral

  pure double precision function trapezoid(at, low, high)
    integer, intent(in) :: at, low, high

    trapezoid = 0
    if (at >= low .and. at <= high) trapezoid = merge(1d0, 2d0, at == low .or. at == high)
  end function trapezoid

  pure double precision function pressure(u)
    double precision, intent(in) :: u(5)

    pressure = c2*(u(5) - 0.5d0*(u(2)**2 + u(3)**2 + u(4)**2)/u(1))
  end function pressure

  ! False for a NaN.
  pure logical function lu_agrees(figures, expected)
    type(lu_figures), intent(in) :: figures, expected

    lu_agrees = all(close(figures%residual, expected%residual)) &
      .and. all(close(figures%error, expected%error)) &
      .and. close(figures%surface, expected%surface)
  end function lu_agrees

  pure elemental logical function close(value, expected)
    double precision, intent(in) :: value, expected

    close = abs(value - expected) <= tolerance*abs(expected)
  end function close
end module lu_verify
