program ring_mpif
  implicit none
  include 'mpif.h'
  integer :: requests(3), twin, window, file, status(MPI_STATUS_SIZE)
  include 'fortran_body.inc'
end program
