/* Who waits for a lock, and who had it: threads by their numbers, in bounded memory. */
#include "outside/holders.h"
#include "arena/arena.h"
#include "busy.h"
#include "calls/activity.h"
#include "clock/clock.h"
#include "mpi_functions.h"
#include "sampling/sample_next.h"
#include "sampling/threads.h"
#include "check_main.h"
#include "unwind/callpath.h"

#include <pthread.h>
#include <semaphore.h>

enum { SOME = 5000000 };

static const char lock;
static sem_t waits, free_now;

static void begin(void)
{
    ck_assert_int_ge(sca_arena_open(NULL, 0, 1), 0);
    sca_recording = true;
    sem_init(&waits, 0, 0);
    sem_init(&free_now, 0, 0);
}

static void end(void)
{
    sca_recording = false;
    sca_arena_close();
}

static void *wait_for_lock(void *slot)
{
    sca_threads_arrive(slot);
    struct sca_holders_wait wait = sca_holders_wait_begin(&lock);
    sem_post(&waits);
    while (sem_wait(&free_now))
        ;
    sca_holders_wait_end(&lock, &wait, SCA_OUTSIDE_pthread_mutex_lock, SCA_CALLER);
    sca_holders_leave(&lock, SCA_OUTSIDE_pthread_mutex_lock, SCA_CALLER);
    sca_threads_leave(slot);
    return NULL;
}

static uint64_t waited_ns;

static void *wait_and_tell(void *slot)
{
    wait_for_lock(slot);
    waited_ns = sca_thread.locked_ns;
    return NULL;
}

static const struct sca_part_sample *hand_over(void)
{
    const struct sca_part_sample *samples = sca_arena_table(SCA_T_SAMPLES), *found = NULL;
    for (uint32_t i = 0; i < sca_arena_count(SCA_T_SAMPLES); i++)
        if (samples[i].in_mpi == SCA_SAMPLE_HANDED_OVER) {
            ck_assert_ptr_null(found);
            found = &samples[i];
        }
    return found;
}

START_TEST(a_lock_goes_from_one_thread_to_another)
{
    pthread_t thread;
    begin();
    struct sca_thread_slot *slot = sca_threads_take(false), *unused = sca_threads_take(false);
    sca_holders_taken(&lock, SCA_CALLER);
    ck_assert_int_eq(pthread_create(&thread, NULL, wait_for_lock, unused), 0);
    while (sem_wait(&waits))
        ;
    work(SOME);
    sca_holders_leave(&lock, SCA_OUTSIDE_pthread_mutex_lock, SCA_CALLER);
    sem_post(&free_now);
    pthread_join(thread, NULL);
    const struct sca_part_sample *found = hand_over();
    ck_assert_ptr_nonnull(found);
    ck_assert_uint_eq(found->thread, 2); /* the first slot is another's */
    ck_assert_uint_eq((uint16_t)found->next, 0);
    ck_assert_uint_eq(found->count, 1);
    ck_assert_uint_ge(found->length_ns, SOME / 2);
    sca_threads_give_back(slot);
    end();
}
END_TEST

/* The other one has no core while the first takes the lock again and again. With a core of its own
 * it would have had it next. */
START_TEST(a_wait_is_as_long_as_those_ahead_have_it)
{
    enum { TIMES = 20 };
    pthread_t thread;
    begin();
    struct sca_thread_slot *slot = sca_threads_take(false), *unused = sca_threads_take(false);
    sca_holders_taken(&lock, SCA_CALLER);
    ck_assert_int_eq(pthread_create(&thread, NULL, wait_and_tell, unused), 0);
    while (sem_wait(&waits))
        ;
    uint64_t longest_ns = 0;
    for (int i = 0; i < TIMES; i++) {
        sca_holder_of(&lock)->since = sca_holders_since(sca_thread.tid, sca_clock_cpu());
        uint64_t took_ns = work(SOME);
        longest_ns = took_ns > longest_ns ? took_ns : longest_ns;
        sca_holders_leave(&lock, SCA_OUTSIDE_pthread_mutex_lock, SCA_CALLER);
        sca_holders_taken(&lock, SCA_CALLER);
    }
    sem_post(&free_now);
    pthread_join(thread, NULL);
    ck_assert_uint_ge(waited_ns, SOME / 2);
    ck_assert_uint_lt(waited_ns, 3 * longest_ns);
    sca_threads_give_back(slot);
    end();
}
END_TEST

