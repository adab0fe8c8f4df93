program ring_f08
  use mpi_f08
  implicit none
  type(MPI_Request) :: requests(3)
  type(MPI_Comm) :: twin
  type(MPI_Win) :: window
  type(MPI_File) :: file
  type(MPI_Status) :: status
  include 'fortran_body.inc'
end program
