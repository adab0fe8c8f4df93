#include "sampling/unreached.h"
#include "arena/arena.h"
#include "base/say.h"
#include "sampling/threads.h"
#include "signals/own_signal.h"

#include <stdbool.h>
#include <stdio.h>

static unsigned ended; /* threads, so far */

void sca_unreached_note(void)
{
    if (sca_own_signal_is_blocked())
        __atomic_fetch_add(&ended, 1, __ATOMIC_RELAXED);
}

static void tell(const char *what)
{
    bool first = sca_arena_header()->rank == 0; /* mostly true of all ranks: one says it */
    sca_arena_meta("sampling.unreached", what);
    sca_say(first ? SCA_LOG_WARN : SCA_LOG_DEBUG, "samples are missing: %s", what);
}

void sca_unreached_tell(void)
{
    char what[128];
    unsigned threads = __atomic_exchange_n(&ended, 0, __ATOMIC_RELAXED);
    threads += sca_threads_count(sca_own_signal_is_blocked_for);
    if (sca_own_signal_is_lost())
        snprintf(what, sizeof what,
                 "the program has set a handler for signal %d by a direct system call",
                 SCA_OWN_SIGNAL);
    else if (threads)
        snprintf(what, sizeof what, "%u thread%s blocked signal %d by a direct system call",
                 threads, threads == 1 ? "" : "s", SCA_OWN_SIGNAL);
    else
        return;
    tell(what);
}
