/*
 * The node clock is the TSC, disciplined by CLOCK_MONOTONIC. Every rank of a node sees the same
 * CLOCK_MONOTONIC, which is the kernel's one calibration for all of them; so ranks agree without
 * exchanging anything. Anchors are taken at doubling distances: the rate's error halves each time,
 * and what an estimate can be off by stays at the error of reading one clock (tens of ns).
 *
 * Either clock may jump: a virtual machine moves, a machine sleeps, cores disagree. A rate across
 * such a jump is none: the baseline then begins anew, and the rate of before holds until it is long
 * enough.
 */
#include "clock/clock.h"

#include <limits.h>
#include "base/descriptor.h"
#include "base/hot.h"

#include <cpuid.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

enum {
    ANCHORS = 16,
    FIRST_SPAN_NS = 400000,
    LAST_SPAN_NS = 250000000,
    READS = 5,
    JUMP = 32 /* off by a 32nd: no clock is slewed by that, and no reading is that wrong */
};

/* now = ns + (tsc - this tsc) * rate / 2^32, good for `span` ticks. */
struct anchor {
    uint64_t tsc, ns, rate, span;
};

/* A ring, so that a reader that was interrupted while reading still finds its anchor whole. */
static struct anchor ring[ANCHORS] SCA_HOT_TABLE;
static unsigned current SCA_HOT;
static int anchoring;
static struct anchor origin; /* first reading of both clocks: the long baseline of the rate */
static struct anchor last;   /* the last one, as read, with the rate of then */
static bool tsc_usable SCA_HOT, crowded SCA_HOT;

