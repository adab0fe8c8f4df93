#include "sampling/interval.h"
#include "clock/blocked.h"
#include "clock/clock.h"
#include "clock/cpu_time.h"
#include "base/guard.h"
#include "base/hot.h"
#include "base/thread_memory.h"
#include "sampling/thread_turns.h"
#include "sampling/virtual_time.h"

enum {
    SITES = 256,        /* call paths told apart by the low bits of their number */
    LONG_NS = 100000,   /* two readings of the CPU clock are less than a hundredth of it */
    STALL_NS = 100000,  /* so much more wall than CPU time asks for a reason */
    FRESH_NS = 1000000, /* a reading so old still says enough of what came after */
    FEW = 3,            /* of these, one may be long where others are short */
    CALM = 16,          /* intervals without need after which a call path is no longer watched */
    TRUSTED = 250 /* intervals that were not blocked, after which that is asked afterwards only */
};

struct watch { /* what followed this call path lately; zero: nothing is known, watch it */
    uint8_t short_intervals, brief_intervals, smooth_intervals;
    uint8_t trusted; /* intervals lately that were not blocked; up to TRUSTED */
    bool sleeps;     /* one was */
};

struct open {
    uint64_t left_ns, cpu_ns; /* at the last sca_interval_open(); cpu_ns 0: was not read */
    uint64_t told_ns;         /* of all intervals of the thread that were closed */
    uint64_t closed_cpu_ns;   /* as the interval before was closed; 0: was not read */
    uint64_t earlier_cpu_ns;  /* where cpu_ns was not read: what was known before */
    uint32_t site;            /* the call path */
    bool is_marked;           /* what the process's other threads computed since then can be told */
    bool is_wary;             /* and exactly what was blocked */
    struct watch *current;
    struct watch alone;           /* of all sites, in a thread that has no table */
    struct sca_interval left_out; /* zeros, but where calls were left by a jump since then */
    uint64_t slept_ns;            /* in calls that block, in the interval that began then: */
    uint64_t slept_left_ns;
    uint64_t locked_ns, awaited_ns, stood_ns; /* sca_thread's as it began */
    struct sca_interval_region region;        /* of parallel regions in that interval, */
    uint64_t region_ns, region_helped_ns;
    uint64_t region_left_ns; /* which began then */
};

static _Thread_local struct open state
    __attribute__((tls_model("initial-exec"), aligned(64))); /* a line */

_Static_assert(SITES * sizeof(struct watch) <= SCA_WATCH_BYTES, "the table has room");

static uint64_t without(uint64_t ns, uint64_t part_ns)
{
    return ns > part_ns ? ns - part_ns : 0;
}

static struct watch *watch_of(uint32_t site)
{
    struct watch *all = sca_thread_table(SCA_TABLE_WATCH);
    return __builtin_expect(all != NULL, 1) ? &all[site % SITES] : &state.alone;
}

/* What costs nothing is always done. Else, where cores are shared, every interval may hold the time
 * of others: only after call paths that are followed at once by the next call is a somewhat older
 * reading enough. After a look in vain the program may spin, and lose its core at any moment, or
 * sleep for a while; time is no matter then. */
static bool is_watched(const struct watch *w, uint64_t now_ns)
{
    if (sca_thread.looks || sca_cpu_time_is_free(now_ns))
        return true;
    if (!sca_clock_is_crowded())
        return w->short_intervals < CALM;
    return w->brief_intervals < CALM || sca_cpu_time_age(now_ns) > FRESH_NS;
}

static bool takes_turns(uint32_t site)
{
    return sca_clock_is_crowded() && sca_thread_turns_known(site);
}

/* What a thread spins in MPI is no work of its team, and nothing that the first would wait for. */
static void tell_call(void)
{
    if (state.cpu_ns > state.closed_cpu_ns && state.closed_cpu_ns) {
        sca_thread.spun_ns += state.cpu_ns - state.closed_cpu_ns;
        sca_threads_in_mpi(state.cpu_ns - state.closed_cpu_ns);
    }
    state.closed_cpu_ns = 0;
}

