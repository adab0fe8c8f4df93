/*
 * teams CASE: two threads of each rank, in one of several ways. Work is counted in units, so that
 * it is known how many units the steps take with a core for each thread.
 */
#include <math.h>
#include <mpi.h>
#include <omp.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <threads.h>

enum { STEPS = 20, UNIT = 30000, ROWS = 16, PIECES = 8 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static double sum, rows[ROWS];

static double work(double x, int units)
{
    for (long i = 0; i < (long)units * UNIT; i++) /* WORK */
        x = x * 0.9999 + sqrt(x + 1.5) * 1e-5;
    return x;
}

/* Rows of 0 to 15 units: 28 of the first half, 92 of the second. */
static void uneven(void)
{
#pragma omp parallel for schedule(static) num_threads(2) /* uneven */
    for (int r = 0; r < ROWS; r++)
        rows[r] = work(1, r) * 1e-3;
    sum += rows[0];
}

/* Two threads, each with a team of two that has such rows. */
static double inner_rows(int first, int times)
{
    double part[ROWS];
#pragma omp parallel for schedule(static) num_threads(2) /* inner */
    for (int r = 0; r < ROWS; r++)
        part[r] = work(1, first + times * r) * 1e-3;
    return part[0] + part[ROWS - 1];
}

static void inner_of(int first, int times)
{
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
    {
        double y = inner_rows(first, times);
#pragma omp atomic
        sum += y;
    }
}

static void inner(void)
{
    inner_of(0, 1);
}

static void inner_even(void)
{
    inner_of(4, 0);
}

static void even(void)
{
#pragma omp parallel for schedule(dynamic) num_threads(2)
    for (int r = 0; r < ROWS; r++)
        rows[r] = work(1, 4) * 1e-3;
}

/* 40 units by one thread, then 20 by each. */
static void serial(void)
{
    double x = work(1, 40); /* serial */
#pragma omp parallel num_threads(2)
    {
        double y = work(x, 20) * 1e-3;
#pragma omp atomic
        sum += y;
    }
}

/* Each thread: 4 x (2 units, 8 with the lock): 64 + 2 one after the other, 40 without it. */
static void critical(void)
{
#pragma omp parallel num_threads(2)
    for (int k = 0; k < 4; k++) {
        double y = work(1, 2);
#pragma omp critical /* critical */
        sum += work(y, 8) * 1e-3;
    }
}

/* A call: in front of `ordered` GCC leaves out the line of its own, behind code of another line. */
static __attribute__((noinline)) double piece(double x, int units)
{
    return work(x, units);
}

/* 16 rows: 1 unit, and 3 in turn: 1 + 16 x 3, or 32 without turns. */
static void ordered(void)
{
    double all = 0;
#pragma omp parallel for ordered schedule(static, 1) num_threads(2)
    for (int r = 0; r < ROWS; r++) {
        double y = piece(1, 1);
#pragma omp ordered /* ordered */
        all += piece(y, 3) * 1e-3;
    }
    sum += all;
}

/* The same by iterations that wait for the one before. */
static void doacross(void)
{
#pragma omp parallel for ordered(1) schedule(static, 1) num_threads(2)
    for (int r = 0; r < ROWS; r++) {
        double y = piece(1, 1);
#pragma omp ordered depend(sink : r - 1) /* doacross */
        rows[r] = piece(y, 3) * 1e-3;
#pragma omp ordered depend(source)
    }
}

/* Two tasks of the rows of 0 to 15 units. */
static void taskloop(void)
{
#pragma omp parallel num_threads(2) /* taskloop */
#pragma omp single
#pragma omp taskloop num_tasks(2)
    for (int r = 0; r < ROWS; r++)
        rows[r] = work(1, r) * 1e-3;
}

/* Two sections of 36 and 12 units; which of them is the long one alternates, so that each thread
 * has as much of the run. */
static void sections(void)
{
    static int turn;
    double x = 1, y = 1;
    int more = 24 * (turn++ % 2);
#pragma omp parallel sections num_threads(2) /* sections */
    {
#pragma omp section
        x = work(1, 12 + more);
#pragma omp section
        y = work(1, 36 - more);
    }
    sum += (x + y) * 1e-3;
}

/* One after the other: 8 x 6 units, 24 by each of two. */
static void chain(void)
{
    double x = 1;
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int k = 0; k < 8; k++) {
#pragma omp task depend(inout : x) shared(x)
        x = work(x, 6); /* chain */
    }
    sum += x * 1e-3;
}

