/*
 * Where instructions of AArch64 lead. What they do to registers: aarch64_effect.c. The names of the
 * groups are those of the Arm Architecture Reference Manual, "A64 instruction set encoding".
 */
#include "decode/aarch64.h"
#include "decode/aarch64_bits.h"

enum { WORD = 4 };

/* Instructions are little-endian, whatever data are. */
bool sca_aarch64_word(struct sca_code_bytes code, uint32_t *word)
{
    if (code.size < WORD || code.address % WORD)
        return false;
    *word = (uint32_t)code.bytes[0] | (uint32_t)code.bytes[1] << 8 | (uint32_t)code.bytes[2] << 16 |
            (uint32_t)code.bytes[3] << 24;
    return true;
}

/* The target of a branch whose distance, in words, has `width` bits from bit `low` on. */
static uint64_t ahead(uint64_t address, uint32_t word, unsigned low, unsigned width)
{
    return address + (sca_aarch64_signed(word, low, width) << 2);
}

/* ---- groups; -1: nothing that is allocated ---- */

enum { NO_FLOW = -1 };

/* SVC, HVC, SMC come back, DCPS changes the level and goes on; BRK, HLT, TCANCEL do not. */
static int flow_of_exception(uint32_t word)
{
    unsigned kind = sca_aarch64_bits(word, 21, 3), level = sca_aarch64_bits(word, 0, 2);
    if (sca_aarch64_bits(word, 2, 3))
        return NO_FLOW;
    if (kind == 0 || kind == 5)
        return level ? SCA_FLOW_NEXT : NO_FLOW;
    return kind <= 3 && level == 0 ? SCA_FLOW_STOP : NO_FLOW;
}

/* BR, BLR, RET, ERET, DRPS, with and without pointer authentication. */
static int flow_to_register(uint32_t word)
{
    unsigned authenticated = sca_aarch64_bits(word, 10, 6);
    if (sca_aarch64_bits(word, 16, 5) != 31 || (authenticated && (authenticated >> 1) != 1))
        return NO_FLOW;
    switch (sca_aarch64_bits(word, 21, 4)) {
    case 0:
        return SCA_FLOW_JUMP_INDIRECT;
    case 1:
        return SCA_FLOW_CALL_INDIRECT;
    case 8:
        return authenticated ? SCA_FLOW_JUMP_INDIRECT : NO_FLOW;
    case 9:
        return authenticated ? SCA_FLOW_CALL_INDIRECT : NO_FLOW;
    case 2:
    case 4:
    case 5:
        return SCA_FLOW_RETURN;
    default:
        return NO_FLOW;
    }
}

/* B.cond and BC.cond; conditions 14 and 15 always hold. */
static int flow_on_condition(uint32_t word)
{
    return sca_aarch64_bits(word, 1, 3) == 7 ? SCA_FLOW_JUMP : SCA_FLOW_BRANCH;
}

struct group {
    uint32_t mask, pattern;
    int flow; /* NO_FLOW: of() tells */
    int (*of)(uint32_t word);
    uint8_t low, width; /* the distance; width 0: none */
};

/* "Branches, exception generating and system instructions"; the first that fits counts. */
static const struct group groups[] = {
    {0xfc000000, 0x14000000, SCA_FLOW_JUMP, NULL, 0, 26},        /* B */
    {0xfc000000, 0x94000000, SCA_FLOW_CALL, NULL, 0, 26},        /* BL */
    {0x7e000000, 0x34000000, SCA_FLOW_BRANCH, NULL, 5, 19},      /* CBZ, CBNZ */
    {0x7e000000, 0x36000000, SCA_FLOW_BRANCH, NULL, 5, 14},      /* TBZ, TBNZ */
    {0x7e000000, 0x74000000, SCA_FLOW_BRANCH, NULL, 5, 9},       /* CB<cc>, CBB<cc>, CBH<cc> */
    {0xff000000, 0x54000000, NO_FLOW, flow_on_condition, 5, 19}, /* B.cond, BC.cond */
    {0xff80001f, 0x5500001f, SCA_FLOW_RETURN, NULL, 0, 0},       /* RETAASPPC, RETABSPPC */
    {0xff000000, 0xd4000000, NO_FLOW, flow_of_exception, 0, 0},
    {0xfe000000, 0xd6000000, NO_FLOW, flow_to_register, 0, 0},
    {0xffffffff, 0xd503201f, SCA_FLOW_PAD, NULL, 0, 0}, /* NOP */
    {0xff000000, 0xd5000000, SCA_FLOW_NEXT, NULL, 0, 0},
};

