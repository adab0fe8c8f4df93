! What Fortran kernels share, the like of npb.h: what a run is, which defect is
! planted in it, and how it ends. One npb_run lives in the main program and is
! passed down. Kernels use module npb, which adds the program options.
module npb_base
  use, intrinsic :: ieee_arithmetic, only: ieee_is_nan
  use, intrinsic :: iso_c_binding, only: c_int
  use, intrinsic :: iso_fortran_env, only: error_unit, output_unit
  implicit none
  private
  public :: npb_run, npb_any_rank, npb_refuse, npb_say, npb_finish, npb_leave
  public :: npb_planted, npb_share, npb_clock_start, npb_clock_stop

  integer, parameter :: npb_any_rank = -1

  type :: npb_run
    character(len=16) :: kernel = ''
    integer :: rank = 0, ranks = 1
    character(len=1) :: class = 'S'
    integer :: class_index = 1 ! of 'SWAB'
    integer :: iterations = 0
    logical :: class_iterations = .true.
    character(len=16) :: plant = 'none'
    integer :: plant_rank = npb_any_rank
    double precision :: plant_amount = 0 ! percent of one step's work, of all ranks
    double precision :: sink = 0 ! planted work ends here, so no compiler removes it
  end type npb_run

  interface
    subroutine c_exit(status) bind(C, name='exit')
      import :: c_int
      integer(c_int), value :: status
    end subroutine c_exit
  end interface

contains

  ! Every rank must call it. Rank 0 says why, and all end with status 2.
  subroutine npb_refuse(run, why)
    type(npb_run), intent(in) :: run
    character(len=*), intent(in) :: why

    if (run%rank == 0) write (error_unit, '(a)') trim(run%kernel)//': '//trim(why)
    call npb_leave(2)
  end subroutine npb_refuse

  subroutine npb_say(run, text)
    type(npb_run), intent(in) :: run
    character(len=*), intent(in) :: text

    if (run%rank == 0) then
      write (output_unit, '(a)') text
      flush (output_unit)
    end if
  end subroutine npb_say

  ! Whether this kind is planted on this rank. `by_kind` is the kind's own choice
  ! of rank; it holds unless the user named one.
  logical function npb_planted(run, kind, by_kind)
    type(npb_run), intent(in) :: run
    character(len=*), intent(in) :: kind
    logical, intent(in) :: by_kind

    npb_planted = by_kind
    if (run%plant_rank /= npb_any_rank) npb_planted = run%plant_rank == run%rank
    npb_planted = npb_planted .and. run%plant == kind
  end function npb_planted

  ! The planted share of so many pieces of work.
  integer(8) function npb_share(run, units)
    type(npb_run), intent(in) :: run
    double precision, intent(in) :: units

    npb_share = nint(units*run%plant_amount/100, 8)
  end function npb_share

  double precision function npb_clock_start()
    include 'mpif.h'
    integer :: ierr

    call mpi_barrier(MPI_COMM_WORLD, ierr) ! so that set-up is not measured as waiting
    npb_clock_start = mpi_wtime()
  end function npb_clock_start

  ! Seconds of the slowest rank, on rank 0.
  double precision function npb_clock_stop(start)
    include 'mpif.h'
    double precision, intent(in) :: start
    double precision :: mine, slowest
    integer :: ierr

    mine = mpi_wtime() - start
    slowest = 0
    call mpi_reduce(mine, slowest, 1, MPI_DOUBLE_PRECISION, MPI_MAX, 0, MPI_COMM_WORLD, ierr)
    npb_clock_stop = slowest
  end function npb_clock_stop

  ! Prints the verdict of rank 0 and ends MPI and the program.
  subroutine npb_finish(run, seconds, verified)
    include 'mpif.h'
    type(npb_run), intent(in) :: run
    double precision, intent(in) :: seconds
    logical, intent(in) :: verified
    character(len=32) :: line
    integer :: failed, ierr

    failed = merge(0, 1, verified)
    call mpi_bcast(failed, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr) ! one status for all ranks
    write (line, '(f12.3)') seconds
    call npb_say(run, 'Time: '//trim(adjustl(line))//' s')
    if (ieee_is_nan(run%sink)) call npb_say(run, 'the planted work gave no number')
    if (.not. run%class_iterations) then
      call npb_say(run, 'verification skipped: not the class''s iterations')
      failed = 0
    else
      call npb_say(run, 'Verification '//trim(merge('successful', 'failed    ', failed == 0)))
    end if
    call npb_leave(failed)
  end subroutine npb_finish

  subroutine npb_leave(status)
    integer, intent(in) :: status
    integer :: ierr

    call mpi_finalize(ierr)
    call c_exit(int(status, c_int))
  end subroutine npb_leave
end module npb_base
