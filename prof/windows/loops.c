#include "windows/loops.h"
#include "arena/arena.h"
#include "base/settings.h"
#include "clock/clock.h"
#include "base/guard.h"
#include "base/hash.h"
#include "base/hot.h"
#include "mpi_functions.h"
#include "windows/main_loop.h"
#include "windows/markers.h"
#include "windows/recurrence.h"
#include "series/series.h"
#include "windows/window.h"
#include "windows/window_store.h"
#include <stddef.h>

enum {
    DEPTH = 16,
    MANY = 16,          /* iterations of a loop that may delimit the program's */
    MANY_AROUND = 4,    /* if it is around the one that does */
    LARGE = 32,         /* ranks: with more, an iteration must be short to be kept at all: */
    MOST_CALLS = 256,   /* MPI calls in one, */
    MOST_OF_FEW = 4096, /* with fewer ranks: four fit into a window */
    PATIENCE = 1024,    /* iterations before the window is cut */
    FORGOTTEN = 2048,   /* iterations of others after which a delimiter has had its time */
    FEW_OTHERS = 64,    /* the same, of what only the series follows */
    IDLE = 64,          /* iterations without MPI calls after which a loop is left alone */
    RETRY = 1024        /* MPI calls after which it is looked at again, then twice as many, ... */
};

static uint64_t retry_at;
static uint64_t in_vain; /* calls that found nothing */
static const struct sca_thread *owner SCA_HOT;

/* A loop in execution: the marker's call tells inlined copies of it apart, the frame its callers.
 */
struct place {
    uintptr_t marker, frame;
};

#define NEW UINT64_MAX

static struct running {
    struct place at;
    uint64_t first;      /* MPI calls made when it began */
    uint64_t calls;      /* when it last came round, but for those in vain */
    uint32_t iterations; /* with calls in between */
    bool idle;           /* came round without any */
    struct sca_followed followed;
} stack[DEPTH];
static unsigned depth;
static struct place delimiter; /* none yet: marker 0 */
/* Iterations since the world's last collective, and since the delimiter's last. */
static uint64_t since_collective, since_delimiter;

static struct sca_recurrence learnt SCA_HOT_TABLE;
static struct sca_recurrence collectives; /* loops, told by world collectives alone */
/* Stands for the loops with markers; of how many rounds is not known: 0. */
static const struct sca_witness marked;
/* Of the delimiter with a marker since the world's last collective; and whether windows end. */
static uint64_t iterations;
static bool cutting;
/* Loops that have ended windows, by their numbers there from 1 on: as they came. */
static const struct sca_witness *cutters[SCA_WINDOW_LOOPS];

static bool same(struct place a, struct place b)
{
    return a.marker == b.marker && a.frame == b.frame;
}

/* Position in the stack of loops that seem to be running. The stack grows down: what is below
 * this frame has returned; in this frame, loops above this one have ended. */
static unsigned find(struct place at)
{
    while (depth && stack[depth - 1].at.frame < at.frame)
        depth--;
    for (unsigned i = 0; i < depth; i++)
        if (same(stack[i].at, at)) {
            depth = i + 1;
            return i;
        }
    while (depth && stack[depth - 1].idle && !stack[depth - 1].iterations)
        depth--; /* set-up loops that never call MPI */
    if (depth == DEPTH)
        depth--;
    struct running *loop = &stack[depth]; /* what is followed is large, and set as it begins */
    loop->at = at;
    loop->first = 0;
    loop->calls = NEW;
    loop->iterations = 0;
    loop->idle = false;
    return depth++;
}

static uint64_t name_of(struct place at)
{
    return sca_hash_mix(at.marker, at.frame) | 1;
}

/* True if the loop has come round with MPI calls in between: an iteration that counts. */
static bool comes_round(struct running *at, uint64_t calls)
{
    bool first = at->calls == NEW, counts = !first && calls != at->calls;
    at->idle = !first && !counts;
    if (first && !sca_main_loop_begins_within(&at->followed, name_of(at->at), at->at.frame))
        sca_main_loop_begins(&at->followed, at->at.frame, sca_clock_now());
    at->iterations += counts;
    at->first = first ? calls : at->first;
    at->calls = calls;
    return counts;
}

/* The loops around the delimiter, and around the main loop, when it last came round. */
static struct around {
    struct place at[DEPTH];
    unsigned n;
} around, around_main;

static void note_around(struct around *of, unsigned position)
{
    for (of->n = 0; of->n < position; of->n++)
        of->at[of->n] = stack[of->n].at;
}

