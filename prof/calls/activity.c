#include "calls/activity.h"
#include "mpi/abi.h"
#include "arena/arena.h"
#include "arena/snapshot.h"
#include "calls/book.h"
#include "calls/budget.h"
#include "calls/left.h"
#include "calls/present_call.h"
#include "unwind/callpath.h"
#include "unwind/left.h"
#include "clock/clock.h"
#include "clock/cpu_time.h"
#include "sampling/interval.h"
#include "base/float_flags.h"
#include "base/guard.h"
#include "base/hot.h"
#include "sampling/idle.h"
#include "windows/loops.h"
#include "mpi_functions.h"
#include "sca_part.h"
#include "sampling/sampler.h"
#include "windows/window.h"

#include <errno.h>

enum {
    OWN_COST_EVERY = 64, /* calls whose tool time is measured: one in so many, on average */
    UNUSUAL_NS = 20000 /* such a cost is a first time's or the scheduler's: it stands for itself */
};

struct memory {
    const void *lent_return, *lent_cfa; /* a Fortran entry's frame, for the C call it makes */
    uint32_t dice, not_timed;           /* not_timed: so many calls more */
};
static _Thread_local struct memory memory __attribute__((tls_model("initial-exec")));

static uint32_t name_of[SCA_FN_ALL]; /* strings of the arena, 0: not yet */

/* Without room for one more path the call is still counted, under the root. */
static SCA_COLD uint32_t add_site(uint32_t node, unsigned function)
{
    sca_guard_lock();
    if (!name_of[function])
        name_of[function] = sca_arena_string(sca_function_name(function));
    const uint32_t key[] = {node, name_of[function]}, below_root[] = {0, name_of[function]};
    uint32_t site = SCA_NONE;
    if (name_of[function] != SCA_NONE) {
        if (node != SCA_NONE)
            site = sca_arena_find(SCA_T_SITES, key, 2);
        if (site == SCA_NONE)
            site = sca_arena_find(SCA_T_SITES, below_root, 2);
    }
    sca_guard_unlock();
    return site;
}

static SCA_COLD uint32_t path_into(uint32_t node, uint32_t track, const void *into)
{
    node = into && node != SCA_NONE ? sca_callpath_into(node, into) : node;
    return track ? sca_callpath_of_thread(node, track) : node;
}

/* What a path's note is of: the function called from there last, and the thread; or what it has
 * run, of two hardly ever the same. */
static uint64_t note_kind(unsigned function, uint32_t track, const void *into)
{
    uint64_t hash = (uint64_t)(uintptr_t)into * 0x9e3779b97f4a7c15u;
    return into ? 1u << 31 | (uint32_t)(hash >> 33) : (uint64_t)track << 16 | (function + 1);
}

/* And of its site. */
static inline uint32_t find_site(unsigned function, uint32_t track, const void *return_address,
                                 const void *cfa, const void *into)
{
    uint64_t *note, kind = note_kind(function, track, into);
    uint32_t node = sca_callpath_call(return_address, cfa, &note);
    uint64_t known = note ? __atomic_load_n(note, __ATOMIC_RELAXED) : 0;
    if (__builtin_expect(known >> 32 == kind, 1))
        return (uint32_t)known;
    uint32_t site = add_site(path_into(node, track, into), function);
    if (note && site != SCA_NONE)
        __atomic_store_n(note, kind << 32 | site, __ATOMIC_RELAXED);
    return site;
}

_Static_assert(SCA_FN_ALL < UINT16_MAX, "a note has room for the function");

static uint64_t calls_ns; /* own cost of calls, of all threads */

uint32_t sca_activity_site(unsigned function, const void *return_address, const void *cfa)
{
    return find_site(function, 0, return_address, cfa, NULL);
}

uint32_t sca_activity_site_into(unsigned function, const void *return_address, const void *cfa,
                                const void *into)
{
    return find_site(function, 0, return_address, cfa, into);
}

uint32_t sca_activity_site_alone(unsigned function, const void *return_address)
{
    return add_site(sca_callpath_alone(return_address), function);
}

static uint64_t add_own_cost(uint64_t ns)
{
    __atomic_fetch_add(&sca_arena_header()->tool_ns, ns, __ATOMIC_RELAXED);
    __atomic_fetch_add(&calls_ns, ns, __ATOMIC_RELAXED);
    return ns;
}