static uint64_t read_clock(clockid_t clock)
{
    struct timespec t;
    if (clock_gettime(clock, &t))
        return 0;
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Both clocks at one instant: the tightest of a few readings. */
static struct anchor read_both(void)
{
    struct anchor best = {0};
    uint64_t width = UINT64_MAX;
    for (int i = 0; i < READS; i++) {
        uint64_t before = __rdtsc();
        uint64_t ns = read_clock(CLOCK_MONOTONIC);
        uint64_t after = __rdtsc();
        if (after - before < width) {
            width = after - before;
            best.tsc = before + width / 2;
            best.ns = ns;
        }
    }
    return best;
}

static uint64_t rate_since_origin(const struct anchor *a)
{
    return (uint64_t)(((unsigned __int128)(a->ns - origin.ns) << 32) / (a->tsc - origin.tsc));
}

static uint64_t estimate(const struct anchor *a, uint64_t ticks)
{
    return a->ns + (uint64_t)((unsigned __int128)ticks * a->rate >> 32);
}

static uint64_t span_ticks(uint64_t age_ns, uint64_t rate)
{
    uint64_t span = age_ns < LAST_SPAN_NS ? age_ns : LAST_SPAN_NS;
    return (uint64_t)(((unsigned __int128)span << 32) / rate);
}

/* Since the last reading the two clocks have not gone on together. */
static bool has_jumped(const struct anchor *fresh)
{
    if (fresh->tsc <= last.tsc || fresh->ns <= last.ns)
        return true;
    uint64_t went = fresh->ns - last.ns,
             expected = estimate(&last, fresh->tsc - last.tsc) - last.ns;
    return (went > expected ? went - expected : expected - went) >
           (went > expected ? went : expected) / JUMP;
}

static void find_rate(struct anchor *fresh)
{
    if (has_jumped(fresh)) {
        origin = *fresh;
        fresh->rate = last.rate;
        fresh->span = span_ticks(FIRST_SPAN_NS, fresh->rate);
    } else {
        fresh->rate = rate_since_origin(fresh);
        fresh->span = span_ticks(fresh->ns - origin.ns, fresh->rate);
    }
    last = *fresh;
}

/* Time never goes back: where the old estimate was ahead, the new anchor starts from it and runs
 * slower until the two meet again at the end of its span. The old one may be quite new: another
 * thread, or a handler, was quicker. */
static void anchor_again(void)
{
    const struct anchor *old = &ring[current % ANCHORS];
    struct anchor fresh = read_both();
    bool back = fresh.tsc + span_ticks(FIRST_SPAN_NS, last.rate) < old->tsc;
    if (!back && fresh.tsc <= old->tsc + old->span)
        return;
    find_rate(&fresh);
    uint64_t given = estimate(old, old->span);
    if (given > fresh.ns) {
        uint64_t ahead = given - fresh.ns, span_ns = (fresh.span * fresh.rate) >> 32;
        fresh.ns = given;
        if (ahead < span_ns)
            fresh.rate -= (uint64_t)((unsigned __int128)fresh.rate * ahead / span_ns);
    }
    ring[(current + 1) % ANCHORS] = fresh;
    __atomic_store_n(&current, current + 1, __ATOMIC_RELEASE);
}

/* Past the anchor's span: one thread anchors again, the others go on with what there is. */
static SCA_COLD uint64_t now_beyond(void)
{
    if (!__atomic_exchange_n(&anchoring, 1, __ATOMIC_ACQUIRE)) {
        anchor_again();
        __atomic_store_n(&anchoring, 0, __ATOMIC_RELEASE);
    }
    const struct anchor *a = &ring[__atomic_load_n(&current, __ATOMIC_ACQUIRE) % ANCHORS];
    int64_t ticks = (int64_t)(__rdtsc() - a->tsc);
    return ticks > 0 ? estimate(a, (uint64_t)ticks) : a->ns;
}

/* The kernel keeps time by the TSC only where it found it constant and equal on all cores. */
static bool kernel_trusts_tsc(void)
{
    char name[8] = "";
    int fd = open("/sys/devices/system/clocksource/clocksource0/current_clocksource",
                  O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t n = sca_descriptor_read(fd, name, sizeof name - 1);
    close(fd);
    return n >= 3 && !strncmp(name, "tsc", 3);
}

static bool invariant_tsc(void)
{
    unsigned a, b, c, d;
    return __get_cpuid(0x80000007, &a, &b, &c, &d) && d & 1u << 8;
}

void sca_clock_prepare(void)
{
    if (!origin.tsc && invariant_tsc())
        origin = read_both();
}

/* The first rate, from the first two readings; false: the time stamp does not count. */
static bool anchor_first(void)
{
    while (read_clock(CLOCK_MONOTONIC) < origin.ns + FIRST_SPAN_NS)
        __builtin_ia32_pause();
    struct anchor first = read_both();
    if (first.tsc <= origin.tsc)
        return false;
    first.rate = rate_since_origin(&first);
    first.span = span_ticks(first.ns - origin.ns, first.rate);
    ring[0] = last = first;
    return true;
}

void sca_clock_init(void)
{
    sca_clock_prepare();
    if (!tsc_usable && origin.tsc && kernel_trusts_tsc())
        tsc_usable = anchor_first();
}

uint64_t sca_clock_now(void)
{
    if (__builtin_expect(!tsc_usable, 0))
        return read_clock(CLOCK_MONOTONIC);
    const struct anchor *a = &ring[__atomic_load_n(&current, __ATOMIC_ACQUIRE) % ANCHORS];
    uint64_t ticks = __rdtsc() - a->tsc;
    if (__builtin_expect(ticks <= a->span, 1))
        return a->ns + (ticks * a->rate >> 32);
    return now_beyond();
}

uint64_t sca_clock_cpu(void)
{
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

uint64_t sca_clock_process(void)
{
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

uint64_t sca_clock_work(void)
{
    return crowded ? sca_clock_cpu() : sca_clock_now();
}

const char *sca_clock_source(void)
{
    return tsc_usable ? "tsc" : "monotonic";
}

bool sca_clock_is_crowded(void)
{
    return crowded;
}

void sca_clock_set_crowded(bool on)
{
    crowded = on;
}

static unsigned with_a_core = UINT_MAX; /* threads of a rank */

bool sca_clock_is_crowded_by(unsigned threads)
{
    return crowded || threads > with_a_core;
}

void sca_clock_set_threads(unsigned most)
{
    with_a_core = most;
}
