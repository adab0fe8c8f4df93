/*
 * Two ranks that wait for each other in every way a call can wait, hundreds of times each. Call
 * sites are numbered by tag or count (see tracer.c); SITE and its number stand on the line of the
 * call, GAP and a letter on the line of the loop before it.
 */
#include <mpi.h>
#include <stdio.h>

enum { STEPS = 400, UNIT = 100000, MOST = 8 };

static double loop_a(double x, int units)
{
    for (int i = 0; i < units * UNIT; i++) /* GAP a */
        x = x * 0.9999999 + 1e-8;
    return x;
}

static double loop_b(double x, int units)
{
    for (int i = 0; i < units * UNIT; i++) /* GAP b */
        x = x * 0.9999998 + 2e-8;
    return x;
}

static double loop_c(double x, int units)
{
    for (int i = 0; i < units * UNIT; i++) /* GAP c */
        x = x * 0.9999997 + 3e-8;
    return x;
}

static double loop_d(double x, int units)
{
    for (int i = 0; i < units * UNIT; i++) /* GAP d */
        x = x * 0.9999996 + 4e-8;
    return x;
}

static double loop_e(double x, int units)
{
    for (int i = 0; i < units * UNIT; i++) /* GAP e */
        x = x * 0.9999995 + 5e-8;
    return x;
}

static double loop_f(double x, int units)
{
    for (int i = 0; i < units * UNIT; i++) /* GAP f */
        x = x * 0.9999994 + 6e-8;
    return x;
}

static double messages(double x, int rank)
{
    double y = 0;
    x = loop_a(x, rank == 1 ? 6 : 2);
    if (rank == 0)
        MPI_Recv(&y, 1, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* SITE 1 */
    else
        MPI_Send(&x, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
    x = loop_b(x, rank == 1 ? 4 : 1);
    if (rank == 0)
        MPI_Ssend(&x, 1, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD); /* SITE 2 */
    else
        MPI_Recv(&y, 1, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return 0.5 * (x + y);
}

static double collectives(double x, int rank, int step)
{
    double values[MOST] = {x}, sums[MOST];
    values[0] = loop_c(x, step % 2 == rank ? 4 : 1);
    MPI_Barrier(MPI_COMM_WORLD); /* SITE 0 */
    values[0] = loop_d(values[0], rank == 0 ? 5 : 2);
    MPI_Bcast(values, 3, MPI_DOUBLE, 0, MPI_COMM_WORLD); /* SITE 3 */
    values[0] = loop_e(values[0], rank == 1 ? 5 : 1);
    MPI_Reduce(values, sums, 4, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD); /* SITE 4 */
    values[0] = loop_f(values[0], rank == 0 ? 3 : 2);
    MPI_Allreduce(values, sums, 5, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /* SITE 5 */
    return sums[0] / 2;
}

int main(int argc, char **argv)
{
    int rank;
    double x = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int step = 0; step < STEPS; step++) {
        x = messages(x, rank);
        x = collectives(x, rank, step);
    }
    if (rank == 0)
        printf("%g\n", x);
    MPI_Finalize();
    return 0;
}
