/*
 * What calls that block do, in threads that call MPI: they are cancelled and interrupted, time out,
 * fail, and leave errno alone. A line says what came of each.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { SOON_US = 30000, KEPT = 77 };

static struct shared {
    pthread_mutex_t mutex;
    pthread_cond_t condition;
    sem_t semaphore;
} *shared;
static int pipes[2];
static volatile sig_atomic_t hits;
static pthread_mutex_t robust;

static void hit(int number)
{
    hits += number == SIGALRM;
}

/* Before a call that is to be interrupted: until it is. */
static void soon(bool again)
{
    const struct itimerval at = {{0, again ? SOON_US : 0}, {0, SOON_US}};
    setitimer(ITIMER_REAL, &at, NULL);
}

static void said(const char *what, long result)
{
    printf("%s: %ld, %s\n", what, result, result < 0 ? strerror(errno) : "");
}

static struct timespec past(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    t.tv_nsec += SOON_US * 1000L;
    t.tv_sec += t.tv_nsec / 1000000000;
    t.tv_nsec %= 1000000000;
    return t;
}

static void interrupted(void)
{
    char byte;
    struct timespec second = {1, 0};
    struct timeval time = {1, 0};
    struct pollfd fd = {pipes[0], POLLIN, 0};
    fd_set in;
    FD_ZERO(&in);
    FD_SET(pipes[0], &in);
    soon(true);
    said("read", read(pipes[0], &byte, 1));
    said("poll", poll(&fd, 1, 5000));
    said("select", select(pipes[0] + 1, &in, NULL, NULL, &time));
    said("nanosleep", nanosleep(&second, NULL));
    said("clock_nanosleep", clock_nanosleep(CLOCK_MONOTONIC, 0, &second, NULL));
    said("usleep", usleep(900000));
    said("sem_wait", sem_wait(&shared->semaphore));
    const struct itimerval none = {{0, 0}, {0, 0}};
    setitimer(ITIMER_REAL, &none, NULL);
}

static void timed_out(void)
{
    struct timespec until = past();
    struct pollfd fd = {pipes[0], POLLIN, 0};
    said("sem_timedwait", sem_timedwait(&shared->semaphore, &until));
    pthread_mutex_lock(&shared->mutex);
    until = past();
    said("pthread_cond_timedwait",
         pthread_cond_timedwait(&shared->condition, &shared->mutex, &until));
    pthread_mutex_unlock(&shared->mutex);
    said("poll in time", poll(&fd, 1, SOON_US / 1000));
}

static void *die_holding(void *mutex)
{
    pthread_mutex_lock(mutex);
    return NULL;
}

static void kinds_of_mutex(void)
{
    pthread_mutex_t mutex;
    pthread_mutexattr_t kind;
    pthread_t thread;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&mutex, &kind);
    said("checked", pthread_mutex_lock(&mutex));
    said("checked again", pthread_mutex_lock(&mutex));
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&mutex, &kind);
    said("recursive", pthread_mutex_lock(&mutex));
    said("recursive again", pthread_mutex_lock(&mutex));
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_NORMAL);
    pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&robust, &kind);
    pthread_create(&thread, NULL, die_holding, &robust);
    pthread_join(thread, NULL);
    said("robust", pthread_mutex_lock(&robust));
    said("not recovered", pthread_mutex_unlock(&robust));
    said("robust again", pthread_mutex_lock(&robust));
}

static void kept(void)
{
    char byte = 1;
    int flags = fcntl(pipes[1], F_GETFL);
    sem_post(&shared->semaphore);
    errno = KEPT;
    sem_wait(&shared->semaphore);
    pthread_mutex_lock(&shared->mutex);
    pthread_mutex_unlock(&shared->mutex);
    usleep(SOON_US);
    long copied = write(pipes[1], &byte, 1) + read(pipes[0], &byte, 1);
    said("kept", errno == KEPT ? copied : -copied);
    said("flags",
         fcntl(pipes[1], F_SETFL, flags | O_NONBLOCK) + !(fcntl(pipes[1], F_GETFL) & O_NONBLOCK));
    said("bad descriptor", read(-1, &byte, 1));
    said("bad lock", flock(-1, LOCK_EX));
}

static void gone(void *name)
{
    printf("cancelled in %s\n", (const char *)name);
}

static void block_in(const char *name)
{
    char byte;
    struct pollfd fd = {pipes[0], POLLIN, 0};
    if (!strcmp(name, "sem_wait"))
        sem_wait(&shared->semaphore);
    else if (!strcmp(name, "read"))
        said("read", read(pipes[0], &byte, 1));
    else if (!strcmp(name, "poll"))
        poll(&fd, 1, 5000);
    else if (!strcmp(name, "usleep"))
        for (int i = 0; i < 100; i++)
            usleep(SOON_US);
    else if (!strcmp(name, "pthread_cond_wait"))
        while (true)
            pthread_cond_wait(&shared->condition, &shared->mutex);
}

static void *be_cancelled(void *name)
{
    int size;
    pthread_cleanup_push(gone, name);
    MPI_Comm_size(MPI_COMM_SELF, &size);
    MPI_Barrier(MPI_COMM_SELF);
    block_in(name);
    pthread_cleanup_pop(0);
    return NULL;
}

static void cancelled(const char *name)
{
    pthread_t thread;
    void *result = NULL;
    pthread_mutex_trylock(&shared->mutex);
    pthread_create(&thread, NULL, be_cancelled, (void *)name);
    usleep(SOON_US);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    printf("%s: %s\n", name, result == PTHREAD_CANCELED ? "cancelled" : "went on");
}

static void make(void)
{
    pthread_mutexattr_t mutex;
    pthread_condattr_t condition;
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pthread_mutexattr_init(&mutex);
    pthread_mutexattr_setpshared(&mutex, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&shared->mutex, &mutex);
    pthread_condattr_init(&condition);
    pthread_condattr_setpshared(&condition, PTHREAD_PROCESS_SHARED);
    pthread_cond_init(&shared->condition, &condition);
    sem_init(&shared->semaphore, 1, 0);
    if (pipe(pipes))
        MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"sem_wait", "read", "poll", "usleep", "pthread_cond_wait"};
    struct sigaction action = {.sa_handler = hit};
    int provided, rank;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    sigaction(SIGALRM, &action, NULL);
    make();
    if (!rank) {
        interrupted();
        timed_out();
        kinds_of_mutex();
        kept();
        for (unsigned i = 0; i < sizeof names / sizeof *names && provided == MPI_THREAD_MULTIPLE;
             i++)
            cancelled(names[i]);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return hits < 7 && !rank;
}
