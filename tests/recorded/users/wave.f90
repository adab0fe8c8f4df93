! A wave on pieces of a line: rank 1 steps twice as often, rank 0 writes the fields.
module ocean
  use mpi
  implicit none
  integer :: rank, nranks, ierr
contains
  subroutine step(u, v)
    real(8), intent(inout) :: u(:), v(:)
    integer :: i, k, m
    m = 3
    if (rank == 1) m = 6
    do k = 1, m
      do i = 2, size(u) - 1
        v(i) = u(i) + 0.1d0 * sin(u(i-1) - 2 * u(i) + u(i+1))
      end do
      u = v
    end do
  end subroutine
  subroutine write_fields(u, n)
    real(8), intent(in) :: u(:)
    integer, intent(in) :: n
    integer :: i
    character(20) :: name
    if (rank /= 0) return
    write (name, '(a,i4.4,a)') 'field', n, '.txt'
    open (10, file=name)
    do i = 1, size(u), 2
      write (10, '(i8,f14.6)') i, u(i)
    end do
    close (10)
  end subroutine
end module
program wave
  use ocean
  real(8), allocatable :: u(:), v(:)
  real(8) :: total
  integer :: n
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nranks, ierr)
  allocate (u(400000 / nranks), v(400000 / nranks))
  u = [(sin(0.001d0 * n), n = 1, size(u))]
  v = u
  do n = 1, 40
    call step(u, v)
    call MPI_Allreduce(sum(u), total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
    if (mod(n, 10) == 0) call write_fields(u, n)
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
  end do
  if (rank == 0) print *, total
  call MPI_Finalize(ierr)
end program
