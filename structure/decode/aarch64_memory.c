/* What loads and stores of AArch64 do to general registers. */
#include "decode/aarch64_writes.h"

static struct sca_effect load(uint8_t to, uint8_t from, unsigned width, bool is_signed)
{
    struct sca_effect effect = writes(to);
    if (effect.kind != SCA_EFFECT_NONE)
        effect.kind = SCA_EFFECT_LOAD;
    effect.from = from;
    effect.width = (uint8_t)width;
    effect.is_signed = is_signed;
    return effect;
}

/* LDR and LDRSW of what lies near the code; PRFM and those of vectors load no register. */
static struct sca_effect of_literal(uint64_t address, uint32_t word)
{
    unsigned kind = BITS(30, 2);
    if (BITS(26, 1) || kind == 3)
        return nothing;
    struct sca_effect effect =
        load(general(BITS(0, 5)), SCA_NO_REGISTER, kind == 1 ? 8 : 4, kind == 2);
    effect.value = address + (sca_aarch64_signed(word, 5, 19) << 2);
    return effect;
}

/* Before or behind the access, some forms change the base: the third is no such form. */
static struct sca_effect of_pair(uint32_t word)
{
    bool vectors = BITS(26, 1), changes_base = BITS(23, 1), loads = BITS(22, 1);
    if (loads && !vectors)
        return several();
    return changes_base ? writes((uint8_t)BITS(5, 5)) : nothing;
}

/* What one register is loaded with; kind: bits 23:22. PRFM loads none. */
static struct sca_effect of_single(uint32_t word, bool changes_base)
{
    unsigned size = BITS(30, 2), kind = BITS(22, 2);
    bool loads = !BITS(26, 1) && kind != 0 && !(size == 3 && kind >= 2);
    uint8_t base = (uint8_t)BITS(5, 5), to = general(BITS(0, 5));
    if (!loads)
        return changes_base ? writes(base) : nothing;
    if (changes_base)
        return to == SCA_NO_REGISTER ? writes(base) : several();
    return load(to, base, 1u << size, kind >= 2);
}

static struct sca_effect of_register_offset(uint32_t word)
{
    struct sca_effect effect = of_single(word, false);
    if (effect.kind != SCA_EFFECT_LOAD)
        return effect;
    effect.index = general(BITS(16, 5));
    effect.shift = (uint8_t)(BITS(12, 1) ? BITS(30, 2) : 0);
    return effect;
}

/* LDRAA, LDRAB. */
static struct sca_effect of_authenticated_load(uint32_t word)
{
    if (BITS(11, 1))
        return several();
    struct sca_effect effect = load(general(BITS(0, 5)), (uint8_t)BITS(5, 5), 8, false);
    uint64_t low = BITS(12, 9);
    effect.value = (BITS(22, 1) ? low - 512 : low) << 3;
    return effect;
}

/* What memory held before is loaded; LD64B loads eight registers, ST64BV writes its third. */
static struct sca_effect of_atomic(uint32_t word)
{
    unsigned kind = BITS(12, 4);
    if (kind == 9)
        return nothing;
    if (kind == 10 || kind == 11)
        return writes(general(BITS(16, 5)));
    return kind == 13 ? several() : writes(general(BITS(0, 5)));
}

static struct sca_effect of_register(uint32_t word)
{
    struct sca_effect effect;
    if (BITS(24, 1)) {
        effect = of_single(word, false);
        effect.value = effect.kind == SCA_EFFECT_LOAD ? (uint64_t)BITS(10, 12) << BITS(30, 2) : 0;
        return effect;
    }
    if (BITS(21, 1)) {
        if (BITS(10, 2) == 2)
            return of_register_offset(word);
        return BITS(10, 2) ? of_authenticated_load(word) : of_atomic(word);
    }
    effect = of_single(word, BITS(10, 1));
    if (effect.kind == SCA_EFFECT_LOAD)
        effect.value = sca_aarch64_signed(word, 12, 9);
    return effect;
}

/* STXR and CAS write their third register, LDXR and LDAR the first, LDXP and CASP two. */
static struct sca_effect of_exclusive(uint32_t word)
{
    bool ordered = BITS(23, 1), loads = BITS(22, 1), pair = BITS(21, 1);
    uint8_t first = general(BITS(0, 5)), third = general(BITS(16, 5));
    if (ordered && pair)
        return writes(third); /* CAS */
    if (pair && (!BITS(31, 1) || loads))
        return several(); /* CASP, LDXP */
    if (loads)
        return writes(first);
    return ordered ? nothing : writes(third);
}

/* Ordered accesses with a distance, tags, copies of memory. */
static struct sca_effect of_ordered_or_tags(uint32_t word)
{
    bool tags = BITS(30, 2) == 3 && BITS(21, 1);
    bool stores = BITS(22, 2) == 0;
    if (tags && BITS(10, 2) != 0)
        return BITS(10, 1) ? writes((uint8_t)BITS(5, 5)) : nothing; /* STG and the like */
    if (tags)
        return BITS(22, 1) ? writes(general(BITS(0, 5))) : nothing; /* LDG, LDGM */
    if (BITS(10, 2) != 0 || BITS(21, 1))
        return several();
    return stores ? nothing : writes(general(BITS(0, 5)));
}

struct sca_effect sca_aarch64_memory_effect(uint64_t address, uint32_t word)
{
    switch (BITS(27, 3)) {
    case 1: /* of several vectors; exclusive */
        if (BITS(26, 1))
            return BITS(23, 1) ? writes((uint8_t)BITS(5, 5)) : nothing;
        return BITS(24, 1) ? several() : of_exclusive(word);
    case 3:
        if (!BITS(24, 1))
            return of_literal(address, word);
        return BITS(26, 1) ? nothing : of_ordered_or_tags(word);
    case 5:
        return of_pair(word);
    default:
        return of_register(word);
    }
}
