#include "windows/loops.h"
#include "arena/arena.h"
#include "base/settings.h"
#include "clock/clock.h"
#include "base/guard.h"
#include "mpi_functions.h"
#include "sca_hook.h"
#include "windows/recurrence.h"
#include "windows/window.h"
#include "windows/window_store.h"
#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <string.h>

enum {
    MODULES = 64,
    DEPTH = 16,
    MANY = 16,          /* iterations of a loop that may delimit the program's */
    MANY_AROUND = 4,    /* if it is around the one that does */
    LARGE = 32,         /* ranks: with more, an iteration must be short to be kept at all: */
    MOST_CALLS = 256,   /* MPI calls in one, */
    MOST_OF_FEW = 4096, /* with fewer ranks: four fit into a window */
    PATIENCE = 1024,    /* iterations before the window is cut */
    FORGOTTEN = 2048,   /* iterations of others after which a delimiter has had its time */
    IDLE = 64,          /* iterations without MPI calls after which a loop is left alone */
    RETRY = 1024        /* MPI calls after which it is looked at again, then twice as many, ... */
};

/* The loops of a module. */
static struct array {
    struct sca_loop *begin, *end;
} arrays[MODULES];
static unsigned narrays;
static uint64_t retry_at;
static uint64_t in_vain; /* calls that found nothing */
static const struct sca_thread *owner;

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
} stack[DEPTH];
static unsigned depth;
static struct place delimiter; /* none yet: marker 0 */
/* Iterations since the world's last collective, and since the delimiter's last. */
static uint64_t since_collective, since_delimiter;
static uint64_t cut; /* iterations that markers ended for windows */

enum { MARKED = SCA_WINDOW_LOOPS }; /* the loop that windows know by this number */

static struct sca_recurrence learnt;
/* Loops without markers that have delimited the program's iterations, by their numbers in windows
 * from 1 on. */
static const struct sca_witness *learnt_loops[MARKED - 1];

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
    stack[depth] = (struct running){.at = at, .calls = NEW};
    return depth++;
}

/* True if the loop has come round with MPI calls in between: an iteration that counts. */
static bool comes_round(struct running *at, uint64_t calls)
{
    bool first = at->calls == NEW, counts = !first && calls != at->calls;
    at->idle = !first && !counts;
    at->iterations += counts;
    at->first = first ? calls : at->first;
    at->calls = calls;
    return counts;
}

/* The loops around the delimiter when it last came round. */
static struct place around[DEPTH];
static unsigned naround;

static void note_around(unsigned position)
{
    for (naround = 0; naround < position; naround++)
        around[naround] = stack[naround].at;
}

static bool is_around(struct place at)
{
    for (unsigned i = 0; i < naround; i++)
        if (same(around[i], at))
            return true;
    return false;
}

static bool is_short(const struct running *loop)
{
    return sca_arena_header()->size <= LARGE ||
           loop->calls - loop->first <= (uint64_t)MOST_CALLS * loop->iterations;
}

