/* Which loops reach MPI is known after the link, over all that is linked: other files, a static
 * archive, a shared library, pointers, recursion; a loop carries a marker unless its own file rules
 * MPI out. Objects of a plain compiler keep their place between those with a graph.
 * RUN: for n in MAIN OTHER ARCHIVED SHARED; do scalana-static mpicc -O2 -fPIC -D$n -c %s -o $n.o || exit 1; done
 * RUN: OMPI_CC=gcc mpicc -O2 -g -DPLAIN -c %s -o PLAIN.o
 * RUN: ar rcs libarchived.a ARCHIVED.o && scalana-static mpicc -shared SHARED.o -o libshared.so
 * RUN: scalana-static mpicc MAIN.o OTHER.o PLAIN.o -L. -larchived -lshared -Wl,-rpath,'$ORIGIN' -o linked
 * RUN: mpirun -n 2 ./linked
 * RUN: scalana-static --dump=json linked > graph && python3 %i/closure.py %s graph main
 * RUN: scalana-static --dump=json MAIN.o > graph && python3 %i/closure.py %s graph alone
 * RUN: nm linked | sed -n 's/^0*\([0-9a-f]*\) [Tt] \(plain\|main\|quiet\)$/\1/p' | %b/tests/support/show_places $PWD/linked > places
 * RUN: grep -c 'root:' places | grep -qx 3
 * RUN: (scalana-static --stats PLAIN.o 2> err; test $? = 1) && grep -q 'no program structure graph' err
 */
#include <mpi.h>
int other(int), quiet(int), archived(int), shared(int), deep(int), plain(int), odd(int);
#if defined(MAIN)
static int (*volatile pointer)(int) = quiet;
static int even(int n)
{
    return n ? odd(n - 1) : 0;
}
static int pure(int n)
{
    return n * n;
}
int main(int argc, char **argv)
{
    volatile int sum = 0;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 2; i++) /* LOOP marked reaches */
        sum += other(i);
    for (int i = 0; i < 2; i++) /* LOOP marked quiet */
        sum += quiet(i);
    for (int i = 0; i < 2; i++) /* LOOP marked reaches */
        sum += archived(i);
    for (int i = 0; i < 2; i++) /* LOOP marked reaches */
        sum += shared(i);
    for (int i = 0; i < 2; i++) /* LOOP marked reaches */
        sum += pointer(i);
    for (int i = 0; i < 2; i++) /* LOOP marked reaches */
        sum += even(i);
    for (int i = 0; i < 2; i++) /* LOOP marked quiet */
        sum += plain(i);
    for (int i = 0; i < 2; i++) /* LOOP marked reaches */
        for (int j = 0; j < 2; j++) { /* LOOP marked reaches */
            for (int k = 0; k < 2; k++) /* LOOP bare quiet */
                sum += pure(k);
            MPI_Barrier(MPI_COMM_WORLD);
        }
    for (int i = 0; i < 2; i++) /* LOOP bare quiet */
        sum += MPI_Wtime() > 0; /* a clock */
    MPI_Finalize();
    return sum < 0;
}
#elif defined(OTHER)
int other(int n)
{
    return archived(n);
}
int quiet(int n)
{
    return n + 1;
}
int odd(int n)
{
    return n ? other(n - 1) : 1;
}
#elif defined(ARCHIVED)
int archived(int n)
{
    return shared(n);
}
#elif defined(SHARED)
int shared(int n)
{
    return deep(n);
}
int deep(int n)
{
    MPI_Barrier(MPI_COMM_WORLD);
    return n;
}
#else
int plain(int n)
{
    for (int i = 0; i < 3; i++)
        n = n * n + 1;
    return n;
}
#endif
