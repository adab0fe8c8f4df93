#include "outside/thread_waits.h"
#include "arena/arena.h"
#include "calls/activity.h"
#include "sampling/sample_next.h"
#include "sampling/threads.h"

#include <errno.h>

static void book(uint32_t site, uint32_t thread, uint64_t ns)
{
    const struct sca_part_site *at = (struct sca_part_site *)sca_arena_table(SCA_T_SITES) + site;
    const uint32_t key[SCA_SAMPLE_KEY] = {at->node, sca_thread.previous,
                                          sca_sample_next_of(SCA_SAMPLE_THREAD, thread), 0};
    uint32_t record = sca_arena_find(SCA_T_SAMPLES, key, SCA_SAMPLE_KEY);
    if (record == SCA_NONE)
        return;
    struct sca_part_sample *sample =
        (struct sca_part_sample *)sca_arena_table(SCA_T_SAMPLES) + record;
    sample->count++;
    sample->length_ns += ns;
    sca_sample_next_await(&sca_thread, record, 1);
}

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
        book(site, thread, ns);
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
