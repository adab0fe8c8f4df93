! regions_fortran: phases by name, by the module.
program regions_fortran
  use mpi
  use scalana_region
  implicit none
  integer :: ierror, i
  real(8) :: one, total
  call MPI_Init(ierror)
  call scalana_region_begin('whole ')
  do i = 1, 60
    one = i
    call scalana_region_begin('inner')
    call scalana_region_end('inner')
    call MPI_Allreduce(one, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierror)
  end do
  call scalana_region_end('whole')
  call MPI_Finalize(ierror)
end program regions_fortran
