/*
 * The call frame instructions: from a CIE's and an FDE's instructions to the row that holds at one
 * address, for the registers that a callee preserves. Async-signal-safe. For cfi*.c and unwind.c.
 */
#ifndef SCA_PROF_CFI_ROWS_H
#define SCA_PROF_CFI_ROWS_H

#include "unwind/cfi_expr.h"

enum { SCA_ROWS_REMEMBERED = 8 };

/* How one register is found again; LOST: its rule says that it is not, or more than we know. */
enum sca_rule_kind {
    SCA_RULE_SAME,
    SCA_RULE_AT_CFA,        /* saved at CFA + offset */
    SCA_RULE_AT_EXPRESSION, /* saved at place */
    SCA_RULE_IS_EXPRESSION, /* is place */
    SCA_RULE_UNDEFINED,
    SCA_RULE_LOST
};

struct sca_rule {
    struct sca_cfi_value place; /* AT_CFA: its offset alone counts */
    enum sca_rule_kind kind;
};

/* What a callee preserves, and the return address: a row has a rule for each. */
enum { SCA_KEPT_BX, SCA_KEPT_BP, SCA_KEPT_12, SCA_KEPT_PC = SCA_KEPT_12 + 4, SCA_KEPT };

/* The place of a register by DWARF's number, SCA_KEPT if it is none of these. */
static inline unsigned sca_cfi_rows_kept(uint64_t reg)
{
    if (reg >= SCA_REG_12 && reg < SCA_REG_PC)
        return SCA_KEPT_12 + (unsigned)(reg - SCA_REG_12);
    return reg == SCA_REG_BX   ? SCA_KEPT_BX
           : reg == SCA_REG_BP ? SCA_KEPT_BP
           : reg == SCA_REG_PC ? SCA_KEPT_PC
                               : SCA_KEPT;
}

struct sca_row {
    struct sca_rule rule[SCA_KEPT];
    struct sca_cfi_value cfa;
    bool cfa_known;
};

/* One FDE with its CIE, and the state of the machine that runs their instructions. */
struct sca_rows {
    uint64_t code_align;
    int64_t data_align;
    uint8_t encoding;
    bool augmented, signal_frame;
    bool by_pc;                   /* an expression may reckon with pc itself: those of the PLT do */
    uint64_t pc, begun, location; /* begun: where the row of pc begins; it ends at location */
    struct sca_row row, initial, saved[SCA_ROWS_REMEMBERED];
    unsigned depth;
    bool bad;
};

/* Runs instructions up to the row that holds at rows->pc. */
void sca_cfi_rows_run(struct sca_rows *rows, struct sca_cfi_bytes instructions);

struct sca_frame_info;
/* The row that holds at rows->pc, in a module (cfi.c). False: it has no frame information there. */
bool sca_cfi_rows_find(struct sca_rows *rows, const struct sca_frame_info *info);

#endif
