/* What one macro expands to has one line and one column, but its loops hold what they hold.
 *
 * RUN: for o in 0 1 2 3; do scalana-static mpicc -O$o -c %s -o $o.o && scalana-static --dump=text $o.o | sed '/^after/,$d' | sed -Ef %i/levels.sed > $o.txt; done
 * RUN: for o in 0 1 2 3; do for f in behind nested left across; do FileCheck --match-full-lines --check-prefix=$f %s < $o.txt || exit 1; done; done
 */
#include <mpi.h>

#define FILL_AND_SUM(a, n, s)                                                                      \
    do {                                                                                           \
        for (int i = 0; i < (n); i++)                                                              \
            (a)[i] = i * .5;                                                                       \
        MPI_Allreduce(MPI_IN_PLACE, &(s), 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);                 \
    } while (0)
#define STEPS(a, n, steps, s)                                                                      \
    for (int step = 0; step < (steps); step++)                                                     \
        FILL_AND_SUM(a, n, s);                                                                     \
    MPI_Barrier(MPI_COMM_WORLD)
#define SEND_FIRST(a, n, least)                                                                    \
    for (int i = 0; i < (n); i++) {                                                                \
        if ((a)[i] > (least)) {                                                                    \
            MPI_Send((a) + i, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);                                \
            break;                                                                                 \
        }                                                                                          \
        (a)[i] += 2;                                                                               \
    }                                                                                              \
    MPI_Barrier(MPI_COMM_WORLD)

// behind: behind, reaches MPI, {{.*}}
// behind-NEXT: |root {{.*}}
// behind-NEXT: ||loop [[#]]
// behind-NEXT: ||mpi MPI_Allreduce [[#]]
void behind(double *a, int n, double *s)
{
    FILL_AND_SUM(a, n, *s);
}

// nested: nested, reaches MPI, {{.*}}
// nested-NEXT: |root {{.*}}
// nested-NEXT: ||loop [[#]] *
// nested-NEXT: |||loop [[#]]
// nested-NEXT: |||mpi MPI_Allreduce [[#]]
// nested-NEXT: ||mpi MPI_Barrier [[#]]
void nested(double *a, int n, int steps, double *s)
{
    STEPS(a, n, steps, *s);
}

// left: left, reaches MPI, {{.*}}
// left-NEXT: |root {{.*}}
// left-NEXT: ||loop [[#]] *
// left-NEXT: |||mpi MPI_Send [[#]]
// left-NEXT: ||mpi MPI_Barrier [[#]]
void left(double *a, int n)
{
    SEND_FIRST(a, n, 5);
}

#define FOR_ALL(i, n, ...)                                                                         \
    for (int i = 0; i < (n); i++)                                                                  \
    __VA_ARGS__

// Some compilers place a macro's arguments where they are written.
// across: across, reaches MPI, {{.*}}
// across-NEXT: |root {{.*}}
// across-NEXT: ||loop {{.*}} *
// across: |||{{[|]*}}mpi MPI_Send {{.*}}
// across: ||mpi MPI_Barrier {{.*}}
void across(double *a, int n)
{
    FOR_ALL(i, n, {
        if (a[i] > 5) {
            MPI_Send(a + i, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
            break;
        }
        a[i] += 2;
    })
    MPI_Barrier(MPI_COMM_WORLD);
}