void sca_interval_open(uint32_t site, uint64_t now_ns)
{
    if (!state.left_ns) {
        (void)sca_blocked_guess(0);
        (void)sca_thread_memory_take();
    }
    struct watch *w = watch_of(site);
    state.current = w;
    state.site = site;
    state.left_ns = now_ns;
    sca_thread.sampling_ns = 0;
    state.locked_ns = sca_thread.locked_ns;
    state.awaited_ns = sca_thread.awaited_ns;
    state.stood_ns = sca_thread.stood_ns;
    if (__builtin_expect(state.left_out.wall_ns != 0, 0))
        state.left_out = (struct sca_interval){0};
    state.cpu_ns = is_watched(w, now_ns) ? sca_cpu_time_at(now_ns) : 0;
    state.earlier_cpu_ns = sca_clock_is_crowded() ? sca_cpu_time_known() : 0;
    tell_call();
    bool stalls = state.cpu_ns && w->smooth_intervals < CALM;
    state.is_wary = stalls && (w->sleeps || !sca_blocked_is_unlikely()) && w->trusted < TRUSTED;
    state.is_marked = (stalls || (state.cpu_ns && takes_turns(site))) && sca_threads_is_first();
    if (state.is_wary)
        sca_blocked_mark();
    if (state.is_marked) {
        sca_threads_mark();
        sca_virtual_time_mark(state.cpu_ns);
    }
}

/* The thread's CPU clock began with it, at 0; 0 would be: not read. */
void sca_interval_open_thread(uint32_t site, uint64_t began_ns)
{
    sca_interval_open(site, sca_clock_now());
    state.left_ns = began_ns;
    state.cpu_ns = state.earlier_cpu_ns = 1;
    state.is_wary = state.is_marked = false;
}

static uint64_t blocked(uint64_t stall_ns)
{
    return state.is_wary ? sca_blocked_since(stall_ns) : sca_blocked_guess(stall_ns);
}

/* What it waited by what others told it (virtual_time.h). */
static uint64_t awaited(void)
{
    return state.is_marked ? sca_thread.awaited_ns - state.awaited_ns : 0;
}

/* The first thread waited for others of its process by what they told, whatever it did meanwhile;
 * and else as long as one of them computed more than it did itself. That is computation, and
 * sampled as such. */
static void add_waiting(const struct sca_threads_work *helpers, struct sca_interval *out)
{
    uint64_t told_ns = awaited(), rest_ns = without(out->wall_ns, out->cpu_ns);
    told_ns = told_ns < rest_ns ? told_ns : rest_ns;
    out->cpu_ns += told_ns;
    out->blocked_ns = without(out->blocked_ns, told_ns);
    uint64_t busiest_ns = (uint64_t)((double)helpers->all_ns * helpers->busiest);
    uint64_t waited_ns = without(busiest_ns, out->cpu_ns);
    waited_ns = waited_ns < out->blocked_ns ? waited_ns : out->blocked_ns;
    out->blocked_ns -= waited_ns;
    out->cpu_ns += waited_ns;
    out->helped_ns = told_ns + waited_ns;
}

/* The first thread waited for one that waited for a core, which others had, or for a lock whose
 * holder did: that is nobody's time. While the first thread itself sleeps, locks do not matter. */
static void leave_out_queues(const struct sca_threads_work *helpers, struct sca_interval *out)
{
    uint64_t longest_ns = 0;
    if (helpers->all_ns && out->blocked_ns > STALL_NS)
        longest_ns = sca_threads_longest_since_mark(sca_thread.stood_ns - state.stood_ns);
    uint64_t waited_ns = longest_ns > out->cpu_ns ? longest_ns - out->cpu_ns : 0;
    out->blocked_ns -= waited_ns < out->blocked_ns ? waited_ns : out->blocked_ns;
}

