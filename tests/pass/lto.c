/* Link-time optimization, full and thin, with the linker's own plugin and with lld.
 * RUN: for l in -flto "-flto -fuse-ld=lld" -flto=thin "-flto=thin -fuse-ld=lld"; do scalana-static mpicc -O2 -w $l -DPART=1 -c %s -o a.o && scalana-static mpicc -O2 -w $l -DPART=2 -c %s -o b.o && scalana-static mpicc -O2 $l a.o b.o -o lto && ./lto && scalana-static --stats lto | FileCheck %s && llvm-dwarfdump --debug-line lto > lines && python3 %i/ids.py %s lines || exit 1; done
 * CHECK: lto {{.*}} 2 0 {{.*}} 4
 * Objects have no graph yet: one line says where it will be.
 * RUN: scalana-static mpicc -O2 -flto -DPART=1 -c %s -o a.o && rm -f lib.a && llvm-ar rc lib.a a.o && for f in a.o lib.a; do ! scalana-static --stats $f 2> err || exit 1; test $(wc -l < err) = 1 && grep -q "$f is bitcode .*linked into" err || exit 1; done
 */
#include <mpi.h>
double work(double *a, int n);
#if PART == 1
int main(int argc, char **argv)
{
    double a[1000] = {0}, s = 0;
    MPI_Init(&argc, &argv);
    for (int step = 0; step < 10; step++) {
        s += work(a, 1000);
        MPI_Allreduce(MPI_IN_PLACE, &s, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /* CALL A */
    }
    MPI_Finalize(); /* CALL B */
    return s > 0 ? 0 : 1;
}
#else
double work(double *a, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) {
        a[i] += i;       /* BODY C */
        s += a[i] * 0.5; /* BODY C */
    }
    MPI_Barrier(MPI_COMM_WORLD); /* CALL D */
    return s;
}
#endif
