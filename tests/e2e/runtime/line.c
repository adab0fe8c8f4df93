/*
 * line WAY: ranks in a line exchange messages with their neighbours, step by step, and meet in no
 * collective. Each message is as long as the step's number and one, so what was recorded tells
 * which steps it is of.
 *
 *     neighbours  loops over the neighbours, of which the ranks at the ends have one
 *     guarded     a call for each side, which the ranks at the ends leave out
 *     conditional as `neighbours`, and every seventh step ends with one more message: what comes
 *                 round are seven steps
 *     nested      as `guarded`, several times in each step
 *     heavy       many times, in a hundred steps: more than a profile has room for
 *     silent      as `neighbours`, but in one step the first rank takes no part
 *     uneven      calls in an inner loop alone, as often as step and rank say
 */
#include <mpi.h>
#include <string.h>

enum { STEPS = 1501, SOME = 7, TIMES = 4, MANY = 60, HEAVY_STEPS = 100, QUIET = 1400 };

static char out[STEPS], in[2][STEPS];
static int rank, size;

/* `first`: the lowest rank that takes part. */
static __attribute__((noinline)) void exchange(int step, int first)
{
    int near[2], n = 0;
    MPI_Request requests[4];
    if (rank < first)
        return;
    if (rank > first)
        near[n++] = rank - 1;
    if (rank < size - 1)
        near[n++] = rank + 1;
    for (int i = 0; i < n; i++)
        MPI_Irecv(in[i], STEPS, MPI_BYTE, near[i], 0, MPI_COMM_WORLD, &requests[i]);
    for (int i = 0; i < n; i++)
        MPI_Isend(out, step + 1, MPI_BYTE, near[i], 0, MPI_COMM_WORLD, &requests[n + i]);
    MPI_Waitall(2 * n, requests, MPI_STATUSES_IGNORE);
}

static void neighbours(int step)
{
    exchange(step, 0);
}

static void silent(int step)
{
    exchange(step, step == QUIET);
}

static __attribute__((noinline)) void guarded(int step)
{
    MPI_Request left, right;
    if (rank > 0)
        MPI_Isend(out, step + 1, MPI_BYTE, rank - 1, 0, MPI_COMM_WORLD, &left);
    if (rank < size - 1)
        MPI_Isend(out, step + 1, MPI_BYTE, rank + 1, 0, MPI_COMM_WORLD, &right);
    if (rank > 0)
        MPI_Recv(in[0], STEPS, MPI_BYTE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank < size - 1)
        MPI_Recv(in[1], STEPS, MPI_BYTE, rank + 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank > 0)
        MPI_Wait(&left, MPI_STATUS_IGNORE);
    if (rank < size - 1)
        MPI_Wait(&right, MPI_STATUS_IGNORE);
}

static void conditional(int step)
{
    neighbours(step);
    if (step % SOME == SOME - 1)
        MPI_Sendrecv(out, step + 1, MPI_BYTE, size - 1 - rank, 1, in[0], STEPS, MPI_BYTE,
                     size - 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void several(int step, int times)
{
    for (int i = 0; i < times; i++)
        guarded(step);
    guarded(step); /* from here, another call path */
}

static void nested(int step)
{
    several(step, TIMES);
}

static void heavy(int step)
{
    if (step < HEAVY_STEPS)
        several(step, MANY);
}

static void uneven(int step)
{
    for (int i = 0; i <= (step + rank) % 3; i++)
        MPI_Sendrecv(out, step + 1, MPI_BYTE, 0, 0, in[0], STEPS, MPI_BYTE, 0, 0, MPI_COMM_SELF,
                     MPI_STATUS_IGNORE);
}

static const struct {
    const char *name;
    void (*step)(int step);
} ways[] = {{"neighbours", neighbours}, {"guarded", guarded}, {"conditional", conditional},
            {"nested", nested},         {"heavy", heavy},     {"silent", silent},
            {"uneven", uneven}};
enum { WAYS = sizeof ways / sizeof *ways };

int main(int argc, char **argv)
{
    unsigned way = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    while (way < WAYS && (argc < 2 || strcmp(ways[way].name, argv[1]) != 0))
        way++;
    for (int step = 0; way < WAYS && step < STEPS; step++)
        ways[way].step(step);
    MPI_Finalize();
    return way == WAYS;
}
