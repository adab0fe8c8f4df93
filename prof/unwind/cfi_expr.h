/*
 * DWARF expressions as far as frame rules use them: the result as register + constant, or as what
 * that points to + constant. Knowing the address, the linker's expression for PLT entries (its test
 * of rip & 15) becomes rsp + constant. Async-signal-safe. For cfi*.c alone.
 */
#ifndef SCA_PROF_CFI_EXPR_H
#define SCA_PROF_CFI_EXPR_H

#include "unwind/cfi_bytes.h"

enum {
    SCA_REG_BX = 3,
    SCA_REG_BP = 6,
    SCA_REG_SP = 7,
    SCA_REG_12 = 12,
    SCA_REG_PC = 16,
    SCA_REG_NONE = 255
};

struct sca_cfi_value {
    int64_t offset;
    int32_t added; /* after loading */
    uint8_t reg;   /* SCA_REG_NONE: offset is the value */
    bool loaded;   /* the value is what register + offset points to */
};

/* False when the expression is of another kind. */
bool sca_cfi_expr_evaluate(struct sca_cfi_bytes expression, uint64_t pc, struct sca_cfi_value *out);

#endif