/* Where cores are shared, who of the threads computes is a matter of turns, and the rest of a stall
 * is the scheduler's. */
static void even_turns(const struct sca_threads_work *helpers, struct sca_interval *out)
{
    uint64_t longest_ns = sca_thread_turns_longest(state.site, out->cpu_ns, helpers);
    uint64_t own_ns = out->cpu_ns, path_ns = own_ns + awaited();
    if (path_ns > longest_ns && sca_thread_turns_are_steady(state.site))
        longest_ns = path_ns;
    out->cpu_ns = longest_ns < out->wall_ns ? longest_ns : out->wall_ns;
    out->helped_ns = without(out->cpu_ns, own_ns);
    out->blocked_ns = 0;
}

/* Its own waits for locks are time of the thread's, as those of its helpers are; which it was not
 * on the core for. */
static void add_own_locks(struct sca_interval *out)
{
    uint64_t locked_ns = sca_thread.locked_ns - state.locked_ns, rest_ns;
    rest_ns = without(out->wall_ns, out->cpu_ns);
    locked_ns = locked_ns < rest_ns ? locked_ns : rest_ns;
    out->cpu_ns += locked_ns;
    out->blocked_ns = without(out->blocked_ns, locked_ns);
}

/* The part of what all did that was waits for locks is what the interval took longer by. */
static void tell_locks(const struct sca_threads_work *helpers, uint64_t own_ns,
                       struct sca_interval *out)
{
    uint64_t mine_ns = sca_thread.locked_ns - state.locked_ns;
    double locked_ns = (double)(mine_ns + helpers->locked_ns);
    double all_ns = (double)(own_ns + mine_ns + helpers->all_ns);
    out->locked_ns = all_ns > 0 ? (uint64_t)((double)out->cpu_ns * locked_ns / all_ns) : 0;
}

static void divide(uint64_t stall_ns, bool smooth, struct sca_interval *out)
{
    struct sca_threads_work helpers = {0};
    if (state.is_marked)
        helpers = sca_threads_since_mark();
    uint64_t own_ns = out->cpu_ns;
    out->blocked_ns = smooth ? 0 : blocked(stall_ns);
    add_own_locks(out);
    if (!sca_clock_is_crowded()) {
        add_waiting(&helpers, out);
        leave_out_queues(&helpers, out);
    } else if (helpers.all_ns || (state.is_marked && takes_turns(state.site)))
        even_turns(&helpers, out);
    if (helpers.locked_ns || sca_thread.locked_ns != state.locked_ns)
        tell_locks(&helpers, own_ns, out);
}

static void calm(uint8_t *intervals, bool quiet)
{
    *intervals = quiet ? (uint8_t)(*intervals + (*intervals < CALM)) : 0;
}

static void trust(uint8_t *intervals, bool awake)
{
    *intervals = awake ? (uint8_t)(*intervals + (*intervals < TRUSTED)) : 0;
}

void sca_interval_add_region(const struct sca_interval_region *region, uint64_t virtual_ns,
                             uint64_t helped_ns)
{
    if (state.region_left_ns != state.left_ns) {
        state.region = (struct sca_interval_region){0};
        state.region_ns = state.region_helped_ns = 0;
    }
    state.region.wall_ns += region->wall_ns;
    state.region.cpu_ns += region->cpu_ns;
    state.region_ns += virtual_ns;
    state.region_helped_ns += helped_ns;
    state.region_left_ns = state.left_ns;
}

void sca_interval_begun(uint64_t *now_ns, uint64_t *cpu_ns)
{
    *now_ns = state.left_ns;
    *cpu_ns = state.cpu_ns;
}

uint64_t sca_interval_cpu_ns(void)
{
    return state.cpu_ns ? without(state.closed_cpu_ns, state.cpu_ns) : 0;
}

static bool has_regions(void)
{
    return state.region_left_ns == state.left_ns && state.left_ns;
}

