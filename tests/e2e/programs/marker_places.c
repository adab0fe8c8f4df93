/*
 * marker_places CASE: 100 iterations, of which every 16th has rare work: as much as eight of the
 * usual. The case says where the calls of an iteration lie, and on which side of them that is.
 */
#include <mpi.h>

#include <string.h>

enum { ITERATIONS = 100, RARE_EVERY = 16, WORK = 1000000, RARE_WORK = 8 * WORK };

static volatile double sink;

static void usual(void)
{
    double x = sink;
    for (int i = 0; i < WORK; i++)
        x = x * 0.9999999 + 1e-7;
    sink = x;
}

static void rare(int iteration)
{
    double x = sink;
    for (int i = 0; iteration % RARE_EVERY == 0 && i < RARE_WORK; i++)
        x = x * 0.9999998 + 2e-7;
    sink = x;
}

static void add_up(void)
{
    double mine = 1, sum;
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void pass_on(void)
{
    int rank, size;
    double mine = 1, other;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Sendrecv(&mine, 1, MPI_DOUBLE, (rank + 1) % size, 0, &other, 1, MPI_DOUBLE,
                 (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void call_last(void)
{
    for (int i = 1; i <= ITERATIONS; i++) {
        usual();
        rare(i);
        add_up();
    }
}

static void call_first(void)
{
    for (int i = 1; i <= ITERATIONS; i++) {
        add_up();
        usual();
        rare(i);
    }
}

static void call_between(void)
{
    for (int i = 1; i <= ITERATIONS; i++) {
        usual();
        add_up();
        rare(i);
    }
}

static void two_calls(void)
{
    double x = 1;
    for (int i = 1; i <= ITERATIONS; i++) {
        usual();
        add_up();
        usual();
        MPI_Bcast(&x, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        rare(i);
    }
}

static void messages(void)
{
    for (int i = 1; i <= ITERATIONS; i++) {
        usual();
        pass_on();
        rare(i);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    const char *what = argc > 1 ? argv[1] : "";
    if (!strcmp(what, "call_last"))
        call_last();
    if (!strcmp(what, "call_first"))
        call_first();
    if (!strcmp(what, "call_between"))
        call_between();
    if (!strcmp(what, "two_calls"))
        two_calls();
    if (!strcmp(what, "messages"))
        messages();
    MPI_Finalize();
    return 0;
}
