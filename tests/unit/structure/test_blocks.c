/* Blocks of code laid down by hand: where they begin, what they lead to, and what is no code. */
#include "check_main.h"
#include "laid_code.h"

enum { AT = 0x401000 };

static struct laid_code laid;

static void tear_down(void)
{
    laid_free(&laid);
}

static void follow(const uint8_t *bytes, size_t size)
{
    laid_section(&laid, AT, bytes, size, true);
    laid_function(&laid, AT, AT + size, "f");
    laid_follow(&laid, 0);
}

static void check_ends(uint64_t block)
{
    ck_assert_uint_eq(laid.graph.blocks[laid_block(&laid, block)].nsuccessors, 0);
}

static uint32_t order_of(uint64_t block)
{
    return laid.graph.blocks[laid_block(&laid, block)].order;
}

/* 0 test %edi,%edi; 2 je 8; 4 dec %edi; 6 jmp 10; 8 inc %edi; 10 ret */
static const uint8_t choice[] = {0x85, 0xff, 0x74, 4, 0xff, 0xcf, 0xeb, 2, 0xff, 0xc7, 0xc3};

START_TEST(a_branch_has_two_ways)
{
    follow(choice, sizeof choice);
    ck_assert_uint_eq(laid.graph.nblocks, 4);
    LAID_LEADS(&laid, AT, AT + 8, AT + 4);
    LAID_LEADS(&laid, AT + 4, AT + 10);
    LAID_LEADS(&laid, AT + 8, AT + 10);
    check_ends(AT + 10);
    ck_assert_uint_eq(laid.graph.nloops, 0);
    ck_assert(laid.graph.returns);
}
END_TEST

/* 0 xor %eax,%eax; 2 inc %eax; 4 cmp $9,%eax; 7 jne 2; 9 ret */
static const uint8_t rounds[] = {0x31, 0xc0, 0xff, 0xc0, 0x83, 0xf8, 9, 0x75, 0xf9, 0xc3};

START_TEST(a_jump_back_makes_a_loop)
{
    follow(rounds, sizeof rounds);
    ck_assert_uint_eq(laid.graph.nblocks, 3);
    LAID_LEADS(&laid, AT + 2, AT + 2, AT + 9);
    ck_assert_uint_eq(laid.graph.nloops, 1);
    ck_assert_uint_eq(laid.graph.loops[0].header, laid_block(&laid, AT + 2));
    ck_assert_uint_eq(laid.graph.blocks[1].count, 3);
    ck_assert_uint_eq(sca_flow_graph_find(&laid.graph, AT + 3), 2); /* the one at 4 */
    ck_assert_uint_eq(sca_flow_graph_block(&laid.graph, AT + 4), SCA_NO_BLOCK);
}
END_TEST

/* 0 jmp 0: neither a way out nor back to the caller */
START_TEST(without_a_way_out_nothing_comes_back)
{
    static const uint8_t endless[] = {0xeb, 0xfe};
    follow(endless, sizeof endless);
    ck_assert_uint_eq(laid.graph.nloops, 1);
    ck_assert(!laid.graph.returns);
}
END_TEST

/* 0 ud2; 2 nop; 3 int3; 4 dec %edi; 6 ret: pads are no code, what nothing leads to is. */
START_TEST(code_that_nothing_leads_to_is_a_root)
{
    static const uint8_t bytes[] = {0x0f, 0x0b, 0x90, 0xcc, 0xff, 0xcf, 0xc3};
    follow(bytes, sizeof bytes);
    ck_assert_uint_eq(laid.graph.nblocks, 2);
    ck_assert_uint_eq(laid.graph.nroots, 2);
    ck_assert_uint_eq(laid.graph.roots[1], AT + 4);
    check_ends(AT);
    ck_assert_uint_lt(order_of(AT), order_of(AT + 4));
    ck_assert_uint_ne(order_of(AT + 4), SCA_NO_BLOCK);
}
END_TEST

/* 0 ret, then bytes that are no instruction: sought again at the next multiple of 16 */
START_TEST(data_in_code_is_left_out)
{
    uint8_t bytes[18] = {0xc3, 0x06, 0x06, 0x06};
    bytes[16] = 0xff, bytes[17] = 0xc0; /* inc %eax */
    follow(bytes, sizeof bytes);
    ck_assert_uint_eq(laid.graph.nblocks, 2);
    laid_block(&laid, AT + 16);
}
END_TEST

/* 0 dec %edi; 2 half of a call: there is nothing more */
START_TEST(an_instruction_cut_off_is_none)
{
    static const uint8_t bytes[] = {0xff, 0xcf, 0xe8, 0};
    follow(bytes, sizeof bytes);
    ck_assert_uint_eq(laid.graph.ninstructions, 1);
    check_ends(AT);
}
END_TEST