static bool is_around(const struct around *of, struct place at)
{
    for (unsigned i = 0; i < of->n; i++)
        if (same(of->at[i], at))
            return true;
    return false;
}

static void follow_main_loop(unsigned position)
{
    struct running *loop = &stack[position];
    uint64_t name = name_of(loop->at);
    bool around = is_around(&around_main, loop->at);
    if (sca_main_loop_stays_within(&loop->followed, name, around))
        return;
    if (sca_main_loop_round(&loop->followed, name, loop->iterations, around, sca_clock_now())) {
        note_around(&around_main, position);
        uint64_t spent_ns = sca_window_round();
        if (spent_ns)
            sca_interval_pass(spent_ns);
    }
}

static bool is_short(const struct running *loop)
{
    return sca_arena_header()->size <= LARGE ||
           loop->calls - loop->first <= (uint64_t)MOST_CALLS * loop->iterations;
}

static void choose(const struct running *loop)
{
    bool first = !delimiter.marker && loop->iterations >= MANY;
    bool outer = loop->iterations >= MANY_AROUND && is_around(&around, loop->at) && is_short(loop);
    bool later = since_delimiter > FORGOTTEN && loop->iterations >= MANY;
    if (first || outer || later)
        delimiter = loop->at;
}

static void set(struct sca_loop *loop, void (*hook)(struct sca_loop *))
{
    __atomic_store_n(&loop->hook, hook, __ATOMIC_RELAXED);
}

/* Most loops that might reach MPI, for all that the compiler knows, never do: their marker is
 * switched off, or it would cost more than the body of a tight one. */
static void leave_alone_if_idle(struct sca_loop *loop)
{
    if (++loop->own >= IDLE)
        set(loop, NULL);
}

/* 0: it is one too many. */
static unsigned number_of(const struct sca_witness *loop)
{
    unsigned n = 0;
    while (n < SCA_WINDOW_LOOPS && cutters[n] && cutters[n] != loop)
        n++;
    if (n == SCA_WINDOW_LOOPS)
        return 0;
    cutters[n] = loop;
    return n + 1;
}

/* Once one window has ended at an iteration, all do. */
static bool end_window(const struct sca_witness *loop, uint64_t last, uint64_t ns)
{
    unsigned number = number_of(loop);
    bool ended = number && sca_window_loop(number, last, ns, cutting);
    cutting |= ended;
    return ended;
}

static bool is_due(uint64_t number)
{
    return !(number & (sca_window_iterations() - 1));
}

static void count_iteration(struct sca_loop *loop, struct place at)
{
    uint64_t calls = sca_arena_header()->mpi_calls - in_vain;
    unsigned position = find(at);
    if (!comes_round(&stack[position], calls)) {
        leave_alone_if_idle(loop);
        return;
    }
    loop->own = 0;
    follow_main_loop(position);
    since_collective++;
    since_delimiter++;
    if (!same(at, delimiter))
        choose(&stack[position]);
    if (!same(at, delimiter))
        return;
    since_delimiter = 0;
    note_around(&around, position);
    sca_recurrence_wait(&learnt);
    cutting |= since_collective > PATIENCE;
    if (is_due(++iterations))
        end_window(&marked, iterations, sca_clock_now());
}

static void hit(struct sca_loop *loop)
{
    struct place at = {(uintptr_t)__builtin_return_address(0), (uintptr_t)__builtin_dwarf_cfa()};
    if (!sca_recording || &sca_thread != owner || sca_thread.in_mpi || sca_thread.in_tool)
        return;
    sca_guard_lock();
    count_iteration(loop, at);
    sca_guard_unlock();
}

uint32_t sca_loops_iterations(unsigned loop)
{
    return loop && cutters[loop - 1] ? cutters[loop - 1]->rounds : 0;
}

bool sca_loops_cut(uint64_t exit_ns)
{
    return end_window(learnt.delimiter, learnt.delimiter->rounds, exit_ns);
}

/* Markers tell better, if there are any. */
static bool is_learnt(void)
{
    bool patient = learnt.rounds <= PATIENCE;
    cutting |= !patient;
    return !patient || !delimiter.marker;
}

static uint64_t loop_of(const struct sca_recurrence *r)
{
    return (uint64_t)r->header << 32 | r->delimiter->site | 1ull << 63;
}

