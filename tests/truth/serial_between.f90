! Each rank does a part with one thread, between regions in which two threads share the rest (Amdahl).
! TRUTH: category=serial ranks=all waits=none cost=? gain=P*worst flags=-fopenmp
program serial_between
  use truth
  implicit none
  include 'mpif.h'
  integer, parameter :: steps = 40, rows = 16, work = 4000000, threads = 2
  integer :: rank, size, ierr, level, step
  double precision :: sum, all
  double precision :: sums(rows)

  call MPI_Init_thread(MPI_THREAD_FUNNELED, level, ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
  all = 0
  do step = 1, steps
    if (truth_defect(rank)) then
      call alone(work / size)
    else
      call shared(work / size)
    end if
    call shared(work / size)
    call MPI_Allreduce(sum, all, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
  end do
  if (rank == 0) print '(es12.5)', all
  call MPI_Finalize(ierr)

contains

  subroutine alone(count)
    integer, intent(in) :: count
    integer :: i
    double precision :: x
    x = 1
    call truth_begin()
    do i = 1, count ! CAUSE
      x = x * 0.9999999d0 + 1d-8
    end do
    call truth_end(0, 1 - 1d0 / threads)
    sum = x
  end subroutine alone

  double precision function piece(count)
    integer, intent(in) :: count
    integer :: i
    piece = 1
    do i = 1, count
      piece = piece * 0.9999998d0 + 2d-8
    end do
  end function piece

  subroutine shared(count)
    integer, intent(in) :: count
    integer :: r
    !$omp parallel do num_threads(threads)
    do r = 1, rows
      sums(r) = piece(count / rows)
    end do
    !$omp end parallel do
    sum = sums(1)
  end subroutine shared

end program serial_between
