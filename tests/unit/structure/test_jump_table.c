/* Tables of `switch` as compilers write them; where they lead and how many entries they have. */
#include "check_main.h"
#include "laid_code.h"

enum { AT = 0x401000, TABLE = 0x402000 };

static struct laid_code laid;

static void tear_down(void)
{
    laid_free(&laid);
}

static void follow(const uint8_t *bytes, size_t size, const uint8_t *table, size_t length)
{
    laid_section(&laid, AT, bytes, size, true);
    laid_section(&laid, TABLE, table, length, false);
    laid_function(&laid, AT, AT + size, "f");
    laid_follow(&laid, 0);
}

/* 0 cmp $2,%edi; 3 ja 26; 5 lea TABLE(%rip),%rdx; 12 mov %edi,%edi; 14 movslq (%rdx,%rdi,4),%rax;
 * 18 add %rdx,%rax; 21 jmp *%rax; 23 to 26 ret */
static const uint8_t relative[] = {0x83, 0xff, 2,    0x77, 0x15, 0x48, 0x8d, 0x15, 0xf4,
                                   0x0f, 0,    0,    0x89, 0xff, 0x48, 0x63, 0x04, 0xba,
                                   0x48, 0x01, 0xd0, 0xff, 0xe0, 0xc3, 0xc3, 0xc3, 0xc3};
/* 0x401017, 0x401018, 0x401019, from TABLE on: -0xfe9, -0xfe8, -0xfe7; then one to 0x40101a */
static const uint8_t distances[] = {0x17, 0xf0, 0xff, 0xff, 0x18, 0xf0, 0xff, 0xff,
                                    0x19, 0xf0, 0xff, 0xff, 0x1a, 0xf0, 0xff, 0xff};

START_TEST(distances_are_added_to_the_table)
{
    follow(relative, sizeof relative, distances, sizeof distances);
    LAID_LEADS(&laid, AT + 5, AT + 23, AT + 24, AT + 25); /* not the fourth: cmp $2 */
    LAID_LEADS(&laid, AT, AT + 5, AT + 26);
    ck_assert_uint_eq(laid.graph.nroots, 1);
}
END_TEST

/* One entry fewer than the comparison lets through is in the file. */
START_TEST(a_table_ends_with_its_section)
{
    follow(relative, sizeof relative, distances, 8);
    LAID_LEADS(&laid, AT + 5, AT + 23, AT + 24);
}
END_TEST

START_TEST(a_table_ends_where_an_entry_leads_out)
{
    uint8_t out[sizeof distances];
    for (size_t i = 0; i < sizeof out; i++)
        out[i] = distances[i];
    out[6] = 0; /* far behind the function */
    follow(relative, sizeof relative, out, sizeof out);
    LAID_LEADS(&laid, AT + 5, AT + 23);
}
END_TEST

/* 0 cmp $1,%edi; 3 ja 16; 5 mov %edi,%eax; 7 jmp *TABLE(,%rax,8); 14 to 16 ret */
static const uint8_t absolute[] = {0x83, 0xff, 1,    0x77, 0x0b, 0x89, 0xf8, 0xff, 0x24,
                                   0xc5, 0,    0x20, 0x40, 0,    0xc3, 0xc3, 0xc3};
static const uint8_t addresses[24] = {0x0e, 0x10, 0x40, 0, 0, 0, 0, 0, 0x0f, 0x10, 0x40};

START_TEST(addresses_are_taken_as_they_are)
{
    follow(absolute, sizeof absolute, addresses, sizeof addresses);
    LAID_LEADS(&laid, AT + 5, AT + 14, AT + 15);
}
END_TEST

/* What the loader puts there counts, not what the file has. */
START_TEST(addresses_may_be_the_loader_s)
{
    static const uint8_t none[16];
    laid_slot(&laid, TABLE, NULL, AT + 15);
    laid_slot(&laid, TABLE + 8, NULL, AT + 16);
    follow(absolute, sizeof absolute, none, sizeof none);
    LAID_LEADS(&laid, AT + 5, AT + 15, AT + 16);
}
END_TEST

/* Another file's function is in the table. */
START_TEST(a_name_in_the_table_ends_it)
{
    laid_slot(&laid, TABLE + 8, "elsewhere", 0);
    follow(absolute, sizeof absolute, addresses, sizeof addresses);
    LAID_LEADS(&laid, AT + 5, AT + 14);
}
END_TEST

