#include "walk.h"
#include "modules.h"

#include <ucontext.h>

/* The kernel left the interrupted registers at rsp. */
bool sca_walk_cross_signal(struct sca_cursor *c)
{
    const ucontext_t *interrupted = (const ucontext_t *)(uintptr_t)c->sp;
    const greg_t *g = interrupted->uc_mcontext.gregs;
    uint64_t pc, sp, bp;
    if (!sca_stack_read(&c->stack, (uintptr_t)&g[REG_RIP], &pc) ||
        !sca_stack_read(&c->stack, (uintptr_t)&g[REG_RSP], &sp) ||
        !sca_stack_read(&c->stack, (uintptr_t)&g[REG_RBP], &bp))
        return false;
    c->sp = sp;
    c->bp = bp;
    c->stack = sca_stack_from(sp);
    c->frame = sca_frames_caller(c->frame, pc | SCA_FRAME_EXACT, c->in_handler, &c->spare);
    return true;
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

static bool returns_to(struct sca_cursor *c, uint64_t slot)
{
    struct sca_loaded module;
    uint64_t address;
    if (!sca_stack_read(&c->stack, slot, &address) ||
        !sca_modules_find(address - 1, c->in_handler, &module) || address - module.info.first < 8)
        return false;
    return sca_cfi_recipe(&module.info, address - 1).cfa != SCA_CFA_UNKNOWN &&
           follows_call(address);
}

/* Hand-written kernels either touch no stack or keep a frame pointer; any other way of theirs ends
 * the path here. */
bool sca_walk_guess(struct sca_cursor *c)
{
    if (returns_to(c, c->sp))
        return sca_walk_return(c, c->sp + 8);
    if (c->bp < c->sp || !returns_to(c, c->bp + 8))
        return false;
    uint64_t cfa = c->bp + 16;
    return sca_stack_read(&c->stack, c->bp, &c->bp) && sca_walk_return(c, cfa);
}
