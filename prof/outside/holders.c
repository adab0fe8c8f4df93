#include "outside/holders.h"
#include "arena/arena.h"
#include "calls/activity.h"
#include "clock/clock.h"
#include "clock/cpu_time.h"
#include "mpi_functions.h"
#include "outside/drawn_waits.h"
#include "outside/lock_places.h"
#include "sampling/sample_next.h"
#include "sampling/sampler.h"
#include "sampling/threads.h"
#include "unwind/bare_calls.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

struct sca_holder sca_holders[SCA_HOLDERS];

int sca_holders_tid(void)
{
    return sca_thread.tid = (int)syscall(SYS_gettid);
}

bool sca_holders_begin(struct sca_holder *h, const void *lock)
{
    if (h->waiting)
        return false;
    *h = (struct sca_holder){.lock = lock, .site = SCA_NONE};
    return true;
}

static uint64_t beyond(uint64_t ns, uint64_t part_ns)
{
    return ns > part_ns ? ns - part_ns : 0;
}

static void give_number(struct sca_holder *h)
{
    static uint16_t numbers;
    if (h->number)
        return;
    h->number = __atomic_add_fetch(&numbers, 1, __ATOMIC_RELAXED);
    if (h->number <= SCA_MOST_NAMED)
        sca_lock_places_book(h->lock, h->number);
}

/* State lock held. */
static void book(struct sca_thread *caller, enum sca_part_sample_kind kind, uint32_t site,
                 uint16_t number, unsigned count, uint64_t ns)
{
    const struct sca_part_site *at = (struct sca_part_site *)sca_arena_table(SCA_T_SITES) + site;
    const uint32_t key[SCA_SAMPLE_KEY] = {at->node, caller->previous,
                                          sca_sample_next_of(kind, number), 0};
    uint32_t record = sca_arena_find(SCA_T_SAMPLES, key, SCA_SAMPLE_KEY);
    if (record == SCA_NONE)
        return;
    struct sca_part_sample *sample =
        (struct sca_part_sample *)sca_arena_table(SCA_T_SAMPLES) + record;
    sample->count += count;
    sample->length_ns += ns;
    sca_sample_next_await(caller, record, 1);
}

static void book_held(struct sca_holder *h)
{
    unsigned periods = sca_thread.held_periods;
    sca_thread.held_periods = 0;
    give_number(h);
    sca_guard_lock();
    struct sca_thread *caller = sca_sampler_caller();
    if (h->site != SCA_NONE && caller->previous != SCA_NONE && !sca_paused) {
        book(caller, SCA_SAMPLE_HELD, h->site, h->number, periods, 0);
        if (sca_thread.region)
            book(caller, SCA_SAMPLE_REGION_HELD, sca_thread.region, h->number, periods, 0);
    }
    sca_guard_unlock();
}

/* The function that took it has ended by a jump to the call that lets it go: its frame is no more.
 */
static bool was_left_by_jump(const struct sca_holder *h, const void *return_address,
                             const void *cfa)
{
    struct sca_loaded caller;
    struct sca_stack stack = sca_stack_from((uintptr_t)cfa);
    return (uintptr_t)h->cfa < (uintptr_t)cfa &&
           sca_modules_find((uintptr_t)return_address, false, &caller) &&
           sca_bare_calls_of(&caller, (uintptr_t)return_address, (uintptr_t)h->return_address,
                             &stack);
}

/* Of a lock and a call in the same frame the first one's line is the holder's. */
static uint32_t site_of(const struct sca_holder *h, unsigned function, const void *return_address,
                        const void *cfa)
{
    if (h->cfa == cfa)
        return sca_activity_site(function, h->return_address, cfa);
    if (was_left_by_jump(h, return_address, cfa))
        return sca_activity_site_into(function, return_address, cfa,
                                      (const char *)h->return_address - 1);
    return sca_activity_site(function, return_address, cfa);
}

