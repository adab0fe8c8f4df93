! A contained procedure with work on one rank.
program carried
  include 'mpif.h'
  double precision :: a(200, 200), mine, all
  integer :: error, rank, step
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  a = 1
  do step = 1, 60
    call sweep(merge(60, 15, rank == 1))
    mine = a(2, 2)
    call MPI_Allreduce(mine, all, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
  end do
  call MPI_Finalize(error)
contains
  subroutine sweep(times)
    integer, intent(in) :: times
    integer :: i, j, t
    do t = 1, times
      do j = 2, 199
        do i = 2, 199
          a(i, j) = 0.25d0 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1))
        end do
      end do
    end do
  end subroutine
end program
