#include "unwind/cfi_rows.h"

enum {
    CFA_ADVANCE = 0x40, /* these three carry an operand in their low six bits */
    CFA_OFFSET = 0x80,
    CFA_RESTORE = 0xc0,
    CFA_NOP = 0x00,
    CFA_SET_LOC = 0x01,
    CFA_ADVANCE1 = 0x02,
    CFA_ADVANCE2 = 0x03,
    CFA_ADVANCE4 = 0x04,
    CFA_OFFSET_EXTENDED = 0x05,
    CFA_RESTORE_EXTENDED = 0x06,
    CFA_UNDEFINED = 0x07,
    CFA_SAME_VALUE = 0x08,
    CFA_REGISTER = 0x09,
    CFA_REMEMBER_STATE = 0x0a,
    CFA_RESTORE_STATE = 0x0b,
    CFA_DEF_CFA = 0x0c,
    CFA_DEF_CFA_REGISTER = 0x0d,
    CFA_DEF_CFA_OFFSET = 0x0e,
    CFA_DEF_CFA_EXPRESSION = 0x0f,
    CFA_EXPRESSION = 0x10,
    CFA_OFFSET_EXTENDED_SF = 0x11,
    CFA_DEF_CFA_SF = 0x12,
    CFA_DEF_CFA_OFFSET_SF = 0x13,
    CFA_VAL_OFFSET = 0x14,
    CFA_VAL_OFFSET_SF = 0x15,
    CFA_VAL_EXPRESSION = 0x16,
    CFA_GNU_ARGS_SIZE = 0x2e,
    CFA_GNU_NEGATIVE_OFFSET = 0x2f
};

static void set_rule(struct sca_rows *m, uint64_t reg, struct sca_rule rule)
{
    unsigned kept = sca_cfi_rows_kept(reg);
    if (kept < SCA_KEPT)
        m->row.rule[kept] = rule;
}

static void set_kind(struct sca_rows *m, uint64_t reg, enum sca_rule_kind kind)
{
    set_rule(m, reg, (struct sca_rule){.kind = kind});
}

static void set_saved(struct sca_rows *m, uint64_t reg, int64_t offset)
{
    set_rule(m, reg, (struct sca_rule){.kind = SCA_RULE_AT_CFA, .place = {.offset = offset}});
}

static void set_moved(struct sca_rows *m, uint64_t reg, uint64_t to)
{
    struct sca_rule rule = {.kind = SCA_RULE_IS_EXPRESSION, .place = {.reg = (uint8_t)to}};
    if (to >= SCA_REG_PC)
        rule.kind = SCA_RULE_LOST;
    set_rule(m, reg, rule);
}

static void restore_rule(struct sca_rows *m, uint64_t reg)
{
    unsigned kept = sca_cfi_rows_kept(reg);
    if (kept < SCA_KEPT)
        m->row.rule[kept] = m->initial.rule[kept];
}

static void set_expression(struct sca_rows *m, uint64_t reg, enum sca_rule_kind kind,
                           struct sca_cfi_bytes expression)
{
    struct sca_rule rule = {.kind = kind};
    if (sca_cfi_rows_kept(reg) == SCA_KEPT)
        return;
    m->by_pc = true;
    if (!sca_cfi_expr_evaluate(expression, m->pc, &rule.place))
        rule.kind = SCA_RULE_LOST;
    set_rule(m, reg, rule);
}

static void set_cfa(struct sca_rows *m, uint64_t reg, int64_t offset)
{
    m->row.cfa = (struct sca_cfi_value){.offset = offset, .reg = (uint8_t)reg};
    m->row.cfa_known = reg <= SCA_REG_PC;
}

static void remember(struct sca_rows *m)
{
    if (m->depth == SCA_ROWS_REMEMBERED)
        m->bad = true;
    else
        m->saved[m->depth++] = m->row;
}

static void recall(struct sca_rows *m)
{
    if (!m->depth)
        m->bad = true;
    else
        m->row = m->saved[--m->depth];
}

static bool run_location(struct sca_rows *m, uint8_t op, struct sca_cfi_bytes *b)
{
    switch (op) {
    case CFA_SET_LOC:
        m->location = sca_cfi_pointer(b, m->encoding);
        return true;
    case CFA_ADVANCE1:
        m->location += sca_cfi_u8(b) * m->code_align;
        return true;
    case CFA_ADVANCE2:
        m->location += sca_cfi_u16(b) * m->code_align;
        return true;
    case CFA_ADVANCE4:
        m->location += sca_cfi_u32(b) * m->code_align;
        return true;
    default:
        return false;
    }
}

