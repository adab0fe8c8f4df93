#include "decode/x86_64.h"

#include <Zydis/Zydis.h>
#include <string.h>

static bool decode_bare(struct sca_code_bytes code, ZydisDecodedInstruction *out)
{
    ZydisDecoder decoder;
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    return ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&decoder, NULL, code.bytes, code.size, out));
}

/* ---- where it leads ---- */

/* mod 00, r/m 101: relative to the next instruction. */
static uint64_t constant_slot(const ZydisDecodedInstruction *in, uint64_t next)
{
    bool relative = (in->attributes & ZYDIS_ATTRIB_HAS_MODRM) && in->raw.modrm.mod == 0 &&
                    in->raw.modrm.rm == 5;
    return relative ? next + (uint64_t)in->raw.disp.value : 0;
}

static enum sca_flow flow_of(const ZydisDecodedInstruction *in)
{
    if (in->mnemonic == ZYDIS_MNEMONIC_XABORT)
        return SCA_FLOW_NEXT; /* outside of a transaction it does nothing */
    bool direct = in->raw.imm[0].is_relative;
    switch (in->meta.category) {
    case ZYDIS_CATEGORY_CALL:
        return direct ? SCA_FLOW_CALL : SCA_FLOW_CALL_INDIRECT;
    case ZYDIS_CATEGORY_COND_BR:
        return direct ? SCA_FLOW_BRANCH : SCA_FLOW_NEXT;
    case ZYDIS_CATEGORY_UNCOND_BR:
        return direct ? SCA_FLOW_JUMP : SCA_FLOW_JUMP_INDIRECT;
    case ZYDIS_CATEGORY_RET:
    case ZYDIS_CATEGORY_SYSRET:
        return SCA_FLOW_RETURN;
    case ZYDIS_CATEGORY_NOP:
    case ZYDIS_CATEGORY_WIDENOP:
        return SCA_FLOW_PAD;
    default:
        break;
    }
    switch (in->mnemonic) {
    case ZYDIS_MNEMONIC_INT3:
        return SCA_FLOW_PAD;
    case ZYDIS_MNEMONIC_UD0:
    case ZYDIS_MNEMONIC_UD1:
    case ZYDIS_MNEMONIC_UD2:
    case ZYDIS_MNEMONIC_HLT:
        return SCA_FLOW_STOP;
    default:
        return SCA_FLOW_NEXT;
    }
}

static bool decode(struct sca_code_bytes code, struct sca_instruction *out)
{
    ZydisDecodedInstruction in;
    if (!decode_bare(code, &in))
        return false;
    uint64_t next = code.address + in.length;
    *out = (struct sca_instruction){
        .address = code.address, .length = in.length, .flow = (uint8_t)flow_of(&in)};
    if (in.raw.imm[0].is_relative)
        out->target = next + (uint64_t)in.raw.imm[0].value.s;
    else if (out->flow == SCA_FLOW_JUMP_INDIRECT || out->flow == SCA_FLOW_CALL_INDIRECT)
        out->target = constant_slot(&in, next);
    return true;
}

/* ---- what it does to registers ---- */

struct full {
    uint64_t next; /* address behind it */
    ZydisDecodedInstruction in;
    ZydisDecodedOperand operand[ZYDIS_MAX_OPERAND_COUNT];
};

static uint8_t number_of(ZydisRegister reg)
{
    ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg);
    bool general = whole >= ZYDIS_REGISTER_RAX && whole <= ZYDIS_REGISTER_R15;
    return general ? (uint8_t)(whole - ZYDIS_REGISTER_RAX) : SCA_NO_REGISTER;
}

static bool writes_general(const ZydisDecodedOperand *operand)
{
    return operand->type == ZYDIS_OPERAND_TYPE_REGISTER &&
           (operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) &&
           number_of(operand->reg.value) != SCA_NO_REGISTER;
}

/* The one general register that is written; NONE if there is none, no number if several are. */
static struct sca_effect any_write(const struct full *f)
{
    struct sca_effect effect = {.kind = SCA_EFFECT_NONE, .to = SCA_NO_REGISTER};
    for (unsigned i = 0; i < f->in.operand_count; i++) {
        if (!writes_general(&f->operand[i]))
            continue;
        bool first = effect.kind == SCA_EFFECT_NONE;
        effect.kind = SCA_EFFECT_OTHER;
        effect.to = first ? number_of(f->operand[i].reg.value) : SCA_NO_REGISTER;
    }
    if (f->in.meta.category == ZYDIS_CATEGORY_CALL)
        effect = (struct sca_effect){.kind = SCA_EFFECT_OTHER, .to = SCA_NO_REGISTER};
    return effect;
}

static void set_memory(const struct full *f, const ZydisDecodedOperand *operand,
                       struct sca_effect *effect)
{
    bool relative = operand->mem.base == ZYDIS_REGISTER_RIP;
    effect->from = relative ? SCA_NO_REGISTER : number_of(operand->mem.base);
    effect->index = number_of(operand->mem.index);
    effect->shift = operand->mem.scale > 1 ? (uint8_t)__builtin_ctz(operand->mem.scale) : 0;
    effect->value = (uint64_t)operand->mem.disp.value + (relative ? f->next : 0);
    effect->width = (uint8_t)(operand->size / 8);
}

static bool is_constant(const struct sca_effect *e)
{
    return e->from == SCA_NO_REGISTER && e->index == SCA_NO_REGISTER;
}

