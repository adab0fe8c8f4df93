/*
 * Walking up a stack by recipes (frames.h): one cursor, one step. Inline, because a known path
 * costs a few instructions per frame. Reads only what stack.h allows. Async-signal-safe.
 */
#ifndef SCA_PROF_WALK_H
#define SCA_PROF_WALK_H

#include "frames.h"
#include "stack.h"

/* A frame on the way up: `frame` may point to `spare`, so a copy must not outlive its original. */
struct sca_cursor {
    struct sca_frame *frame;
    struct sca_frame spare; /* what frames.c had no room for */
    struct sca_stack stack;
    uint64_t sp, bp;
    bool in_handler;
};

/* Past a signal trampoline, to the code it interrupted. */
bool sca_walk_cross_signal(struct sca_cursor *c);
/* For code without frame information, innermost only: false if its caller cannot be told. */
bool sca_walk_guess(struct sca_cursor *c);

static inline uint64_t sca_walk_add(uint64_t base, int32_t offset)
{
    return base + (uint64_t)(int64_t)offset;
}

static inline bool sca_walk_cfa(struct sca_cursor *c, uint64_t *cfa)
{
    const struct sca_recipe *r = &c->frame->recipe;
    if (__builtin_expect(r->cfa == SCA_CFA_SP, 1))
        *cfa = sca_walk_add(c->sp, r->cfa_offset);
    else if (r->cfa == SCA_CFA_BP)
        *cfa = sca_walk_add(c->bp, r->cfa_offset);
    else if (r->cfa != SCA_CFA_AT_BP ||
             !sca_stack_read(&c->stack, sca_walk_add(c->bp, r->cfa_offset), cfa))
        return false;
    return *cfa > c->sp;
}

static inline bool sca_walk_restore_bp(struct sca_cursor *c, uint64_t cfa)
{
    const struct sca_recipe *r = &c->frame->recipe;
    if (r->saved == SCA_BP_SAME)
        return true;
    if (r->saved == SCA_BP_AT_CFA)
        return sca_stack_read(&c->stack, sca_walk_add(cfa, r->bp_offset), &c->bp);
    if (r->saved == SCA_BP_AT_BP)
        return sca_stack_read(&c->stack, sca_walk_add(c->bp, r->bp_offset), &c->bp);
    c->bp = 0; /* no frame is there: needing it ends the walk */
    return true;
}

/* To the caller, whose CFA of the frame below is `cfa`. */
static inline bool sca_walk_return(struct sca_cursor *c, uint64_t cfa)
{
    uint64_t caller;
    if (!sca_stack_read(&c->stack, cfa - 8, &caller) || caller < 2)
        return false;
    c->sp = cfa;
    c->frame = sca_frames_caller(c->frame, caller, c->in_handler, &c->spare);
    return true;
}

/* To the caller's frame. False: there is none (recipe END), or it cannot be told. */
static inline bool sca_walk_up(struct sca_cursor *c)
{
    uint64_t cfa;
    if (__builtin_expect(c->frame->recipe.cfa == SCA_CFA_SIGNAL, 0))
        return sca_walk_cross_signal(c);
    return sca_walk_cfa(c, &cfa) && sca_walk_restore_bp(c, cfa) && sca_walk_return(c, cfa);
}

#endif
