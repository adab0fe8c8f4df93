! What pencils send each other: two layers of points for the operator, and one
! line of points per plane and direction for the sweeps.
module lu_exchange
  use lu_grid
  implicit none
  include 'mpif.h'
  private
  public :: lu_exchange_layers, lu_receive_lines, lu_send_lines
  public :: upward, downward

  integer, parameter :: upward = 1, downward = 2 ! towards higher or lower x and y

contains

  ! Renews the layers around a pencil.
  subroutine lu_exchange_layers(lu, field)
    type(lu_state), intent(in) :: lu
    double precision, intent(inout) :: field(5, -1:lu%nx + 2, -1:lu%ny + 2, lu%n)
    integer :: nx, ny

    nx = lu%nx
    ny = lu%ny
    call shift(lu, field, [nx - 1, nx, 1, ny], lu%south, [-1, 0, 1, ny], lu%north, upward)
    call shift(lu, field, [1, 2, 1, ny], lu%north, [nx + 1, nx + 2, 1, ny], lu%south, downward)
    call shift(lu, field, [1, nx, ny - 1, ny], lu%east, [1, nx, -1, 0], lu%west, upward)
    call shift(lu, field, [1, nx, 1, 2], lu%west, [1, nx, ny + 1, ny + 2], lu%east, downward)
  end subroutine lu_exchange_layers

  ! Gives one block to a neighbour and takes one from the opposite neighbour. A
  ! block is given by its first and last i and j.
  subroutine shift(lu, field, give_at, to, take_at, from, tag)
    type(lu_state), intent(in) :: lu
    double precision, intent(inout) :: field(5, -1:lu%nx + 2, -1:lu%ny + 2, lu%n)
    integer, intent(in) :: give_at(4), to, take_at(4), from, tag
    double precision, allocatable, asynchronous :: take(:, :, :, :)
    double precision, allocatable :: give(:, :, :, :)
    integer :: request, ierr

    allocate (give, source=field(:, give_at(1):give_at(2), give_at(3):give_at(4), :))
    allocate (take(5, take_at(2) - take_at(1) + 1, take_at(4) - take_at(3) + 1, lu%n))
    if (from /= MPI_PROC_NULL) call mpi_irecv(take(1, 1, 1, 1), size(take), &
      MPI_DOUBLE_PRECISION, from, tag, lu%comm, request, ierr)
    if (to /= MPI_PROC_NULL) call mpi_send(give(1, 1, 1, 1), size(give), &
      MPI_DOUBLE_PRECISION, to, tag, lu%comm, ierr)
    if (from /= MPI_PROC_NULL) then
      call mpi_wait(request, MPI_STATUS_IGNORE, ierr)
      field(:, take_at(1):take_at(2), take_at(3):take_at(4), :) = take
    end if
  end subroutine shift

  ! Waits for the points of plane k that a sweep needs from the ranks before.
  subroutine lu_receive_lines(lu, field, k, direction)
    type(lu_state), intent(in) :: lu
    double precision, intent(inout) :: field(5, -1:lu%nx + 2, -1:lu%ny + 2, lu%n)
    integer, intent(in) :: k, direction
    double precision :: along_y(5, lu%ny), along_x(5, lu%nx)
    integer :: from_x, from_y, ierr

    from_x = merge(lu%north, lu%south, direction == upward)
    from_y = merge(lu%west, lu%east, direction == upward)
    if (from_x /= MPI_PROC_NULL) then
      call mpi_recv(along_y(1, 1), 5*lu%ny, MPI_DOUBLE_PRECISION, from_x, direction, lu%comm, &
                    MPI_STATUS_IGNORE, ierr)
      field(:, merge(0, lu%nx + 1, direction == upward), 1:lu%ny, k) = along_y
    end if
    if (from_y /= MPI_PROC_NULL) then
      call mpi_recv(along_x(1, 1), 5*lu%nx, MPI_DOUBLE_PRECISION, from_y, direction, lu%comm, &
                    MPI_STATUS_IGNORE, ierr)
      field(:, 1:lu%nx, merge(0, lu%ny + 1, direction == upward), k) = along_x
    end if
  end subroutine lu_receive_lines

  ! Hands the last points of plane k on to the ranks behind.
  subroutine lu_send_lines(lu, field, k, direction)
    type(lu_state), intent(in) :: lu
    double precision, intent(in) :: field(5, -1:lu%nx + 2, -1:lu%ny + 2, lu%n)
    integer, intent(in) :: k, direction
    double precision :: along_y(5, lu%ny), along_x(5, lu%nx)
    integer :: to_x, to_y, ierr

    to_x = merge(lu%south, lu%north, direction == upward)
    to_y = merge(lu%east, lu%west, direction == upward)
    if (to_x /= MPI_PROC_NULL) then
      along_y = field(:, merge(lu%nx, 1, direction == upward), 1:lu%ny, k)
      call mpi_send(along_y(1, 1), 5*lu%ny, MPI_DOUBLE_PRECISION, to_x, direction, lu%comm, ierr)
    end if
    if (to_y /= MPI_PROC_NULL) then
      along_x = field(:, 1:lu%nx, merge(lu%ny, 1, direction == upward), k)
      call mpi_send(along_x(1, 1), 5*lu%nx, MPI_DOUBLE_PRECISION, to_y, direction, lu%comm, ierr)
    end if
  end subroutine lu_send_lines
end module lu_exchange