/* 0 lea TABLE(%rip),%rdx; 7 movzbl (%rdx,%rdi),%eax; 11 lea 24(%rip),%rcx; 18 lea (%rcx,%rax,4),
 * %rax; 22 jmp *%rax; 24 ret; 25 to 27 nop; 28 ret */
static const uint8_t small[] = {0x48, 0x8d, 0x15, 0xf9, 0x0f, 0,    0,    0x0f, 0xb6, 0x04,
                                0x3a, 0x48, 0x8d, 0x0d, 6,    0,    0,    0,    0x48, 0x8d,
                                0x04, 0x81, 0xff, 0xe0, 0xc3, 0x90, 0x90, 0x90, 0xc3};

/* Without a comparison as many as lead into the function: 24, 28; the third, 0x401018 + 4 * 200,
 * is outside. */
START_TEST(small_entries_are_multiplied)
{
    static const uint8_t steps[] = {0, 1, 200, 0};
    follow(small, sizeof small, steps, sizeof steps);
    LAID_LEADS(&laid, AT, AT + 24, AT + 28);
}
END_TEST

/* 0 cmp $1,%edi; 3 ja 19; 5 mov TABLE(,%rdi,8),%rax; 13 jmp *%rax; 15, 17, 19 ret and nop */
START_TEST(an_entry_may_be_loaded_first)
{
    static const uint8_t loaded[] = {0x83, 0xff, 1, 0x77, 0x0e, 0x48, 0x8b, 0x04, 0xfd, 0,
                                     0x20, 0x40, 0, 0xff, 0xe0, 0xc3, 0x90, 0xc3, 0x90, 0xc3};
    static const uint8_t table[16] = {0x0f, 0x10, 0x40, 0, 0, 0, 0, 0, 0x11, 0x10, 0x40};
    follow(loaded, sizeof loaded, table, sizeof table);
    LAID_LEADS(&laid, AT + 5, AT + 15, AT + 17);
}
END_TEST

/* 0 jmp *%rdi; 2 ret; 3 nop; 4 ret: it may lead to whatever nothing else leads to */
START_TEST(an_unknown_jump_leads_to_what_is_left)
{
    static const uint8_t unknown[] = {0xff, 0xe7, 0xc3, 0x90, 0xc3}, none[1];
    follow(unknown, sizeof unknown, none, sizeof none);
    LAID_LEADS(&laid, AT, AT + 2, AT + 4);
    ck_assert_uint_eq(laid.graph.nroots, 3);
}
END_TEST

/* 0 lea TABLE(%rip),%rdx; 7 call *%rsi; 9 jmp *(%rdx,%rdi,8): the call may have changed %rdx */
START_TEST(a_register_is_not_followed_over_a_call)
{
    static const uint8_t called[] = {0x48, 0x8d, 0x15, 0xf9, 0x0f, 0,   0,
                                     0xff, 0xd6, 0xff, 0x24, 0xfa, 0xc3};
    static const uint8_t table[16] = {0x0c, 0x10, 0x40};
    follow(called, sizeof called, table, sizeof table);
    ck_assert_uint_eq(laid.graph.nroots, 2); /* the return was left over */
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("jump_table");
    TCase *tcase = tcase_create("jump_table");
    tcase_add_checked_fixture(tcase, NULL, tear_down);
    tcase_add_test(tcase, distances_are_added_to_the_table);
    tcase_add_test(tcase, a_table_ends_with_its_section);
    tcase_add_test(tcase, a_table_ends_where_an_entry_leads_out);
    tcase_add_test(tcase, addresses_are_taken_as_they_are);
    tcase_add_test(tcase, addresses_may_be_the_loader_s);
    tcase_add_test(tcase, a_name_in_the_table_ends_it);
    tcase_add_test(tcase, small_entries_are_multiplied);
    tcase_add_test(tcase, an_entry_may_be_loaded_first);
    tcase_add_test(tcase, an_unknown_jump_leads_to_what_is_left);
    tcase_add_test(tcase, a_register_is_not_followed_over_a_call);
    suite_add_tcase(suite, tcase);
    return suite;
}
