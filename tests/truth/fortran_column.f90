! One rank's columns converge late.
! TRUTH: category=imbalance ranks=last waits=wait-at-nxn
module physics
  implicit none
contains
  subroutine column(x, count)
    real(8), intent(inout) :: x
    integer, intent(in) :: count
    integer :: i
    do i = 1, count ! CAUSE
      x = x * 0.9999999d0 + 1d-8
    end do
  end subroutine column

  subroutine advect(x, count)
    real(8), intent(inout) :: x
    integer, intent(in) :: count
    integer :: i
    do i = 1, count
      x = x * 0.9999998d0 + 2d-8
    end do
  end subroutine advect
end module physics

program weather
  use physics
  use truth
  implicit none
  include 'mpif.h'
  integer, parameter :: steps = 50, cells = 6000000
  integer :: ierr, rank, nranks, step, count
  logical :: more
  real(8) :: x, total, times
  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_comm_size(MPI_COMM_WORLD, nranks, ierr)
  x = 1
  count = cells / nranks
  more = truth_defect(rank) .and. rank == nranks - 1
  do step = 1, steps
    call advect(x, cells / nranks)
    times = truth_times(more, 3d0, step - 1, steps)
    call truth_begin()
    call column(x, int(count * times))
    call truth_end(0, 1 - 1 / times)
    call mpi_allreduce(x, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
    x = total / nranks
  end do
  if (rank == 0) print *, x
  call mpi_finalize(ierr)
end program weather
