! The first rank of the upper half has more spectral terms; the root waits for it in a reduction,
! and the others for the root.
! TRUTH: category=imbalance ranks=middle waits=early-reduce,late-broadcast
module spectrum
  implicit none
contains
  subroutine synthesis(x, terms)
    real(8), intent(inout) :: x
    integer, intent(in) :: terms
    integer :: i
    do i = 1, terms
      x = x * 0.9999999d0 + 1d-8
    end do
  end subroutine synthesis

  real(8) function energy(x, terms)
    real(8), intent(in) :: x
    integer, intent(in) :: terms
    integer :: i
    energy = 0
    do i = 1, terms ! CAUSE
      energy = energy * 0.9999998d0 + x * 2d-8
    end do
  end function energy
end module spectrum

program model
  use spectrum
  use truth
  implicit none
  include 'mpif.h'
  integer, parameter :: steps = 80, terms = 5600000
  integer :: ierr, rank, nranks, step, own
  logical :: more
  real(8) :: x, part, total, times
  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_comm_size(MPI_COMM_WORLD, nranks, ierr)
  x = 1
  more = truth_defect(rank) .and. rank == nranks / 2
  own = terms / 4 / nranks
  do step = 1, steps
    call synthesis(x, terms / nranks)
    times = truth_times(more, 6d0, step - 1, steps)
    call truth_begin()
    part = energy(x, int(own * times))
    call truth_end(0, 1 - 1 / times)
    call mpi_reduce(part, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
    call mpi_bcast(total, 1, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
    x = x + total
  end do
  if (rank == 0) print *, x
  call mpi_finalize(ierr)
end program model
