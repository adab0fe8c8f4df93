! MPI calls procedures of a Fortran program back; MPI's own (MPI_COMM_DUP_FN and others) are given
! to it beside them.
module callbacks
  implicit none
  include 'mpif.h'
  integer :: rank = 0
contains
  subroutine work()
    real(8) :: begin, now
    integer, volatile :: ticks
    integer :: k
    ticks = 0
    call cpu_time(begin)
    do
      do k = 1, 100000
        ticks = ticks + 1
      end do
      call cpu_time(now)
      if (now - begin > 0.06d0) exit
    end do
  end subroutine

  subroutine in_operator(in, out, n, type)
    integer :: n, type, i
    integer :: in(n), out(n)
    call work()
    do i = 1, n
      out(i) = 2 * in(i) + out(i)
    end do
    if (type /= MPI_INTEGER) print *, 'wrong type'
  end subroutine

  subroutine in_copy(comm, keyval, extra, value, copied, flag, ierror)
    integer :: comm, keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: extra, value, copied
    logical :: flag
    call work()
    copied = value + extra
    flag = comm /= MPI_COMM_NULL .and. keyval /= MPI_KEYVAL_INVALID
    ierror = MPI_SUCCESS
  end subroutine

  subroutine in_delete(comm, keyval, value, extra, ierror)
    integer :: comm, keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: value, extra
    call work()
    if (rank == 0) print '(a,i0,a,i0,a,i0,a,l1)', 'rank ', rank, ': delete ', value, ' ', extra, ' ', &
      comm /= MPI_COMM_NULL .and. keyval /= MPI_KEYVAL_INVALID
    ierror = MPI_SUCCESS
  end subroutine

  subroutine in_handler(comm, error)
    integer :: comm, error
    call work()
    if (rank == 0) print '(a,i0,a,l1,l1)', 'rank ', rank, ': handler ', comm == MPI_COMM_SELF, error /= 0
  end subroutine
end module

program main
  use callbacks
  implicit none
  integer :: ierror, op, own, plain, comm, copy, handler, in(3), out(3)
  integer(kind=MPI_ADDRESS_KIND) :: extra = 100, nothing = 0, value, other
  logical :: flag, too
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Op_create(in_operator, .false., op, ierror)
  in = (/ rank + 1, 10, 100 /)
  call MPI_Allreduce(in, out, 3, MPI_INTEGER, op, MPI_COMM_WORLD, ierror)
  if (rank == 0) print '(a,i0,a,3(1x,i0))', 'rank ', rank, ':', out
  call MPI_Op_free(op, ierror)
  call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierror)
  call MPI_Comm_create_keyval(in_copy, in_delete, own, extra, ierror)
  call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, plain, nothing, ierror)
  call MPI_Comm_set_attr(comm, own, extra, ierror)
  call MPI_Comm_set_attr(comm, plain, extra, ierror)
  call MPI_Comm_dup(comm, copy, ierror)
  call MPI_Comm_get_attr(copy, own, value, flag, ierror)
  call MPI_Comm_get_attr(copy, plain, other, too, ierror)
  if (rank == 0) print '(a,i0,a,i0,1x,l1,1x,i0,1x,l1)', 'rank ', rank, ': attributes ', value, flag, other, too
  call MPI_Comm_free(copy, ierror)
  call MPI_Comm_free(comm, ierror)
  call MPI_Comm_create_errhandler(in_handler, handler, ierror)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, handler, ierror)
  call MPI_Send(in, 0, MPI_INTEGER, 12345, 0, MPI_COMM_SELF, ierror)
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  call MPI_Finalize(ierror)
end program
