/* What the two halves of the decoder of AArch64 share. */
#ifndef STRUCTURE_AARCH64_BITS_H
#define STRUCTURE_AARCH64_BITS_H

#include "decode/decoder.h"

/* The instruction that begins there; false: there is none. */
bool sca_aarch64_word(struct sca_code_bytes code, uint32_t *word);

struct sca_effect sca_aarch64_effect(struct sca_code_bytes code);

static inline uint32_t sca_aarch64_bits(uint32_t word, unsigned low, unsigned width)
{
    return word >> low & ((1u << width) - 1);
}

/* The same bits as a number with sign, in two's complement. */
static inline uint64_t sca_aarch64_signed(uint32_t word, unsigned low, unsigned width)
{
    uint64_t sign = 1ull << (width - 1);
    return (sca_aarch64_bits(word, low, width) ^ sign) - sign;
}

/* The distance that ADR and ADRP have. */
static inline uint64_t sca_aarch64_adr(uint32_t word)
{
    return (sca_aarch64_signed(word, 5, 19) << 2) + sca_aarch64_bits(word, 29, 2);
}

/* What an ADRP at the address gives. */
static inline uint64_t sca_aarch64_page(uint64_t address, uint32_t word)
{
    return (address & ~0xfffull) + (sca_aarch64_adr(word) << 12);
}

#endif
