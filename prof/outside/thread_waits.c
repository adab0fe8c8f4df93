#include "outside/thread_waits.h"
#include "calls/activity.h"
#include "sampling/sample_next.h"
#include "sampling/threads.h"

#include <errno.h>

void sca_thread_waits_book(unsigned function, uint64_t ns, uint32_t thread,
                           const void *return_address, const void *cfa)
{
    if (!ns || sca_paused || !sca_threads_is_first() || sca_thread.previous == SCA_NONE)
        return;
    int kept = errno;
    sca_thread.in_tool++;
    uint32_t site = sca_activity_site(function, return_address, cfa);
    sca_guard_lock();
    if (site != SCA_NONE)
        sca_sample_next_book(site, SCA_SAMPLE_THREAD, thread, ns);
    sca_guard_unlock();
    sca_thread.in_tool--;
    errno = kept;
}

void sca_thread_waits_end(const struct sca_hand_over_wait *wait, unsigned function,
                          const void *return_address, const void *cfa)
{
    uint32_t thread = 0;
    int kept = errno;
    uint64_t ns = sca_hand_over_wait_end(wait, &thread);
    sca_thread_waits_book(function, ns, thread, return_address, cfa);
    errno = kept;
}