static struct sca_effect of_move(const struct full *f, struct sca_effect effect)
{
    const ZydisDecodedOperand *from = &f->operand[1];
    effect.is_signed =
        f->in.mnemonic == ZYDIS_MNEMONIC_MOVSXD || f->in.mnemonic == ZYDIS_MNEMONIC_MOVSX;
    if (from->type == ZYDIS_OPERAND_TYPE_IMMEDIATE) {
        effect.kind = SCA_EFFECT_ADDRESS;
        effect.value = from->imm.value.u;
        if (f->operand[0].size == 32) /* the upper half becomes zero */
            effect.value = (uint32_t)effect.value;
    } else if (from->type == ZYDIS_OPERAND_TYPE_MEMORY) {
        effect.kind = SCA_EFFECT_LOAD;
        set_memory(f, from, &effect);
    } else if (number_of(from->reg.value) != SCA_NO_REGISTER) {
        effect.kind = SCA_EFFECT_MOVE;
        effect.from = number_of(from->reg.value);
    }
    return effect;
}

static struct sca_effect of_lea(const struct full *f, struct sca_effect effect)
{
    set_memory(f, &f->operand[1], &effect);
    effect.kind = is_constant(&effect) ? SCA_EFFECT_ADDRESS : SCA_EFFECT_ADD;
    return effect;
}

static struct sca_effect of_add(const struct full *f, struct sca_effect effect)
{
    const ZydisDecodedOperand *from = &f->operand[1];
    effect.from = effect.to;
    if (from->type == ZYDIS_OPERAND_TYPE_IMMEDIATE)
        effect.value = from->imm.value.u;
    else if (from->type == ZYDIS_OPERAND_TYPE_REGISTER)
        effect.index = number_of(from->reg.value);
    else
        return effect;
    effect.kind = SCA_EFFECT_ADD;
    return effect;
}

static struct sca_effect of_jump(const struct full *f, struct sca_effect effect)
{
    const ZydisDecodedOperand *to = &f->operand[0];
    if (to->type == ZYDIS_OPERAND_TYPE_REGISTER) {
        effect.kind = SCA_EFFECT_JUMP;
        effect.from = number_of(to->reg.value);
    } else if (to->type == ZYDIS_OPERAND_TYPE_MEMORY) {
        effect.kind = SCA_EFFECT_JUMP_LOAD;
        set_memory(f, to, &effect);
    }
    return effect;
}

static struct sca_effect of_compare(const struct full *f, struct sca_effect effect)
{
    if (f->operand[1].type != ZYDIS_OPERAND_TYPE_IMMEDIATE)
        return effect;
    effect.kind = SCA_EFFECT_COMPARE;
    effect.value = f->operand[1].imm.value.u;
    if (f->operand[0].type == ZYDIS_OPERAND_TYPE_REGISTER)
        effect.from = number_of(f->operand[0].reg.value);
    return effect;
}

static struct sca_effect effect_of(struct sca_code_bytes code)
{
    struct full f;
    ZydisDecoder decoder;
    struct sca_effect effect = {.kind = SCA_EFFECT_OTHER, .to = SCA_NO_REGISTER};
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    if (ZYAN_FAILED(ZydisDecoderDecodeFull(&decoder, code.bytes, code.size, &f.in, f.operand)))
        return effect;
    f.next = code.address + f.in.length;
    effect = any_write(&f);
    effect.from = effect.index = SCA_NO_REGISTER;
    if (effect.to != SCA_NO_REGISTER && f.operand[0].size < 32)
        return effect; /* a part of the register */
    switch (f.in.mnemonic) {
    case ZYDIS_MNEMONIC_JMP:
        return of_jump(&f, effect);
    case ZYDIS_MNEMONIC_CMP:
        return of_compare(&f, effect);
    case ZYDIS_MNEMONIC_LEA:
        return effect.to == SCA_NO_REGISTER ? effect : of_lea(&f, effect);
    case ZYDIS_MNEMONIC_ADD:
        return effect.to == SCA_NO_REGISTER ? effect : of_add(&f, effect);
    case ZYDIS_MNEMONIC_MOV:
    case ZYDIS_MNEMONIC_MOVZX:
    case ZYDIS_MNEMONIC_MOVSX:
    case ZYDIS_MNEMONIC_MOVSXD:
        return effect.to == SCA_NO_REGISTER ? effect : of_move(&f, effect);
    default:
        return effect;
    }
}

/* ---- stubs ---- */

static bool stub_slot(struct sca_code_bytes code, uint64_t *slot)
{
    enum { MOST = 3 }; /* endbr64, jmp; one with push before it, too */
    for (int i = 0; i < MOST; i++) {
        struct sca_instruction in;
        if (!decode(code, &in))
            return false;
        if (in.flow == SCA_FLOW_JUMP_INDIRECT) {
            *slot = in.target;
            return in.target != 0;
        }
        if (in.flow != SCA_FLOW_NEXT && in.flow != SCA_FLOW_PAD)
            return false;
        code.bytes += in.length;
        code.size -= in.length;
        code.address += in.length;
    }
    return false;
}

static bool is_argument(uint8_t reg, unsigned n)
{
    static const uint8_t order[] = {7, 6, 2, 1, 8, 9}; /* rdi rsi rdx rcx r8 r9 */
    return n < sizeof order && order[n] == reg;
}

const struct sca_decoder sca_decoder_x86_64 = {.name = "x86-64",
                                               .alignment = 1,
                                               .decode = decode,
                                               .effect = effect_of,
                                               .stub_slot = stub_slot,
                                               .is_argument = is_argument};
