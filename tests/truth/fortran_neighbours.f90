! Non-blocking exchange with both neighbours on a ring; one rank has a glacier to melt first.
! TRUTH: category=imbalance ranks=1 waits=late-sender
module surface
  implicit none
contains
  subroutine melt(x, layers)
    real(8), intent(inout) :: x
    integer, intent(in) :: layers
    integer :: i
    do i = 1, layers ! CAUSE
      x = x * 0.9999998d0 + 2d-8
    end do
  end subroutine melt

  subroutine diffuse(x, cells)
    real(8), intent(inout) :: x
    integer, intent(in) :: cells
    integer :: i
    do i = 1, cells
      x = x * 0.9999999d0 + 1d-8
    end do
  end subroutine diffuse

  subroutine exchange(x, left, right)
    include 'mpif.h'
    real(8), intent(inout) :: x
    integer, intent(in) :: left, right
    real(8) :: from_left, from_right
    integer :: requests(4), ierr
    call mpi_irecv(from_left, 1, MPI_DOUBLE_PRECISION, left, 1, MPI_COMM_WORLD, requests(1), ierr)
    call mpi_irecv(from_right, 1, MPI_DOUBLE_PRECISION, right, 2, MPI_COMM_WORLD, requests(2), ierr)
    call mpi_isend(x, 1, MPI_DOUBLE_PRECISION, right, 1, MPI_COMM_WORLD, requests(3), ierr)
    call mpi_isend(x, 1, MPI_DOUBLE_PRECISION, left, 2, MPI_COMM_WORLD, requests(4), ierr)
    call mpi_waitall(4, requests, MPI_STATUSES_IGNORE, ierr)
    x = (x + from_left + from_right) / 3
  end subroutine exchange
end module surface

program climate
  use surface
  use truth
  implicit none
  include 'mpif.h'
  integer, parameter :: steps = 100, cells = 4800000
  integer :: ierr, rank, nranks, step, layers
  logical :: more
  real(8) :: x
  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_comm_size(MPI_COMM_WORLD, nranks, ierr)
  x = 1
  more = truth_defect(rank) .and. rank == 1
  do step = 1, steps
    call diffuse(x, cells / nranks)
    layers = truth_extra(more, 900000, cells / nranks, step - 1, steps)
    if (layers > 0) then
      call truth_begin()
      call melt(x, layers)
      call truth_end(0, 1d0)
    end if
    call exchange(x, modulo(rank - 1, nranks), modulo(rank + 1, nranks))
  end do
  call mpi_barrier(MPI_COMM_WORLD, ierr)
  if (rank == 0) print *, x
  call mpi_finalize(ierr)
end program climate
