#include "unwind/walk.h"

#include <stddef.h>

#include <ucontext.h>

enum { DEEPEST = 2048 };

/* The kernel left the interrupted registers at rsp. */
struct sca_cursor sca_walk_cross_signal(struct sca_cursor c, struct sca_ground *g)
{
    const ucontext_t *interrupted = (const ucontext_t *)(uintptr_t)c.sp;
    const greg_t *regs = interrupted->uc_mcontext.gregs;
    struct sca_cursor next = {.frame = NULL};
    uint64_t pc;
    if (!sca_stack_read(&g->stack, (uintptr_t)&regs[REG_RIP], &pc) ||
        !sca_stack_read(&g->stack, (uintptr_t)&regs[REG_RSP], &next.sp) ||
        !sca_stack_read(&g->stack, (uintptr_t)&regs[REG_RBP], &next.bp))
        return next;
    g->stack = sca_stack_from(next.sp);
    next.frame = sca_frames_caller(c.frame, pc | SCA_FRAME_EXACT, g->in_handler, &g->spare);
    return next;
}

/* Each walk's own way is followed once, however many of its frames ask. */
struct sca_cursor sca_walk_unwind(struct sca_cursor c, struct sca_ground *g)
{
    struct sca_unwind_here here;
    struct sca_unwind *u = &g->unwind;
    struct sca_cursor next = {.frame = NULL};
    sca_unwind_look(&here);
    if (!u->known && g->interrupted)
        sca_unwind_from(u, g->interrupted);
    else if (!u->known)
        sca_unwind_from_here(u, &here);
    for (int i = 0; !sca_unwind_is_at(u, c.sp, sca_frames_address(c.frame->key)); i++)
        if (i == DEEPEST || !sca_unwind_up(u, g->in_handler))
            return next;
    if (!sca_unwind_up(u, g->in_handler))
        return next;
    next.frame = sca_frames_caller(c.frame, sca_unwind_pc(u) | (u->exact ? SCA_FRAME_EXACT : 0),
                                   g->in_handler, &g->spare);
    next.sp = sca_unwind_sp(u);
    next.bp = sca_unwind_bp(u);
    return next;
}
