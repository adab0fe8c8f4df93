/* Bytes as GNU as makes them of the text beside them; what that text does to registers. */
#include "decode/x86_64.h"
#include "check_main.h"

enum { AT = 0x401000, MOST_BYTES = 16, NONE = SCA_NO_REGISTER };
enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R10 = 10, R11 };

static const struct sca_decoder *const decoder = &sca_decoder_x86_64;

static struct sca_code_bytes code_of(const uint8_t *bytes, size_t size)
{
    return (struct sca_code_bytes){bytes, size, AT};
}

struct does {
    uint8_t bytes[MOST_BYTES];
    struct sca_effect effect;
};

#define MINUS(n) (uint64_t)-(n)

/* kind, to, from, index, shift, width, signed, value; 0 for width: not looked at */
static const struct does effects[] = {
    /* lea 0x20(%rip),%rax; lea 0x10(%rbx,%rcx,4),%rdx; lea 0x10(%rbx),%edx; lea 0x4000(,%rcx,4) */
    {{0x48, 0x8d, 5, 0x20}, {SCA_EFFECT_ADDRESS, RAX, NONE, NONE, 0, 0, false, AT + 0x27}},
    {{0x48, 0x8d, 0x54, 0x8b, 0x10}, {SCA_EFFECT_ADD, RDX, RBX, RCX, 2, 0, false, 0x10}},
    {{0x8d, 0x53, 0x10}, {SCA_EFFECT_ADD, RDX, RBX, NONE, 0, 0, false, 0x10}},
    {{0x48, 0x8d, 0x34, 0x8d, 0, 0x40}, {SCA_EFFECT_ADD, RSI, NONE, RCX, 2, 0, false, 0x4000}},
    /* mov $0x401000,%edi; movabs $0x1122334455667788,%r10; mov $-1,%rax */
    {{0xbf, 0, 0x10, 0x40}, {SCA_EFFECT_ADDRESS, RDI, NONE, NONE, 0, 0, false, 0x401000}},
    {{0x49, 0xba, 0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11},
     {SCA_EFFECT_ADDRESS, R10, NONE, NONE, 0, 0, false, 0x1122334455667788}},
    {{0x48, 0xc7, 0xc0, 0xff, 0xff, 0xff, 0xff},
     {SCA_EFFECT_ADDRESS, RAX, NONE, NONE, 0, 0, false, MINUS(1)}},
    /* movslq (%rdx,%rax,4),%rax; movzbl (%r8,%rcx),%eax; movsbq 0x10(%rsi),%rdi */
    {{0x48, 0x63, 0x04, 0x82}, {SCA_EFFECT_LOAD, RAX, RDX, RAX, 2, 4, true, 0}},
    {{0x41, 0x0f, 0xb6, 4, 8}, {SCA_EFFECT_LOAD, RAX, R8, RCX, 0, 1, false, 0}},
    {{0x48, 0x0f, 0xbe, 0x7e, 0x10}, {SCA_EFFECT_LOAD, RDI, RSI, NONE, 0, 1, true, 0x10}},
    /* mov 0x404000(,%rax,8),%rax; mov 0x30(%rip),%rcx */
    {{0x48, 0x8b, 4, 0xc5, 0, 0x40, 0x40},
     {SCA_EFFECT_LOAD, RAX, NONE, RAX, 3, 8, false, 0x404000}},
    {{0x48, 0x8b, 0x0d, 0x30}, {SCA_EFFECT_LOAD, RCX, NONE, NONE, 0, 8, false, AT + 0x37}},
    /* movslq %eax,%rcx; mov %rax,%rbx; mov %edi,%eax; movzwl %ax,%edx */
    {{0x48, 0x63, 0xc8}, {SCA_EFFECT_MOVE, RCX, RAX, NONE, 0, 0, true, 0}},
    {{0x48, 0x89, 0xc3}, {SCA_EFFECT_MOVE, RBX, RAX, NONE, 0, 0, false, 0}},
    {{0x89, 0xf8}, {SCA_EFFECT_MOVE, RAX, RDI, NONE, 0, 0, false, 0}},
    {{0x0f, 0xb7, 0xd0}, {SCA_EFFECT_MOVE, RDX, RAX, NONE, 0, 0, false, 0}},
    /* add %rdx,%rax; add $0x10,%rax; add $-8,%rsp; add (%rbx),%rax; add %rax,(%rbx) */
    {{0x48, 0x01, 0xd0}, {SCA_EFFECT_ADD, RAX, RAX, RDX, 0, 0, false, 0}},
    {{0x48, 0x83, 0xc0, 0x10}, {SCA_EFFECT_ADD, RAX, RAX, NONE, 0, 0, false, 0x10}},
    {{0x48, 0x83, 0xc4, 0xf8}, {SCA_EFFECT_ADD, RSP, RSP, NONE, 0, 0, false, MINUS(8)}},
    {{0x48, 3, 3}, {SCA_EFFECT_OTHER, RAX, RAX, NONE, 0, 0, false, 0}},
    {{0x48, 1, 3}, {SCA_EFFECT_NONE, NONE, NONE, NONE, 0, 0, false, 0}},
    /* cmp $5,%edi; cmpl $5,8(%rsp); cmp $0x1000,%rcx; cmp %rax,%rbx; test %eax,%eax */
    {{0x83, 0xff, 5}, {SCA_EFFECT_COMPARE, NONE, RDI, NONE, 0, 0, false, 5}},
    {{0x83, 0x7c, 0x24, 8, 5}, {SCA_EFFECT_COMPARE, NONE, NONE, NONE, 0, 0, false, 5}},
    {{0x48, 0x81, 0xf9, 0, 0x10}, {SCA_EFFECT_COMPARE, NONE, RCX, NONE, 0, 0, false, 0x1000}},
    {{0x48, 0x39, 0xc3}, {SCA_EFFECT_NONE, NONE, NONE, NONE, 0, 0, false, 0}},
    {{0x85, 0xc0}, {SCA_EFFECT_NONE, NONE, NONE, NONE, 0, 0, false, 0}},
    /* jmp *%rax; notrack jmp *%rdx; jmp *0x404000(,%rdi,8); jmp *(%rbx,%rax,8) */
    {{0xff, 0xe0}, {SCA_EFFECT_JUMP, NONE, RAX, NONE, 0, 0, false, 0}},
    {{0x3e, 0xff, 0xe2}, {SCA_EFFECT_JUMP, NONE, RDX, NONE, 0, 0, false, 0}},
    {{0xff, 0x24, 0xfd, 0, 0x40, 0x40},
     {SCA_EFFECT_JUMP_LOAD, NONE, NONE, RDI, 3, 8, false, 0x404000}},
    {{0xff, 0x24, 0xc3}, {SCA_EFFECT_JUMP_LOAD, NONE, RBX, RAX, 3, 8, false, 0}},
    /* push %rbp; pop %rbp; xchg %rax,%rbx; imul %rcx; xor %eax,%eax; sub $0x18,%rsp; cpuid */
    {{0x55}, {SCA_EFFECT_OTHER, RSP, NONE, NONE, 0, 0, false, 0}},
    {{0x5d}, {SCA_EFFECT_OTHER, NONE, NONE, NONE, 0, 0, false, 0}},
    {{0x48, 0x93}, {SCA_EFFECT_OTHER, NONE, NONE, NONE, 0, 0, false, 0}},
    {{0x48, 0xf7, 0xe9}, {SCA_EFFECT_OTHER, NONE, NONE, NONE, 0, 0, false, 0}},
    {{0x31, 0xc0}, {SCA_EFFECT_OTHER, RAX, NONE, NONE, 0, 0, false, 0}},
    {{0x48, 0x83, 0xec, 0x18}, {SCA_EFFECT_OTHER, RSP, NONE, NONE, 0, 0, false, 0}},
    {{0x0f, 0xa2}, {SCA_EFFECT_OTHER, NONE, NONE, NONE, 0, 0, false, 0}},
    /* cltq; cmove %rax,%rbx; movaps %xmm0,%xmm1; movq %xmm0,%rax; mov %rax,(%rbx); nop */
    {{0x48, 0x98}, {SCA_EFFECT_OTHER, RAX, NONE, NONE, 0, 0, false, 0}},
    {{0x48, 0x0f, 0x44, 0xd8}, {SCA_EFFECT_OTHER, RBX, NONE, NONE, 0, 0, false, 0}},
    {{0x0f, 0x28, 0xc8}, {SCA_EFFECT_NONE, NONE, NONE, NONE, 0, 0, false, 0}},
    {{0x66, 0x48, 0x0f, 0x7e, 0xc0}, {SCA_EFFECT_OTHER, RAX, NONE, NONE, 0, 0, false, 0}},
    {{0x48, 0x89, 0x03}, {SCA_EFFECT_NONE, NONE, NONE, NONE, 0, 0, false, 0}},
    {{0x90}, {SCA_EFFECT_NONE, NONE, NONE, NONE, 0, 0, false, 0}},
    /* call .-0x100: what the callee does is not known */
    {{0xe8, 0xfb, 0xfe, 0xff, 0xff}, {SCA_EFFECT_OTHER, NONE, NONE, NONE, 0, 0, false, 0}},
};

