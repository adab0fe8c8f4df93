/* Bytes as GNU as makes them of the text beside them; what follows from that text. */
#include "decode/x86_64.h"
#include "check_main.h"

enum { AT = 0x401000, MOST_BYTES = 16, RCX = 1, RDX = 2, RSI = 6, RDI = 7, R8 = 8 };

static const struct sca_decoder *const decoder = &sca_decoder_x86_64;

static struct sca_code_bytes code_of(const uint8_t *bytes, size_t size)
{
    return (struct sca_code_bytes){bytes, size, AT};
}

struct leads {
    uint8_t length, bytes[MOST_BYTES];
    enum sca_flow flow;
    int64_t ahead; /* of AT; 0: no target */
};

static const struct leads flows[] = {
    {2, {0xeb, 0x10}, SCA_FLOW_JUMP, 0x12},                       /* jmp .+0x12 */
    {5, {0xe9, 0x40, 3}, SCA_FLOW_JUMP, 0x345},                   /* jmp .+0x345 */
    {6, {0xf2, 0xe9, 0x3f, 3}, SCA_FLOW_JUMP, 0x345},             /* bnd jmp .+0x345 */
    {2, {0x74, 0xee}, SCA_FLOW_BRANCH, -0x10},                    /* je .-0x10 */
    {6, {0x0f, 0x85, 0xfa, 0x0f}, SCA_FLOW_BRANCH, 0x1000},       /* jne .+0x1000 */
    {2, {0xe2, 0xde}, SCA_FLOW_BRANCH, -0x20},                    /* loop .-0x20 */
    {2, {0xe3, 0x0e}, SCA_FLOW_BRANCH, 0x10},                     /* jrcxz .+0x10 */
    {6, {0xc7, 0xf8, 0x3a}, SCA_FLOW_BRANCH, 0x40},               /* xbegin .+0x40 */
    {5, {0xe8, 0xfb, 0xfe, 0xff, 0xff}, SCA_FLOW_CALL, -0x100},   /* call .-0x100 */
    {6, {0xff, 0x25, 0, 1}, SCA_FLOW_JUMP_INDIRECT, 0x106},       /* jmp *0x100(%rip) */
    {7, {0xf2, 0xff, 0x25, 0, 1}, SCA_FLOW_JUMP_INDIRECT, 0x107}, /* bnd jmp *0x100(%rip) */
    {2, {0xff, 0xe0}, SCA_FLOW_JUMP_INDIRECT, 0},                 /* jmp *%rax */
    {3, {0xff, 0x24, 0xc8}, SCA_FLOW_JUMP_INDIRECT, 0},           /* jmp *(%rax,%rcx,8) */
    {3, {0x3e, 0xff, 0xe2}, SCA_FLOW_JUMP_INDIRECT, 0},           /* notrack jmp *%rdx */
    {6, {0xff, 0x15, 0, 2}, SCA_FLOW_CALL_INDIRECT, 0x206},       /* call *0x200(%rip) */
    {3, {0x41, 0xff, 0xd3}, SCA_FLOW_CALL_INDIRECT, 0},           /* call *%r11 */
    {3, {0xff, 0x53, 0x08}, SCA_FLOW_CALL_INDIRECT, 0},           /* call *8(%rbx) */
    {1, {0xc3}, SCA_FLOW_RETURN, 0},                              /* ret */
    {3, {0xc2, 8}, SCA_FLOW_RETURN, 0},                           /* ret $8 */
    {2, {0xf3, 0xc3}, SCA_FLOW_RETURN, 0},                        /* repz ret */
    {2, {0x48, 0xcf}, SCA_FLOW_RETURN, 0},                        /* iretq */
    {2, {0x0f, 0x0b}, SCA_FLOW_STOP, 0},                          /* ud2 */
    {1, {0xf4}, SCA_FLOW_STOP, 0},                                /* hlt */
    {1, {0xcc}, SCA_FLOW_PAD, 0},                                 /* int3 */
    {1, {0x90}, SCA_FLOW_PAD, 0},                                 /* nop */
    {5, {0x66, 0x0f, 0x1f, 4}, SCA_FLOW_PAD, 0},                  /* nopw (%rax,%rax) */
    {11, {0x66, 0x66, 0x2e, 0x0f, 0x1f, 0x84}, SCA_FLOW_PAD, 0},  /* data16 cs nopw 0(%rax,%rax) */
    {4, {0xf3, 0x0f, 0x1e, 0xfa}, SCA_FLOW_NEXT, 0},              /* endbr64 */
    {2, {0x0f, 0x05}, SCA_FLOW_NEXT, 0},                          /* syscall */
    {3, {0xc6, 0xf8, 1}, SCA_FLOW_NEXT, 0},                       /* xabort $1 */
    {2, {0xf3, 0x90}, SCA_FLOW_NEXT, 0},                          /* pause */
    {4, {0x48, 0x0f, 0x44, 0xd8}, SCA_FLOW_NEXT, 0},              /* cmove %rax,%rbx */
};

