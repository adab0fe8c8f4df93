/*
 * Ranks that synchronise past MPI: outside <barrier|semaphore|pipe|lock|sleep> [steps] [ms].
 * Rank 0 computes a quarter of a step, and is blocked for the rest: until rank 1 has done its part,
 * or, in "sleep", for as long. MPI is called at the beginning and at the end alone.
 */
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct shared {
    pthread_barrier_t barrier;
    sem_t done, taken;
};

static struct {
    struct shared *at;
    int fifo, back, file;
} with;
static int rank, size;
static volatile double sink;

static double cpu_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static void compute(double ms)
{
    for (double until = cpu_ms() + ms; cpu_ms() < until;)
        for (int i = 0; i < 20000; i++)
            sink += i * 1e-9;
}

static void at_barrier(double ms)
{
    compute(rank == 1 ? ms : ms / 4);
    pthread_barrier_wait(&with.at->barrier);
}

static void at_semaphore(double ms)
{
    compute(rank ? ms : ms / 4);
    if (rank == 1)
        sem_post(&with.at->done);
    else if (!rank)
        sem_wait(&with.at->done);
    if (rank == 1)
        sem_wait(&with.at->taken);
    else if (!rank)
        sem_post(&with.at->taken);
}

static void at_pipe(double ms)
{
    char byte = 0;
    compute(rank ? ms : ms / 4);
    if (rank == 1 && write(with.fifo, &byte, 1) + read(with.back, &byte, 1) != 2)
        abort();
    if (rank == 0 && read(with.fifo, &byte, 1) + write(with.back, &byte, 1) != 2)
        abort();
}

/* Rank 1 has the lock while it computes. */
static void at_lock(double ms)
{
    if (rank == 1)
        flock(with.file, LOCK_EX);
    pthread_barrier_wait(&with.at->barrier);
    compute(rank ? ms : ms / 4);
    if (rank == 0)
        flock(with.file, LOCK_EX);
    flock(with.file, LOCK_UN);
    pthread_barrier_wait(&with.at->barrier);
}

static void asleep(double ms)
{
    compute(rank ? ms : ms / 4);
    if (!rank)
        usleep((unsigned)(ms * 750));
}

static const struct way {
    const char *name;
    void (*step)(double ms);
} ways[] = {{"barrier", at_barrier},
            {"semaphore", at_semaphore},
            {"pipe", at_pipe},
            {"lock", at_lock},
            {"sleep", asleep}};

static void open_all(const char *where)
{
    char name[256];
    snprintf(name, sizeof name, "/scalana-%s", strrchr(where, '/') ? strrchr(where, '/') + 1 : where);
    int fd = shm_open(name, O_CREAT | O_RDWR, 0600);
    if (fd < 0 || ftruncate(fd, sizeof(struct shared)))
        abort();
    with.at = mmap(NULL, sizeof(struct shared), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (!rank) {
        pthread_barrierattr_t shared;
        pthread_barrierattr_init(&shared);
        pthread_barrierattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
        pthread_barrier_init(&with.at->barrier, &shared, (unsigned)size);
        sem_init(&with.at->done, 1, 0);
        sem_init(&with.at->taken, 1, 0);
        snprintf(name, sizeof name, "%s.fifo", where);
        mkfifo(name, 0600);
        snprintf(name, sizeof name, "%s.back", where);
        mkfifo(name, 0600);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    snprintf(name, sizeof name, "%s.fifo", where);
    with.fifo = open(name, O_RDWR);
    snprintf(name, sizeof name, "%s.back", where);
    with.back = open(name, O_RDWR);
    snprintf(name, sizeof name, "%s.file", where);
    with.file = open(name, O_CREAT | O_RDWR, 0600);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void close_all(const char *where)
{
    static const char *const ends[] = {".fifo", ".back", ".file"};
    char name[256];
    for (unsigned i = 0; i < sizeof ends / sizeof *ends; i++) {
        snprintf(name, sizeof name, "%s%s", where, ends[i]);
        unlink(name);
    }
    snprintf(name, sizeof name, "/scalana-%s", strrchr(where, '/') ? strrchr(where, '/') + 1 : where);
    shm_unlink(name);
}

int main(int argc, char **argv)
{
    int steps = argc > 3 ? atoi(argv[3]) : 50;
    double ms = argc > 4 ? atof(argv[4]) : 20, sum, mine = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    open_all(argv[2]);
    for (unsigned w = 0; w < sizeof ways / sizeof *ways; w++)
        for (int i = 0; i < steps && !strcmp(ways[w].name, argv[1]); i++)
            ways[w].step(ms);
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (!rank) {
        printf("%s: %g ranks\n", argv[1], sum);
        close_all(argv[2]);
    }
    MPI_Finalize();
    return 0;
}
