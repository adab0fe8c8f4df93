/*
 * pthread_create and thrd_create, interposed: each thread of the application has its own sampling
 * from its first instruction to its end, however it ends. Threads that an MPI library starts for
 * itself (while its caller is inside MPI) are left alone; further ones, with all slots taken, run
 * without sampling of their own.
 */
#include "outside/spawn.h"
#include "arena/present.h"
#include "base/thread_memory.h"
#include "calls/activity.h"
#include "clock/blocked.h"
#include "clock/clock.h"
#include "outside/blocked_call.h"
#include "sampling/hand_over.h"
#include "sampling/sampler.h"
#include "sampling/threads.h"
#include "sampling/virtual_time.h"
#include "sca_part.h"
#include "signals/own_signal.h"
#include "signals/own_stack.h"
#include "unwind/stack.h"

#include <dlfcn.h>
#include <errno.h>
#include <sys/resource.h>

typedef int create_function(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
typedef int c11_create_function(thrd_t *, thrd_start_t, void *);

static pthread_t ended[SCA_TRACKS + 1]; /* by track; 0: none that is still to be joined */

static void end_calls(void)
{
    if (!sca_thread.created_at || !sca_interval_is_open())
        return;
    sca_activity_end_thread();
    __atomic_store_n(&ended[sca_thread.track], pthread_self(), __ATOMIC_RELEASE);
}

bool sca_spawn_has_called(pthread_t thread)
{
    for (uint32_t track = 1; track <= SCA_TRACKS; track++) {
        pthread_t expected = thread;
        if (__atomic_load_n(&ended[track], __ATOMIC_ACQUIRE) == thread)
            return __atomic_compare_exchange_n(&ended[track], &expected, 0, false, __ATOMIC_ACQUIRE,
                                               __ATOMIC_RELAXED);
    }
    return false;
}

/* However the thread ends: return, pthread_exit or cancellation. */
static void finish(void *slot)
{
    end_calls();
    sca_sampler_thread_stop();
    sca_blocked_thread_stop();
    sca_interval_thread_stop();
    sca_own_stack_leave();
    sca_present_leave();
    sca_hand_over_thread_stop();
    sca_thread_memory_give_back();
    sca_threads_leave(slot);
}

/* The slot is this thread's from here on, until finish(). */
static void arrive(struct sca_thread_slot *s)
{
    uint32_t creator;
    sca_stack_announce(s->stack_bytes);
    sca_threads_arrive(s);
    uint32_t number = s->foreign ? 0 : sca_threads_number();
    sca_thread.track = number < SCA_TRACKS ? number : SCA_TRACKS;
    sca_thread.created_at = s->created_at;
    sca_thread.began_ns = s->created_at ? sca_clock_now() : 0;
    (void)sca_virtual_time_pass(&s->created, &creator);
    sca_own_signal_keep();
    if (!s->foreign)
        sca_sampler_thread_start();
}

static void *begin(void *argument)
{
    struct sca_thread_slot *s = argument;
    void *result;
    arrive(s);
    pthread_cleanup_push(finish, s);
    result = s->function(s->argument);
    pthread_cleanup_pop(1);
    return result;
}

/* C11's threads are POSIX threads that return an int. */
static int begin_c11(void *argument)
{
    struct sca_thread_slot *s = argument;
    int result;
    arrive(s);
    pthread_cleanup_push(finish, s);
    result = s->c11_function(s->argument);
    pthread_cleanup_pop(1);
    return result;
}

static uint64_t stack_bytes(const pthread_attr_t *attributes)
{
    struct rlimit limit;
    size_t size;
    if (attributes && !pthread_attr_getstacksize(attributes, &size))
        return size;
    if (!getrlimit(RLIMIT_STACK, &limit) && limit.rlim_cur != RLIM_INFINITY)
        return limit.rlim_cur;
    return 0;
}

static void *next_create, *next_c11_create;

/* The C library's function of this name, kept in *known. */
static void *real(void **known, const char *name)
{
    void *found = __atomic_load_n(known, __ATOMIC_RELAXED);
    if (!found) {
        found = dlsym(RTLD_NEXT, name);
        __atomic_store_n(known, found, __ATOMIC_RELAXED);
    }
    return found;
}

/* Later another thread may hold the loader's lock, and wait for the one that creates a thread. */
__attribute__((constructor)) static void find_next(void)
{
    (void)real(&next_create, "pthread_create");
    (void)real(&next_c11_create, "thrd_create");
}

/* Threads of an OpenMP runtime begin and end with its regions. */
static uint32_t book_create(const void *return_address, const void *cfa)
{
    if (!sca_activity_threads_call() || sca_thread.forks || !sca_blocked_call_follows())
        return 0;
    uint32_t site = sca_activity_moment(SCA_OUTSIDE_thread_create, return_address, cfa);
    return site == SCA_NONE ? 0 : site;
}

static struct sca_thread_slot *prepare(const pthread_attr_t *attributes, void *argument,
                                       const void *return_address, const void *cfa)
{
    struct sca_thread_slot *s = sca_threads_take(sca_thread.in_mpi > 0);
    if (!s)
        return NULL;
    s->argument = argument;
    s->created_at = s->foreign ? 0 : book_create(return_address, cfa);
    s->created = sca_recording ? sca_virtual_time_now() : (struct sca_thread_moment){0};
    s->stack_bytes = stack_bytes(attributes);
    return s;
}

__attribute__((visibility("default"))) int pthread_create(pthread_t *thread,
                                                          const pthread_attr_t *attributes,
                                                          void *(*function)(void *), void *argument)
{
    create_function *create = (create_function *)real(&next_create, "pthread_create");
    struct sca_thread_slot *s = create ? prepare(attributes, argument, SCA_CALLER) : NULL;
    if (!create)
        return EAGAIN;
    if (!s)
        return create(thread, attributes, function, argument);
    s->function = function;
    int status = create(thread, attributes, begin, s);
    if (status)
        sca_threads_give_back(s);
    return status;
}

__attribute__((visibility("default"))) int thrd_create(thrd_t *thread, thrd_start_t function,
                                                       void *argument)
{
    c11_create_function *create = (c11_create_function *)real(&next_c11_create, "thrd_create");
    struct sca_thread_slot *s = create ? prepare(NULL, argument, SCA_CALLER) : NULL;
    if (!create)
        return thrd_error;
    if (!s)
        return create(thread, function, argument);
    s->c11_function = function;
    int status = create(thread, begin_c11, s);
    if (status != thrd_success)
        sca_threads_give_back(s);
    return status;
}