static bool reads_memory(uint8_t kind)
{
    return kind == SCA_EFFECT_LOAD || kind == SCA_EFFECT_JUMP_LOAD;
}

/* Only what the kind speaks of. */
static void check_effect(size_t i, struct sca_effect found, const struct sca_effect *expected)
{
    ck_assert_msg(found.kind == expected->kind, "%zu: %u", i, found.kind);
    ck_assert_msg(found.to == expected->to, "%zu: to %u", i, found.to);
    if (expected->kind == SCA_EFFECT_NONE || expected->kind == SCA_EFFECT_OTHER)
        return;
    ck_assert_msg(found.from == expected->from, "%zu: from %u", i, found.from);
    ck_assert_msg(found.index == expected->index, "%zu: index %u", i, found.index);
    ck_assert_msg(found.value == expected->value, "%zu: %llx", i, (unsigned long long)found.value);
    ck_assert_msg(found.shift == expected->shift, "%zu: shift %u", i, found.shift);
    ck_assert_msg(found.is_signed == expected->is_signed, "%zu: signed %d", i, found.is_signed);
    if (reads_memory(expected->kind))
        ck_assert_msg(found.width == expected->width, "%zu: width %u", i, found.width);
}

START_TEST(bytes_do_to_registers_what_their_text_says)
{
    for (size_t i = 0; i < sizeof effects / sizeof *effects; i++)
        check_effect(i, decoder->effect(code_of(effects[i].bytes, MOST_BYTES)), &effects[i].effect);
}
END_TEST