/* Whether the function that makes the first call is on the call path of the other. */
static bool may_call(uint32_t header, uint32_t site)
{
    const struct sca_part_site *sites = sca_arena_table(SCA_T_SITES);
    const struct sca_part_node *nodes = sca_arena_table(SCA_T_NODES);
    uint32_t caller = nodes[sites[header].node].parent, at = nodes[sites[site].node].parent;
    while (at > caller) /* parents come before children */
        at = nodes[at].parent;
    return at == caller;
}

/* Sections of loops in the round that has just ended: this loop was around them all along. */
static bool is_within(uint64_t loop)
{
    return sca_recurrence_held(&collectives, (uint32_t)(loop >> 32) & INT32_MAX);
}

static bool end_collective_round(void)
{
    static const struct sca_witness *last;
    if (last != collectives.delimiter)
        sca_series_drop_within(SCA_SERIES_COLLECTIVE, is_within);
    last = collectives.delimiter;
    sca_series_round(SCA_SERIES_COLLECTIVE, loop_of(&collectives),
                     collectives.delimiter->rounds + 1);
    return !sca_main_loop() && sca_window_round() > 0;
}

/* How often a rank looks, and what it asks of its own library, are its own affair. */
static bool is_own_affair(unsigned function)
{
    enum sca_function_class class = sca_function_class(function);
    return class != SCA_CLASS_CALL && (class != SCA_CLASS_WORD || sca_thread.looks);
}

/* The delimiter's round that a world collective interrupted: it ended before that. */
static struct sca_part_mark interrupted;

/* No window ends there. */
static bool resumes(uint32_t site)
{
    if (!sca_recurrence_resumes(&learnt, site))
        return false;
    interrupted.number = learnt.delimiter->rounds;
    sca_series_round_at(SCA_SERIES_PATH, loop_of(&learnt), &interrupted);
    return false;
}

bool sca_loops_call(const struct sca_call *call)
{
    if (&sca_thread != owner || is_own_affair(call->function))
        return false;
    if (!sca_recurrence_call(&learnt, call->site))
        return resumes(call->site);
    sca_series_round(SCA_SERIES_PATH, loop_of(&learnt), learnt.delimiter->rounds);
    return is_due(learnt.delimiter->rounds) && is_learnt();
}

static void interrupt(const struct sca_call *call)
{
    const struct sca_interval *before = &call->interval;
    const struct sca_series_call last = {.site = call->site,
                                         .before = call->previous,
                                         .compute_ns = before->cpu_ns,
                                         .off_ns = before->blocked_ns,
                                         .mpi_ns = call->exit_ns - call->enter_ns + call->idle_ns,
                                         .left_ns =
                                             call->enter_ns - call->idle_ns - before->wall_ns};
    if (call->site != SCA_NONE && sca_series_is_on())
        interrupted = sca_series_before(SCA_SERIES_PATH, &last);
}

bool sca_loops_collective(const struct sca_call *call)
{
    bool kept = false;
    if (&sca_thread != owner)
        return false;
    bool before = learnt.interrupted;
    sca_recurrence_forget(&learnt);
    if (learnt.interrupted && !before)
        interrupt(call);
    if (call->site != SCA_NONE && sca_recurrence_call(&collectives, call->site))
        kept = end_collective_round();
    since_collective = iterations = 0;
    cutting = false;
    return kept;
}

void sca_loops_found_nothing(void)
{
    in_vain += &sca_thread == owner;
}

void sca_loops_begin(void)
{
    uint32_t ranks = sca_arena_header()->size;
    owner = &sca_thread;
    retry_at = RETRY;
    if (ranks > 1 || sca_settings.full)
        sca_recurrence_begin(&learnt, ranks > LARGE ? MOST_CALLS : MOST_OF_FEW, MANY, FORGOTTEN);
    if (sca_series_is_on())
        sca_recurrence_begin(&collectives, UINT32_MAX, 2, FEW_OTHERS);
    collectives.may_call = may_call;
    sca_markers_find(hit);
}

void sca_loops_modules_changed(void)
{
    static int busy;
    if (!owner || __atomic_exchange_n(&busy, 1, __ATOMIC_ACQUIRE))
        return;
    if (sca_markers_changed())
        sca_markers_find(hit);
    else if (sca_arena_header()->mpi_calls >= retry_at) {
        retry_at = 2 * sca_arena_header()->mpi_calls;
        sca_markers_set(hit);
    }
    __atomic_store_n(&busy, 0, __ATOMIC_RELEASE);
}

void sca_loops_end(void)
{
    owner = NULL;
    sca_markers_set(NULL);
}