uint64_t sca_activity_cost_ns(void)
{
    return __atomic_load_n(&calls_ns, __ATOMIC_RELAXED);
}

/* Other threads than the first may call; or many at the same time, which wait for each other, and
 * share cores as ranks do. */
static bool others_call, threads_call;

/* On a core of one's own, too, a hypervisor may have given it to others: then less CPU time has
 * gone by since it was last known. */
static uint64_t on_core(uint64_t cost)
{
    uint64_t known_ns = sca_cpu_time_known(), cpu_ns = sca_clock_cpu();
    bool less = known_ns && cpu_ns > known_ns && cpu_ns - known_ns < cost;
    return less ? cpu_ns - known_ns : cost;
}

/* By the node clock: the CPU clock would take longer than what it is to measure. What is unusual
 * where cores are shared is time that another one had. The caller reads the clock: this function,
 * seldom used, is not in the cache. */
static SCA_COLD uint64_t book_own_cost(uint64_t cost)
{
    if (cost < UNUSUAL_NS)
        return add_own_cost(cost * OWN_COST_EVERY);
    return add_own_cost(sca_clock_is_crowded() || threads_call ? UNUSUAL_NS : on_core(cost));
}

/* At random distances: a program's calls come in patterns. Not the very first, which learns. */
static bool is_timed(void)
{
    bool first = !memory.dice;
    if (memory.not_timed) {
        memory.not_timed--;
        return false;
    }
    memory.dice = memory.dice * 1664525u + 1013904223u; /* Knuth's; the upper bits are the better */
    memory.not_timed = OWN_COST_EVERY / 2 - 1 + (memory.dice >> 16) % (OWN_COST_EVERY + 1);
    return !first;
}

/* Closing a window may take time that is nobody's computation: the next interval, or the call that
 * began an iteration, begins after it. */
static uint64_t leave_out(uint64_t since_ns, uint64_t work_began)
{
    uint64_t now = sca_clock_now();
    if (now - since_ns < UNUSUAL_NS)
        return since_ns;
    add_own_cost(sca_clock_work() - work_began);
    return now;
}

/* The call begins an iteration: the window that may end here is closed, which takes time. */
static SCA_COLD void end_iteration(struct sca_call *call)
{
    uint64_t work_began = sca_clock_work();
    sca_guard_lock();
    bool closed = sca_loops_cut(call->enter_ns - call->interval.wall_ns);
    sca_guard_unlock();
    if (!closed)
        return;
    call->enter_ns = leave_out(call->enter_ns, work_began);
    call->timed = false;
}

/* Something is under way already: the call is nested, a callback's, or what was is gone. */
static SCA_COLD bool may_enter(struct sca_thread *t, const void *cfa)
{
    if (t->in_tool)
        return false;
    sca_left_look((uintptr_t)cfa);
    if (t->in_mpi)
        return false;
    t->in_tool++;
    sca_left_book(sca_activity_leave);
    t->in_tool--;
    return true;
}

/* Between an MPI call's entry and the next one of a function that MPI called lies what the former
 * had before it: it is as if the function had been called in front of MPI. */
static SCA_COLD void carry_on(struct sca_call *call)
{
    struct sca_waiting *waiting = &sca_calls.waiting[sca_thread.called_back - 1];
    sca_interval_add(&call->interval, &waiting->before);
    waiting->before = (struct sca_interval){0};
}

static inline bool is_busy(const struct sca_thread *t)
{
    return t->in_mpi | t->in_tool | t->called_back | t->left;
}

/* While the program looks whether something has come, what it asks beside is part of that. */
static inline bool goes_on(const struct sca_thread *t, unsigned function)
{
    return sca_function_class(function) == SCA_CLASS_ASKS && !(t->looks | t->called_back) &&
           sca_interval_is_open();
}

/* Of this thread, at the path of a call of another one's. */
static uint32_t site_beside(uint32_t site, unsigned function)
{
    const struct sca_part_site *at = (struct sca_part_site *)sca_arena_table(SCA_T_SITES) + site;
    return add_site(sca_callpath_of_thread(at->node, sca_thread.track), function);
}

