"""What generate.py draws, as a Fortran program. It has fewer kinds of communication."""
import re
import textwrap

import generate

KERNEL = """
  subroutine {name}(x, n)
    real(8), intent(inout) :: x
    integer, intent(in) :: n
    integer :: i
    do i = 1, n{mark}
      x = x * {a} + {b}
    end do
  end subroutine {name}
"""
NUMBERS = (("0.9999999d0", "1d-8"), ("0.9999998d0", "2d-8"), ("0.9999997d0", "3d-8"))
MEETING = ("""call mpi_allreduce(x, got, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
x = got / nranks""",
           "call mpi_barrier(MPI_COMM_WORLD, ierr)",
           """call mpi_reduce(x, got, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
call mpi_bcast(got, 1, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
x = got / nranks""")
OTHER = ("",
         """call mpi_sendrecv(x, 1, MPI_DOUBLE_PRECISION, right, {tag}, got, 1, &
                  MPI_DOUBLE_PRECISION, left, {tag}, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
x = (x + got) / 2""",
         """call mpi_irecv(got, 1, MPI_DOUBLE_PRECISION, left, {tag}, MPI_COMM_WORLD, requests(1), ierr)
call mpi_isend(x, 1, MPI_DOUBLE_PRECISION, right, {tag}, MPI_COMM_WORLD, requests(2), ierr)
call mpi_waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
x = (x + got) / 2""")
PROGRAM = """
program drawn
  use kernels
  use truth
  implicit none
  include 'mpif.h'
  integer, parameter :: steps = {steps}
  integer :: ierr, rank, nranks, step, left, right, requests(2)
  logical :: defect
  real(8) :: x, got
  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_comm_size(MPI_COMM_WORLD, nranks, ierr)
  left = modulo(rank - 1, nranks)
  right = modulo(rank + 1, nranks)
  defect = truth_defect(rank)
  x = 1
  do step = 0, steps - 1
{calls}
  end do
  if (rank == 0) print *, x
  call mpi_finalize(ierr)
contains
{phases}
end program drawn
"""


def condition(text):
    """C's, in Fortran."""
    text = re.sub(r"(\w+) % (\w+)", r"mod(\1, \2)", text)
    return text.replace("&&", ".and.").replace("||", ".or.").replace("size", "nranks")


def slower(k, where, times, cause):
    return f"""slow = defect .and. {condition(where)}
call truth_begin()
call kernel{k}(x, merge(int({float(times)}d0 * n), n, slow))
call truth_end({cause}, merge({1 - 1 / times:.4f}d0, 0d0, slow))"""


def work(d, k):
    here, slow = d.defect if k == d.bad else None, generate.slowness(d, k)
    if slow:
        return slower(k, *slow)
    if here == "undivided":
        return f"""call truth_begin()
call kernel{k}(x, merge(n * nranks, n, defect))
call truth_end(0, merge(1d0, 0d0, defect))"""
    if here == "serial":
        return f"""call kernel{k}(x, n)
if (defect .and. rank == 0) then
  call truth_begin()
  call serial(x, {d.serial_iterations()})
  call truth_end(0, 1d0)
end if
call mpi_bcast(x, 1, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)"""
    return f"call kernel{k}(x, n)"


def exchange(d, k):
    """One in which all meet where C's does, too."""
    name = d.exchanges[k]
    kinds = MEETING if name in generate.MEETING else OTHER
    return kinds[len(name) % len(kinds)].replace("{tag}", str(k))


def phase(d, k):
    body = "\n".join(text for text in ("integer :: n", "logical :: slow",
                                       f"n = {d.iterations(k)} / nranks", work(d, k),
                                       exchange(d, k)) if text)
    return f"  subroutine phase{k}()\n{textwrap.indent(body, '    ')}\n  end subroutine phase{k}"


def kernel(d, name, k, marked):
    a, b = NUMBERS[k % len(NUMBERS)]
    return KERNEL.format(name=name, a=a, b=b, mark=" ! CAUSE" if marked else "")


def source(d):
    planted = d.defect not in (None, "serial")
    count = len(d.kernels)
    kernels = [kernel(d, f"kernel{k}", k, planted and k in (d.bad, d.second))
               for k in range(count)]
    if d.defect == "serial":
        kernels.append(kernel(d, "serial", 1, True))
    return "\n".join([f"! Drawn from seed {d.seed}.", *(f"! TRUTH: {t}" for t in d.truths()),
                      "module kernels\n  implicit none\ncontains"]) + "".join(kernels) + \
        "end module kernels\n" + PROGRAM.format(
            steps=d.steps, calls="\n".join(f"    call phase{k}()" for k in range(count)),
            phases="\n\n".join(phase(d, k) for k in range(count)))
