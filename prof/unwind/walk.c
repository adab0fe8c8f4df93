#include "unwind/walk.h"
#include "unwind/modules.h"

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

/* Whether a call instruction ends at `address`: direct, or one of the indirect forms. */
static bool follows_call(uint64_t address)
{
    const uint8_t *end = (const uint8_t *)(uintptr_t)address;
    if (end[-5] == 0xe8)
        return true;
    for (int size = 2; size <= 7; size++)
        if (end[-size] == 0xff && (end[1 - size] & 0x38) == 0x10)
            return true;
    return false;
}

static bool returns_to(struct sca_ground *g, uint64_t slot)
{
    struct sca_loaded module;
    uint64_t address;
    if (!sca_stack_read(&g->stack, slot, &address) ||
        !sca_modules_find(address - 1, g->in_handler, &module) || address - module.info.first < 8)
        return false;
    return sca_cfi_recipe(&module.info, address - 1).cfa != SCA_CFA_UNKNOWN &&
           follows_call(address);
}

/* Hand-written kernels either touch no stack or keep a frame pointer; any other way of theirs ends
 * the path here. */
struct sca_cursor sca_walk_guess(struct sca_cursor c, struct sca_ground *g)
{
    struct sca_frame frame = *c.frame;
    struct sca_cursor next = {.frame = &frame, .sp = c.sp, .bp = c.bp};
    frame.recipe = (struct sca_recipe){.cfa = SCA_CFA_SP, .cfa_offset = 8};
    if (!returns_to(g, c.sp))
        frame.recipe = (struct sca_recipe){
            .cfa = SCA_CFA_BP, .cfa_offset = 16, .saved = SCA_BP_AT_CFA, .bp_offset = -16};
    if (frame.recipe.cfa == SCA_CFA_BP && (c.bp < c.sp || !returns_to(g, c.bp + 8)))
        next.frame = NULL;
    else if (!sca_walk_up(&next, g))
        next.frame = NULL;
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
