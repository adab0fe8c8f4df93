/* Words as GNU as makes them of the text beside them; what follows from that text. */
#include "decode/aarch64.h"
#include "check_main.h"

#include <string.h>

enum { AT = 0x400100, NONE = SCA_NO_REGISTER, MOST_WORDS = 6, SP = 31 };

static const struct sca_decoder *const decoder = &sca_decoder_aarch64;

/* Instructions at AT. */
struct some_code {
    uint8_t bytes[4 * MOST_WORDS];
    struct sca_code_bytes code;
};

static void lay_down(struct some_code *some, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < 4 * count; i++)
        some->bytes[i] = (uint8_t)(words[i / 4] >> i % 4 * 8);
    some->code = (struct sca_code_bytes){some->bytes, 4 * count, AT};
}

struct leads {
    uint32_t word;
    enum sca_flow flow;
    int64_t ahead; /* 0: no target */
};

static const struct leads flows[] = {
    {0x14000010, SCA_FLOW_JUMP, 0x40},       /* b .+0x40 */
    {0x97fffff0, SCA_FLOW_CALL, -0x40},      /* bl .-0x40 */
    {0x54ffffc1, SCA_FLOW_BRANCH, -8},       /* b.ne .-8 */
    {0x5400004e, SCA_FLOW_JUMP, 8},          /* b.al .+8 */
    {0xb4000083, SCA_FLOW_BRANCH, 16},       /* cbz x3, .+16 */
    {0x371fffe5, SCA_FLOW_BRANCH, -4},       /* tbnz w5, #3, .-4 */
    {0xd61f0020, SCA_FLOW_JUMP_INDIRECT, 0}, /* br x1 */
    {0xd71f0822, SCA_FLOW_JUMP_INDIRECT, 0}, /* braa x1, x2 */
    {0xd63f0040, SCA_FLOW_CALL_INDIRECT, 0}, /* blr x2 */
    {0xd63f089f, SCA_FLOW_CALL_INDIRECT, 0}, /* blraaz x4 */
    {0xd65f03c0, SCA_FLOW_RETURN, 0},        /* ret */
    {0xd65f00a0, SCA_FLOW_RETURN, 0},        /* ret x5 */
    {0xd65f0fff, SCA_FLOW_RETURN, 0},        /* retab */
    {0xd69f03e0, SCA_FLOW_RETURN, 0},        /* eret */
    {0xd4207d00, SCA_FLOW_STOP, 0},          /* brk #1000 */
    {0xd4400020, SCA_FLOW_STOP, 0},          /* hlt #1 */
    {0x00000000, SCA_FLOW_STOP, 0},          /* udf #0 */
    {0xd503201f, SCA_FLOW_PAD, 0},           /* nop */
    {0xd503245f, SCA_FLOW_NEXT, 0},          /* bti c */
    {0xd503233f, SCA_FLOW_NEXT, 0},          /* paciasp */
    {0xd4000001, SCA_FLOW_NEXT, 0},          /* svc #0 */
    {0x910d0021, SCA_FLOW_NEXT, 0},          /* add x1, x1, #0x340 */
};

START_TEST(a_word_leads_where_its_text_says)
{
    for (size_t i = 0; i < sizeof flows / sizeof *flows; i++) {
        struct some_code some;
        struct sca_instruction in;
        lay_down(&some, &flows[i].word, 1);
        ck_assert(decoder->decode(some.code, &in));
        ck_assert_uint_eq(in.address, AT);
        ck_assert_uint_eq(in.length, 4);
        ck_assert_msg(in.flow == flows[i].flow, "%08x: %u", flows[i].word, in.flow);
        uint64_t target = flows[i].ahead ? (uint64_t)(AT + flows[i].ahead) : 0;
        ck_assert_uint_eq(in.target, target);
    }
}
END_TEST

START_TEST(what_is_not_whole_or_not_allocated_is_none)
{
    static const uint32_t unknown[] = {0x02000000, 0x06000000, 0x00010000, 0xd4600001, 0xd6ff0000};
    struct some_code some;
    struct sca_instruction in;
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        lay_down(&some, &unknown[i], 1);
        ck_assert_msg(!decoder->decode(some.code, &in), "%08x", unknown[i]);
    }
    lay_down(&some, &flows[0].word, 1);
    some.code.size = 3;
    ck_assert(!decoder->decode(some.code, &in));
    some.code.size = 4;
    some.code.address = AT + 2;
    ck_assert(!decoder->decode(some.code, &in));
}
END_TEST

