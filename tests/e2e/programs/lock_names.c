/* Two threads hand locks of several origins over: one has it until the other comes, and computes
 * on. */
#include <mpi.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 10, KINDS = 4, HAD = 3000000 };

static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t *on_heap;
static omp_lock_t *cells;
static atomic_int taken, comes, done;
static volatile double table;

static void work(int n)
{
    double x = table;
    for (int i = 0; i < n; i++)
        x = x * 0.9999999 + 1e-8;
    table = x;
}

/* With the lock, so often as there are turns. */
static void have(int turn)
{
    atomic_store(&taken, turn);
    while (atomic_load(&comes) < turn)
        sched_yield();
    work(HAD);
}

static void use(int kind, int turn, int waits)
{
    int n = waits ? 0 : turn;
    if (kind == 0) {
        pthread_mutex_lock(&table_lock);
        n ? have(n) : work(1);
        pthread_mutex_unlock(&table_lock);
    } else if (kind == 1) {
        pthread_mutex_lock(on_heap);
        n ? have(n) : work(1);
        pthread_mutex_unlock(on_heap);
    } else if (kind == 2) {
        omp_set_lock(&cells[1]);
        n ? have(n) : work(1);
        omp_unset_lock(&cells[1]);
    } else {
#pragma omp critical(update)
        n ? have(n) : work(1);
    }
}

static void *other(void *unused)
{
    for (int turn = 1; turn <= STEPS * KINDS; turn++) {
        while (atomic_load(&taken) < turn)
            sched_yield();
        atomic_store(&comes, turn);
        use(turn % KINDS, turn, 1);
        atomic_store(&done, turn);
    }
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    int level;
    double all, mine;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    on_heap = malloc(sizeof *on_heap);
    cells = malloc(2 * sizeof *cells);
    pthread_mutex_init(on_heap, NULL); // HEAP
    omp_init_lock(&cells[1]);          // CELLS
    pthread_create(&thread, NULL, other, NULL);
    for (int turn = 1; turn <= STEPS * KINDS; turn++) {
        while (atomic_load(&done) < turn - 1)
            sched_yield();
        use(turn % KINDS, turn, 0);
    }
    pthread_join(thread, NULL);
    mine = table;
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    printf("%g\n", all);
    omp_destroy_lock(&cells[1]);
    pthread_mutex_destroy(on_heap);
    free(on_heap);
    free(cells);
    MPI_Finalize();
    return 0;
}
