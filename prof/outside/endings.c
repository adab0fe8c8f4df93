#include "outside/endings.h"
#include "arena/arena.h"
#include "calls/activity.h"
#include "calls/present_call.h"
#include "outside/blocked_call.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#define INTERPOSED __attribute__((visibility("default")))

/* A child of vfork() has the parent's memory. */
static bool is_own_process(void)
{
    return sca_arena_header()->process == (uint32_t)getpid();
}

/* A handler's own stack may have no room for a walk: the program ended well without it. */
static bool is_on_small_stack(void)
{
    stack_t now;
    return sigaltstack(NULL, &now) || now.ss_flags & SS_ONSTACK;
}

/* MPI ends the process, for an error of which the program does not want to know. Launchers may kill
 * it before its destructors run. */
static void note_inside(void)
{
    struct sca_part_header *h = sca_arena_header();
    h->last_ns = sca_clock_now();
    __atomic_store_n(&h->state, SCA_EXITED, __ATOMIC_RELEASE);
}

void sca_endings_note(unsigned function, const void *return_address, const void *cfa)
{
    const struct sca_thread *t = &sca_thread;
    if (sca_recording && t->in_mpi && !t->in_tool && is_own_process())
        note_inside();
    if (!sca_blocked_call_follows() || !is_own_process() || is_on_small_stack())
        return;
    uint32_t site = sca_activity_moment(function, return_address, cfa);
    if (site != SCA_NONE)
        sca_present_pass(site, sca_clock_now());
}

_Noreturn void __assert_fail(const char *, const char *, unsigned, const char *);

SCA_NEXT(exit)
SCA_NEXT_OF(quick_exit, "GLIBC_2.24")
SCA_NEXT(_exit)
SCA_NEXT(_Exit)
SCA_NEXT(abort)
SCA_NEXT(__assert_fail)

/* name, as it is booked, parameters, arguments */
#define FUNCTIONS(X)                                                                               \
    X(exit, exit, (int status), (status))                                                          \
    X(quick_exit, quick_exit, (int status), (status))                                              \
    X(_exit, _exit, (int status), (status))                                                        \
    X(_Exit, _exit, (int status), (status))                                                        \
    X(abort, abort, (void), ())                                                                    \
    X(__assert_fail, assert,                                                                       \
      (const char *assertion, const char *file, unsigned line, const char *function),              \
      (assertion, file, line, function))

#define DEFINE(name, booked, parameters, arguments)                                                \
    INTERPOSED void name parameters                                                                \
    {                                                                                              \
        sca_endings_note(SCA_OUTSIDE_##booked, SCA_CALLER);                                        \
        next_##name() arguments;                                                                   \
        __builtin_unreachable();                                                                   \
    }
FUNCTIONS(DEFINE)
