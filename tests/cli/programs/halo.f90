! The first rank does more than the others.
program halo
  use mpi
  implicit none
  integer :: ierror, rank, ranks, step, i
  real(8) :: x, total
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  x = 0
  do step = 1, 20
     if (rank == 0) then
        do i = 1, 1000000
           x = x + sqrt(real(i, 8))
        end do
     end if
     call MPI_Allreduce(x, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierror)
  end do
  if (rank == 0) print *, total
  call MPI_Finalize(ierror)
end program halo