static void choose(const struct running *loop)
{
    bool first = !delimiter.marker && loop->iterations >= MANY;
    bool outer = loop->iterations >= MANY_AROUND && is_around(loop->at) && is_short(loop);
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

static bool is_due(uint64_t iterations)
{
    return !(iterations & (sca_window_iterations() - 1));
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
    since_collective++;
    since_delimiter++;
    if (!same(at, delimiter))
        choose(&stack[position]);
    if (!same(at, delimiter))
        return;
    since_delimiter = 0;
    note_around(position);
    sca_recurrence_wait(&learnt);
    if (since_collective > PATIENCE && is_due(++cut))
        sca_window_loop(MARKED, cut, sca_clock_now());
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

/* 0: it is one too many. */
static unsigned number_of_learnt(const struct sca_witness *loop)
{
    unsigned n = 0;
    while (n < MARKED - 1 && learnt_loops[n] && learnt_loops[n] != loop)
        n++;
    if (n == MARKED - 1)
        return 0;
    learnt_loops[n] = loop;
    return n + 1;
}

uint32_t sca_loops_iterations(unsigned loop)
{
    bool is_learnt = loop && loop < MARKED && learnt_loops[loop - 1];
    return is_learnt ? learnt_loops[loop - 1]->rounds : 0;
}

bool sca_loops_cut(uint64_t exit_ns)
{
    unsigned loop = number_of_learnt(learnt.delimiter);
    return loop && sca_window_loop(loop, learnt.delimiter->rounds, exit_ns);
}

/* How often a rank looks, and what it asks of its own library, are its own affair. */
bool sca_loops_call(const struct sca_call *call)
{
    return &sca_thread == owner && sca_function_class(call->function) == SCA_CLASS_CALL &&
           sca_recurrence_call(&learnt, call->site) && learnt.rounds > PATIENCE &&
           is_due(learnt.delimiter->rounds);
}

void sca_loops_collective(void)
{
    if (&sca_thread != owner)
        return;
    since_collective = 0;
    sca_recurrence_forget(&learnt);
}

void sca_loops_found_nothing(void)
{
    in_vain += &sca_thread == owner;
}

static void set_all(void (*hook)(struct sca_loop *))
{
    for (unsigned i = 0; i < narrays; i++)
        for (struct sca_loop *loop = arrays[i].begin; loop < arrays[i].end; loop++) {
            loop->own = 0;
            set(loop, hook);
        }
}

static bool is_ours(const ElfW(Nhdr) * note)
{
    return note->n_type == SCA_HOOK_NOTE_TYPE && note->n_descsz == 2 * sizeof(int64_t) &&
           note->n_namesz == sizeof SCA_HOOK_NOTE_NAME &&
           !memcmp(note + 1, SCA_HOOK_NOTE_NAME, sizeof SCA_HOOK_NOTE_NAME);
}

/* Notes: sizes of name and description, type, then both, each padded to four bytes. */
static void look_through(const char *at, size_t size)
{
    const char *end = at + size;
    while (end - at >= (ptrdiff_t)sizeof(ElfW(Nhdr))) {
        const ElfW(Nhdr) *note = (const void *)at;
        const char *description = at + sizeof *note + ((note->n_namesz + 3) & ~3u);
        int64_t distance[2];
        at = description + ((note->n_descsz + 3) & ~3u);
        if (at > end || !is_ours(note) || narrays == MODULES)
            continue;
        memcpy(distance, description, sizeof distance);
        arrays[narrays++] =
            (struct array){(void *)((uintptr_t)description + (uintptr_t)distance[0]),
                           (void *)((uintptr_t)description + (uintptr_t)distance[1])};
    }
}

static int look_in(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    (void)data;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_NOTE)
            look_through((const char *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr),
                         info->dlpi_phdr[i].p_memsz);
    return 0;
}

/* Arrays of modules that have gone are forgotten before: their memory is no longer there. */
static void hook_all(void)
{
    narrays = 0;
    dl_iterate_phdr(look_in, NULL);
    set_all(hit);
}

void sca_loops_begin(void)
{
    uint32_t ranks = sca_arena_header()->size;
    owner = &sca_thread;
    retry_at = RETRY;
    if (ranks > 1 || sca_settings.full)
        sca_recurrence_begin(&learnt, ranks > LARGE ? MOST_CALLS : MOST_OF_FEW);
    hook_all();
}

/* How many modules ever came and went: the first one's word is enough. */
static int count_changes(struct dl_phdr_info *info, size_t size, void *changes)
{
    if (size >= offsetof(struct dl_phdr_info, dlpi_subs) + sizeof info->dlpi_subs)
        *(unsigned long long *)changes = info->dlpi_adds + info->dlpi_subs;
    return 1;
}

void sca_loops_modules_changed(void)
{
    static int busy;
    static unsigned long long known;
    unsigned long long changes = 0;
    if (!owner || __atomic_exchange_n(&busy, 1, __ATOMIC_ACQUIRE))
        return;
    dl_iterate_phdr(count_changes, &changes);
    if (changes != known)
        hook_all();
    else if (sca_arena_header()->mpi_calls >= retry_at) {
        retry_at = 2 * sca_arena_header()->mpi_calls;
        set_all(hit);
    }
    known = changes;
    __atomic_store_n(&busy, 0, __ATOMIC_RELEASE);
}

void sca_loops_end(void)
{
    owner = NULL;
    set_all(NULL);
}
