/*
 * The words in which aarch64_effect.c and aarch64_memory.c say what is written.
 * Register 31 is the stack pointer in some operands, nothing in others; here it has number 31 where
 * it is the stack pointer.
 */
#ifndef STRUCTURE_AARCH64_WRITES_H
#define STRUCTURE_AARCH64_WRITES_H

#include "decode/aarch64_bits.h"

enum { ZERO_OR_SP = 31 };

#define BITS(low, width) sca_aarch64_bits(word, low, width)

static const struct sca_effect nothing = {.kind = SCA_EFFECT_NONE,
                                          .to = SCA_NO_REGISTER,
                                          .from = SCA_NO_REGISTER,
                                          .index = SCA_NO_REGISTER};

/* A register where 31 means zero. */
static inline uint8_t general(uint32_t number)
{
    return number == ZERO_OR_SP ? SCA_NO_REGISTER : (uint8_t)number;
}

static inline struct sca_effect several(void)
{
    struct sca_effect effect = nothing;
    effect.kind = SCA_EFFECT_OTHER;
    return effect;
}

/* `to` is written, if it is a register at all. */
static inline struct sca_effect writes(uint8_t to)
{
    struct sca_effect effect = nothing;
    effect.to = to;
    effect.kind = to == SCA_NO_REGISTER ? SCA_EFFECT_NONE : SCA_EFFECT_OTHER;
    return effect;
}

/* Of loads and stores. */
struct sca_effect sca_aarch64_memory_effect(uint64_t address, uint32_t word);

#endif