START_TEST(bytes_lead_where_their_text_says)
{
    for (size_t i = 0; i < sizeof flows / sizeof *flows; i++) {
        struct sca_instruction in;
        ck_assert(decoder->decode(code_of(flows[i].bytes, MOST_BYTES), &in));
        ck_assert_uint_eq(in.address, AT);
        ck_assert_msg(in.length == flows[i].length, "%zu: %u bytes", i, in.length);
        ck_assert_msg(in.flow == flows[i].flow, "%zu: %u", i, in.flow);
        uint64_t target = flows[i].ahead ? (uint64_t)(AT + flows[i].ahead) : 0;
        ck_assert_msg(in.target == target, "%zu: to %llx", i, (unsigned long long)in.target);
    }
}
END_TEST

/* The bytes behind are not there: sanitizers would see them read. */
START_TEST(bytes_cut_off_are_none)
{
    for (size_t i = 0; i < sizeof flows / sizeof *flows; i++)
        for (size_t size = 0; size < flows[i].length; size++) {
            struct sca_instruction in;
            bool prefixes = flows[i].bytes[0] == 0xf3 && flows[i].length == 2;
            ck_assert_msg(!decoder->decode(code_of(flows[i].bytes, size), &in) || prefixes,
                          "%zu cut to %zu", i, size);
        }
}
END_TEST

START_TEST(what_is_not_allocated_is_none)
{
    static const uint8_t unknown[][2] = {{0x06, 0}, {0x0f, 0x04}, {0xd6, 0}, {0xff, 0xff}};
    struct sca_instruction in;
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        ck_assert_msg(!decoder->decode(code_of(unknown[i], 2), &in), "%zu", i);
}
END_TEST

/* ---- stubs ---- */

static bool stub(const uint8_t *bytes, size_t size, uint64_t *slot)
{
    *slot = 0;
    return decoder->stub_slot(code_of(bytes, size), slot);
}

START_TEST(a_stub_tells_its_slot)
{
    /* endbr64; bnd jmp *0x2fe5(%rip) */
    static const uint8_t now[] = {0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25, 0xe5, 0x2f, 0, 0};
    /* jmp *0x2fe2(%rip); push $0 */
    static const uint8_t lazy[] = {0xff, 0x25, 0xe2, 0x2f, 0, 0, 0x68, 0, 0, 0, 0};
    /* push 0x2fca(%rip); jmp *0x2fcc(%rip) */
    static const uint8_t first[] = {0xff, 0x35, 0xca, 0x2f, 0, 0, 0xff, 0x25, 0xcc, 0x2f, 0, 0};
    uint64_t slot;
    ck_assert(stub(now, sizeof now, &slot));
    ck_assert_uint_eq(slot, AT + 11 + 0x2fe5);
    ck_assert(stub(lazy, sizeof lazy, &slot));
    ck_assert_uint_eq(slot, AT + 6 + 0x2fe2);
    ck_assert(stub(first, sizeof first, &slot));
    ck_assert_uint_eq(slot, AT + 12 + 0x2fcc);
    ck_assert(!stub(now, sizeof now - 1, &slot));
}
END_TEST

START_TEST(other_code_is_no_stub)
{
    static const uint8_t by_register[] = {0xff, 0xe0};                /* jmp *%rax */
    static const uint8_t returns[] = {0xc3, 0xff, 0x25, 0, 1, 0, 0};  /* ret; jmp *... */
    static const uint8_t jumps[] = {0xeb, 0, 0xff, 0x25, 0, 1, 0, 0}; /* jmp .+2; jmp *... */
    static const uint8_t late[] = {0x55, 0x55, 0x55, 0xff, 0x25, 0, 1, 0, 0}; /* three pushes */
    uint64_t slot;
    ck_assert(!stub(by_register, sizeof by_register, &slot));
    ck_assert(!stub(returns, sizeof returns, &slot));
    ck_assert(!stub(jumps, sizeof jumps, &slot));
    ck_assert(!stub(late, sizeof late, &slot));
}
END_TEST

START_TEST(arguments_are_in_six_registers)
{
    static const uint8_t order[] = {RDI, RSI, RDX, RCX, R8, R8 + 1};
    for (unsigned n = 0; n < 6; n++)
        for (uint8_t reg = 0; reg < 16; reg++)
            ck_assert_int_eq(decoder->is_argument(reg, n), reg == order[n]);
    ck_assert(!decoder->is_argument(RDI, 6));
}
END_TEST

SCA_SUITE("x86_64", bytes_lead_where_their_text_says, bytes_cut_off_are_none,
          what_is_not_allocated_is_none, a_stub_tells_its_slot, other_code_is_no_stub,
          arguments_are_in_six_registers)
