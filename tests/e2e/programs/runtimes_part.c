/* A library with OpenMP in it, for programs that load one built by GCC and one built by LLVM:
 * regions, sections, locks, ordered, tasks. Says the sum of what they did. */
#include <omp.h>

enum { TIMES = 200, THREADS = 3 };

long part_work(void);

static long regions(omp_lock_t *lock)
{
    long sum = 0, locked = 0, alone = 0, in_turn = 0; /* each has its own lock */
#pragma omp parallel num_threads(THREADS)
    {
#pragma omp for ordered schedule(static, 1)
        for (int i = 0; i < TIMES; i++) {
            omp_set_lock(lock);
            locked++;
            omp_unset_lock(lock);
#pragma omp critical
            alone++;
#pragma omp ordered
            {
#pragma omp critical(named)
                in_turn++;
            }
        }
#pragma omp critical
        alone += omp_get_thread_num();
#pragma omp barrier
#pragma omp single
        for (int i = 0; i < TIMES; i++)
#pragma omp task shared(sum)
#pragma omp atomic
            sum++;
#pragma omp sections
        {
#pragma omp section
#pragma omp atomic
            sum++;
#pragma omp section
#pragma omp atomic
            sum++;
        }
    }
    return sum + locked + alone + in_turn;
}

long part_work(void)
{
    omp_lock_t lock;
    omp_init_lock(&lock);
    long sum = regions(&lock);
    while (!omp_test_lock(&lock))
        ;
    omp_unset_lock(&lock);
    omp_destroy_lock(&lock);
    return sum;
}
