program ring_mpi
  use mpi
  implicit none
  integer :: requests(3), twin, window, file, status(MPI_STATUS_SIZE)
  include 'fortran_body.inc'
end program
