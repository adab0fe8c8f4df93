#include "unwind/bare_code.h"
#include "sca_part.h"
#include "unwind/bare_calls.h"
#include "unwind/frames.h"
#include "unwind/walk.h"

#include <stddef.h>

enum { DEEPEST = 1024, SAVED_TRIES = 32, MEMOS = 256, WORD = 8, ALIGNED = 16, RETRY = 64 };

/* Where a step from this code, at this stack address, was found to lead. */
struct memo {
    uint64_t key, sp;
    uint64_t slot, value; /* of the return address; slot 0: none was found */
    uint64_t bp_at;       /* where rbp was saved; 0: it was not */
    uint32_t asked;       /* how often nothing was found */
    uint32_t turn;        /* odd while it is written */
    bool guessed;
};

static struct memo memos[MEMOS];
static uint64_t guessed;

uint64_t sca_bare_code_guessed(void)
{
    return __atomic_load_n(&guessed, __ATOMIC_RELAXED);
}

/* The lowest frame that rbp may point to. */
struct saved_bp {
    uint64_t bp, at;
    int tries;
};

/* ---- a step, once it is known ---- */

static struct sca_cursor step_to(struct sca_cursor c, struct sca_ground *g, const struct memo *m)
{
    struct sca_cursor next = {.sp = m->slot + WORD, .bp = c.bp};
    if (m->bp_at && !sca_stack_read(&g->stack, m->bp_at, &next.bp))
        next.bp = 0;
    next.frame = sca_frames_caller(c.frame, m->value, g->in_handler, &g->spare);
    return next;
}

/* Up to the thread's start, or to more code without tables. */
static bool leads_home(struct sca_cursor c, const struct sca_ground *g)
{
    struct sca_ground own = *g;
    if (c.frame == &g->spare)
        c.frame = &own.spare;
    for (int i = 0; i < DEEPEST; i++) {
        uint8_t cfa = c.frame->recipe.cfa;
        if (cfa == SCA_CFA_END)
            return true;
        if (cfa == SCA_CFA_UNKNOWN || cfa == SCA_CFA_OTHER)
            return i && c.frame->slot != SCA_NONE;
        if (!sca_walk_up(&c, &own))
            return false;
    }
    return false;
}

/* rbp as it would be from `at`, 0: as it is, if it leads home from a frame below the best one's. A
 * larger one is of a frame further up, and would leave out those between. */
static void try_bp(struct sca_cursor c, struct sca_ground *g, const struct memo *m, uint64_t at,
                   struct saved_bp *best)
{
    uint64_t bp = c.bp;
    if ((at && !sca_stack_read(&g->stack, at, &bp)) || bp <= m->slot || bp % WORD ||
        bp >= g->stack.high || bp >= best->bp || best->tries++ == SAVED_TRIES)
        return;
    struct memo tried = *m;
    tried.bp_at = at;
    if (leads_home(step_to(c, g, &tried), g))
        *best = (struct saved_bp){.bp = bp, .at = at, .tries = best->tries};
}

/* rbp as it is, if nobody asks for it, or as one of the words below the return address has it. */
static bool find_bp(struct sca_cursor c, struct sca_ground *g, struct memo *m)
{
    struct saved_bp best = {.bp = UINT64_MAX};
    struct sca_cursor without = c;
    m->bp_at = 0;
    without.bp = 0;
    if (leads_home(step_to(without, g, m), g))
        return true;
    try_bp(c, g, m, 0, &best);
    for (uint64_t at = c.sp; at < m->slot; at += WORD)
        try_bp(c, g, m, at, &best);
    m->bp_at = best.at;
    return best.bp != UINT64_MAX;
}

/* ---- looking for it ---- */

struct scan {
    struct sca_cursor c;
    struct sca_range code; /* without tables, around the frame's */
    struct memo best;      /* slot 0: nothing yet */
};

static struct sca_range code_around(struct sca_cursor c, bool in_handler)
{
    struct sca_loaded module;
    uint64_t address = sca_frames_address(c.frame->key);
    uint64_t pc = address - !(c.frame->key & SCA_FRAME_EXACT);
    if (!sca_modules_find(pc, in_handler, &module))
        return (struct sca_range){0, 0};
    return sca_cfi_gap(&module.info, pc);
}

/* Of a stack that is not known (a coroutine's), what is near; rbp may point into another one. */
static bool is_on_stack(struct sca_cursor c, const struct sca_ground *g, uint64_t slot)
{
    bool known = c.sp - g->stack.low < g->stack.high - g->stack.low;
    uint64_t most = known ? g->stack.high - c.sp : (uint64_t)SCA_BARE_WORDS * WORD;
    return slot - c.sp < most;
}

/* A word of the stack as a return address into code with tables. */
static enum sca_call_evidence evidence_at(const struct scan *s, struct sca_ground *g, uint64_t slot,
                                          uint64_t *address)
{
    struct sca_loaded module;
    if (!sca_stack_read(&g->stack, slot, address) || *address < SCA_BARE_WORDS ||
        *address - g->stack.low < g->stack.high - g->stack.low ||
        !sca_modules_find(*address - 1, g->in_handler, &module) ||
        sca_cfi_recipe(&module.info, *address - 1).cfa == SCA_CFA_UNKNOWN)
        return SCA_CALL_NONE;
    return sca_bare_calls(&module, *address, s->code, &g->stack, g->in_handler);
}