/* 0 call 6 (the next function); 5 ret | 6 ret */
START_TEST(a_call_goes_on_behind_it)
{
    static const uint8_t bytes[] = {0xe8, 1, 0, 0, 0, 0xc3, 0xc3};
    laid_section(&laid, AT, bytes, sizeof bytes, true);
    laid_function(&laid, AT, AT + 6, "f");
    laid_function(&laid, AT + 6, AT + 7, "g");
    laid_follow(&laid, 0);
    ck_assert_uint_eq(laid.graph.nblocks, 1);
    ck_assert_uint_eq(laid.graph.blocks[0].count, 2);
    laid.list[1].no_return = true; /* and then it does not */
    laid_follow(&laid, 0);
    ck_assert_uint_eq(laid.graph.nblocks, 2); /* the return is a root of its own */
    check_ends(AT);
}
END_TEST

/* 0 jmp 2 | 2 ret: to another function */
START_TEST(a_jump_out_comes_back_if_its_target_does)
{
    static const uint8_t bytes[] = {0xeb, 0, 0xc3};
    laid_section(&laid, AT, bytes, sizeof bytes, true);
    laid_function(&laid, AT, AT + 2, "f");
    laid_function(&laid, AT + 2, AT + 3, "g");
    laid_follow(&laid, 0);
    check_ends(AT);
    ck_assert(laid.graph.returns);
    laid.list[1].no_return = true;
    laid_follow(&laid, 0);
    ck_assert(!laid.graph.returns);
}
END_TEST

/* 0 call *0x1ffa(%rip), the slot at 0x403000; 6 ret */
START_TEST(a_slot_tells_who_is_called)
{
    static const uint8_t bytes[] = {0xff, 0x15, 0xfa, 0x1f, 0, 0, 0xc3};
    laid_slot(&laid, AT + 0x2000, "abort", 0);
    follow(bytes, sizeof bytes);
    ck_assert_uint_eq(laid.graph.nblocks, 2);
    check_ends(AT);
    laid.slots[0].name = "puts";
    laid_follow(&laid, 0);
    ck_assert_uint_eq(laid.graph.nblocks, 1);
}
END_TEST

/* 0 call 0x402000; 5 ret | 0x402000 jmp *0xffa(%rip): the slot at 0x403000 */
START_TEST(a_stub_tells_who_is_called)
{
    static const uint8_t bytes[] = {0xe8, 0xfb, 0x0f, 0, 0, 0xc3};
    static const uint8_t stub[] = {0xff, 0x25, 0xfa, 0x0f, 0, 0};
    laid_section(&laid, AT, bytes, sizeof bytes, true);
    laid_section(&laid, AT + 0x1000, stub, sizeof stub, true);
    laid_slot(&laid, AT + 0x2000, "abort", 0);
    laid_function(&laid, AT, AT + sizeof bytes, "f");
    laid_follow(&laid, 0);
    ck_assert_uint_eq(laid.graph.nblocks, 1); /* it is no procedure linkage table yet */
    laid.sections[1].stubs = true;
    laid_follow(&laid, 0);
    ck_assert_uint_eq(laid.graph.nblocks, 2);
    check_ends(AT);
}
END_TEST

/* 0 jmp 1: into the displacement of itself, ff c3 (inc %ebx); 3 ret */
START_TEST(instructions_may_overlap)
{
    static const uint8_t bytes[] = {0xeb, 0xff, 0xc3, 0xc3};
    follow(bytes, sizeof bytes);
    LAID_LEADS(&laid, AT, AT + 1);
    ck_assert_uint_eq(laid.graph.ninstructions, 3);
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("blocks");
    TCase *tcase = tcase_create("blocks");
    tcase_add_checked_fixture(tcase, NULL, tear_down);
    tcase_add_test(tcase, a_branch_has_two_ways);
    tcase_add_test(tcase, a_jump_back_makes_a_loop);
    tcase_add_test(tcase, without_a_way_out_nothing_comes_back);
    tcase_add_test(tcase, code_that_nothing_leads_to_is_a_root);
    tcase_add_test(tcase, data_in_code_is_left_out);
    tcase_add_test(tcase, an_instruction_cut_off_is_none);
    tcase_add_test(tcase, a_call_goes_on_behind_it);
    tcase_add_test(tcase, a_jump_out_comes_back_if_its_target_does);
    tcase_add_test(tcase, a_slot_tells_who_is_called);
    tcase_add_test(tcase, a_stub_tells_who_is_called);
    tcase_add_test(tcase, instructions_may_overlap);
    suite_add_tcase(suite, tcase);
    return suite;
}
