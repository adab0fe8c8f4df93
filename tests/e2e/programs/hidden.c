/* Threads that compute with all signals blocked by a direct system call; the first thread has a
 * part of its own, which is the only one with samples. */
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

static int rank;

static void compute(volatile double *x, long n)
{
    for (long i = 0; i < n; i++)
        *x = *x * 1.0000001 + 1e-9;
}

__attribute__((noinline)) static void pack(void)
{
    volatile double x = 1;
    for (long i = 0; i < 300000; i++) /* SEEN */
        x = x * 1.0000001 + 1e-9;
}

static void *smooth(void *unused)
{
    volatile double x = 1;
    unsigned long all = ~0ul;
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, NULL, sizeof all);
    compute(&x, rank ? 4000000 : 500000);
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int step = 0; step < 60; step++) {
        pack();
        pthread_create(&thread, NULL, smooth, NULL);
        pthread_join(thread, NULL);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
