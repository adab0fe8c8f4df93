! The threads of each rank work on rows, and most of a row is done in the rows' order.
! TRUTH: category=contention ranks=all waits=none cost=? gain=? flags=-fopenmp
program ordered_rows
  use truth
  implicit none
  include 'mpif.h'
  integer, parameter :: steps = 30, rows = 8, work = 800000, part = 3
  integer :: rank, size, ierr, level, step
  double precision :: sum, all
  logical :: defect

  call MPI_Init_thread(MPI_THREAD_FUNNELED, level, ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
  defect = truth_defect(rank)
  all = 0
  do step = 1, steps
    if (defect) then
      call truth_begin()
      call in_order(work / size)
      call truth_end(0, 0.1d0) ! what it costs the run with the defect off says
    else
      call in_any_order(work / size)
    end if
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

  subroutine in_order(count)
    integer, intent(in) :: count
    integer :: r
    double precision :: x
    sum = 0
    !$omp parallel do ordered schedule(static, 1) num_threads(2) private(x)
    do r = 1, rows
      x = row(1d0, count / (1 + part))
      !$omp ordered ! CAUSE
      sum = sum + row(x, part * (count / (1 + part)))
      !$omp end ordered
    end do
    !$omp end parallel do
  end subroutine in_order

  subroutine in_any_order(count)
    integer, intent(in) :: count
    integer :: r
    sum = 0
    !$omp parallel do schedule(static, 1) num_threads(2) reduction(+:sum)
    do r = 1, rows
      sum = sum + row(1d0, count)
    end do
    !$omp end parallel do
  end subroutine in_any_order

end program ordered_rows
