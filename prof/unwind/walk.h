/*
 * Walking up a stack by recipes (frames.h): one cursor, one step. Inline and kept in registers,
 * because a known path costs a few instructions per frame: only what is rare takes an address.
 * Reads only what stack.h allows. Async-signal-safe.
 */
#ifndef SCA_PROF_WALK_H
#define SCA_PROF_WALK_H

#include "unwind/frames.h"
#include "unwind/stack.h"
#include "unwind/unwind.h"

/* A frame on the way up. Passed by value, never by address out of line. */
struct sca_cursor {
    struct sca_frame *frame; /* NULL after a step that failed */
    uint64_t sp, bp;
};

/* What a walk stands on. */
struct sca_ground {
    struct sca_stack stack;
    struct sca_frame spare; /* what frames.c had no room for; a cursor may point here */
    bool in_handler;
    bool guessed;             /* set by a step that is a guess (bare_code.h); never cleared here */
    const void *interrupted;  /* a sample's registers; NULL: the walk starts in this library */
    struct sca_unwind unwind; /* where recipes do not say enough; begun when needed */
};

/* Past a signal trampoline, to the code it interrupted. */
struct sca_cursor sca_walk_cross_signal(struct sca_cursor c, struct sca_ground *g);
/* From code without frame information (bare_code.c). */
struct sca_cursor sca_walk_bare(struct sca_cursor c, struct sca_ground *g);
/* What the recipe of the frame cannot say: follows all registers from where the walk began. */
struct sca_cursor sca_walk_unwind(struct sca_cursor c, struct sca_ground *g);

static inline uint64_t sca_walk_add(uint64_t base, int32_t offset)
{
    return base + (uint64_t)(int64_t)offset;
}

static inline bool sca_walk_cfa(struct sca_cursor c, struct sca_ground *g, uint64_t *cfa)
{
    const struct sca_recipe *r = &c.frame->recipe;
    if (__builtin_expect(r->cfa == SCA_CFA_SP, 1))
        *cfa = sca_walk_add(c.sp, r->cfa_offset);
    else if (r->cfa == SCA_CFA_BP)
        *cfa = sca_walk_add(c.bp, r->cfa_offset);
    else if (r->cfa != SCA_CFA_AT_BP ||
             !sca_stack_read(&g->stack, sca_walk_add(c.bp, r->cfa_offset), cfa))
        return false;
    return *cfa > c.sp;
}

/* The caller's rbp; a lost one reads as 0, where no frame is: needing it ends the walk. */
static inline bool sca_walk_saved_bp(struct sca_cursor c, struct sca_ground *g, uint64_t cfa,
                                     uint64_t *bp)
{
    const struct sca_recipe *r = &c.frame->recipe;
    *bp = r->saved == SCA_BP_LOST ? 0 : c.bp;
    if (r->saved == SCA_BP_AT_CFA)
        return sca_stack_read(&g->stack, sca_walk_add(cfa, r->bp_offset), bp);
    if (__builtin_expect(r->saved == SCA_BP_AT_BP, 0))
        return sca_stack_read(&g->stack, sca_walk_add(c.bp, r->bp_offset), bp);
    return true;
}

/* To the caller, when the frame's CFA is known. */
static inline bool sca_walk_return(struct sca_cursor *c, struct sca_ground *g, uint64_t cfa)
{
    uint64_t caller, bp;
    if (!sca_walk_saved_bp(*c, g, cfa, &bp) || !sca_stack_read(&g->stack, cfa - 8, &caller) ||
        caller < 2)
        return false;
    c->frame = sca_frames_caller(c->frame, caller, g->in_handler, &g->spare);
    c->sp = cfa;
    c->bp = bp;
    return true;
}

/* To the caller's frame. False: there is none (recipe END), or it cannot be told; the cursor then
 * stays. */
static inline bool sca_walk_up(struct sca_cursor *c, struct sca_ground *g)
{
    uint64_t cfa;
    if (__builtin_expect(c->frame->recipe.cfa == SCA_CFA_SIGNAL, 0)) {
        struct sca_cursor next = sca_walk_cross_signal(*c, g);
        if (next.frame)
            *c = next;
        return next.frame;
    }
    return sca_walk_cfa(*c, g, &cfa) && sca_walk_return(c, g, cfa);
}

/* The same by all means. */
static inline bool sca_walk_on(struct sca_cursor *c, struct sca_ground *g)
{
    if (__builtin_expect(sca_walk_up(c, g), 1))
        return true;
    uint8_t cfa = c->frame->recipe.cfa;
    if (cfa == SCA_CFA_END || cfa == SCA_CFA_SIGNAL)
        return false;
    struct sca_cursor next = cfa == SCA_CFA_UNKNOWN ? sca_walk_bare(*c, g) : sca_walk_unwind(*c, g);
    if (next.frame)
        *c = next;
    return next.frame;
}

#endif
