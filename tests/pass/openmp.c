/* OpenMP: the bodies of regions, loops and tasks stand where they are written, and are reached from
 * there.
 * RUN: for o in 0 1 2 3; do scalana-static mpicc -fopenmp -O$o -c %s -o $o.o && scalana-static --dump=text $o.o | sed '/^after/,$d' | sed -Ef %i/levels.sed > $o.txt || exit 1; done
 * RUN: for o in 0 1 2 3; do for f in rows sum add tasks task apply either changed; do FileCheck --match-full-lines --check-prefix=$f %s < $o.txt || exit 1; done; done
 * Linked where this LLVM has its OpenMP library:
 * RUN: for o in 2 3; do test ! -e $(clang -print-file-name=libomp.so) || scalana-static mpicc -fopenmp -O$o -Rpass=loop-unroll %s -o omp$o 2> omp$o.remarks || exit 1; done
 * RUN: test ! -e $(clang -print-file-name=libomp.so) || python3 %i/exactness.py %b/tests/support/show_places omp2 omp3
 */
#include <mpi.h>

#define N 192
static double u[N][N], q[N][N][5], m[5][5];

static void blocks(void)
{
#pragma omp parallel for collapse(2)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double t[5] = {0};
            for (int a = 0; a < 5; a++)
                for (int b = 0; b < 5; b++)
                    t[a] += m[a][b] * q[i][j][b];
            for (int a = 0; a < 5; a++)
                q[i][j][a] = t[a];
        }
}

static double add(void)
{
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < 4; j++)
            sum += u[i][j];
    return sum;
}

static void share(int n)
{
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < n; i++)
#pragma omp task firstprivate(i)
    {
        for (int j = 0; j < N; j++)
            u[i][j] *= 2;
        MPI_Send(u[i], N, MPI_DOUBLE, 0, i, MPI_COMM_WORLD);
    }
}

static double twice(double x)
{
    return 2 * x;
}

// A function that is always given the same one calls that; one that is given several does not.
static void apply(double (*f)(double), double *x, int n)
{
    for (int i = 0; i < n; i++)
        x[i] = f(x[i]);
}

static double half(double x)
{
    return x / 2;
}
static double either(double (*f)(double), double x)
{
    return f(x);
}
static double changed(double (*f)(double), double x)
{
    if (x > 2)
        f = half;
    return f(x);
}

int main(int argc, char **argv)
{
    double mine, all;
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    for (int step = 0; step < 5; step++) {
        blocks();
        mine = add();
        apply(twice, &mine, 1);
        mine = either(half, either(twice, changed(twice, mine)));
        MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    share(4);
    MPI_Finalize();
    return all > 0;
}
/*
rows: blocks.omp_outlined, {{.*}}
rows-NEXT: |root 16-25
rows-NEXT: ||comp {{.*}}
rows-NEXT: ||loop 16-25
rows-NEXT: |||comp {{.*}}
rows-NEXT: |||loop 20-22
rows-NEXT: ||||loop 21-22
rows-NEXT: |||||comp 22
rows-NEXT: |||loop 23-24
rows-NEXT: ||||comp 24
sum: add.omp_outlined, {{.*}}
sum-NEXT: |root 31-34
sum: ||loop 31-34
sum-NEXT: |||comp 32
sum-NEXT: |||loop 33-34
sum-NEXT: ||||comp 34
add: add, {{.*}}
add-NEXT: |root 28-{{.*}}
add-NEXT: ||comp 30
add-NEXT: ||call add.omp_outlined 31 -> add.omp_outlined
tasks: share.omp_outlined, reaches MPI, {{.*}}
tasks: |||loop 42-43 [arm 0] *
tasks-NEXT: ||||call .omp_task_entry. 43 -> .omp_task_entry.
task: .omp_outlined., reaches MPI, {{.*}}
task-NEXT: |root 43-{{.*}}
task: ||loop 45-46
task-NEXT: |||comp 46
task-NEXT: ||mpi MPI_Send 47
apply: apply, {{.*}}
apply-NEXT: |root 57-{{.*}}
apply-NEXT: ||loop 59-60
apply-NEXT: |||call twice 60 -> twice
either: either, reaches MPI, {{.*}}
either-NEXT: |root 67-{{.*}}
either-NEXT: ||call (indirect) 69
changed: changed, reaches MPI, {{.*}}
changed: ||call (indirect) 75{{.*}}
*/
