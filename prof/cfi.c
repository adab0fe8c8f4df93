#include "cfi.h"
#include "cfi_expr.h"

enum { REMEMBERED = 8, REGULAR_TABLE = 0x3b /* DW_EH_PE_datarel | sdata4 */ };

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

/* How one register is found again. BY_VALUE stands for every rule a recipe cannot express. */
enum rule_kind { UNSET, SAME, AT_CFA, AT_EXPRESSION, UNDEFINED, BY_VALUE };

struct rule {
    enum rule_kind kind;
    struct sca_cfi_value place; /* AT_CFA: its offset alone counts */
};

struct row {
    struct rule bp, pc;
    struct sca_cfi_value cfa;
    bool cfa_known;
};

/* One FDE with its CIE, and the state of the machine that runs their instructions. */
struct machine {
    uint64_t code_align;
    int64_t data_align;
    uint8_t encoding;
    bool augmented, signal_frame;
    uint64_t location, pc;
    struct row row, initial, saved[REMEMBERED];
    unsigned depth;
    bool bad;
};

static void set_rule(struct machine *m, uint64_t reg, enum rule_kind kind, int64_t offset)
{
    struct rule rule = {.kind = kind, .place = {.offset = offset, .reg = SCA_REG_NONE}};
    if (reg == SCA_REG_BP)
        m->row.bp = rule;
    else if (reg == SCA_REG_PC)
        m->row.pc = rule;
}

static void restore_rule(struct machine *m, uint64_t reg)
{
    if (reg == SCA_REG_BP)
        m->row.bp = m->initial.bp;
    else if (reg == SCA_REG_PC)
        m->row.pc = m->initial.pc;
}

static void set_expression(struct machine *m, uint64_t reg, struct sca_cfi_bytes expression)
{
    struct rule rule = {.kind = AT_EXPRESSION};
    if (reg != SCA_REG_BP && reg != SCA_REG_PC)
        return;
    if (!sca_cfi_evaluate(expression, m->pc, &rule.place) || rule.place.loaded)
        rule.kind = BY_VALUE;
    if (reg == SCA_REG_BP)
        m->row.bp = rule;
    else
        m->row.pc = rule;
}

static void set_cfa(struct machine *m, uint64_t reg, int64_t offset)
{
    m->row.cfa = (struct sca_cfi_value){.offset = offset, .reg = (uint8_t)reg};
    m->row.cfa_known = reg <= SCA_REG_PC;
}

static void remember(struct machine *m)
{
    if (m->depth == REMEMBERED)
        m->bad = true;
    else
        m->saved[m->depth++] = m->row;
}

static void recall(struct machine *m)
{
    if (!m->depth)
        m->bad = true;
    else
        m->row = m->saved[--m->depth];
}

static bool run_location(struct machine *m, uint8_t op, struct sca_cfi_bytes *b)
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

static bool run_cfa(struct machine *m, uint8_t op, struct sca_cfi_bytes *b)
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
        m->row.cfa_known = sca_cfi_evaluate(sca_cfi_block(b, sca_cfi_uleb(b)), m->pc, &m->row.cfa);
        return true;
    default:
        return false;
    }
}

static bool run_offset(struct machine *m, uint8_t op, struct sca_cfi_bytes *b)
{
    uint64_t reg;
    switch (op) {
    case CFA_OFFSET_EXTENDED:
        reg = sca_cfi_uleb(b);
        set_rule(m, reg, AT_CFA, (int64_t)sca_cfi_uleb(b) * m->data_align);
        return true;
    case CFA_OFFSET_EXTENDED_SF:
        reg = sca_cfi_uleb(b);
        set_rule(m, reg, AT_CFA, sca_cfi_sleb(b) * m->data_align);
        return true;
    case CFA_GNU_NEGATIVE_OFFSET:
        reg = sca_cfi_uleb(b);
        set_rule(m, reg, AT_CFA, -(int64_t)sca_cfi_uleb(b) * m->data_align);
        return true;
    case CFA_VAL_OFFSET:
    case CFA_VAL_OFFSET_SF:
    case CFA_REGISTER:
        set_rule(m, sca_cfi_uleb(b), BY_VALUE, 0);
        sca_cfi_uleb(b);
        return true;
    default:
        return false;
    }
}