/* Two that are done at the same time. */
static void chains(void)
{
    double x[2] = {1, 1};
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int k = 0; k < 16; k++) {
#pragma omp task depend(inout : x[k % 2]) shared(x)
        x[k % 2] = work(x[k % 2], 3);
    }
    sum += x[0] * 1e-3 + x[1] * 1e-3;
}

/* Eight of 2 units, and one of 34: 34 of the one, 25 of each with even threads. */
static void long_task(void)
{
    double x = 0, y[8] = {0};
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task shared(x)
        x = work(1, 34); /* long_task */
        for (int k = 0; k < 8; k++) {
#pragma omp task shared(y)
            y[k] = work(1, 2);
        }
    }
    sum += x * 1e-3 + y[0] * 1e-3;
}

/* More threads than cores: who is on one takes more of them. */
static void handed_out(void)
{
#pragma omp parallel num_threads(4)
    {
#pragma omp single
        for (int r = 0; r < ROWS; r++) {
#pragma omp task
            rows[r] = work(1, 2) * 1e-3;
        }
#pragma omp for schedule(dynamic)
        for (int r = 0; r < ROWS; r++)
            rows[r] = work(1, 2) * 1e-3;
#pragma omp sections
        {
#pragma omp section
            rows[0] = work(1, 8) * 1e-3;
#pragma omp section
            rows[1] = work(1, 8) * 1e-3;
#pragma omp section
            rows[2] = work(1, 8) * 1e-3;
#pragma omp section
            rows[3] = work(1, 8) * 1e-3;
        }
    }
}

static void insert(double y)
{
    pthread_mutex_lock(&mutex); /* mutex */
    sum += work(y, 8) * 1e-3;
    pthread_mutex_unlock(&mutex);
}

static void *insert_all(void *argument)
{
    for (int k = 0; k < 4; k++)
        insert(work(1, 2));
    return argument;
}

static void table(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, insert_all, NULL))
        MPI_Abort(MPI_COMM_WORLD, 1);
    insert_all(NULL);
    pthread_join(thread, NULL);
}

static sem_t one;

static void *insert_by_semaphore(void *argument)
{
    for (int k = 0; k < 4; k++) {
        double y = work(1, 2);
        sem_wait(&one); /* sem_lock */
        sum += work(y, 8) * 1e-3;
        sem_post(&one);
    }
    return argument;
}

static void semaphore_table(void)
{
    pthread_t thread;
    sem_init(&one, 0, 1);
    if (pthread_create(&thread, NULL, insert_by_semaphore, NULL))
        MPI_Abort(MPI_COMM_WORLD, 1);
    insert_by_semaphore(NULL);
    pthread_join(thread, NULL);
}

/* Locks that are held shortly. */
static void short_lock(void)
{
#pragma omp parallel num_threads(2)
    for (int k = 0; k < 16; k++) {
        double y = work(1, 2);
        pthread_mutex_lock(&mutex);
        sum += y * 1e-3;
        pthread_mutex_unlock(&mutex);
    }
}

static void beside(void *(*function)(void *), double (*own)(void))
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, function, NULL))
        MPI_Abort(MPI_COMM_WORLD, 1);
    sum += own() * 1e-3;
    pthread_join(thread, NULL);
}

/* ---- pieces: 6 units to make one, 2 to use it: 8 x 6 + 2, or 32 by each ---- */

static int made;

static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *make_pieces(void *none)
{
    for (int k = 0; k < PIECES; k++) {
        double x = work(1, 6);
        pthread_mutex_lock(&mutex);
        made++;
        sum += x * 1e-3;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&mutex);
    }
    return none;
}

