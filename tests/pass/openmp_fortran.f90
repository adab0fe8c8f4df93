! OpenMP in Fortran: the body of a region is told by the procedure that it was outlined from.
! RUN: scalana-static flang-new -O2 -fopenmp -c %s -o f.o
! RUN: scalana-static --dump=text f.o | sed '/^after/,$d' | sed -Ef %i/levels.sed > dump
! RUN: FileCheck --match-full-lines %s < dump
module field
contains
  subroutine smooth(a, n)
    integer :: n, i
    real(8) :: a(n)
    !$omp parallel do
    do i = 1, n
      a(i) = sqrt(a(i)) + i
    end do
  end subroutine
end module
! CHECK-DAG: smooth, {{.*}}
! CHECK-DAG: smooth.omp_outlined, {{.*}}
! CHECK-DAG: ||call _QMfieldPsmooth..omp_par {{[0-9]+}} -> smooth.omp_outlined
! CHECK-DAG: ||loop {{.*}}