static bool run_rule(struct machine *m, uint8_t op, struct sca_cfi_bytes *b)
{
    uint64_t reg;
    switch (op) {
    case CFA_RESTORE_EXTENDED:
        restore_rule(m, sca_cfi_uleb(b));
        return true;
    case CFA_UNDEFINED:
        set_rule(m, sca_cfi_uleb(b), UNDEFINED, 0);
        return true;
    case CFA_SAME_VALUE:
        set_rule(m, sca_cfi_uleb(b), SAME, 0);
        return true;
    case CFA_EXPRESSION:
        reg = sca_cfi_uleb(b);
        set_expression(m, reg, sca_cfi_block(b, sca_cfi_uleb(b)));
        return true;
    case CFA_VAL_EXPRESSION:
        set_rule(m, sca_cfi_uleb(b), BY_VALUE, 0);
        sca_cfi_skip(b, sca_cfi_uleb(b));
        return true;
    default:
        return run_offset(m, op, b);
    }
}

static void run_other(struct machine *m, uint8_t op, struct sca_cfi_bytes *b)
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

static void run_one(struct machine *m, struct sca_cfi_bytes *b)
{
    uint8_t op = sca_cfi_u8(b);
    uint8_t low = op & 0x3f;
    switch (op & 0xc0) {
    case CFA_ADVANCE:
        m->location += low * m->code_align;
        return;
    case CFA_OFFSET:
        set_rule(m, low, AT_CFA, (int64_t)sca_cfi_uleb(b) * m->data_align);
        return;
    case CFA_RESTORE:
        restore_rule(m, low);
        return;
    default:
        if (!run_location(m, op, b) && !run_cfa(m, op, b) && !run_rule(m, op, b))
            run_other(m, op, b);
    }
}

/* Runs instructions up to the row that holds at m->pc. */
static void run(struct machine *m, struct sca_cfi_bytes b)
{
    while (!b.bad && !m->bad && b.at < b.end && m->location <= m->pc) {
        struct row before = m->row;
        run_one(m, &b);
        if (m->location > m->pc)
            m->row = before;
    }
    m->bad |= b.bad;
}

static void read_augmentation(struct machine *m, const char *letters, struct sca_cfi_bytes b)
{
    for (; *letters && !b.bad; letters++) {
        if (*letters == 'R')
            m->encoding = sca_cfi_u8(&b);
        else if (*letters == 'L')
            sca_cfi_u8(&b);
        else if (*letters == 'P')
            sca_cfi_pointer(&b, sca_cfi_u8(&b));
        else if (*letters == 'S')
            m->signal_frame = true;
        else
            return;
    }
}

/* The record at `address` without its length; `bad` when it is no 32-bit one inside the module. */
static struct sca_cfi_bytes open_record(const struct sca_frame_info *info, uint64_t address)
{
    struct sca_cfi_bytes b = {.at = address, .end = info->last};
    b.bad = address < info->first || address >= info->last;
    uint32_t length = sca_cfi_u32(&b);
    if (!length || length == UINT32_MAX)
        b.bad = true;
    return sca_cfi_block(&b, length);
}

static void run_cie(struct machine *m, const struct sca_frame_info *info, uint64_t address)
{
    struct sca_cfi_bytes b = open_record(info, address);
    bool cie = sca_cfi_u32(&b) == 0;
    uint8_t version = sca_cfi_u8(&b);
    const char *letters = (const char *)(uintptr_t)b.at;
    while (sca_cfi_u8(&b))
        ;
    m->code_align = sca_cfi_uleb(&b);
    m->data_align = sca_cfi_sleb(&b);
    uint64_t pc_register = version == 1 ? sca_cfi_u8(&b) : sca_cfi_uleb(&b);
    m->bad |= b.bad || !cie || (version != 1 && version != 3) || pc_register != SCA_REG_PC;
    if (m->bad || (*letters && *letters != 'z')) {
        m->bad = true;
        return;
    }
    m->augmented = *letters == 'z';
    if (m->augmented)
        read_augmentation(m, letters + 1, sca_cfi_block(&b, sca_cfi_uleb(&b)));
    run(m, b);
    m->initial = m->row;
}

