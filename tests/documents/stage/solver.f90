! What the documents call ./solver_f.
program solver
  implicit none
  include 'mpif.h'
  integer :: step, i, rank, error
  real(8) :: x, total
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  x = 1
  do step = 1, 20
    do i = 1, 200000 * (1 + rank)
      x = x * 1.0000001d0 + 0.0000001d0
    end do
    call MPI_Allreduce(x, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
  end do
  if (rank == 0) print *, total
  call MPI_Finalize(error)
end program solver
