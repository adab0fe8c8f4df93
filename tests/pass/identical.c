/* Machine code is the same with and without the plugin where no loop carries a marker.
 * RUN: for o in -O0 -O1 -O2 -O3 "-O3 -march=native -ffast-math"; do clang $o -w -g1 $(mpicc -showme:compile) -c %s -o a.o && scalana-static mpicc $o -c %s -o b.o && for f in a b; do objcopy -O binary -j .text $f.o $f.text && objdump -dr $f.o | tail -n +4 > $f.dis; done && cmp a.text b.text && cmp a.dis b.dis || exit 1; done
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>
struct grid {
    int n;
    double *a, *b;
};
static double relax(struct grid *g, double w)
{
    double change = 0;
    for (int i = 1; i < g->n - 1; i++)
        for (int j = 1; j < g->n - 1; j++) {
            double old = g->a[i * g->n + j];
            double new = 0.25 * (g->b[(i - 1) * g->n + j] + g->b[(i + 1) * g->n + j] +
                                 g->b[i * g->n + j - 1] + g->b[i * g->n + j + 1]);
            g->a[i * g->n + j] = old + w * (new - old);
            if (fabs(new - old) > change)
                change = fabs(new - old);
        }
    return change;
}
static int order(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return a < b ? -1 : a > b;
}
double step(struct grid *g)
{
    double change = relax(g, 0.9), all = 0;
    qsort(g->a, g->n, sizeof *g->a, order);
    MPI_Allreduce(&change, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (all > 1 && g->n > 4)
        for (int i = 0; i < g->n; i++)
            g->a[i] = sqrt(g->a[i]) / all;
    return all;
}
