/*
 * What the recovery of structure asks of an instruction set: where instructions end, where they
 * lead, and the little that jump tables need to be understood. One implementation per machine:
 * decode/x86_64.c (Zydis), decode/aarch64.c.
 *
 * Functions are pure: no memory is kept, none is allocated. `code` never ends behind the bytes that
 * exist; an instruction that would is none.
 */
#ifndef STRUCTURE_DECODER_H
#define STRUCTURE_DECODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sca_flow {
    SCA_FLOW_NEXT,          /* the next instruction follows */
    SCA_FLOW_JUMP,          /* to `target` */
    SCA_FLOW_BRANCH,        /* to `target` or on */
    SCA_FLOW_CALL,          /* `target`, then on */
    SCA_FLOW_JUMP_INDIRECT, /* `target`: address of the slot it is read from, 0 if not constant */
    SCA_FLOW_CALL_INDIRECT, /* the same */
    SCA_FLOW_RETURN,
    SCA_FLOW_STOP, /* traps, halts: nothing follows */
    SCA_FLOW_PAD   /* does nothing and nobody means it to run: nop, int3 */
};

struct sca_code_bytes {
    const uint8_t *bytes;
    size_t size;      /* to the end of the section */
    uint64_t address; /* of bytes[0] in the file's address space */
};

struct sca_instruction {
    uint64_t address, target;
    uint8_t length; /* in bytes, >= 1 */
    uint8_t flow;   /* enum sca_flow */
};

/* What an instruction does to a register, as far as jump tables and addresses of functions go. */
enum sca_effect_kind {
    SCA_EFFECT_NONE,     /* writes no general register */
    SCA_EFFECT_OTHER,    /* writes `to` in another way; to == SCA_NO_REGISTER: perhaps several */
    SCA_EFFECT_ADDRESS,  /* to = value */
    SCA_EFFECT_MOVE,     /* to = from, widened perhaps */
    SCA_EFFECT_ADD,      /* to = from + (index << shift) + value; `from` or `index` may be none */
    SCA_EFFECT_LOAD,     /* to = width bytes at (from + (index << shift) + value) */
    SCA_EFFECT_COMPARE,  /* `from` with the constant `value` */
    SCA_EFFECT_JUMP,     /* indirect jump to `from` */
    SCA_EFFECT_JUMP_LOAD /* indirect jump to what lies at (from + (index << shift) + value) */
};

enum { SCA_NO_REGISTER = 255 };

struct sca_effect {
    uint8_t kind;
    uint8_t to, from, index; /* numbers of full registers */
    uint8_t shift;           /* of index */
    uint8_t width;           /* LOAD: bytes */
    bool is_signed;          /* LOAD, or index of ADD */
    uint64_t value;          /* address, displacement or constant; two's complement */
};

struct sca_decoder {
    const char *name;
    unsigned alignment; /* instructions begin at multiples of it */
    /* False: no instruction begins there. */
    bool (*decode)(struct sca_code_bytes code, struct sca_instruction *out);
    /* Of an instruction that decode() accepted. */
    struct sca_effect (*effect)(struct sca_code_bytes code);
    /* Whether a stub begins there that jumps to what a slot holds, as those of a procedure linkage
     * table do; *slot: its address. */
    bool (*stub_slot)(struct sca_code_bytes code, uint64_t *slot);
    /* Whether the register is the n-th integer argument of a call. */
    bool (*is_argument)(uint8_t reg, unsigned n);
};

#endif