struct does {
    uint32_t word;
    struct sca_effect effect;
};

#define MINUS(n) (uint64_t)-(n)

/* kind, to, from, index, shift, width, signed, value */
static const struct does effects[] = {
    /* adr x2, .+28; adrp x1, .; add x1, x1, #0x340; sub sp, sp, #32 */
    {0x100000e2, {SCA_EFFECT_ADDRESS, 2, NONE, NONE, 0, 0, false, AT + 28}},
    {0x90000001, {SCA_EFFECT_ADDRESS, 1, NONE, NONE, 0, 0, false, 0x400000}},
    {0x910d0021, {SCA_EFFECT_ADD, 1, 1, NONE, 0, 0, false, 0x340}},
    {0xd10083ff, {SCA_EFFECT_ADD, SP, SP, NONE, 0, 0, false, MINUS(32)}},
    /* add x1, x2, w1, sxtb #2; add x3, x4, x5, lsl #3; lsl x1, x2, #4 */
    {0x8b218841, {SCA_EFFECT_ADD, 1, 2, 1, 2, 1, true, 0}},
    {0x8b050c83, {SCA_EFFECT_ADD, 3, 4, 5, 3, 8, false, 0}},
    {0xd37cec41, {SCA_EFFECT_ADD, 1, NONE, 2, 4, 8, false, 0}},
    /* mov x7, x8; sxtw x1, w2; mov x9, #0x1234; movk x1, #2, lsl #16 */
    {0xaa0803e7, {SCA_EFFECT_MOVE, 7, 8, NONE, 0, 0, false, 0}},
    {0x93407c41, {SCA_EFFECT_MOVE, 1, 2, NONE, 0, 0, true, 0}},
    {0xd2824689, {SCA_EFFECT_ADDRESS, 9, NONE, NONE, 0, 0, false, 0x1234}},
    {0xf2a00041, {SCA_EFFECT_OTHER, 1, NONE, NONE, 0, 0, false, 0}},
    /* ldrb w1, [x1, w0, uxtw]; ldrh w1, [x1, w0, uxtw #1]; ldrsw x3, [x4, x5, lsl #2] */
    {0x38604821, {SCA_EFFECT_LOAD, 1, 1, 0, 0, 1, false, 0}},
    {0x78605821, {SCA_EFFECT_LOAD, 1, 1, 0, 1, 2, false, 0}},
    {0xb8a57883, {SCA_EFFECT_LOAD, 3, 4, 5, 2, 4, true, 0}},
    /* ldr x6, [x7, #16]; ldur w6, [x7, #-4]; ldr x1, .+32; ldrsb w2, [x3] */
    {0xf94008e6, {SCA_EFFECT_LOAD, 6, 7, NONE, 0, 8, false, 16}},
    {0xb85fc0e6, {SCA_EFFECT_LOAD, 6, 7, NONE, 0, 4, false, MINUS(4)}},
    {0x58000101, {SCA_EFFECT_LOAD, 1, NONE, NONE, 0, 8, false, AT + 32}},
    {0x39c00062, {SCA_EFFECT_LOAD, 2, 3, NONE, 0, 1, true, 0}},
    /* cmp w0, #6; cmn x1, #1; cmp x1, x2; br x1 */
    {0x7100181f, {SCA_EFFECT_COMPARE, NONE, 0, NONE, 0, 0, false, 6}},
    {0xb100043f, {SCA_EFFECT_COMPARE, NONE, 1, NONE, 0, 0, false, MINUS(1)}},
    {0xeb02003f, {SCA_EFFECT_NONE, NONE, NONE, NONE, 0, 0, false, 0}},
    {0xd61f0020, {SCA_EFFECT_JUMP, NONE, 1, NONE, 0, 0, false, 0}},
    /* ldp x1, x2, [sp], #16; str x1, [sp, #-16]!; str x1, [x2]; stxr w3, x1, [x2] */
    {0xa8c10be1, {SCA_EFFECT_OTHER, NONE, NONE, NONE, 0, 0, false, 0}},
    {0xf81f0fe1, {SCA_EFFECT_OTHER, SP, NONE, NONE, 0, 0, false, 0}},
    {0xf9000041, {SCA_EFFECT_NONE, NONE, NONE, NONE, 0, 0, false, 0}},
    {0xc8037c41, {SCA_EFFECT_OTHER, 3, NONE, NONE, 0, 0, false, 0}},
    /* ldadd x1, x2, [x3]; fmov x1, d0; fadd d0, d1, d2; ldr d0, [x1, #8]; mrs x3, tpidr_el0 */
    {0xf8210062, {SCA_EFFECT_OTHER, 2, NONE, NONE, 0, 0, false, 0}},
    {0x9e660001, {SCA_EFFECT_OTHER, 1, NONE, NONE, 0, 0, false, 0}},
    {0x1e622820, {SCA_EFFECT_NONE, NONE, NONE, NONE, 0, 0, false, 0}},
    {0xfd400420, {SCA_EFFECT_NONE, NONE, NONE, NONE, 0, 0, false, 0}},
    {0xd53bd043, {SCA_EFFECT_OTHER, 3, NONE, NONE, 0, 0, false, 0}},
    /* bl .-0x40; paciasp */
    {0x97fffff0, {SCA_EFFECT_OTHER, NONE, NONE, NONE, 0, 0, false, 0}},
    {0xd503233f, {SCA_EFFECT_OTHER, 30, NONE, NONE, 0, 0, false, 0}},
};

