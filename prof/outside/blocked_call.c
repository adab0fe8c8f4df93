#include "outside/blocked_call.h"
#include "base/float_flags.h"
#include "arena/arena.h"
#include "outside/objects.h"
#include "sampling/sample_next.h"
#include "sampling/sampler_backend.h"
#include "calls/activity.h"

#include <errno.h>
#include <sys/stat.h>

enum { LEAST_NS = 20000 }; /* falling asleep and waking up take some microseconds */

void *sca_blocked_call_next(const char *name, const char *version)
{
    void *found = dlvsym(RTLD_NEXT, name, version);
    return found ? found : dlsym(RTLD_NEXT, name);
}

bool sca_blocked_call_is_long(uint64_t began_ns)
{
    return began_ns && sca_clock_now() - began_ns >= LEAST_NS;
}

/* State lock held. */
static void book_site(uint32_t site, uint64_t took_ns)
{
    struct sca_part_site *at = (struct sca_part_site *)sca_arena_table(SCA_T_SITES) + site;
    if (!at->count || took_ns < at->min_ns)
        at->min_ns = took_ns;
    if (took_ns > at->max_ns)
        at->max_ns = took_ns;
    at->time_ns += took_ns;
    at->count++;
}

/* In the interval that is open; the next call says which one that is. State lock held. */
static void book_place(struct sca_thread *t, uint32_t site, uint64_t took_ns)
{
    const struct sca_part_site *at = (struct sca_part_site *)sca_arena_table(SCA_T_SITES) + site;
    const uint32_t key[SCA_SAMPLE_KEY] = {at->node, t->previous,
                                          sca_sample_next_of(SCA_SAMPLE_BLOCKED, 0), 0};
    uint32_t record = sca_arena_find(SCA_T_SAMPLES, key, SCA_SAMPLE_KEY);
    if (record == SCA_NONE)
        return;
    struct sca_part_sample *place =
        (struct sca_part_sample *)sca_arena_table(SCA_T_SAMPLES) + record;
    place->count++;
    place->length_ns += took_ns;
    sca_sample_next_await(t, record, 1);
}

void sca_blocked_call_end(unsigned function, uint64_t began_ns, uint64_t object,
                          const void *return_address, const void *cfa)
{
    if (!sca_blocked_call_is_long(began_ns))
        return;
    int kept = errno;
    struct sca_thread *t = &sca_thread;
    uint64_t ended_ns = sca_clock_now();
    t->in_tool++;
    uint32_t float_flags = sca_float_flags_keep();
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    sca_interval_slept(ended_ns - began_ns);
    uint32_t site = sca_paused || t->previous == SCA_NONE
                        ? SCA_NONE
                        : sca_activity_site(function, return_address, cfa);
    sca_guard_lock();
    if (site != SCA_NONE) {
        book_site(site, ended_ns - began_ns);
        book_place(t, site, ended_ns - began_ns);
    }
    sca_guard_unlock();
    sca_objects_wait(object, site);
    t->sampling_ns += sca_clock_now() - ended_ns;
    sca_sampler_spent(ended_ns);
    sca_float_flags_return(float_flags);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    t->in_tool--;
    errno = kept;
}

void sca_blocked_call_end_lock(unsigned function, uint64_t began_ns, const void *lock,
                               const void *return_address, const void *cfa)
{
    int kept = errno;
    uint64_t object = sca_blocked_call_is_long(began_ns) ? sca_objects_memory(lock) : 0;
    if (object)
        sca_blocked_call_end(function, began_ns, object, return_address, cfa);
    else
        sca_objects_note_memory(lock);
    errno = kept;
}

static bool is_stream(int descriptor)
{
    struct stat st;
    return !fstat(descriptor, &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode) &&
           !S_ISBLK(st.st_mode);
}

void sca_blocked_call_end_stream(unsigned function, uint64_t began_ns, int descriptor,
                                 const void *return_address, const void *cfa)
{
    int kept = errno;
    if (!sca_blocked_call_is_long(began_ns))
        sca_objects_note_stream(descriptor, began_ns);
    else if (is_stream(descriptor))
        sca_blocked_call_end(function, began_ns, sca_objects_stream(descriptor), return_address,
                             cfa);
    errno = kept;
}
