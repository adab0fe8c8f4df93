/*
 * Ends of threads, for those that join them, and what one thread does once for all: who comes
 * meanwhile waits for it (thread_waits.h). A thread that is joined may have ended long before.
 */
#include "calls/activity.h"
#include "outside/blocked_call.h"
#include "outside/spawn.h"
#include "outside/thread_waits.h"

#include <pthread.h>
#include <threads.h>

#define INTERPOSED __attribute__((visibility("default")))

static void joined(pthread_t thread, uint64_t began_ns, unsigned function,
                   const void *return_address, const void *cfa)
{
    uint32_t by = 0;
    if (!sca_virtual_time_follows())
        return;
    if (began_ns) /* recording had begun */
        sca_thread.stood_ns += sca_clock_now() - began_ns;
    uint64_t ns = sca_hand_over_take((const void *)thread, &by);
    sca_thread_waits_book(function, ns, by, return_address, cfa);
    if (sca_spawn_has_called(thread) && sca_blocked_call_follows())
        (void)sca_activity_moment(SCA_OUTSIDE_thread_join, return_address, cfa);
}

#define JOIN(name, thread_type, parameters, arguments)                                             \
    SCA_NEXT(name)                                                                                 \
    INTERPOSED int name parameters                                                                 \
    {                                                                                              \
        uint64_t began_ns = sca_virtual_time_follows() ? sca_clock_now() : 0;                      \
        int result = next_##name() arguments;                                                      \
        if (!result)                                                                               \
            joined(thread, began_ns, SCA_OUTSIDE_##name, SCA_CALLER);                              \
        return result;                                                                             \
    }

_Static_assert(thrd_success == 0, "as POSIX");
JOIN(pthread_join, pthread_t, (pthread_t thread, void **value), (thread, value))
JOIN(pthread_timedjoin_np, pthread_t,
     (pthread_t thread, void **value, const struct timespec *until), (thread, value, until))
JOIN(pthread_clockjoin_np, pthread_t,
     (pthread_t thread, void **value, clockid_t clock, const struct timespec *until),
     (thread, value, clock, until))
JOIN(thrd_join, thrd_t, (thrd_t thread, int *value), (thread, value))

/* ---- once ---- */

struct once {
    void (*function)(void);
    const void *control;
};

/* What the calling thread is about to run; looked at as that begins, and never later. */
static _Thread_local const struct once *begun __attribute__((tls_model("initial-exec")));

/* Others may wait by now. C++ may leave it by an exception. */
static void run(void)
{
    const struct once once = *begun;
    once.function();
    sca_thread_waits_tell(once.control);
}

/* As the C library notes it. If it did not, it would only take longer. */
static bool is_done(const void *control)
{
    enum { DONE = 2 };
    return __atomic_load_n((const int *)control, __ATOMIC_ACQUIRE) == DONE;
}

#define ONCE(name, result_type, type, keeps, gives)                                                \
    SCA_NEXT(name)                                                                                 \
    INTERPOSED result_type name(type *control, void (*function)(void))                             \
    {                                                                                              \
        const struct once once = {function, control};                                              \
        struct sca_hand_over_wait wait = {0};                                                      \
        bool follows = !is_done(control) && sca_virtual_time_follows();                            \
        if (follows) {                                                                             \
            wait = sca_hand_over_wait_begin(control);                                              \
            begun = &once;                                                                         \
        }                                                                                          \
        keeps next_##name()(control, follows ? run : function);                                    \
        if (follows)                                                                               \
            sca_thread_waits_end(&wait, SCA_OUTSIDE_##name, SCA_CALLER);                           \
        gives                                                                                      \
    }
#define NOTHING
ONCE(pthread_once, int, pthread_once_t, int result =, return result;)
ONCE(call_once, void, once_flag, NOTHING, NOTHING)