/* mov $0x80000000,%r8d: the upper half becomes zero. */
START_TEST(half_a_register_is_set_without_sign)
{
    static const uint8_t bytes[] = {0x41, 0xb8, 0, 0, 0, 0x80};
    struct sca_effect e = decoder->effect(code_of(bytes, sizeof bytes));
    ck_assert_uint_eq(e.kind, SCA_EFFECT_ADDRESS);
    ck_assert_uint_eq(e.value, 0x80000000);
}
END_TEST

/* The rest of the register stays what it was. */
START_TEST(a_part_of_a_register_is_no_value_of_it)
{
    static const uint8_t parts[][4] = {{0xb0, 1},          /* mov $1,%al */
                                       {0x88, 0xc4},       /* mov %al,%ah */
                                       {0x66, 0x89, 0xd0}, /* mov %dx,%ax */
                                       {0x66, 0x8d, 3},    /* lea (%rbx),%ax */
                                       {0x8a, 3},          /* mov (%rbx),%al */
                                       {0x00, 0xd0}};      /* add %dl,%al */
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        struct sca_effect e = decoder->effect(code_of(parts[i], 4));
        ck_assert_msg(e.kind == SCA_EFFECT_OTHER && e.to == RAX, "%zu: %u", i, e.kind);
    }
}
END_TEST

SCA_SUITE("x86_64_effect", bytes_do_to_registers_what_their_text_says,
          half_a_register_is_set_without_sign, a_part_of_a_register_is_no_value_of_it)
