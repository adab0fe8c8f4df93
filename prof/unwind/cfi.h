/*
 * Frame recipes: how to find the caller's frame from an exact address, read from .eh_frame.
 *
 * A recipe says where the canonical frame address (CFA) is, from rsp or rbp, and where rbp was
 * saved; the return address is always at CFA - 8. Only plain memory of the module is read, no
 * lock, no allocation, no errno: async-signal-safe, any thread. x86-64.
 */
#ifndef SCA_PROF_CFI_H
#define SCA_PROF_CFI_H

#include <stdbool.h>
#include <stdint.h>

enum sca_cfa {
    SCA_CFA_UNKNOWN, /* no frame information, or more than a recipe can say */
    SCA_CFA_SP,      /* rsp + cfa_offset */
    SCA_CFA_BP,      /* rbp + cfa_offset */
    SCA_CFA_AT_BP,   /* what rbp + cfa_offset points to: realigned stacks */
    SCA_CFA_SIGNAL,  /* a signal trampoline: a ucontext_t is at rsp */
    SCA_CFA_END,     /* the outermost frame: it has no caller */
    SCA_CFA_OTHER    /* from another register, or a longer expression: unwind.h */
};

enum sca_saved {
    SCA_BP_SAME,   /* rbp still holds the caller's value */
    SCA_BP_AT_CFA, /* saved at CFA + bp_offset */
    SCA_BP_AT_BP,  /* saved at rbp + bp_offset */
    SCA_BP_LOST
};

struct sca_recipe {
    int32_t cfa_offset;
    int16_t bp_offset;
    uint8_t cfa;   /* enum sca_cfa */
    uint8_t saved; /* enum sca_saved */
};

/* A module's frame information: .eh_frame_hdr, and the mapping no read may leave. */
struct sca_frame_info {
    uint64_t header; /* 0: the module has none */
    uint64_t first, last;
};

/* The recipe that holds at `pc` exactly. For a return address ask for the address - 1: the call
 * may be the last instruction of its function. */
struct sca_recipe sca_cfi_recipe(const struct sca_frame_info *info, uint64_t pc);

/* Also the addresses around pc that have the same: [first, last). */
struct sca_range {
    uint64_t first, last;
};
/* The function that begins last at or before pc, as frame information has it; {0, 0}: none. */
struct sca_range sca_cfi_function(const struct sca_frame_info *info, uint64_t pc);
/* The addresses around pc that no frame information covers; {0, 0}: some covers pc. */
struct sca_range sca_cfi_gap(const struct sca_frame_info *info, uint64_t pc);
struct sca_recipe sca_cfi_recipe_of(const struct sca_frame_info *info, uint64_t pc,
                                    struct sca_range *range);

#endif