/* True: nothing better can come. */
static bool look_at(struct scan *s, struct sca_ground *g, uint64_t slot)
{
    struct memo m = {.slot = slot};
    enum sca_call_evidence evidence = evidence_at(s, g, slot, &m.value);
    bool weak = evidence == SCA_CALL_INDIRECT;
    if (evidence < SCA_CALL_INDIRECT || (weak && (s->best.slot || slot % ALIGNED != WORD)))
        return false;
    m.guessed = weak;
    bool home = find_bp(s->c, g, &m);
    if (home || !m.guessed)
        s->best = m;
    return !m.guessed;
}

/* A leaf that keeps its hands off the stack, or off rbp, if a call of any code ends there. */
static bool take_simple(struct scan *s, struct sca_ground *g, uint64_t slot)
{
    s->best = (struct memo){.slot = slot, .guessed = true};
    if (is_on_stack(s->c, g, slot) && evidence_at(s, g, slot, &s->best.value) >= SCA_CALL_OTHER) {
        s->best.bp_at = slot == s->c.sp ? 0 : s->c.bp;
        return true;
    }
    s->best.slot = 0;
    return false;
}

static void look_further(struct scan *s, struct sca_ground *g)
{
    uint64_t end = s->c.sp + (uint64_t)SCA_BARE_WORDS * WORD;
    end = end < g->stack.high ? end : g->stack.high;
    if (is_on_stack(s->c, g, s->c.bp + WORD) && look_at(s, g, s->c.bp + WORD)) {
        s->best.bp_at = s->c.bp;
        return;
    }
    for (uint64_t slot = s->c.sp; slot < end; slot += WORD)
        if (look_at(s, g, slot))
            return;
}

/* Code with tables that do not say enough, as that which jumps to an exception's handler, has no
 * frame any more. What follows no call is no frame, but what a wrong step has read. */
static void look_through(struct scan *s, struct sca_ground *g)
{
    struct sca_loaded module;
    uint64_t address = sca_frames_address(s->c.frame->key);
    bool exact = s->c.frame->key & SCA_FRAME_EXACT;
    bool bare =
        s->code.first < s->code.last || !sca_modules_find(address - !exact, g->in_handler, &module);
    if (!exact && !sca_bare_calls_end_at(address, &g->stack))
        return;
    if (bare)
        look_further(s, g);
    if (!s->best.slot && exact && !take_simple(s, g, s->c.sp))
        take_simple(s, g, s->c.bp + WORD);
}

/* ---- what was found before ---- */

static struct memo *place_of(struct sca_cursor c)
{
    return &memos[sca_frames_mix(c.frame->key ^ c.sp << 20) >> 56];
}

/* False: not known, or not true any more. */
static bool recall(struct sca_cursor c, struct sca_ground *g, struct memo *out)
{
    struct memo *m = place_of(c);
    uint64_t value;
    uint32_t turn = __atomic_load_n(&m->turn, __ATOMIC_ACQUIRE);
    *out = *m;
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if ((turn & 1) || __atomic_load_n(&m->turn, __ATOMIC_RELAXED) != turn ||
        out->key != c.frame->key || out->sp != c.sp)
        return false;
    if (!out->slot)
        return __atomic_add_fetch(&m->asked, 1, __ATOMIC_RELAXED) % RETRY;
    return sca_stack_read(&g->stack, out->slot, &value) && value == out->value;
}

/* Whoever comes second leaves it. */
static void remember(struct sca_cursor c, const struct memo *found)
{
    struct memo *m = place_of(c);
    uint32_t turn = __atomic_load_n(&m->turn, __ATOMIC_RELAXED);
    if ((turn & 1) || !__atomic_compare_exchange_n(&m->turn, &turn, turn + 1, false,
                                                   __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        return;
    m->key = c.frame->key;
    m->sp = c.sp;
    m->slot = found->slot;
    m->value = found->value;
    m->bp_at = found->bp_at;
    m->guessed = found->guessed;
    __atomic_store_n(&m->turn, turn + 2, __ATOMIC_RELEASE);
}

/* The frame is copied: a step may use the spare one that it lies in. */
struct sca_cursor sca_walk_bare(struct sca_cursor c, struct sca_ground *g)
{
    struct memo known;
    struct sca_frame own = *c.frame;
    c.frame = &own;
    if (!recall(c, g, &known)) {
        struct scan s = {.c = c, .code = code_around(c, g->in_handler)};
        look_through(&s, g);
        known = s.best;
        remember(c, &known);
    }
    if (!known.slot)
        return (struct sca_cursor){.frame = NULL};
    if (known.guessed) {
        g->guessed = true;
        __atomic_fetch_add(&guessed, 1, __ATOMIC_RELAXED);
    }
    return step_to(c, g, &known);
}