/* What the thread computed outside its regions, and these as long as they take with a core for each
 * thread. `cpu_ns`: its own in all of the interval. Longer than by the clock where cores are shared
 * among threads. */
static void take_regions(uint64_t cpu_ns, uint64_t within_ns, struct sca_interval *out)
{
    uint64_t serial_ns = without(cpu_ns, within_ns);
    out->cpu_ns = serial_ns + state.region_ns;
    out->helped_ns = state.region_helped_ns < out->cpu_ns ? state.region_helped_ns : out->cpu_ns;
    out->wall_ns = out->wall_ns > out->cpu_ns ? out->wall_ns : out->cpu_ns;
}

static inline __attribute__((always_inline)) void measure(uint64_t now_ns, struct sca_interval *out)
{
    uint64_t cpu_ns = sca_cpu_time_at(now_ns);
    state.closed_cpu_ns = cpu_ns;
    out->cpu_ns = cpu_ns > state.cpu_ns ? cpu_ns - state.cpu_ns : 0;
    if (out->cpu_ns > out->wall_ns)
        out->cpu_ns = out->wall_ns;
    uint64_t stall_ns = out->wall_ns - out->cpu_ns;
    bool smooth = stall_ns < STALL_NS;
    if (__builtin_expect(has_regions(), 0)) {
        uint64_t cpu_of_all_ns = out->cpu_ns;
        take_regions(cpu_of_all_ns, state.region.cpu_ns, out);
        stall_ns = without(without(out->wall_ns, out->cpu_ns), state.region.wall_ns);
        smooth = stall_ns < STALL_NS;
        out->blocked_ns = smooth || sca_clock_is_crowded() ? 0 : blocked(stall_ns);
    } else if (!smooth || (state.is_marked && sca_clock_is_crowded()))
        divide(stall_ns, smooth, out);
    struct watch *w = state.current;
    calm(&w->smooth_intervals, smooth);
    trust(&w->trusted, !out->blocked_ns);
    w->sleeps |= out->blocked_ns != 0;
}

/* An interval that was to be brief took long: no more of it was computation than the CPU clock has
 * gone on since the reading before. */
static inline __attribute__((always_inline)) void limit(uint64_t now_ns, struct sca_interval *out)
{
    uint64_t at_ns = sca_cpu_time_at(now_ns);
    uint64_t most_ns = at_ns > state.earlier_cpu_ns ? at_ns - state.earlier_cpu_ns : 0;
    if (out->cpu_ns > most_ns)
        out->cpu_ns = most_ns;
}

/* A sample takes as long as many an interval, and which ones it lengthens is drawn by lot. */
static void leave_out_samples(struct sca_interval *out)
{
    uint64_t sampling_ns = sca_thread.sampling_ns;
    out->cpu_ns = out->cpu_ns > sampling_ns ? out->cpu_ns - sampling_ns : 0;
}

void sca_interval_leave_out(const struct sca_interval *before, uint64_t mpi_ns, uint64_t cpu_ns)
{
    struct sca_interval mpi = {.wall_ns = mpi_ns, .cpu_ns = mpi_ns};
    sca_interval_add(&state.left_out, before);
    if (mpi_ns && state.cpu_ns)
        mpi.cpu_ns = without(cpu_ns, state.cpu_ns + state.left_out.cpu_ns);
    mpi.cpu_ns = mpi.cpu_ns < mpi_ns ? mpi.cpu_ns : mpi_ns;
    sca_interval_add(&state.left_out, &mpi);
}

void sca_interval_pass(uint64_t call_ns)
{
    state.left_out.wall_ns += call_ns;
    state.left_out.cpu_ns += call_ns;
}