static bool decode_branch(uint32_t word, struct sca_instruction *out)
{
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        const struct group *g = &groups[i];
        if ((word & g->mask) != g->pattern)
            continue;
        int flow = g->of ? g->of(word) : g->flow;
        if (flow == NO_FLOW)
            return false;
        out->flow = (uint8_t)flow;
        if (g->width)
            out->target = ahead(out->address, word, g->low, g->width);
        return true;
    }
    return false;
}

/* Reserved: UDF is made to trap; with the highest bit set come the matrix instructions. */
static bool decode_reserved(uint32_t word, struct sca_instruction *out)
{
    if (word >> 31)
        return true;
    out->flow = SCA_FLOW_STOP;
    return word >> 16 == 0;
}

static bool decode(struct sca_code_bytes code, struct sca_instruction *out)
{
    uint32_t word;
    if (!sca_aarch64_word(code, &word))
        return false;
    *out = (struct sca_instruction){.address = code.address, .length = WORD, .flow = SCA_FLOW_NEXT};
    switch (sca_aarch64_bits(word, 25, 4)) {
    case 0:
        return decode_reserved(word, out);
    case 1:
    case 3:
        return false;
    case 10:
    case 11:
        return decode_branch(word, out);
    default:
        return true;
    }
}

/* ---- stubs ---- */

enum {
    BTI_C = 0xd503245f,
    AUTIA1716 = 0xd503219f,
    ADRP_X16 = 0x90000010,
    LDR_X17_X16 = 0xf9400211,
    ADD_X16_X16 = 0x91000210,
    BR_X17 = 0xd61f0220
};

/* The next word; `code` moves behind it. */
static uint32_t take(struct sca_code_bytes *code)
{
    uint32_t word;
    if (!sca_aarch64_word(*code, &word))
        return 0;
    code->bytes += WORD;
    code->size -= WORD;
    code->address += WORD;
    return word;
}

/* [bti c;] adrp x16, PAGE; ldr x17, [x16, #LOW]; add x16, x16, #LOW; [autia1716;] br x17 */
static bool stub_slot(struct sca_code_bytes code, uint64_t *slot)
{
    uint32_t adrp = take(&code);
    if (adrp == (uint32_t)BTI_C)
        adrp = take(&code);
    uint64_t page = sca_aarch64_page(code.address - WORD, adrp);
    uint32_t load = take(&code), add = take(&code), jump = take(&code);
    if (jump == (uint32_t)AUTIA1716)
        jump = take(&code);
    uint32_t low = sca_aarch64_bits(load, 10, 12) << 3;
    if ((adrp & 0x9f00001f) != (uint32_t)ADRP_X16 || jump != (uint32_t)BR_X17)
        return false;
    if ((load & 0xffc003ff) != (uint32_t)LDR_X17_X16)
        return false;
    *slot = page + low;
    return add == ((uint32_t)ADD_X16_X16 | (low & 0xfff) << 10);
}

static bool is_argument(uint8_t reg, unsigned n)
{
    return n < 8 && reg == n;
}

const struct sca_decoder sca_decoder_aarch64 = {.name = "aarch64",
                                                .alignment = WORD,
                                                .decode = decode,
                                                .effect = sca_aarch64_effect,
                                                .stub_slot = stub_slot,
                                                .is_argument = is_argument};
