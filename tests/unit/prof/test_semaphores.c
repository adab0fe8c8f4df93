/* A semaphore is a lock where each thread posts what it took, else a signal. */
#include "busy.h"
#include "outside/holders.h"
#include "recording.h"
#include "sampling/hand_over.h"
#include "sampling/threads.h"

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SOME = 5000000 };

static sem_t semaphore, holds;
static int waiter; /* the first thread's number, as the kernel has it */

static void begin(unsigned value)
{
    start_recording();
    waiter = (int)syscall(SYS_gettid);
    sem_init(&semaphore, 0, value);
    sem_init(&holds, 0, 0);
}

static void take(void)
{
    while (sem_wait(&semaphore))
        ;
}

static bool is_asleep(int tid)
{
    char name[64], text[256] = "";
    snprintf(name, sizeof name, "/proc/self/task/%d/stat", tid);
    FILE *file = fopen(name, "r");
    ck_assert_ptr_nonnull(file);
    ck_assert_ptr_nonnull(fgets(text, sizeof text, file));
    fclose(file);
    return !strncmp(strrchr(text, ')'), ") S", 3);
}

/* Whatever it notes before it waits is noted. */
static bool is_waited_for(void)
{
    const struct sca_holder *h = sca_holder_of(&semaphore);
    bool begun =
        __atomic_load_n(&h->waiting, __ATOMIC_RELAXED) || sca_hand_over_is_awaited(&semaphore);
    return begun && is_asleep(waiter);
}

static void work_until_waited_for(void)
{
    while (!is_waited_for())
        sched_yield();
    work(SOME);
}

static void *take_and_post(void *slot)
{
    sca_threads_arrive(slot);
    take();
    sem_post(&holds);
    work_until_waited_for();
    sem_post(&semaphore);
    sca_threads_leave(slot);
    return NULL;
}

static void *only_post(void *slot)
{
    sca_threads_arrive(slot);
    work_until_waited_for();
    sem_post(&semaphore);
    sca_threads_leave(slot);
    return NULL;
}

static void *post_at_once(void *slot)
{
    sca_threads_arrive(slot);
    sem_post(&semaphore);
    sca_threads_leave(slot);
    return NULL;
}

static pthread_t start(void *(*function)(void *))
{
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, function, sca_threads_take(false)), 0);
    return thread;
}

struct waited {
    uint64_t for_lock_ns, for_signal_ns;
};

/* What the first thread waits as another one has it, or is to post it. */
static struct waited wait_for(void *(*function)(void *), bool takes)
{
    struct waited before = {sca_thread.locked_ns, sca_thread.awaited_ns};
    pthread_t thread = start(function);
    while (takes && sem_wait(&holds))
        ;
    uint64_t signalled_ns = sca_thread.awaited_ns;
    take();
    struct waited w = {sca_thread.locked_ns - before.for_lock_ns,
                       sca_thread.awaited_ns - signalled_ns};
    pthread_join(thread, NULL);
    return w;
}

START_TEST(who_posts_what_it_took_has_a_lock)
{
    begin(1);
    take();
    sem_post(&semaphore);
    struct waited w = wait_for(take_and_post, true);
    ck_assert_uint_ge(w.for_lock_ns, SOME / 2);
    ck_assert_uint_eq(w.for_signal_ns, 0);
    sem_post(&semaphore);
}
END_TEST

START_TEST(a_lock_that_is_held_is_known_to_samples)
{
    begin(1);
    take();
    ck_assert_ptr_null(sca_thread.holds); /* it may be a signal yet */
    sem_post(&semaphore);
    take();
    ck_assert_ptr_eq(sca_thread.holds, &semaphore);
    sem_post(&semaphore);
    ck_assert_ptr_null(sca_thread.holds);
}
END_TEST

START_TEST(who_waits_for_what_another_posts_waits_for_a_signal)
{
    begin(0);
    for (int i = 0; i < 3; i++) {
        struct waited w = wait_for(only_post, false);
        ck_assert_uint_eq(w.for_lock_ns, 0);
        ck_assert(i || w.for_signal_ns >= SOME / 2);
        ck_assert_ptr_null(sca_thread.holds);
    }
}
END_TEST

/* The first thread takes one and posts one, as a thread that makes work for others, too. */
START_TEST(a_lock_that_another_posts_is_none_any_more)
{
    begin(1);
    take();
    sem_post(&semaphore);
    take();
    pthread_join(start(post_at_once), NULL);
    struct waited w = wait_for(take_and_post, true);
    ck_assert_uint_eq(w.for_lock_ns, 0);
    ck_assert_uint_gt(w.for_signal_ns, 0);
}
END_TEST

START_TEST(what_two_may_have_is_no_lock)
{
    begin(2);
    take();
    sem_post(&semaphore);
    take();
    struct waited w = wait_for(take_and_post, true);
    ck_assert_uint_eq(w.for_lock_ns, 0);
    ck_assert_ptr_null(sca_thread.holds);
}
END_TEST

SCA_SUITE("semaphores", who_posts_what_it_took_has_a_lock, a_lock_that_is_held_is_known_to_samples,
          who_waits_for_what_another_posts_waits_for_a_signal,
          a_lock_that_another_posts_is_none_any_more, what_two_may_have_is_no_lock)
