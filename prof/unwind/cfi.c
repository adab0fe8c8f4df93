#include "unwind/cfi.h"
#include "unwind/cfi_rows.h"

enum { REGULAR_TABLE = 0x3b /* DW_EH_PE_datarel | sdata4 */ };

static void read_augmentation(struct sca_rows *m, const char *letters, struct sca_cfi_bytes b)
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

static void run_cie(struct sca_rows *m, const struct sca_frame_info *info, uint64_t address)
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
    sca_cfi_rows_run(m, b);
    m->initial = m->row;
}

static void run_fde(struct sca_rows *m, const struct sca_frame_info *info, uint64_t address)
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
    sca_cfi_rows_run(m, b);
    if (m->location <= m->pc) /* the last row */
        m->location = begin + size;
}

/* The header's sorted table: entries [0, below) begin at or before pc. */
struct sorted {
    const int32_t (*entry)[2]; /* beginning, and FDE, both from the header on; NULL: no table */
    uint64_t count, below;
};

static struct sorted find_entry(const struct sca_frame_info *info, uint64_t pc)
{
    struct sca_cfi_bytes b = {.at = info->header, .end = info->last};
    if (info->header < info->first || info->header >= info->last || sca_cfi_u8(&b) != 1)
        return (struct sorted){NULL, 0, 0};
    uint8_t frame = sca_cfi_u8(&b), count = sca_cfi_u8(&b), table = sca_cfi_u8(&b);
    if (frame == SCA_PE_OMIT || count == SCA_PE_OMIT || table != REGULAR_TABLE)
        return (struct sorted){NULL, 0, 0};
    sca_cfi_pointer(&b, frame);
    uint64_t n = sca_cfi_pointer(&b, count);
    if (b.bad || n > (b.end - b.at) / 8)
        return (struct sorted){NULL, 0, 0};
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
    return (struct sorted){entry, n, low};
}

static uint64_t from_header(const struct sca_frame_info *info, int32_t distance)
{
    return info->header + (uint64_t)(int64_t)distance;
}

/* The FDE that may cover pc; 0 if there is none. */
static uint64_t find_fde(const struct sca_frame_info *info, uint64_t pc)
{
    struct sorted at = find_entry(info, pc);
    return at.below ? from_header(info, at.entry[at.below - 1][1]) : 0;
}

struct sca_range sca_cfi_function(const struct sca_frame_info *info, uint64_t pc)
{
    uint64_t fde = find_fde(info, pc);
    struct sca_rows m = {.pc = pc};
    struct sca_cfi_bytes b = open_record(info, fde);
    uint64_t cie = b.at;
    cie -= sca_cfi_u32(&b);
    if (!fde || b.bad)
        return (struct sca_range){0, 0};
    run_cie(&m, info, cie);
    uint64_t begin = sca_cfi_pointer(&b, m.encoding), size = sca_cfi_pointer(&b, m.encoding & 0x0f);
    if (m.bad || b.bad)
        return (struct sca_range){0, 0};
    return (struct sca_range){begin, begin + size};
}

struct sca_range sca_cfi_gap(const struct sca_frame_info *info, uint64_t pc)
{
    struct sorted at = find_entry(info, pc);
    struct sca_range gap = {info->first, info->last};
    struct sca_range before = sca_cfi_function(info, pc);
    if (before.last > before.first && pc >= before.first)
        gap.first = before.last;
    if (at.entry && at.below < at.count)
        gap.last = from_header(info, at.entry[at.below][0]);
    if (pc < gap.first || pc >= gap.last)
        return (struct sca_range){0, 0};
    return gap;
}

bool sca_cfi_rows_find(struct sca_rows *rows, const struct sca_frame_info *info)
{
    uint64_t fde = find_fde(info, rows->pc);
    if (fde)
        run_fde(rows, info, fde);
    return fde && !rows->bad;
}

static void say_cfa(const struct sca_row *row, struct sca_recipe *out)
{
    const struct sca_cfi_value *cfa = &row->cfa;
    if (!row->cfa_known)
        return;
    out->cfa = SCA_CFA_OTHER;
    out->cfa_offset = (int32_t)cfa->offset;
    if (cfa->offset != (int32_t)cfa->offset || cfa->added)
        return;
    if (cfa->reg == SCA_REG_SP && !cfa->loaded)
        out->cfa = SCA_CFA_SP;
    else if (cfa->reg == SCA_REG_BP)
        out->cfa = cfa->loaded ? SCA_CFA_AT_BP : SCA_CFA_BP;
}

static void say_bp(const struct sca_row *row, struct sca_recipe *out)
{
    const struct sca_rule *bp = &row->rule[SCA_KEPT_BP];
    bool at_expression = bp->kind == SCA_RULE_AT_EXPRESSION && !bp->place.loaded;
    int64_t offset = bp->place.offset;
    out->saved = SCA_BP_LOST;
    if (bp->kind == SCA_RULE_SAME)
        out->saved = SCA_BP_SAME;
    else if (bp->kind == SCA_RULE_AT_CFA)
        out->saved = SCA_BP_AT_CFA;
    else if (at_expression && bp->place.reg == SCA_REG_BP)
        out->saved = SCA_BP_AT_BP;
    else if (at_expression && bp->place.reg == SCA_REG_SP && out->cfa == SCA_CFA_SP) {
        out->saved = SCA_BP_AT_CFA;
        offset -= out->cfa_offset;
    }
    if (offset == (int16_t)offset)
        out->bp_offset = (int16_t)offset;
    else
        out->saved = SCA_BP_LOST;
}

struct sca_recipe sca_cfi_recipe_of(const struct sca_frame_info *info, uint64_t pc,
                                    struct sca_range *range)
{
    struct sca_recipe out = {.cfa = SCA_CFA_UNKNOWN};
    struct sca_rows m = {.pc = pc};
    *range = (struct sca_range){pc, pc + 1};
    if (!sca_cfi_rows_find(&m, info))
        return out;
    if (!m.by_pc)
        *range = (struct sca_range){m.begun, m.location};
    const struct sca_rule *back = &m.row.rule[SCA_KEPT_PC];
    if (m.signal_frame)
        out.cfa = SCA_CFA_SIGNAL;
    else if (back->kind == SCA_RULE_UNDEFINED)
        out.cfa = SCA_CFA_END;
    else if (back->kind == SCA_RULE_AT_CFA && back->place.offset == -8)
        say_cfa(&m.row, &out);
    if (out.cfa != SCA_CFA_UNKNOWN)
        say_bp(&m.row, &out);
    return out;
}

struct sca_recipe sca_cfi_recipe(const struct sca_frame_info *info, uint64_t pc)
{
    struct sca_range unused;
    return sca_cfi_recipe_of(info, pc, &unused);
}
