/* What instructions of AArch64 do to general registers. Loads and stores: aarch64_memory.c. */
#include "decode/aarch64_writes.h"

enum { X17 = 17, X30 = 30 };

static struct sca_effect constant(uint8_t to, uint64_t value)
{
    struct sca_effect effect = writes(to);
    if (effect.kind != SCA_EFFECT_NONE)
        effect.kind = SCA_EFFECT_ADDRESS;
    effect.value = value;
    return effect;
}

static struct sca_effect move(uint8_t to, uint8_t from, bool is_signed)
{
    struct sca_effect effect = writes(to);
    if (from == SCA_NO_REGISTER)
        return constant(to, 0);
    if (effect.kind != SCA_EFFECT_NONE)
        effect.kind = SCA_EFFECT_MOVE;
    effect.from = from;
    effect.is_signed = is_signed;
    return effect;
}

/* ---- data processing, with constants ---- */

/* ADD, ADDS, SUB, SUBS and their aliases CMP, CMN. */
static struct sca_effect of_add_constant(uint32_t word)
{
    bool sets_flags = BITS(29, 1);
    uint64_t value = (uint64_t)BITS(10, 12) << (BITS(22, 1) ? 12 : 0);
    bool minus = BITS(30, 1), compares = sets_flags && BITS(0, 5) == ZERO_OR_SP;
    struct sca_effect effect = nothing;
    effect.kind = compares ? SCA_EFFECT_COMPARE : SCA_EFFECT_ADD;
    effect.to = compares ? SCA_NO_REGISTER : (uint8_t)BITS(0, 5);
    effect.from = (uint8_t)BITS(5, 5);
    effect.value = minus != compares ? -value : value; /* CMP: what it subtracts */
    return effect;
}

/* MOVN, MOVZ give a constant; MOVK changes a part. */
static struct sca_effect of_move_wide(uint32_t word)
{
    uint64_t value = (uint64_t)BITS(5, 16) << (BITS(21, 2) * 16);
    uint8_t to = general(BITS(0, 5));
    if (BITS(29, 2) == 3)
        return writes(to);
    if (BITS(29, 2) == 0)
        value = BITS(31, 1) ? ~value : ~value & 0xffffffff;
    return constant(to, value);
}

/* SXTB, SXTH, SXTW, UXTB, UXTH widen; LSL of a whole register shifts. */
static struct sca_effect of_bitfield(uint32_t word)
{
    unsigned kind = BITS(29, 2), rotate = BITS(16, 6), last = BITS(10, 6);
    struct sca_effect effect = writes(general(BITS(0, 5)));
    bool widens = kind != 1 && rotate == 0 && (last == 7 || last == 15 || last == 31);
    if (effect.kind == SCA_EFFECT_NONE || BITS(5, 5) == ZERO_OR_SP)
        return effect;
    if (widens)
        return move(effect.to, (uint8_t)BITS(5, 5), kind == 0);
    if (BITS(31, 1) && kind == 2 && last + 1 == rotate) {
        effect.kind = SCA_EFFECT_ADD;
        effect.index = (uint8_t)BITS(5, 5);
        effect.shift = (uint8_t)(63 - last);
        effect.width = sizeof(uint64_t);
    }
    return effect;
}

static struct sca_effect of_constants(uint64_t address, uint32_t word)
{
    uint8_t to = general(BITS(0, 5)), to_or_stack = (uint8_t)BITS(0, 5);
    switch (BITS(23, 3)) {
    case 0:
    case 1: /* ADR, ADRP */
        return constant(to, BITS(31, 1) ? sca_aarch64_page(address, word)
                                        : address + sca_aarch64_adr(word));
    case 2:
        return of_add_constant(word);
    case 3: /* ADDG, SUBG; the least or greatest of two has no stack pointer */
        return writes(BITS(22, 1) ? to : to_or_stack);
    case 4: /* AND, ORR, EOR; ANDS */
        return writes(BITS(29, 2) == 3 ? to : to_or_stack);
    case 5:
        return of_move_wide(word);
    case 6:
        return of_bitfield(word);
    default:
        return writes(to);
    }
}

/* ---- data processing, with registers ---- */

/* A sum whose terms may both be zero. */
static struct sca_effect sum(struct sca_effect effect)
{
    bool is_zero = effect.from == SCA_NO_REGISTER && effect.index == SCA_NO_REGISTER;
    effect.kind = is_zero ? SCA_EFFECT_ADDRESS : SCA_EFFECT_ADD;
    return effect;
}