/* A thread's first call: what it did since it began lies before it. */
static SCA_COLD void begin_thread(struct sca_thread *t)
{
    sca_sampler_thread_start();
    if (!t->created_at || sca_paused)
        return;
    uint32_t site = site_beside(t->created_at, SCA_OUTSIDE_thread_start);
    if (site == SCA_NONE)
        return;
    t->previous = site;
    sca_interval_open_thread(site, t->began_ns);
}

struct sca_call *sca_activity_enter(unsigned function, const void *return_address, const void *cfa)
{
    struct sca_thread *t = &sca_thread;
    if (!sca_recording || (__builtin_expect(is_busy(t), 0) && !may_enter(t, cfa)))
        return NULL;
    struct sca_call *call = sca_calls.call;
    if (__builtin_expect(t->called_back, 0))
        call += t->called_back;
    __asm__("" : "+r"(call)); /* not to be reckoned out again at each use */
    t->in_tool++;
    uint32_t float_flags = sca_float_flags_keep();
    t->mpi = (struct sca_frame_mark){cfa, return_address};
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    call->enter_ns = sca_clock_now();
    if (memory.lent_return) {
        return_address = memory.lent_return;
        cfa = memory.lent_cfa;
        memory.lent_return = 0;
    }
    if (!sca_interval_is_open())
        begin_thread(t);
    call->asks = __builtin_expect(goes_on(t, function), 0);
    if (call->asks)
        call->interval = (struct sca_interval){0};
    else
        sca_interval_close(call->enter_ns, &call->interval);
    if (__builtin_expect(t->called_back, 0))
        carry_on(call);
    if (__builtin_expect(t->counting, 0))
        sca_sampler_count_rest();
    call->idle_ns = __builtin_expect(t->looks, 0) ? sca_idle_between(function, &call->interval) : 0;
    call->function = (uint16_t)function;
    call->bytes = 0;
    call->ways = 0;
    call->ends_iteration = call->in_vain = false;
    call->timed = is_timed();
    call->previous = t->previous;
    if (__builtin_expect(sca_paused, 0))
        call->site = SCA_NONE;
    else
        t->previous = call->site = find_site(function, t->track, return_address, cfa, NULL);
    if (!t->called_back && __builtin_expect(sca_loops_call(call), 0))
        end_iteration(call);
    if (call->timed && !call->idle_ns)
        book_own_cost(sca_clock_now() - call->enter_ns);
    sca_present_enter(call);
    sca_float_flags_return(float_flags);
    t->in_mpi++;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    t->in_tool--;
    return call;
}

static void end_look(struct sca_call *call)
{
    call->in_vain = sca_idle_exit(call->function, call->in_vain, call->idle_ns);
    sca_present_looked(call);
}

void sca_activity_exit(struct sca_call *call)
{
    struct sca_thread *t = &sca_thread;
    t->in_tool++;
    call->float_flags = sca_float_flags_keep();
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (__builtin_expect(t->counting, 0))
        sca_sampler_count_rest();
    if (__builtin_expect(t->waits | t->looks | call->in_vain, 0)) /* books its turns itself */
        end_look(call);
    else if (!call->asks && sca_interval_may_be_long(t->previous))
        sca_sampler_part();
    call->exit_ns = sca_clock_now();
    if (call->exit_ns < call->enter_ns)
        call->exit_ns = call->enter_ns;
    sca_present_exit(call->site, call->exit_ns);
    t->in_mpi = 0;
}

/* An MPI call inside a callback begins no iteration. */
static SCA_COLD void leave_inner(struct sca_call *call)
{
    call->ends_iteration = false;
    sca_calls.waiting[sca_thread.called_back - 1].last_ns = call->exit_ns;
}

/* After a call that was timed; a window that it closed has been booked whole. The next interval
 * begins at the call's exit and has this in it. Looks while there is nothing else to do cost
 * nothing. */
static SCA_COLD void now_and_then(const struct sca_call *call, bool closed, uint64_t cost_ns)
{
    bool idles = call->idle_ns && call->in_vain;
    if (!closed && !idles)
        __atomic_fetch_add(&sca_arena_header()->tool_gap_ns, book_own_cost(cost_ns),
                           __ATOMIC_RELAXED);
    sca_guard_lock();
    sca_budget_look(call->exit_ns);
    sca_guard_unlock();
    sca_loops_modules_changed();
}

