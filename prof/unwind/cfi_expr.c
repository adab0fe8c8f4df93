#include "unwind/cfi_expr.h"

enum { DEPTH = 8 };

enum {
    OP_DEREF = 0x06,
    OP_CONST1U = 0x08,
    OP_CONST1S = 0x09,
    OP_CONST2U = 0x0a,
    OP_CONST2S = 0x0b,
    OP_CONSTU = 0x10,
    OP_CONSTS = 0x11,
    OP_AND = 0x1a,
    OP_MINUS = 0x1c,
    OP_PLUS = 0x22,
    OP_PLUS_CONST = 0x23,
    OP_SHL = 0x24,
    OP_GE = 0x2a,
    OP_LIT0 = 0x30,
    OP_LIT31 = 0x4f,
    OP_BREG0 = 0x70,
    OP_BREG31 = 0x8f
};

struct stack {
    struct sca_cfi_value value[DEPTH];
    unsigned depth;
};

static bool push(struct stack *s, uint8_t reg, int64_t offset)
{
    if (s->depth == DEPTH)
        return false;
    s->value[s->depth++] = (struct sca_cfi_value){.offset = offset, .reg = reg};
    return true;
}

static bool push_register(struct stack *s, uint8_t reg, int64_t offset, uint64_t pc)
{
    if (reg == SCA_REG_PC)
        return push(s, SCA_REG_NONE, (int64_t)pc + offset);
    return push(s, reg, offset);
}

/* Values and constants; 0 when the operation is none of them, -1 when the stack is full. */
static int operand(struct stack *s, uint8_t op, struct sca_cfi_bytes *b, uint64_t pc)
{
    bool ok;
    if (op >= OP_LIT0 && op <= OP_LIT31)
        ok = push(s, SCA_REG_NONE, op - OP_LIT0);
    else if (op >= OP_BREG0 && op <= OP_BREG31)
        ok = push_register(s, (uint8_t)(op - OP_BREG0), sca_cfi_sleb(b), pc);
    else if (op == OP_CONST1U)
        ok = push(s, SCA_REG_NONE, sca_cfi_u8(b));
    else if (op == OP_CONST1S)
        ok = push(s, SCA_REG_NONE, (int8_t)sca_cfi_u8(b));
    else if (op == OP_CONST2U)
        ok = push(s, SCA_REG_NONE, sca_cfi_u16(b));
    else if (op == OP_CONST2S)
        ok = push(s, SCA_REG_NONE, (int16_t)sca_cfi_u16(b));
    else if (op == OP_CONSTU)
        ok = push(s, SCA_REG_NONE, (int64_t)sca_cfi_uleb(b));
    else if (op == OP_CONSTS)
        ok = push(s, SCA_REG_NONE, sca_cfi_sleb(b));
    else
        return 0;
    return ok ? 1 : -1;
}

static bool is_constant(const struct sca_cfi_value *v)
{
    return v->reg == SCA_REG_NONE && !v->loaded;
}

static bool add_constant(struct sca_cfi_value *v, int64_t constant)
{
    if (!v->loaded)
        v->offset += constant;
    else if (constant != (int16_t)constant)
        return false;
    else
        v->added += (int32_t)constant;
    return true;
}

static bool add(struct sca_cfi_value *left, const struct sca_cfi_value *right)
{
    if (is_constant(right))
        return add_constant(left, right->offset);
    if (!is_constant(left))
        return false;
    int64_t constant = left->offset;
    *left = *right;
    return add_constant(left, constant);
}

static bool binary(uint8_t op, struct stack *s)
{
    if (s->depth < 2)
        return false;
    const struct sca_cfi_value *right = &s->value[--s->depth];
    struct sca_cfi_value *left = &s->value[s->depth - 1];
    if (op == OP_PLUS)
        return add(left, right);
    if (!is_constant(right) || left->loaded || (op != OP_MINUS && !is_constant(left)))
        return false;
    if (op == OP_MINUS)
        left->offset -= right->offset;
    else if (op == OP_AND)
        left->offset &= right->offset;
    else if (op == OP_GE)
        left->offset = left->offset >= right->offset;
    else if (op == OP_SHL && right->offset >= 0 && right->offset < 64)
        left->offset = (int64_t)((uint64_t)left->offset << right->offset);
    else
        return false;
    return true;
}

static bool operation(uint8_t op, struct stack *s, struct sca_cfi_bytes *b)
{
    struct sca_cfi_value *top = s->depth ? &s->value[s->depth - 1] : NULL;
    if (op == OP_PLUS_CONST && top)
        return add_constant(top, (int64_t)sca_cfi_uleb(b));
    if (op == OP_DEREF && top && !top->loaded && top->reg != SCA_REG_NONE) {
        top->loaded = true;
        return true;
    }
    return binary(op, s);
}

bool sca_cfi_expr_evaluate(struct sca_cfi_bytes b, uint64_t pc, struct sca_cfi_value *out)
{
    struct stack s = {.depth = 0};
    while (!b.bad && b.at < b.end) {
        uint8_t op = sca_cfi_u8(&b);
        int known = operand(&s, op, &b, pc);
        if (known < 0 || (!known && !operation(op, &s, &b)))
            return false;
    }
    if (b.bad || !s.depth)
        return false;
    *out = s.value[s.depth - 1];
    return true;
}