/* Where no clock was read, all of the interval is taken for computation. */
void sca_interval_awaited(uint64_t began_ns, uint64_t began_cpu_ns, uint64_t cpu_ns)
{
    if (!state.left_ns || began_ns < state.left_ns)
        return;
    uint64_t wall_ns = without(sca_clock_now(), began_ns);
    uint64_t spun_ns = without(cpu_ns, began_cpu_ns);
    spun_ns = spun_ns < wall_ns ? spun_ns : wall_ns;
    state.left_out.wall_ns += wall_ns;
    state.left_out.cpu_ns += state.cpu_ns || state.earlier_cpu_ns ? spun_ns : wall_ns;
    state.left_out.blocked_ns += wall_ns - spun_ns;
}

static SCA_COLD void take_out(struct sca_interval *out)
{
    out->wall_ns = without(out->wall_ns, state.left_out.wall_ns);
    out->cpu_ns = without(out->cpu_ns, state.left_out.cpu_ns);
    out->helped_ns = out->helped_ns < out->cpu_ns ? out->helped_ns : out->cpu_ns;
    out->locked_ns = out->locked_ns < out->cpu_ns ? out->locked_ns : out->cpu_ns;
    out->blocked_ns = without(out->blocked_ns, state.left_out.blocked_ns);
}

void sca_interval_slept(uint64_t wall_ns)
{
    if (state.slept_left_ns != state.left_ns)
        state.slept_ns = 0;
    state.slept_ns += wall_ns;
    state.slept_left_ns = state.left_ns;
}

/* Short sleeps are no stalls (measure()); and behind a call path that none has followed lately, no
 * clock was read. */
static SCA_COLD void tell_sleep(struct sca_interval *out)
{
    uint64_t rest_ns = without(out->wall_ns, sca_interval_own(out));
    uint64_t slept_ns = state.slept_ns < out->wall_ns ? state.slept_ns : out->wall_ns;
    if (!state.cpu_ns) {
        out->blocked_ns = sca_clock_is_crowded() ? sca_blocked_guess(slept_ns) : slept_ns;
        uint64_t most_ns = out->wall_ns - slept_ns;
        out->cpu_ns = out->cpu_ns < most_ns ? out->cpu_ns : most_ns;
    } else if (out->wall_ns - out->cpu_ns < STALL_NS) {
        out->blocked_ns += slept_ns < rest_ns ? slept_ns : rest_ns;
    }
}

static inline __attribute__((always_inline)) void close_open(uint64_t now_ns,
                                                             struct sca_interval *out)
{
    *out = (struct sca_interval){0};
    if (!state.left_ns || now_ns <= state.left_ns)
        return;
    out->wall_ns = out->cpu_ns = now_ns - state.left_ns;
    if (state.cpu_ns)
        measure(now_ns, out);
    else if (__builtin_expect(has_regions(), 0))
        take_regions(out->wall_ns, state.region.wall_ns, out);
    else if (state.earlier_cpu_ns && out->wall_ns >= SCA_CPU_TIME_SHORT_NS)
        limit(now_ns, out);
    if (__builtin_expect(sca_thread.sampling_ns != 0, 0)) {
        if (state.slept_left_ns == state.left_ns)
            tell_sleep(out);
        leave_out_samples(out);
    }
    if (__builtin_expect(state.left_out.wall_ns != 0, 0))
        take_out(out);
    state.told_ns += out->cpu_ns;
    struct watch *w = state.current;
    calm(&w->brief_intervals, out->wall_ns < SCA_CPU_TIME_SHORT_NS);
    calm(&w->short_intervals, out->wall_ns < LONG_NS);
}

void sca_interval_close(uint64_t now_ns, struct sca_interval *out)
{
    close_open(now_ns, out);
}

SCA_COLD void sca_interval_close_rarely(uint64_t now_ns, struct sca_interval *out)
{
    close_open(now_ns, out);
}

bool sca_interval_may_be_long(uint32_t site)
{
    return watch_of(site)->short_intervals < FEW;
}

uint64_t sca_interval_told_ns(void)
{
    return state.told_ns;
}

void sca_interval_thread_stop(void)
{
    state.current = &state.alone;
}

int sca_interval_is_open(void)
{
    return state.left_ns != 0;
}
