/* One rank does more than the others; what else happens is said on the command line:
 *   late [exit N | signal N | abort N | return N | read | wait | cores]
 * on two ranks and more. With a word there, it is shorter. */
#define _GNU_SOURCE
#include <mpi.h>

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static double work(long n)
{
    volatile double x = 1;
    for (long i = 0; i < n; i++)
        x = x * 1.0000001 + 0.0000001;
    return x;
}

static double step(int rank, int ranks)
{
    double x = work(2000000 / ranks), sum;
    if (rank == ranks - 1)
        x += work(6000000); /* too much */
    MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

static void read_input(int rank)
{
    int bytes = 0;
    while (rank == 0 && getchar() != EOF)
        bytes++;
    if (rank == 0)
        printf("read %d\n", bytes);
}

static void print_cores(int rank)
{
    cpu_set_t set;
    int first = 0;
    sched_getaffinity(0, sizeof set, &set);
    while (!CPU_ISSET(first, &set))
        first++;
    printf("rank %d has %d from %d\n", rank, CPU_COUNT(&set), first);
}

static void wait_long(void)
{
    puts("waiting");
    fflush(stdout);
    for (int i = 0; i < 600; i++) {
        usleep(100000);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

static int end(const char *way, int number, int rank)
{
    if (!strcmp(way, "exit") && rank == 1)
        exit(number);
    if (!strcmp(way, "signal") && rank == 1)
        raise(number);
    if (!strcmp(way, "abort"))
        MPI_Abort(MPI_COMM_WORLD, number);
    if (!strcmp(way, "wait"))
        wait_long();
    MPI_Finalize();
    return strcmp(way, "return") ? 0 : number;
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "";
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (!strcmp(way, "read"))
        read_input(rank);
    if (!strcmp(way, "cores"))
        print_cores(rank);
    for (int i = 0; i < (*way ? 2 : 12); i++)
        step(rank, ranks);
    if (rank == 0) {
        printf("out %d\n", ranks);
        fflush(stdout);
        fprintf(stderr, "err %d\n", ranks);
    }
    if (ranks > 1)
        return end(way, argc > 2 ? atoi(argv[2]) : 0, rank);
    MPI_Finalize();
    return 0;
}
