! A balanced 2-D smoother, columns divided among the ranks, with a global norm every few steps.
! TRUTH: none
program ocean
  implicit none
  include 'mpif.h'
  integer, parameter :: rows = 256, columns = 512, steps = 500
  integer :: ierr, rank, nranks, step, n, left, right
  real(8), allocatable :: h(:, :), g(:, :)
  real(8) :: norm, total
  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_comm_size(MPI_COMM_WORLD, nranks, ierr)
  n = columns / nranks
  left = merge(rank - 1, MPI_PROC_NULL, rank > 0)
  right = merge(rank + 1, MPI_PROC_NULL, rank + 1 < nranks)
  allocate (h(rows, 0:n + 1), g(rows, 0:n + 1))
  h = rank
  g = 0
  do step = 1, steps
    call mpi_sendrecv(h(1, n), rows, MPI_DOUBLE_PRECISION, right, 0, h(1, 0), rows, &
                      MPI_DOUBLE_PRECISION, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call mpi_sendrecv(h(1, 1), rows, MPI_DOUBLE_PRECISION, left, 1, h(1, n + 1), rows, &
                      MPI_DOUBLE_PRECISION, right, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call smooth(h, g, n, norm)
    if (mod(step, 5) == 0) &
      call mpi_allreduce(norm, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
  end do
  if (rank == 0) print *, total
  call mpi_finalize(ierr)
contains
  subroutine smooth(h, g, n, norm)
    integer, intent(in) :: n
    real(8), intent(inout) :: h(rows, 0:n + 1), g(rows, 0:n + 1)
    real(8), intent(out) :: norm
    integer :: i, j, k
    do k = 1, 6
      do j = 1, n
        do i = 2, rows - 1
          g(i, j) = sqrt(0.25d0 * (h(i - 1, j)**2 + h(i + 1, j)**2 + h(i, j - 1)**2 + h(i, j + 1)**2))
        end do
      end do
    end do
    norm = sum(abs(g(:, 1:n) - h(:, 1:n)))
    h(:, 1:n) = g(:, 1:n)
  end subroutine smooth
end program ocean
