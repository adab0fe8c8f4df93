/* Teams and locks in every way that a runtime may trip over: nested regions, more threads than are
 * followed, fork in a region, tasks, locks of all kinds, held before MPI_Init, or by a thread that
 * has ended. Says the sum of what they did. */
#include <errno.h>
#include <mpi.h>
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PIECES = 100, TIMES = 1000, PAIRS = 500, STATUS = 7 };

static pthread_mutex_t recursive, robust, checked, plain = PTHREAD_MUTEX_INITIALIZER;

static void make_locks(void)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&recursive, &attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&checked, &attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&robust, &attributes);
}

static void *end_with_lock(void *argument)
{
    pthread_mutex_lock(&robust);
    return argument;
}

static void *count(void *sum)
{
    pthread_mutex_lock(&plain);
    ++*(long *)sum;
    pthread_mutex_unlock(&plain);
    return NULL;
}

/* Of a thread that calls no MPI. */
static void *fork_team(void *result)
{
    long n = 0;
#pragma omp parallel num_threads(3) reduction(+ : n)
    n += omp_get_thread_num();
    *(long *)result = n;
    return NULL;
}

static long tree(int depth)
{
    long left = 0, right = 0;
    if (!depth)
        return 1;
#pragma omp task shared(left)
    left = tree(depth - 1);
#pragma omp task shared(right)
    right = tree(depth - 1);
#pragma omp taskwait
    return left + right;
}

static long child(void)
{
    int status = 0;
    pid_t pid = fork();
    if (!pid)
        _exit(STATUS);
    waitpid(pid, &status, 0);
    return WEXITSTATUS(status);
}

static long constructs(void)
{
    long sum = 0;
#pragma omp parallel num_threads(4) reduction(+ : sum)
    {
#pragma omp parallel num_threads(3) reduction(+ : sum)
        sum += omp_get_thread_num();
#pragma omp barrier
#pragma omp for schedule(dynamic, 1)
        for (int i = 0; i < PIECES; i++)
            sum += i;
#pragma omp critical(named)
        sum += 1;
#pragma omp single
        sum += tree(8);
#pragma omp for ordered
        for (int i = 0; i < PIECES; i++)
#pragma omp ordered
            sum += 1;
        if (omp_get_thread_num() == 1)
            sum += child();
    }
    return sum;
}

static long many_threads(void)
{
    long sum = 0;
#pragma omp parallel num_threads(64) reduction(+ : sum)
    sum += 1;
#pragma omp parallel num_threads(70) reduction(+ : sum)
    sum += 1;
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop
    for (int i = 0; i < PIECES; i++)
#pragma omp atomic
        sum += 1;
    return sum;
}

static long locks(void)
{
    pthread_t thread;
    long sum = 0;
    pthread_mutex_lock(&recursive);
    pthread_mutex_lock(&recursive);
    pthread_mutex_unlock(&recursive);
    pthread_mutex_unlock(&recursive);
    pthread_mutex_lock(&checked);
    sum += pthread_mutex_lock(&checked) == EDEADLK;
    pthread_mutex_unlock(&checked);
    sum += pthread_mutex_unlock(&checked) == EPERM;
    pthread_create(&thread, NULL, end_with_lock, NULL);
    pthread_join(thread, NULL);
    sum += pthread_mutex_lock(&robust) == EOWNERDEAD;
    pthread_mutex_consistent(&robust);
    pthread_mutex_unlock(&robust);
    return sum;
}

static pthread_spinlock_t brief;
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static omp_lock_t lock;
static omp_nest_lock_t nested;
static volatile long counted;

static void in_handler(int signal)
{
    pthread_spin_lock(&brief);
    counted += signal == SIGUSR1;
    pthread_spin_unlock(&brief);
}

static void count_under_each(void)
{
    omp_set_lock(&lock);
    counted++;
    omp_unset_lock(&lock);
    while (!omp_test_lock(&lock))
        ;
    counted++;
    omp_unset_lock(&lock);
    omp_set_nest_lock(&nested);
    omp_set_nest_lock(&nested);
    omp_unset_nest_lock(&nested);
    omp_unset_nest_lock(&nested);
    pthread_rwlock_wrlock(&table);
    counted++;
    pthread_rwlock_unlock(&table);
#pragma omp critical(counting)
    counted++;
}

static long contended(void)
{
    long read = 0;
#pragma omp parallel num_threads(4) reduction(+ : read)
    for (int i = 0; i < TIMES; i++) {
        pthread_spin_lock(&brief);
        pthread_spin_unlock(&brief);
        pthread_rwlock_rdlock(&table);
        read += counted >= 0;
        pthread_rwlock_unlock(&table);
    }
#pragma omp parallel num_threads(4)
    for (int i = 0; i < TIMES; i++) {
        omp_set_lock(&lock);
        counted++;
        omp_unset_lock(&lock);
    }
    count_under_each();
    return read + counted;
}

static long other_locks(void)
{
    long sum = 0;
    omp_init_lock(&lock);
    omp_init_nest_lock(&nested);
    pthread_spin_init(&brief, PTHREAD_PROCESS_PRIVATE);
    signal(SIGUSR1, in_handler);
    raise(SIGUSR1);
    pthread_rwlock_wrlock(&table);
    sum += pthread_rwlock_rdlock(&table) == EDEADLK;
    sum += pthread_rwlock_wrlock(&table) == EDEADLK;
    pthread_rwlock_unlock(&table);
    return sum + contended();
}

static long brief_threads(void)
{
    long sum = 0, beside = 0;
    pthread_t pair[2], thread;
    for (int i = 0; i < PAIRS; i++) {
        for (int k = 0; k < 2; k++)
            pthread_create(&pair[k], NULL, count, &sum);
        for (int k = 0; k < 2; k++)
            pthread_join(pair[k], NULL);
    }
    pthread_create(&thread, NULL, fork_team, &beside);
#pragma omp parallel num_threads(2)
    for (int i = 0; i < TIMES; i++)
        count(&sum);
    pthread_join(thread, NULL);
    return sum + beside;
}

int main(int argc, char **argv)
{
    int rank, level;
    long sum = many_threads();
    make_locks();
    pthread_mutex_lock(&plain);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    pthread_mutex_unlock(&plain);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    omp_set_max_active_levels(3);
    sum += constructs() + many_threads() + locks() + other_locks() + brief_threads();
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("%ld\n", sum);
    MPI_Finalize();
    return 0;
}