/* The interval that was open before the call is open still; what was written meanwhile is not of
 * it. */
static SCA_COLD void go_on(const struct sca_call *call, uint64_t work_began)
{
    uint64_t end_ns = work_began ? leave_out(call->exit_ns, work_began) : call->exit_ns;
    sca_thread.previous = call->previous;
    if (!(call->ways & SCA_CALL_LEFT))
        sca_interval_pass(end_ns - call->enter_ns);
}

void sca_activity_leave(struct sca_call *call)
{
    struct sca_thread *t = &sca_thread;
    if (__builtin_expect(t->called_back, 0))
        leave_inner(call);
    sca_guard_lock();
    sca_book_call(call);
    bool due = __builtin_expect(call->exit_ns >= sca_snapshot_due_ns, 0);
    uint64_t work_began = (call->ends_iteration | due) ? sca_clock_work() : 0;
    bool closed = call->ends_iteration && sca_window_collective(call->exit_ns);
    if (call->ends_iteration)
        closed |= sca_loops_collective(call);
    if (call->in_vain)
        sca_loops_found_nothing();
    sca_guard_unlock();
    if (due) {
        sca_snapshot_take(call->exit_ns);
        closed = true;
    }
    if (__builtin_expect(call->asks, 0))
        go_on(call, work_began);
    else if (__builtin_expect(!(call->ways & SCA_CALL_LEFT), 1))
        sca_interval_open(t->previous,
                          closed ? leave_out(call->exit_ns, work_began) : call->exit_ns);
    if (call->timed)
        now_and_then(call, closed, sca_clock_now() - call->exit_ns);
    sca_float_flags_return(call->float_flags);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    t->in_tool--;
}

struct sca_call *sca_activity_enter_fortran(unsigned function, bool lends,
                                            const void *return_address, const void *cfa)
{
    struct sca_thread *t = &sca_thread;
    if (!sca_abi.fortran_calls_c || !lends)
        return sca_activity_enter(function, return_address, cfa);
    if (sca_recording && (!is_busy(t) || may_enter(t, cfa))) {
        memory.lent_return = return_address;
        memory.lent_cfa = cfa;
    }
    return NULL;
}

void sca_activity_pass_fortran(void)
{
    memory.lent_return = 0;
}

static void book_moment(unsigned function, uint32_t site)
{
    struct sca_thread *t = &sca_thread;
    struct sca_call call = {.function = (uint16_t)function, .site = site, .previous = t->previous};
    call.enter_ns = call.exit_ns = sca_clock_now();
    sca_interval_close_rarely(call.enter_ns, &call.interval);
    t->previous = site;
    sca_guard_lock();
    sca_book_call(&call);
    sca_guard_unlock();
    sca_interval_open(site, call.exit_ns);
}

uint32_t sca_activity_moment(unsigned function, const void *return_address, const void *cfa)
{
    struct sca_thread *t = &sca_thread;
    int kept = errno;
    t->in_tool++;
    uint32_t float_flags = sca_float_flags_keep();
    uint32_t site =
        sca_paused ? SCA_NONE : find_site(function, t->track, return_address, cfa, NULL);
    if (site != SCA_NONE)
        book_moment(function, site);
    sca_float_flags_return(float_flags);
    t->in_tool--;
    errno = kept;
    return site;
}

void sca_activity_end_thread(void)
{
    struct sca_thread *t = &sca_thread;
    if (!sca_recording || sca_paused || !t->created_at || !sca_interval_is_open())
        return;
    t->in_tool++;
    uint32_t site = site_beside(t->created_at, SCA_OUTSIDE_thread_end);
    if (site != SCA_NONE)
        book_moment(SCA_OUTSIDE_thread_end, site);
    t->in_tool--;
}

bool sca_activity_threads_call(void)
{
    return others_call;
}

void sca_activity_begin(void)
{
    int level = 0;
    bool known = !sca_mpi.query_thread(&level);
    threads_call = known && level == sca_abi.multiple;
    others_call = known && level >= sca_abi.serialized;
    sca_thread.previous = 0;
    sca_thread.track = 0; /* whichever thread calls MPI_Init */
    sca_present_begin();
    sca_activity_resume();
}

void sca_activity_resume(void)
{
    sca_interval_open(sca_thread.previous, sca_clock_now());
}