static struct sca_effect of_add_shifted(uint32_t word)
{
    struct sca_effect effect = writes(general(BITS(0, 5)));
    bool is_sum = BITS(30, 1) == 0 && BITS(22, 2) == 0; /* ADD, ADDS with LSL */
    if (effect.kind == SCA_EFFECT_NONE || !is_sum)
        return effect;
    effect.from = general(BITS(5, 5));
    effect.index = general(BITS(16, 5));
    effect.shift = (uint8_t)BITS(10, 6);
    effect.width = BITS(31, 1) ? sizeof(uint64_t) : sizeof(uint32_t);
    return sum(effect);
}

/* The index may be widened from a part of a register: `width` bytes of it count. */
static struct sca_effect of_add_extended(uint32_t word)
{
    bool sets_flags = BITS(29, 1);
    struct sca_effect effect = writes(sets_flags ? general(BITS(0, 5)) : (uint8_t)BITS(0, 5));
    if (effect.kind == SCA_EFFECT_NONE || BITS(30, 1))
        return effect;
    effect.from = (uint8_t)BITS(5, 5);
    effect.index = general(BITS(16, 5));
    effect.shift = (uint8_t)BITS(10, 3);
    effect.width = (uint8_t)(1u << BITS(13, 2));
    effect.is_signed = BITS(15, 1);
    return sum(effect);
}

static struct sca_effect of_logical(uint32_t word)
{
    bool is_move = (word & 0x7fe0ffe0) == 0x2a0003e0; /* ORR with zero, nothing shifted */
    uint8_t to = general(BITS(0, 5));
    return is_move ? move(to, general(BITS(16, 5)), false) : writes(to);
}

static struct sca_effect of_registers(uint32_t word)
{
    bool compares_on_condition = BITS(21, 8) == 0xd2;
    bool into_flags = BITS(21, 8) == 0xd0 && (BITS(10, 6) & 0x1f) != 0; /* RMIF, SETF */
    if (BITS(24, 5) == 0x0a)
        return of_logical(word);
    if (BITS(24, 5) == 0x0b)
        return BITS(21, 1) ? of_add_extended(word) : of_add_shifted(word);
    if (compares_on_condition || into_flags)
        return nothing;
    return writes(general(BITS(0, 5)));
}

/* ---- the rest ---- */

/* FMOV and FCVT to general registers, UMOV, SMOV. */
static struct sca_effect of_vectors(uint32_t word)
{
    bool converts = BITS(24, 7) == 0x1e && (!BITS(21, 1) || BITS(10, 6) == 0);
    unsigned kind = BITS(16, 3);
    bool from_general = kind == 2 || kind == 3 || kind == 7;
    bool moves = (word & 0xbfe08400) == 0x0e000400 && (BITS(11, 4) == 5 || BITS(11, 4) == 7);
    bool to_general = moves || (converts && !from_general);
    return to_general ? writes(general(BITS(0, 5))) : nothing;
}

/* Those hints that sign or check addresses in x30, or x17. */
static struct sca_effect of_hint(uint32_t word)
{
    unsigned hint = BITS(5, 7);
    if (hint == 7 || (hint >= 24 && hint < 32))
        return writes(X30);
    return hint >= 8 && hint < 16 && !(hint & 1) ? writes(X17) : nothing;
}

static struct sca_effect of_branch(uint32_t word)
{
    bool to_register = BITS(25, 7) == 0x6b;
    unsigned kind = to_register ? BITS(21, 4) & 7 : BITS(25, 7);
    if (to_register && kind == 0) {
        struct sca_effect effect = nothing;
        effect.kind = SCA_EFFECT_JUMP;
        effect.from = general(BITS(5, 5));
        return effect;
    }
    bool calls = (to_register && kind == 1) || BITS(26, 6) == 0x25;
    bool asks_system = BITS(24, 8) == 0xd4;
    if (calls || asks_system)
        return several();
    if (BITS(12, 20) == 0xd5032)
        return of_hint(word);
    return BITS(22, 10) == 0x354 && BITS(21, 1) ? writes(general(BITS(0, 5))) : nothing;
}

/* Of scalable vectors, only loads and stores are known to write no general register. */
struct sca_effect sca_aarch64_effect(struct sca_code_bytes code)
{
    uint32_t word;
    if (!sca_aarch64_word(code, &word))
        return several();
    switch (BITS(25, 4)) {
    case 2:
        return BITS(31, 1) ? nothing : several();
    case 8:
    case 9:
        return of_constants(code.address, word);
    case 5:
    case 13:
        return of_registers(word);
    case 4:
    case 6:
    case 12:
    case 14:
        return sca_aarch64_memory_effect(code.address, word);
    case 7:
    case 15:
        return of_vectors(word);
    case 10:
    case 11:
        return of_branch(word);
    default:
        return several();
    }
}
