/* A lock of OpenMP that who has it may take again: others wait for the last time it is let go. */
#include "outside/holders.h"
#include "busy.h"
#include "recording.h"

#include <pthread.h>

enum { MS = 1000000 };

void omp_init_nest_lock(void *lock);
void omp_set_nest_lock(void *lock);
int omp_test_nest_lock(void *lock);
void omp_unset_nest_lock(void *lock);

static _Alignas(64) char lock[64];

static void set_up(void)
{
    start_recording();
    omp_init_nest_lock(lock);
}

static void *wait_for_it(void *waited_ns)
{
    omp_set_nest_lock(lock);
    *(uint64_t *)waited_ns = sca_thread.locked_ns;
    omp_unset_nest_lock(lock);
    return NULL;
}

/* The waiting thread must have come to the lock: it has asked for the holder's clock. */
START_TEST(others_wait_until_it_is_let_go_as_often_as_it_was_taken)
{
    pthread_t thread;
    uint64_t waited_ns = 0;
    set_up();
    omp_set_nest_lock(lock);
    omp_set_nest_lock(lock);
    ck_assert_int_eq(pthread_create(&thread, NULL, wait_for_it, &waited_ns), 0);
    while (!__atomic_load_n(&sca_holder_of(lock)->waiting, __ATOMIC_ACQUIRE))
        ;
    work(20 * MS);
    omp_unset_nest_lock(lock);
    work(20 * MS);
    omp_unset_nest_lock(lock);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    ck_assert_uint_ge(waited_ns, 30 * MS);
    ck_assert_int_eq(omp_test_nest_lock(lock), 1);
    ck_assert_int_eq(omp_test_nest_lock(lock), 2);
}
END_TEST

SCA_SUITE("nest lock", others_wait_until_it_is_let_go_as_often_as_it_was_taken)
