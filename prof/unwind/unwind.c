#include "unwind/unwind.h"
#include "unwind/cfi.h"
#include "unwind/cfi_rows.h"
#include "unwind/modules.h"

#include <ucontext.h>

_Static_assert(SCA_REGISTERS == SCA_REG_PC + 1, "the program counter is the last");

static void set(struct sca_unwind *u, unsigned reg, uint64_t value)
{
    u->value[reg] = value;
    u->known |= 1u << reg;
}

static bool knows(const struct sca_unwind *u, unsigned reg)
{
    return reg < SCA_REGISTERS && u->known >> reg & 1;
}

void sca_unwind_from(struct sca_unwind *u, const void *gregs)
{
    static const uint8_t place[SCA_REGISTERS] = {
        REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8,
        REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};
    const greg_t *from = gregs;
    u->known = 0;
    for (unsigned reg = 0; reg < SCA_REGISTERS; reg++)
        set(u, reg, (uint64_t)from[place[reg]]);
    u->exact = true;
    u->stack = sca_stack_from(sca_unwind_sp(u));
}

void sca_unwind_from_here(struct sca_unwind *u, const struct sca_unwind_here *here)
{
    u->known = 0;
    set(u, SCA_REG_BX, here->bx);
    set(u, SCA_REG_BP, here->bp);
    set(u, SCA_REG_SP, here->sp);
    set(u, SCA_REG_12, here->r12);
    set(u, SCA_REG_12 + 1, here->r13);
    set(u, SCA_REG_12 + 2, here->r14);
    set(u, SCA_REG_12 + 3, here->r15);
    set(u, SCA_REG_PC, here->pc);
    u->exact = true;
    u->stack = sca_stack_from(here->sp);
}

uint64_t sca_unwind_pc(const struct sca_unwind *u)
{
    return u->value[SCA_REG_PC];
}

uint64_t sca_unwind_sp(const struct sca_unwind *u)
{
    return u->value[SCA_REG_SP];
}

uint64_t sca_unwind_bp(const struct sca_unwind *u)
{
    return knows(u, SCA_REG_BP) ? u->value[SCA_REG_BP] : 0;
}

bool sca_unwind_is_at(const struct sca_unwind *u, uint64_t sp, uint64_t pc)
{
    return sca_unwind_sp(u) == sp && sca_unwind_pc(u) == pc;
}

static bool evaluate(struct sca_unwind *u, const struct sca_cfi_value *v, uint64_t *out)
{
    if (v->reg != SCA_REG_NONE && !knows(u, v->reg))
        return false;
    *out = (v->reg == SCA_REG_NONE ? 0 : u->value[v->reg]) + (uint64_t)v->offset;
    if (!v->loaded)
        return true;
    bool there = sca_stack_read(&u->stack, *out, out);
    *out += (uint64_t)(int64_t)v->added;
    return there;
}

/* What register `reg` was in the caller. */
static bool apply(struct sca_unwind *u, const struct sca_rule *rule, unsigned reg, uint64_t cfa,
                  uint64_t *out)
{
    uint64_t at = cfa + (uint64_t)rule->place.offset;
    *out = u->value[reg];
    if (rule->kind == SCA_RULE_SAME)
        return knows(u, reg);
    if (rule->kind == SCA_RULE_AT_CFA)
        return sca_stack_read(&u->stack, at, out);
    if (rule->kind == SCA_RULE_IS_EXPRESSION)
        return evaluate(u, &rule->place, out);
    return rule->kind == SCA_RULE_AT_EXPRESSION && evaluate(u, &rule->place, &at) &&
           sca_stack_read(&u->stack, at, out);
}

static bool leave_frame(struct sca_unwind *u, const struct sca_row *row)
{
    static const uint8_t reg_of[SCA_KEPT] = {SCA_REG_BX,     SCA_REG_BP,     SCA_REG_12,
                                             SCA_REG_12 + 1, SCA_REG_12 + 2, SCA_REG_12 + 3,
                                             SCA_REG_PC};
    uint64_t cfa, value;
    struct sca_unwind caller = {.stack = u->stack};
    if (!row->cfa_known || !evaluate(u, &row->cfa, &cfa) || cfa <= sca_unwind_sp(u))
        return false;
    for (unsigned kept = 0; kept < SCA_KEPT; kept++)
        if (apply(u, &row->rule[kept], reg_of[kept], cfa, &value))
            set(&caller, reg_of[kept], value);
    if (!knows(&caller, SCA_REG_PC) || sca_unwind_pc(&caller) < 2)
        return false;
    set(&caller, SCA_REG_SP, cfa);
    *u = caller;
    return true;
}

/* The kernel left the interrupted registers at rsp. */
static bool leave_handler(struct sca_unwind *u)
{
    const ucontext_t *interrupted = (const ucontext_t *)(uintptr_t)sca_unwind_sp(u);
    const greg_t *regs = interrupted->uc_mcontext.gregs;
    uint64_t ignored;
    if (!sca_stack_read(&u->stack, (uintptr_t)&regs[0], &ignored) ||
        !sca_stack_read(&u->stack, (uintptr_t)&regs[NGREG - 1], &ignored))
        return false;
    sca_unwind_from(u, regs);
    return true;
}

bool sca_unwind_up(struct sca_unwind *u, bool in_handler)
{
    struct sca_loaded module;
    struct sca_rows rows = {.pc = sca_unwind_pc(u) - !u->exact};
    if (!sca_modules_find(rows.pc, in_handler, &module) || !sca_cfi_rows_find(&rows, &module.info))
        return false;
    return rows.signal_frame ? leave_handler(u) : leave_frame(u, &rows.row);
}
