/* Who waits for a lock for a second tells observers where, and which thread has it from where. */
#include "arena/present.h"
#include "recording.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <unistd.h>

enum { KINDS = 4 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static mtx_t c11;
static pthread_rwlock_t written = PTHREAD_RWLOCK_INITIALIZER, rows = PTHREAD_RWLOCK_INITIALIZER;

static void *lock_mutex(void *unused)
{
    ck_assert_int_eq(pthread_mutex_lock(&mutex), 0);
    ck_assert_int_eq(pthread_mutex_unlock(&mutex), 0);
    return unused;
}

static void *lock_c11(void *unused)
{
    ck_assert_int_eq(mtx_lock(&c11), thrd_success);
    ck_assert_int_eq(mtx_unlock(&c11), thrd_success);
    return unused;
}

static void *lock_to_write(void *unused)
{
    ck_assert_int_eq(pthread_rwlock_wrlock(&written), 0);
    ck_assert_int_eq(pthread_rwlock_unlock(&written), 0);
    return unused;
}

static void *lock_to_read(void *unused)
{
    ck_assert_int_eq(pthread_rwlock_rdlock(&rows), 0);
    ck_assert_int_eq(pthread_rwlock_unlock(&rows), 0);
    return unused;
}

static const struct {
    void *(*take)(void *);
    const char *waits, *has; /* functions */
} kinds[KINDS] = {{lock_mutex, "pthread_mutex_lock", "pthread_mutex_lock"},
                  {lock_c11, "mtx_lock", "mtx_lock"},
                  {lock_to_write, "pthread_rwlock_wrlock", "pthread_rwlock_wrlock"},
                  {lock_to_read, "pthread_rwlock_rdlock", "pthread_rwlock_wrlock"}};

static void take_all(void)
{
    ck_assert_int_eq(mtx_init(&c11, mtx_plain), thrd_success);
    ck_assert_int_eq(pthread_mutex_lock(&mutex), 0);
    ck_assert_int_eq(mtx_lock(&c11), thrd_success);
    ck_assert_int_eq(pthread_rwlock_wrlock(&written), 0);
    ck_assert_int_eq(pthread_rwlock_wrlock(&rows), 0);
}

static void let_all_go(void)
{
    ck_assert_int_eq(pthread_mutex_unlock(&mutex), 0);
    ck_assert_int_eq(mtx_unlock(&c11), thrd_success);
    ck_assert_int_eq(pthread_rwlock_unlock(&written), 0);
    ck_assert_int_eq(pthread_rwlock_unlock(&rows), 0);
}

static const char *function_of(uint32_t site)
{
    const struct sca_part_site *sites = sca_arena_table(SCA_T_SITES);
    return (const char *)sca_arena_table(SCA_T_STRINGS) + sites[site].name;
}

static const struct sca_part_lock_wait *wait_told(unsigned i)
{
    const struct sca_part_present *p = &sca_arena_header()->present[i];
    uint64_t detail = __atomic_load_n(&p->detail, __ATOMIC_ACQUIRE);
    return detail == (p->turn | SCA_PRESENT_LOCK) ? &p->lock : NULL;
}

static unsigned told(void)
{
    unsigned n = 0;
    for (unsigned i = 0; i < SCA_PRESENT_THREADS; i++)
        n += wait_told(i) != NULL;
    return n;
}

/* Each is told once, of the thread that has all. */
static void check_kind(const char *waits, const char *has)
{
    unsigned n = 0;
    for (unsigned i = 0; i < SCA_PRESENT_THREADS; i++) {
        const struct sca_part_lock_wait *wait = wait_told(i);
        if (!wait || strcmp(function_of(wait->site), waits))
            continue;
        ck_assert_uint_eq(wait->holder, (unsigned)gettid());
        ck_assert_uint_ne(wait->held, SCA_NONE);
        ck_assert_str_eq(function_of(wait->held), has);
        n++;
    }
    ck_assert_uint_eq(n, 1);
}

START_TEST(each_kind_of_lock_is_told_with_its_holder)
{
    pthread_t threads[KINDS];
    start_recording();
    sca_present_begin();
    take_all();
    for (int i = 0; i < KINDS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, kinds[i].take, NULL), 0);
    while (told() < KINDS) /* after a second */
        usleep(10000);
    for (int i = 0; i < KINDS; i++)
        check_kind(kinds[i].waits, kinds[i].has);
    let_all_go();
    for (int i = 0; i < KINDS; i++)
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
    ck_assert_uint_eq(told(), 0);
}
END_TEST

static void *read_for_long(void *taken)
{
    ck_assert_int_eq(pthread_rwlock_rdlock(&rows), 0);
    pthread_barrier_wait(taken);
    usleep(1300000);
    ck_assert_int_eq(pthread_rwlock_unlock(&rows), 0);
    return NULL;
}

/* Who they are nobody knows. */
START_TEST(of_readers_nothing_is_told)
{
    pthread_t thread;
    pthread_barrier_t taken;
    start_recording();
    sca_present_begin();
    pthread_barrier_init(&taken, NULL, 2);
    ck_assert_int_eq(pthread_create(&thread, NULL, read_for_long, &taken), 0);
    pthread_barrier_wait(&taken);
    ck_assert_int_eq(pthread_rwlock_wrlock(&rows), 0);
    ck_assert_uint_eq(told(), 0);
    ck_assert_int_eq(pthread_rwlock_unlock(&rows), 0);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
}
END_TEST

SCA_SUITE("long wait", each_kind_of_lock_is_told_with_its_holder, of_readers_nothing_is_told)