void sca_holders_tell(struct sca_holder *h, unsigned function, const void *return_address,
                      const void *cfa)
{
    int kept = errno;
    sca_thread.in_tool++;
    uint64_t now = sca_holders_since(sca_thread.tid, sca_clock_cpu());
    uint64_t since = __atomic_exchange_n(&h->since, 0, __ATOMIC_RELAXED);
    if (since && since >> 48 == now >> 48) {
        h->held_ns += beyond(now, since);
        h->held++;
    }
    h->site = site_of(h, function, return_address, cfa);
    h->thread = (uint16_t)sca_threads_number();
    if (sca_thread.held_periods)
        book_held(h);
    sca_thread.in_tool--;
    errno = kept;
}

/* Who waits first asks the holder's clock. */
static void measure(struct sca_holder *h, struct sca_holders_wait *wait)
{
    int kept = errno, tid = h->tid;
    uint64_t none = 0, now = sca_holders_since(tid, sca_threads_cpu_ns(tid));
    __atomic_fetch_add(&h->measured, 1, __ATOMIC_RELAXED);
    __atomic_compare_exchange_n(&h->since, &none, now, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    give_number(h);
    wait->held = h->held;
    wait->held_ns = h->held_ns + (none >> 48 == now >> 48 ? beyond(now, none) : 0);
    errno = kept;
}

struct sca_holders_wait sca_holders_wait_begin(const void *lock)
{
    struct sca_holder *h = sca_holder_of(lock);
    struct sca_holders_wait wait = {.follows = h->lock == lock};
    if (!wait.follows)
        return wait;
    wait.ahead = 1 + __atomic_fetch_add(&h->waiting, 1, __ATOMIC_RELAXED);
    wait.times = sca_drawn_waits_next();
    if (wait.times)
        measure(h, &wait);
    sca_thread.awaits = true;
    wait.began_ns = sca_clock_now();
    wait.began_cpu_ns = sca_cpu_time_at(wait.began_ns);
    return wait;
}

/* A record of hand-overs; SCA_NONE: there are `most` already. */
static uint32_t find_hand_over(const uint32_t key[SCA_SAMPLE_KEY], unsigned most)
{
    static unsigned kept;
    uint32_t record = sca_arena_known(SCA_T_SAMPLES, key, SCA_SAMPLE_KEY);
    if (record != SCA_NONE || kept >= most)
        return record;
    kept++;
    return sca_arena_find(SCA_T_SAMPLES, key, SCA_SAMPLE_KEY);
}

/* Which thread got it from which. State lock held. */
static void book_hand_over(const struct sca_holder *h, uint32_t site, uint32_t times, uint64_t ns)
{
    const struct sca_part_site *at = (struct sca_part_site *)sca_arena_table(SCA_T_SITES) + site;
    uint32_t key[SCA_SAMPLE_KEY] = {
        at->node, h->site, sca_sample_next_of(SCA_SAMPLE_HANDED_OVER, sca_threads_number()),
        sca_part_hand_over(h->thread, h->number)};
    uint32_t record = find_hand_over(key, SCA_MOST_HAND_OVERS / 2);
    if (record == SCA_NONE) { /* of many locks pairs of threads count, whichever lock it is */
        key[SCA_SAMPLE_KEY - 1] = sca_part_hand_over(h->thread, 0);
        record = find_hand_over(key, SCA_MOST_HAND_OVERS);
    }
    if (record == SCA_NONE)
        return;
    struct sca_part_sample *of = (struct sca_part_sample *)sca_arena_table(SCA_T_SAMPLES) + record;
    of->count += times;
    of->length_ns += ns;
}

static void book_wait(const struct sca_holder *h, uint32_t site, uint32_t times, uint64_t ns)
{
    sca_guard_lock();
    struct sca_thread *caller = sca_sampler_caller();
    if (site != SCA_NONE && h->site != SCA_NONE && caller->previous != SCA_NONE) {
        book(caller, SCA_SAMPLE_LOCK, site, h->number, times, ns);
        book(caller, SCA_SAMPLE_HOLDER, h->site, h->number, times, ns);
        book_hand_over(h, site, times, ns);
    }
    sca_guard_unlock();
}

/* False: it waited for another lock that lay there. */
static bool leave_queue(struct sca_holder *h, const void *lock, const struct sca_holders_wait *wait)
{
    sca_thread.awaits = false;
    if (h->lock != lock || !wait->follows)
        return false;
    __atomic_fetch_sub(&h->waiting, 1, __ATOMIC_RELAXED);
    if (wait->times)
        __atomic_fetch_sub(&h->measured, 1, __ATOMIC_RELAXED);
    return true;
}

void sca_holders_wait_give_up(const void *lock, const struct sca_holders_wait *wait)
{
    (void)leave_queue(sca_holder_of(lock), lock, wait);
}

static void note_wait(struct sca_holder *h, uint32_t times, uint64_t ns, unsigned function,
                      const void *return_address, const void *cfa)
{
    if (!ns || sca_paused)
        return;
    sca_thread.locked_ns += ns;
    book_wait(h, sca_activity_site(function, return_address, cfa), times, ns);
}

/* What it took by both clocks is known of each: most is in few that are long, while the holder has
 * no core. */
static uint64_t stand(const struct sca_holders_wait *wait)
{
    uint64_t now_ns = sca_clock_now(), wall_ns = now_ns - wait->began_ns;
    sca_thread.spun_ns += beyond(sca_cpu_time_at(now_ns), wait->began_cpu_ns);
    sca_thread.stood_ns += wall_ns;
    return wall_ns;
}

/* How long it was for what holders did meanwhile: for those ahead of it. More had it only because
 * this thread had no core to go on with. */
static uint64_t for_holders(const struct sca_holder *h, const struct sca_holders_wait *wait,
                            uint64_t wall_ns)
{
    uint64_t ns = beyond(h->held_ns, wait->held_ns);
    uint32_t held = h->held - wait->held;
    if (held > wait->ahead)
        ns = ns / held * wait->ahead;
    return ns < wall_ns ? ns : wall_ns;
}

static uint64_t end_measured(struct sca_holder *h, const struct sca_holders_wait *wait,
                             uint64_t wall_ns, unsigned function, const void *return_address,
                             const void *cfa)
{
    uint64_t ns = wait->times * for_holders(h, wait, wall_ns);
    note_wait(h, wait->times, ns, function, return_address, cfa);
    sca_drawn_waits_measured(wait->began_ns + wall_ns);
    return ns;
}

/* The calling thread's wait is over. False: it was for another lock that lay there. */
static bool end_wait(struct sca_holder *h, const void *lock, const struct sca_holders_wait *wait,
                     unsigned function, const void *return_address, const void *cfa)
{
    if (!leave_queue(h, lock, wait))
        return false;
    int kept = errno;
    sca_thread.in_tool++;
    uint64_t wall_ns = stand(wait), ns = 0;
    if (wait->times)
        ns = end_measured(h, wait, wall_ns, function, return_address, cfa);
    sca_threads_waited(ns, wall_ns);
    sca_thread.in_tool--;
    errno = kept;
    return true;
}

void sca_holders_wait_end(const void *lock, const struct sca_holders_wait *wait, unsigned function,
                          const void *return_address, const void *cfa)
{
    struct sca_holder *h = sca_holder_of(lock);
    bool follows = end_wait(h, lock, wait, function, return_address, cfa);
    sca_holders_taken(lock, return_address, cfa);
    bool others = follows && __atomic_load_n(&h->measured, __ATOMIC_RELAXED);
    int kept = errno;
    if (others || (follows && wait->times))
        __atomic_store_n(&h->since, others ? sca_holders_since(sca_thread.tid, sca_clock_cpu()) : 0,
                         __ATOMIC_RELAXED);
    errno = kept;
}

void sca_holders_wait_end_shared(const void *lock, const struct sca_holders_wait *wait,
                                 unsigned function, const void *return_address, const void *cfa)
{
    (void)end_wait(sca_holder_of(lock), lock, wait, function, return_address, cfa);
}

void sca_holders_waited(const void *lock, uint64_t ns, uint32_t thread, unsigned function,
                        const void *return_address, const void *cfa)
{
    struct sca_holder *h = sca_holder_of(lock);
    int kept = errno;
    if (h->lock != lock)
        return;
    sca_thread.in_tool++;
    give_number(h);
    if (h->site == SCA_NONE)
        h->site = sca_activity_site(function, return_address, cfa);
    h->thread = (uint16_t)thread;
    note_wait(h, 1, ns, function, return_address, cfa);
    sca_threads_waited(ns, ns);
    sca_thread.in_tool--;
    errno = kept;
}
