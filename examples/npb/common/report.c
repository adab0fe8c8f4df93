/* What a kernel prints, and how it ends. */
#include "npb.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void npb_say(const struct npb_run *run, const char *format, ...)
{
    if (run->rank != 0)
        return;
    va_list args;
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    fflush(stdout);
}

void *npb_alloc(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);

    if (!memory) {
        fprintf(stderr, "out of memory: %zu x %zu bytes\n", count, size);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return memory;
}

double npb_clock_start(void)
{
    MPI_Barrier(MPI_COMM_WORLD); /* so that set-up is not measured as waiting */
    return MPI_Wtime();
}

double npb_clock_stop(double start)
{
    double mine = MPI_Wtime() - start;
    double slowest = 0;

    MPI_Reduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    return slowest;
}

bool npb_close(double value, double expected, double tolerance)
{
    return fabs(value - expected) <= tolerance * fabs(expected);
}

int npb_finish(const struct npb_run *run, double seconds, bool verified)
{
    int good = verified;

    MPI_Bcast(&good, 1, MPI_INT, 0, MPI_COMM_WORLD); /* one exit status for all ranks */
    npb_say(run, "Time: %.3f s\n", seconds);
    if (!run->class_iterations)
        npb_say(run, "verification skipped: not the class's iterations\n");
    else
        npb_say(run, good ? "Verification successful\n" : "Verification failed\n");
    MPI_Finalize();
    return good || !run->class_iterations ? 0 : 1;
}

int npb_log2(int power_of_two)
{
    int log = 0;

    while (power_of_two >> (log + 1))
        log++;
    return log;
}