/* Who begins to wait may ask the clock of a thread that has just let the lock go. */
START_TEST(the_clock_of_who_had_it_before_does_not_count)
{
    begin();
    struct sca_thread_slot *slot = sca_threads_take(false);
    sca_holders_taken(&lock, SCA_CALLER);
    struct sca_holder *h = sca_holder_of(&lock);
    h->measured = 1;
    h->held_ns = 0;
    h->since = sca_holders_since(sca_thread.tid + 1, 1);
    work(SOME);
    sca_holders_leave(&lock, SCA_OUTSIDE_pthread_mutex_lock, SCA_CALLER);
    ck_assert_uint_eq(h->held_ns, 0);
    ck_assert_uint_eq(h->since, 0);
    h->measured = 0;
    sca_threads_give_back(slot);
    end();
}
END_TEST

static const void *taken_at; /* where the call that took it returns to */

static __attribute__((noinline)) void take(void)
{
    taken_at = __builtin_return_address(0);
    sca_holders_taken(&lock, SCA_CALLER);
    sca_holder_of(&lock)->measured = 1;
}

static __attribute__((noinline)) void let_go(void)
{
    sca_holders_leave(&lock, SCA_OUTSIDE_pthread_mutex_lock, SCA_CALLER);
}

/* Optimized, it ends by a jump. */
static __attribute__((noinline)) void have(volatile int *times)
{
    take();
    ++*times;
    let_go();
}

/* Compilers end a function by a jump to its last call, and its frame is gone by then. */
START_TEST(the_line_is_known_of_a_function_that_ends_by_letting_it_go)
{
    volatile int times = 0;
    begin();
    ck_assert_int_eq(sca_callpath_init(), 0);
    struct sca_thread_slot *slot = sca_threads_take(false);
    have(&times);
    ck_assert_int_eq(times, 1);
    uint32_t site = sca_holder_of(&lock)->site;
    ck_assert_uint_ne(site, SCA_NONE);
    const struct sca_part_site *at = (struct sca_part_site *)sca_arena_table(SCA_T_SITES) + site;
    const struct sca_part_node *node =
        (struct sca_part_node *)sca_arena_table(SCA_T_NODES) + at->node;
    const struct sca_part_module *m =
        (struct sca_part_module *)sca_arena_table(SCA_T_MODULES) + node->module;
    ck_assert_uint_eq(node->offset + m->bias, (uintptr_t)taken_at);
    sca_holder_of(&lock)->measured = 0;
    sca_threads_give_back(slot);
    end();
}
END_TEST

static int section;

static struct sca_holder *taken(void)
{
    (void)sca_holders_taken(&section, __builtin_return_address(0), __builtin_frame_address(0));
    struct sca_holder *h = sca_holder_of(&section);
    h->taken = false;
    return h;
}

START_TEST(a_section_is_taken_once)
{
    struct sca_holder *h = taken();
    ck_assert(sca_holders_try(h));
    ck_assert(!sca_holders_try(h));
    h->taken = false; /* it is left */
    ck_assert(sca_holders_try(h));
}
END_TEST

/* Its runtime hands it to who waits, who has not said yet that he has it. */
START_TEST(one_that_others_wait_for_is_not_free_when_it_is_left)
{
    struct sca_holder *h = taken();
    struct sca_holders_wait wait = sca_holders_wait_begin(&section);
    ck_assert(!sca_holders_try(h));
    sca_holders_wait_give_up(&section, &wait);
    ck_assert(sca_holders_try(h));
}
END_TEST

SCA_SUITE("holders", the_line_is_known_of_a_function_that_ends_by_letting_it_go,
          the_clock_of_who_had_it_before_does_not_count, a_wait_is_as_long_as_those_ahead_have_it,
          a_lock_goes_from_one_thread_to_another, a_section_is_taken_once,
          one_that_others_wait_for_is_not_free_when_it_is_left)