static bool run_cfa(struct sca_rows *m, uint8_t op, struct sca_cfi_bytes *b)
{
    uint64_t reg;
    switch (op) {
    case CFA_DEF_CFA:
        reg = sca_cfi_uleb(b);
        set_cfa(m, reg, (int64_t)sca_cfi_uleb(b));
        return true;
    case CFA_DEF_CFA_SF:
        reg = sca_cfi_uleb(b);
        set_cfa(m, reg, sca_cfi_sleb(b) * m->data_align);
        return true;
    case CFA_DEF_CFA_REGISTER:
        set_cfa(m, sca_cfi_uleb(b), m->row.cfa.offset);
        return true;
    case CFA_DEF_CFA_OFFSET:
        m->row.cfa.offset = (int64_t)sca_cfi_uleb(b);
        return true;
    case CFA_DEF_CFA_OFFSET_SF:
        m->row.cfa.offset = sca_cfi_sleb(b) * m->data_align;
        return true;
    case CFA_DEF_CFA_EXPRESSION:
        m->by_pc = true;
        m->row.cfa_known =
            sca_cfi_expr_evaluate(sca_cfi_block(b, sca_cfi_uleb(b)), m->pc, &m->row.cfa);
        return true;
    default:
        return false;
    }
}

static bool run_offset(struct sca_rows *m, uint8_t op, struct sca_cfi_bytes *b)
{
    uint64_t reg;
    switch (op) {
    case CFA_OFFSET_EXTENDED:
        reg = sca_cfi_uleb(b);
        set_saved(m, reg, (int64_t)sca_cfi_uleb(b) * m->data_align);
        return true;
    case CFA_OFFSET_EXTENDED_SF:
        reg = sca_cfi_uleb(b);
        set_saved(m, reg, sca_cfi_sleb(b) * m->data_align);
        return true;
    case CFA_GNU_NEGATIVE_OFFSET:
        reg = sca_cfi_uleb(b);
        set_saved(m, reg, -(int64_t)sca_cfi_uleb(b) * m->data_align);
        return true;
    case CFA_VAL_OFFSET:
    case CFA_VAL_OFFSET_SF:
        set_kind(m, sca_cfi_uleb(b), SCA_RULE_LOST);
        sca_cfi_uleb(b);
        return true;
    default:
        return false;
    }
}

static bool run_expression(struct sca_rows *m, uint8_t op, struct sca_cfi_bytes *b)
{
    if (op != CFA_EXPRESSION && op != CFA_VAL_EXPRESSION)
        return false;
    enum sca_rule_kind kind =
        op == CFA_EXPRESSION ? SCA_RULE_AT_EXPRESSION : SCA_RULE_IS_EXPRESSION;
    uint64_t reg = sca_cfi_uleb(b);
    set_expression(m, reg, kind, sca_cfi_block(b, sca_cfi_uleb(b)));
    return true;
}

static bool run_rule(struct sca_rows *m, uint8_t op, struct sca_cfi_bytes *b)
{
    uint64_t reg;
    switch (op) {
    case CFA_RESTORE_EXTENDED:
        restore_rule(m, sca_cfi_uleb(b));
        return true;
    case CFA_UNDEFINED:
        set_kind(m, sca_cfi_uleb(b), SCA_RULE_UNDEFINED);
        return true;
    case CFA_SAME_VALUE:
        set_kind(m, sca_cfi_uleb(b), SCA_RULE_SAME);
        return true;
    case CFA_REGISTER:
        reg = sca_cfi_uleb(b);
        set_moved(m, reg, sca_cfi_uleb(b));
        return true;
    default:
        return run_offset(m, op, b) || run_expression(m, op, b);
    }
}

static void run_other(struct sca_rows *m, uint8_t op, struct sca_cfi_bytes *b)
{
    if (op == CFA_REMEMBER_STATE)
        remember(m);
    else if (op == CFA_RESTORE_STATE)
        recall(m);
    else if (op == CFA_GNU_ARGS_SIZE)
        sca_cfi_uleb(b);
    else if (op != CFA_NOP)
        m->bad = true;
}

static void run_one(struct sca_rows *m, struct sca_cfi_bytes *b)
{
    uint8_t op = sca_cfi_u8(b);
    uint8_t low = op & 0x3f;
    switch (op & 0xc0) {
    case CFA_ADVANCE:
        m->location += low * m->code_align;
        return;
    case CFA_OFFSET:
        set_saved(m, low, (int64_t)sca_cfi_uleb(b) * m->data_align);
        return;
    case CFA_RESTORE:
        restore_rule(m, low);
        return;
    default:
        if (!run_location(m, op, b) && !run_cfa(m, op, b) && !run_rule(m, op, b))
            run_other(m, op, b);
    }
}

void sca_cfi_rows_run(struct sca_rows *m, struct sca_cfi_bytes b)
{
    while (!b.bad && !m->bad && b.at < b.end && m->location <= m->pc) {
        struct sca_row before = m->row;
        m->begun = m->location;
        run_one(m, &b);
        if (m->location > m->pc)
            m->row = before;
    }
    if (m->location <= m->pc)
        m->begun = m->location;
    m->bad |= b.bad;
}
