! The threads of each rank have rows of a triangle in blocks: the last has the longest rows.
! TRUTH: category=imbalance ranks=all waits=none cost=? gain=? flags=-fopenmp
program uneven_triangle
  use truth
  implicit none
  include 'mpif.h'
  integer, parameter :: steps = 40, rows = 64, work = 160000
  integer :: rank, size, ierr, level, step
  double precision :: sum, all
  double precision :: sums(rows)
  logical :: defect

  call MPI_Init_thread(MPI_THREAD_FUNNELED, level, ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
  defect = truth_defect(rank)
  all = 0
  do step = 1, steps
    call truth_begin()
    call sweep(work / size / rows)
    call truth_end(0, 0.1d0) ! what it costs the run with the defect off says
    call MPI_Allreduce(sum, all, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
  end do
  if (rank == 0) print '(es12.5)', all
  call MPI_Finalize(ierr)

contains

  double precision function row(x, count)
    double precision, intent(in) :: x
    integer, intent(in) :: count
    integer :: i
    row = x
    do i = 1, count
      row = row * 0.9999999d0 + 1d-8
    end do
  end function row

  subroutine part_of_rows(count)
    integer, intent(in) :: count
    integer :: r
    !$omp do schedule(static)
    do r = 1, rows
      sums(r) = row(1d0, count * merge(r, rows / 2, defect))
    end do
    !$omp end do
  end subroutine part_of_rows

  subroutine sweep(count)
    integer, intent(in) :: count
    !$omp parallel num_threads(2)
    call part_of_rows(count) ! CAUSE
    !$omp end parallel
    sum = sums(1) + sums(rows)
  end subroutine sweep

end program uneven_triangle
