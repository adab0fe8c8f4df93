! The last rank ends its process as Fortran does; the others wait for it.
!
! endings WAY
program endings
  use mpi
  implicit none
  integer :: rank, size, error
  character(16) :: way
  call get_command_argument(1, way)
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, size, error)
  call MPI_Barrier(MPI_COMM_WORLD, error)
  if (rank == size - 1) call finish()
  call MPI_Barrier(MPI_COMM_WORLD, error)
  call MPI_Finalize(error)
contains
  subroutine finish()
    if (way == 'stop') stop 3 ! line: stop
    if (way == 'file') open (10, file='/nowhere/at/all', status='old') ! line: file
  end subroutine
end program
