/*
 * Ranks that synchronise past MPI: outside WAY, one of those below. Rank 0 computes a quarter of a
 * step, and is blocked for the rest: until rank 1 has done its part, or, asleep, for as long. MPI
 * is called at the beginning and at the end alone.
 */
#include <fcntl.h>
#include <mpi.h>
#include <netinet/in.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { STEPS = 30, MS = 20, MOST = 300 };

struct shared {
    pthread_barrier_t barrier;
    pthread_mutex_t mutex;
    sem_t done;
};

static struct {
    struct shared *at;
    int fifo, file, socket;
} with;
static int rank, size;
static volatile double sink;
static double slept_ms; /* a busy machine wakes who sleeps later than was asked */

static double clock_ms(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static void compute(double ms)
{
    const clockid_t cpu = CLOCK_THREAD_CPUTIME_ID;
    for (double until = clock_ms(cpu) + ms; clock_ms(cpu) < until;)
        for (int i = 0; i < 20000; i++)
            sink += i * 1e-9;
}

static void at_barrier(double ms)
{
    compute(rank == 1 ? ms : ms / 4);
    pthread_barrier_wait(&with.at->barrier); /* barrier */
    sink++;
}

static void at_semaphore(double ms)
{
    compute(rank ? ms : ms / 4);
    if (rank)
        sem_post(&with.at->done);
    else
        sem_wait(&with.at->done); /* semaphore */
    sink++;
}

static void tell(int fd)
{
    char byte = 0;
    if (write(fd, &byte, 1) != 1)
        abort();
}

static void at_pipe(double ms)
{
    char byte = 0;
    compute(rank ? ms : ms / 4);
    if (rank)
        tell(with.fifo);
    else if (read(with.fifo, &byte, 1) != 1) /* pipe */
        abort();
}

/* Rank 0 asks, rank 1 answers. */
static void at_socket(double ms)
{
    char byte = 0;
    if (!rank)
        tell(with.socket);
    else if (recv(with.socket, &byte, 1, 0) != 1)
        abort();
    compute(rank ? ms : ms / 4);
    if (rank)
        tell(with.socket);
    else if (recv(with.socket, &byte, 1, 0) != 1) /* socket */
        abort();
}

/* Rank 1 has the lock while it computes. */
static void at_lock(double ms)
{
    if (rank == 1)
        flock(with.file, LOCK_EX);
    MPI_Barrier(MPI_COMM_WORLD);
    compute(rank ? ms : ms / 4);
    if (rank == 0)
        flock(with.file, LOCK_EX); /* lock */
    flock(with.file, LOCK_UN);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void at_mutex(double ms)
{
    if (rank == 1)
        pthread_mutex_lock(&with.at->mutex);
    MPI_Barrier(MPI_COMM_WORLD);
    compute(rank ? ms : ms / 4);
    if (rank == 0)
        pthread_mutex_lock(&with.at->mutex); /* mutex */
    pthread_mutex_unlock(&with.at->mutex);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void asleep(double ms)
{
    compute(rank ? ms : ms / 4);
    double begin = clock_ms(CLOCK_MONOTONIC);
    if (!rank)
        usleep((unsigned)(ms * 750)); /* sleep */
    slept_ms += clock_ms(CLOCK_MONOTONIC) - begin;
    sink++;
}

static const struct way {
    const char *name;
    void (*step)(double ms);
} ways[] = {{"barrier", at_barrier}, {"semaphore", at_semaphore}, {"pipe", at_pipe},
            {"socket", at_socket},   {"lock", at_lock},           {"mutex", at_mutex},
            {"sleep", asleep}};

/* In the working directory, or as shared memory that is called like it. */
static const char *called(const char *name, bool memory)
{
    static char path[MOST];
    char folder[MOST / 2] = "";
    if (memory && getcwd(folder, sizeof folder))
        for (char *c = folder; (c = strchr(c, '/'));)
            *c = '-';
    snprintf(path, sizeof path, "%s%s%s", memory ? "/scalana" : "", folder, name);
    return path;
}

static void make_all(void)
{
    pthread_barrierattr_t shared;
    pthread_barrierattr_init(&shared);
    pthread_barrierattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
    pthread_barrier_init(&with.at->barrier, &shared, (unsigned)size);
    pthread_mutexattr_t likewise;
    pthread_mutexattr_init(&likewise);
    pthread_mutexattr_setpshared(&likewise, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&with.at->mutex, &likewise);
    sem_init(&with.at->done, 1, 0);
    mkfifo(called("pipe", false), 0600);
}

/* Rank 0 with rank 1. */
static void connect_both(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof at;
    int server = socket(AF_INET, SOCK_STREAM, 0);
    if (rank == 1 && (bind(server, (void *)&at, length) || listen(server, 1) ||
                      getsockname(server, (void *)&at, &length)))
        abort();
    MPI_Bcast(&at, sizeof at, MPI_BYTE, 1, MPI_COMM_WORLD);
    with.socket = rank ? accept(server, NULL, NULL) : server;
    if (!rank && connect(server, (void *)&at, length))
        abort();
}

static bool is(const char *chosen, const char *name)
{
    return !strcmp(chosen, name);
}

/* All but the socket, which one rank waits to be connected to, is open at once. */
static void open_all(const char *chosen)
{
    int fd = shm_open(called("", true), O_CREAT | O_RDWR, 0600);
    if (fd < 0 || ftruncate(fd, sizeof(struct shared)))
        abort();
    with.at = mmap(NULL, sizeof(struct shared), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (!rank)
        make_all();
    MPI_Barrier(MPI_COMM_WORLD);
    if (is(chosen, "socket"))
        connect_both();
    with.fifo = open(called("pipe", false), O_RDWR);
    with.file = open(called("file", false), O_CREAT | O_RDWR, 0600);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void remove_all(void)
{
    unlink(called("pipe", false));
    unlink(called("file", false));
    shm_unlink(called("", true));
}

int main(int argc, char **argv)
{
    double sum, mine = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    open_all(argv[1]);
    for (unsigned w = 0; w < sizeof ways / sizeof *ways; w++)
        for (int i = 0; i < STEPS && is(argv[1], ways[w].name); i++)
            ways[w].step(MS);
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (!rank) {
        printf("%s: %g ranks\n", argv[1], sum);
        fprintf(stderr, "slept %f s\n", slept_ms * 1e-3);
        remove_all();
    }
    MPI_Finalize();
    return 0;
}