static void check_effect(struct sca_effect found, const struct does *does)
{
    const struct sca_effect *expected = &does->effect;
    ck_assert_msg(found.kind == expected->kind, "%08x: %u", does->word, found.kind);
    ck_assert_msg(found.to == expected->to, "%08x: to %u", does->word, found.to);
    ck_assert_msg(found.from == expected->from, "%08x: from %u", does->word, found.from);
    ck_assert_msg(found.index == expected->index, "%08x: index %u", does->word, found.index);
    ck_assert_uint_eq(found.shift, expected->shift);
    ck_assert_uint_eq(found.width, expected->width);
    ck_assert_uint_eq(found.is_signed, expected->is_signed);
    ck_assert_uint_eq(found.value, expected->value);
}

START_TEST(a_word_does_to_registers_what_its_text_says)
{
    for (size_t i = 0; i < sizeof effects / sizeof *effects; i++) {
        struct some_code some;
        lay_down(&some, &effects[i].word, 1);
        check_effect(decoder->effect(some.code), &effects[i]);
    }
}
END_TEST

/* bti c; adrp x16, AT's page + 0x1f000; ldr x17, [x16, #0xff8]; add x16, x16, #0xff8; br x17 */
static const uint32_t stub[] = {0xd503245f, 0xf00000f0, 0xf947fe11, 0x913fe210, 0xd61f0220};

START_TEST(a_stub_tells_its_slot)
{
    struct some_code some;
    uint64_t slot = 0;
    lay_down(&some, stub, 5);
    ck_assert(decoder->stub_slot(some.code, &slot));
    ck_assert_uint_eq(slot, 0x41fff8);
    lay_down(&some, stub + 1, 4);
    ck_assert(decoder->stub_slot(some.code, &slot));
    ck_assert_uint_eq(slot, 0x41fff8);
    some.code.size -= 4;
    ck_assert(!decoder->stub_slot(some.code, &slot));
    lay_down(&some, stub + 2, 3);
    ck_assert(!decoder->stub_slot(some.code, &slot));
}
END_TEST

START_TEST(arguments_are_in_the_first_eight)
{
    ck_assert(decoder->is_argument(0, 0));
    ck_assert(decoder->is_argument(7, 7));
    ck_assert(!decoder->is_argument(1, 0));
    ck_assert(!decoder->is_argument(8, 8));
}
END_TEST

SCA_SUITE("aarch64", a_word_leads_where_its_text_says, what_is_not_whole_or_not_allocated_is_none,
          a_word_does_to_registers_what_its_text_says, a_stub_tells_its_slot,
          arguments_are_in_the_first_eight)