static void run_fde(struct machine *m, const struct sca_frame_info *info, uint64_t address)
{
    struct sca_cfi_bytes b = open_record(info, address);
    uint64_t cie = b.at;
    cie -= sca_cfi_u32(&b);
    if (b.bad)
        m->bad = true;
    else
        run_cie(m, info, cie);
    if (m->bad)
        return;
    uint64_t begin = sca_cfi_pointer(&b, m->encoding);
    uint64_t size = sca_cfi_pointer(&b, m->encoding & 0x0f);
    if (m->augmented)
        sca_cfi_skip(&b, sca_cfi_uleb(&b));
    m->bad |= b.bad || m->pc - begin >= size;
    m->location = begin;
    run(m, b);
}

/* The FDE that may cover pc, by the header's sorted table; 0 if there is none. */
static uint64_t find_fde(const struct sca_frame_info *info, uint64_t pc)
{
    struct sca_cfi_bytes b = {.at = info->header, .end = info->last};
    if (info->header < info->first || info->header >= info->last || sca_cfi_u8(&b) != 1)
        return 0;
    uint8_t frame = sca_cfi_u8(&b), count = sca_cfi_u8(&b), table = sca_cfi_u8(&b);
    if (frame == SCA_PE_OMIT || count == SCA_PE_OMIT || table != REGULAR_TABLE)
        return 0;
    sca_cfi_pointer(&b, frame);
    uint64_t n = sca_cfi_pointer(&b, count);
    if (b.bad || n > (b.end - b.at) / 8)
        return 0;
    const int32_t(*entry)[2] = (const void *)(uintptr_t)b.at;
    int64_t target = (int64_t)(pc - info->header);
    uint64_t low = 0, high = n;
    while (low < high) {
        uint64_t middle = (low + high) / 2;
        if (entry[middle][0] <= target)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? info->header + (uint64_t)(int64_t)entry[low - 1][1] : 0;
}

static void say_cfa(const struct row *row, struct sca_recipe *out)
{
    const struct sca_cfi_value *cfa = &row->cfa;
    if (!row->cfa_known || cfa->offset != (int32_t)cfa->offset ||
        (cfa->loaded && cfa->reg != SCA_REG_BP))
        return;
    out->cfa_offset = (int32_t)cfa->offset;
    if (cfa->reg == SCA_REG_SP)
        out->cfa = SCA_CFA_SP;
    else if (cfa->reg == SCA_REG_BP)
        out->cfa = cfa->loaded ? SCA_CFA_AT_BP : SCA_CFA_BP;
    else if (cfa->reg < SCA_REG_PC)
        out->cfa = (uint8_t)(SCA_CFA_REG + cfa->reg);
}

static void say_bp(const struct row *row, struct sca_recipe *out)
{
    const struct sca_cfi_value *place = &row->bp.place;
    int64_t offset = place->offset;
    out->saved = SCA_BP_LOST;
    if (row->bp.kind == UNSET || row->bp.kind == SAME)
        out->saved = SCA_BP_SAME;
    else if (row->bp.kind == AT_CFA)
        out->saved = SCA_BP_AT_CFA;
    else if (row->bp.kind == AT_EXPRESSION && place->reg == SCA_REG_BP)
        out->saved = SCA_BP_AT_BP;
    else if (row->bp.kind == AT_EXPRESSION && place->reg == SCA_REG_SP && out->cfa == SCA_CFA_SP) {
        out->saved = SCA_BP_AT_CFA;
        offset -= out->cfa_offset;
    }
    if (offset == (int16_t)offset)
        out->bp_offset = (int16_t)offset;
    else
        out->saved = SCA_BP_LOST;
}

struct sca_recipe sca_cfi_recipe(const struct sca_frame_info *info, uint64_t pc)
{
    struct sca_recipe out = {.cfa = SCA_CFA_UNKNOWN};
    struct machine m = {.pc = pc};
    uint64_t fde = find_fde(info, pc);
    if (!fde)
        return out;
    run_fde(&m, info, fde);
    if (m.bad)
        return out;
    if (m.signal_frame)
        out.cfa = SCA_CFA_SIGNAL;
    else if (m.row.pc.kind == UNDEFINED)
        out.cfa = SCA_CFA_END;
    else if (m.row.pc.kind == AT_CFA && m.row.pc.place.offset == -8)
        say_cfa(&m.row, &out);
    if (out.cfa != SCA_CFA_UNKNOWN)
        say_bp(&m.row, &out);
    return out;
}