static double use_pieces(void)
{
    double x = 1;
    for (int k = 0; k < PIECES; k++) {
        pthread_mutex_lock(&mutex);
        while (!made)
            pthread_cond_wait(&changed, &mutex); /* cond */
        made--;
        pthread_mutex_unlock(&mutex);
        x = work(x, 2);
    }
    return x;
}

static void producer(void)
{
    beside(make_pieces, use_pieces);
}

static sem_t full;

static void *post_pieces(void *none)
{
    for (int k = 0; k < PIECES; k++) {
        sum += work(1, 6) * 1e-3;
        sem_post(&full);
    }
    return none;
}

static double wait_for_pieces(void)
{
    double x = 1;
    for (int k = 0; k < PIECES; k++) {
        sem_wait(&full); /* sem */
        x = work(x, 2);
    }
    return x;
}

static void semaphore(void)
{
    sem_init(&full, 0, 0);
    beside(post_pieces, wait_for_pieces);
}

static mtx_t c11_mutex;
static cnd_t c11_changed;

static void *make_c11(void *none)
{
    for (int k = 0; k < PIECES; k++) {
        double x = work(1, 6);
        mtx_lock(&c11_mutex);
        made++;
        sum += x * 1e-3;
        cnd_signal(&c11_changed);
        mtx_unlock(&c11_mutex);
    }
    return none;
}

static double use_c11(void)
{
    double x = 1;
    for (int k = 0; k < PIECES; k++) {
        mtx_lock(&c11_mutex);
        while (!made)
            cnd_wait(&c11_changed, &c11_mutex); /* cnd */
        made--;
        mtx_unlock(&c11_mutex);
        x = work(x, 2);
    }
    return x;
}

static void c11(void)
{
    mtx_init(&c11_mutex, mtx_plain);
    cnd_init(&c11_changed);
    beside(make_c11, use_c11);
}

/* ---- phases: 6 units by one, 2 by the other: 48, or 32 by each ---- */

static pthread_barrier_t barrier;

static void *phases(void *none)
{
    for (int k = 0; k < PIECES; k++) {
        double x = work(1, 6);
        pthread_barrier_wait(&barrier);
        sum += x * 1e-3;
        pthread_barrier_wait(&barrier);
    }
    return none;
}

static double short_phases(void)
{
    double x = 1;
    for (int k = 0; k < PIECES; k++) {
        x = work(x, 2);
        pthread_barrier_wait(&barrier); /* barrier */
        pthread_barrier_wait(&barrier);
    }
    return x;
}

static void barriers(void)
{
    pthread_barrier_init(&barrier, NULL, 2);
    beside(phases, short_phases);
    pthread_barrier_destroy(&barrier);
}

/* ---- 40 units beside 20: 30 by each ---- */

static void *more(void *none)
{
    sum += work(1, 40) * 1e-3;
    return none;
}

static double less(void)
{
    return work(1, 20);
}

static void join(void)
{
    beside(more, less);
}

/* ---- healthy: as much by each ---- */

static void *as_much(void *none)
{
    sum += work(1, 20) * 1e-3;
    return none;
}

static void same(void)
{
    beside(as_much, less);
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {{"uneven", uneven},
             {"even", even},
             {"serial", serial},
             {"doacross", doacross},
             {"taskloop", taskloop},
             {"sections", sections},
             {"critical", critical},
             {"ordered", ordered},
             {"mutex", table},
             {"short", short_lock},
             {"producer", producer},
             {"semaphore", semaphore},
             {"c11", c11},
             {"barrier", barriers},
             {"join", join},
             {"same", same},
             {"sem_lock", semaphore_table},
             {"inner", inner},
             {"inner_even", inner_even},
             {"chain", chain},
             {"chains", chains},
             {"handed_out", handed_out},
             {"long_task", long_task}};

int main(int argc, char **argv)
{
    int rank, level;
    double all = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int step = 0; argc > 1 && !strcmp(argv[1], cases[c].name) && step < STEPS; step++) {
            cases[c].run();
            for (int r = 0; r < ROWS; r++)
                sum += rows[r];
            MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        }
    if (rank == 0)
        printf("%.6f\n", all);
    MPI_Finalize();
    return 0;
}
