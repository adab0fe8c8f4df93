/*
 * long_iterations CASE: every 16th of 400 iterations saves, with six collectives more than the
 * usual one, and as much work as eight of them (rare); or each iteration has nine (solver), or two
 * loops of ten each (loops).
 */
#include <mpi.h>

#include <string.h>

enum { ITERATIONS = 400, RARE_EVERY = 16, WORK = 100000, RARE_TIMES = 8, MORE = 6 };

static volatile double sink;

static void usual(void)
{
    double x = sink;
    for (int i = 0; i < WORK; i++)
        x = x * 0.9999999 + 1e-7;
    sink = x;
}

static void rare(void)
{
    double x = sink;
    for (int i = 0; i < RARE_TIMES * WORK / MORE; i++)
        x = x * 0.9999998 + 2e-7;
    sink = x;
}

static void add_up(void)
{
    double mine = 1, sum;
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void save(void)
{
    for (int i = 0; i < MORE; i++) {
        rare();
        MPI_Barrier(MPI_COMM_WORLD);
    }
    sink += 1; /* its last call is no jump */
}

static void rarely(void)
{
    for (int i = 1; i <= ITERATIONS; i++) {
        usual();
        add_up();
        if (i % RARE_EVERY == 0)
            save();
    }
}

static void solver(void)
{
    for (int i = 1; i <= ITERATIONS; i++) {
        usual();
        for (int k = 0; k < 9; k++)
            add_up();
    }
}

static void first_loop(void)
{
    for (int k = 0; k < 10; k++) {
        usual();
        add_up();
    }
    sink += 1;
}

static void second_loop(void)
{
    for (int k = 0; k < 10; k++) {
        usual();
        MPI_Barrier(MPI_COMM_WORLD);
    }
    sink += 1;
}

static void loops(void)
{
    for (int i = 1; i <= ITERATIONS / 10; i++) {
        first_loop();
        second_loop();
    }
}

int main(int argc, char **argv)
{
    const char *which = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    if (!strcmp(which, "rare"))
        rarely();
    else if (!strcmp(which, "solver"))
        solver();
    else
        loops();
    MPI_Finalize();
    return 0;
}
