/*
 * The call frame instructions: from a CIE's and an FDE's instructions to the row that holds at one
 * address, for the registers a recipe needs. Async-signal-safe. For cfi*.c alone.
 */
#ifndef SCA_PROF_CFI_ROWS_H
#define SCA_PROF_CFI_ROWS_H

#include "cfi_expr.h"

enum { SCA_ROWS_REMEMBERED = 8 };

/* How one register is found again; BY_VALUE stands for every rule that a recipe cannot express. */
enum sca_rule_kind {
    SCA_RULE_UNSET,
    SCA_RULE_SAME,
    SCA_RULE_AT_CFA,
    SCA_RULE_AT_EXPRESSION,
    SCA_RULE_UNDEFINED,
    SCA_RULE_BY_VALUE
};

struct sca_rule {
    enum sca_rule_kind kind;
    struct sca_cfi_value place; /* AT_CFA: its offset alone counts */
};

struct sca_row {
    struct sca_rule bp, pc;
    struct sca_cfi_value cfa;
    bool cfa_known;
};

/* One FDE with its CIE, and the state of the machine that runs their instructions. */
struct sca_rows {
    uint64_t code_align;
    int64_t data_align;
    uint8_t encoding;
    bool augmented, signal_frame;
    uint64_t location, pc;
    struct sca_row row, initial, saved[SCA_ROWS_REMEMBERED];
    unsigned depth;
    bool bad;
};

/* Runs instructions up to the row that holds at rows->pc. */
void sca_rows_run(struct sca_rows *rows, struct sca_cfi_bytes instructions);

#endif
