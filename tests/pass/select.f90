! Of `select case` each case is an arm of one branch, the default too, whatever the cases are and
! wherever it stands; what follows is none of them.
! RUN: for o in 0 1 2 3; do scalana-static $SCALANA_TEST_FC -O$o -c %s -o $o.o && scalana-static --dump=text $o.o | sed '/^after/,$d' | sed -Ef %i/levels.sed > $o.txt || exit 1; done
! RUN: for o in 0 1 2 3; do for f in number range; do FileCheck --check-prefix=$f %s < $o.txt || exit 1; done; done
subroutine number(n, a)
  include 'mpif.h'
  integer :: n, i, k, ierr
  real(8) :: a(n)
  do k = 1, n
    select case (mod(k, 3))
    case (0)
      call mpi_barrier(MPI_COMM_WORLD, ierr)
    case (1)
      do i = 1, n
        a(i) = a(i) + k
      end do
    case default
      call mpi_bcast(a, n, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
    end select
  end do
end subroutine
! number: number, reaches MPI
! number: ||loop 9-18 *
! number: |||branch 10-18
! number-DAG: ||||mpi mpi_barrier_ 12 [arm {{[0-9]}}]
! number-DAG: ||||mpi mpi_bcast_ 18 [arm {{[0-9]}}]
! number-DAG: ||||loop 14-15 [arm {{[0-9]}}]
subroutine range(k)
  include 'mpif.h'
  integer :: k, ierr
  select case (k)
  case (:0)
    call mpi_barrier(MPI_COMM_WORLD, ierr)
  case (1, 5)
    call mpi_abort(MPI_COMM_WORLD, 1, ierr)
  case (2:3)
    call mpi_barrier(MPI_COMM_WORLD, ierr)
  end select
  call mpi_barrier(MPI_COMM_WORLD, ierr)
end subroutine
! range: range, reaches MPI
! range: ||branch 31-37
! range-DAG: |||mpi mpi_barrier_ 33 [arm {{[0-9]}}]
! range-DAG: |||mpi mpi_abort_ 35 [arm {{[0-9]}}]
! range-DAG: |||mpi mpi_barrier_ 37 [arm {{[0-9]}}]
! range: ||mpi mpi_barrier_ 39
