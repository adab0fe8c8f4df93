! Fortran: module procedures, contained procedures, MPI by mpif.h, do loops exact to the line.
! RUN: scalana-static mpifort -O2 -c %s -o f.o && scalana-static mpifort f.o -o f
! RUN: mpirun -n 2 ./f
! RUN: scalana-static --dump=text f | sed '/^after/,$d' | sed -Ef %i/levels.sed > dump
! RUN: FileCheck --check-prefix=STEP %s < dump
! RUN: FileCheck --check-prefix=MAIN %s < dump
! RUN: FileCheck --check-prefix=INNER %s < dump
! RUN: llvm-dwarfdump --debug-info f.o | grep 'scalana:'
! RUN: scalana-static flang-new -O2 -c %s $(mpifort -showme:compile) -o g.o && readelf -S g.o | grep -q scalana.psg
! RUN: rm -r $XDG_CACHE_HOME; printf 'module u\n use mpi, only: MPI_Send, MPI_Wtime, MPI_DOUBLE_PRECISION\nend\n' > u.f90; scalana-static mpifort -c u.f90 2> err && grep -q 'made a module mpi from mpif.h' err && scalana-static mpifort -c u.f90 2> err && test ! -s err
module field
contains
  subroutine step(a, n, s)
    include 'mpif.h'
    integer :: n, i, j, ierr
    real(8) :: a(n, n), s, t
    t = 0
    do j = 1, n
      do i = 1, n
        if (a(i, j) > 1) then
          a(i, j) = sqrt(a(i, j))
        else
          a(i, j) = a(i, j) + j
        end if
        t = t + a(i, j)
      end do
    end do
    do i = 1, 3
      call mpi_allreduce(t, s, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
      if (s > 1d30) exit
      call inner(t)
    end do
  contains
    subroutine inner(x)
      real(8) :: x
      do while (x > 1)
        x = x / 2
      end do
    end subroutine
  end subroutine
end module
program p
  use field
  include 'mpif.h'
  real(8) :: a(50, 50), s
  integer :: ierr, k
  call mpi_init(ierr)
  do k = 1, 4
    a = k
    call step(a, 50, s)
  end do
  call mpi_finalize(ierr)
end program
! STEP: step, reaches MPI
! STEP-NEXT: |root 13-
! STEP-NEXT: ||comp 16-17
! STEP-NEXT: ||loop 18-26{{$}}
! STEP-NEXT: |||loop 19-25{{$}}
! STEP-NEXT: ||||comp 20
! STEP-NEXT: ||||branch 20-23
! STEP-NEXT: |||||comp 21 [arm 0]
! STEP-NEXT: |||||comp 23 [arm 1]
! STEP-NEXT: ||||comp 25
! STEP-NEXT: ||loop 28-31 *
! STEP-NEXT: |||mpi mpi_allreduce_ 29
! STEP-NEXT: |||call {{.*}} 31 -> inner
! INNER: inner, {{.*}}fortran.f90
! INNER-NEXT: |root 34-
! INNER-NEXT: ||loop 36-37
! INNER-NEXT: |||comp 37
! MAIN: |root 42-
! MAIN-NEXT: ||mpi mpi_init_ 47
! MAIN-NEXT: ||loop 48-50 *
! MAIN-NEXT: |||loop 49
! MAIN-NEXT: ||||loop 49
! MAIN-NEXT: |||call {{.*}} 50 -> step
! MAIN-NEXT: ||mpi mpi_finalize_ 52
! RUN: rm -r $XDG_CACHE_HOME/scalana/mpi-module/*/mpi.mod; scalana-static mpifort -c u.f90 2> err && grep -q 'made a module mpi from mpif.h' err
! RUN: printf 'program p\n use u\n real(8) t\n t = MPI_Wtime()\nend\n' > w.f90; scalana-static mpifort u.o w.f90 -o w
! RUN: scalana-static flang-new -c u.f90 $(mpifort -showme:compile)
! RUN: rm -rf u.mod; XDG_CACHE_HOME=/proc/self scalana-static mpifort -c u.f90 2> err; test $? = 1 && grep -q "'use mpi' does not work here" err && test $(wc -l < err) -lt 20
! RUN: printf 'program p\n use mpi_f08\nend\n' > g.f90; scalana-static mpifort -c g.f90 2> err; test $? = 1 && grep -q "'use mpi_f08' does not work here.*'use mpi'" err && test $(wc -l < err) -lt 20
! RUN: scalana-static --mpi-module=mod mpifort && scalana-static flang-new -c u.f90 $(mpifort -showme:compile) -I$PWD/mod
! RUN: printf "program p\n use mpi\n integer :: e, r, s\n call MPI_Init(e)\n call MPI_Comm_rank(MPI_COMM_WORLD, r, e)\n call MPI_Allreduce(r, s, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, e)\n if (r == 0) print *, 'sum', s\n call MPI_Finalize(e)\nend\n" > v.f90
! RUN: for mpi in openmpi mpich; do command -v mpifort.$mpi || continue; scalana-static mpifort.$mpi v.f90 -o v.$mpi && mpirun.$mpi -n 2 ./v.$mpi | grep -q 'sum *1' || exit 1; done
