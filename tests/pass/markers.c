/* The hook is found without symbols, in the executable and in its shared library, and is called
 * once per iteration with the loop's identity; loops that only compute carry none.
 * RUN: gcc -shared -fPIC -I%i/../../include -x c %i/hook_runtime.inc -o libhook.so
 * RUN: scalana-static mpicc -O2 -fPIC -DPART=2 -shared %s -o libpart.so
 * RUN: scalana-static mpicc -O2 -DPART=1 %s -L. -lpart -Wl,-rpath,'$ORIGIN' -o marked && strip -s marked
 * RUN: ./marked
 * RUN: LD_PRELOAD=$PWD/libhook.so ./marked | FileCheck %s
 * RUN: scalana-static mpicc -O2 -DPART=1 -static-libgcc -no-pie %s -L. -lpart -Wl,-rpath,'$ORIGIN' -Wl,--gc-sections -o nopie && LD_PRELOAD=$PWD/libhook.so ./nopie | FileCheck %s
 * CHECK: modules 2
 * CHECK: loops 2
 * CHECK: iterations 10
 * CHECK: iterations 30
 */
#include <mpi.h>
void part(void);
#if PART == 1
int main(int argc, char **argv)
{
    double a[1000], s = 0;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 1000; i++)
        a[i] = i * 2;
    for (int step = 0; step < 10; step++)
        part();
    for (int i = 0; i < 1000; i++)
        s += a[i];
    MPI_Finalize();
    return s > 0 ? 0 : 1;
}
#else
void part(void)
{
    int i = 0;
    while (i++ < 3)
        MPI_Barrier(MPI_COMM_WORLD);
}
#endif
