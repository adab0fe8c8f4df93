/* Who never comes back: by name, and because all ways end in such a call. */
#include "flow/no_return.h"
#include "check_main.h"
#include "laid_code.h"
#include "sca_error.h"

enum { AT = 0x401000, EACH = 16 };

static struct laid_code laid;
static struct sca_no_return *names;

static void tear_down(void)
{
    sca_no_return_free(names);
    names = NULL;
    laid_free(&laid);
}

/* Functions of sixteen bytes each. */
static void find(const uint8_t *bytes, uint32_t count, const char *const *called)
{
    static const struct sca_units none;
    laid_section(&laid, AT, bytes, (size_t)count * EACH, true);
    for (uint32_t i = 0; i < count; i++)
        laid_function(&laid, AT + i * EACH, AT + (i + 1) * EACH, called[i]);
    ck_assert_int_eq(sca_no_return_find(&laid.code, &none, &names), SCA_OK);
}

static bool stops(uint32_t function)
{
    return laid.list[function].no_return;
}

/* a: call b | b: call c | c: call exit | exit: ret (by its name). Nothing but pads behind calls. */
static const uint8_t chain[4 * EACH] = {
    0xe8, 11,   0,    0,    0,    0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90,
    0xe8, 11,   0,    0,    0,    0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90,
    0xe8, 11,   0,    0,    0,    0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90,
    0xc3, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90};
/* The same, and each call has a return behind it. */
static const uint8_t returns[4 * EACH] = {
    [0] = 0xe8,  [1] = 11,    [5] = 0xc3, [16] = 0xe8, [17] = 11,
    [21] = 0xc3, [32] = 0xe8, [33] = 11,  [37] = 0xc3, [48] = 0xc3};

START_TEST(callers_of_what_never_returns_do_not_either)
{
    find(chain, 4, (const char *const[]){"a", "b", "c", "exit"});
    for (uint32_t i = 0; i < 4; i++)
        ck_assert_msg(stops(i), "%u", i);
}
END_TEST

/* A return that nothing leads to is no way back: as where callers do not know of it. */
START_TEST(what_is_behind_such_a_call_does_not_count)
{
    find(returns, 4, (const char *const[]){"a", "b", "c", "exit"});
    for (uint32_t i = 0; i < 4; i++)
        ck_assert_msg(stops(i), "%u", i);
}
END_TEST

START_TEST(callers_of_what_returns_return)
{
    find(returns, 4, (const char *const[]){"a", "b", "c", "d"});
    for (uint32_t i = 0; i < 4; i++)
        ck_assert_msg(!stops(i), "%u", i);
}
END_TEST

/* a: test %edi,%edi; je 9; call b; 9: ret | b: jmp c | c: ud2 */
START_TEST(one_way_back_is_enough)
{
    static const uint8_t bytes[3 * EACH] = {0x85, 0xff,        0x74,      5,           0xe8,
                                            7,    0,           0,         0,           0xc3,
                                            0x90, [16] = 0xeb, [17] = 14, [32] = 0x0f, [33] = 0x0b};
    find(bytes, 3, (const char *const[]){"a", "b", "c"});
    ck_assert(!stops(0));
    ck_assert(stops(1)); /* by a jump */
    ck_assert(stops(2));
}
END_TEST

/* a: call a; ret: a way back is there, if it came to it | b: jmp b */
START_TEST(who_calls_itself_is_taken_to_return)
{
    static const uint8_t bytes[2 * EACH] = {0xe8, 0xfb,        0xff,        0xff,       0xff,
                                            0xc3, [16] = 0xeb, [17] = 0xfe, [18] = 0x90};
    find(bytes, 2, (const char *const[]){"a", "b"});
    ck_assert(!stops(0));
    ck_assert(stops(1)); /* round and round */
}
END_TEST

/* f: test; js f.cold; ret | f.cold: call abort | abort */
START_TEST(a_part_is_looked_at_with_its_function)
{
    static const uint8_t bytes[3 * EACH] = {0x85, 0xff,        0x78,      12,
                                            0xc3, [16] = 0xe8, [17] = 11, [32] = 0xc3};
    laid_section(&laid, AT, bytes, sizeof bytes, true);
    laid_function(&laid, AT, AT + 16, "f");
    laid_function(&laid, AT + 16, AT + 32, "f.cold")->part = true;
    laid_function(&laid, AT + 32, AT + 48, "abort");
    static const struct sca_units none;
    ck_assert_int_eq(sca_no_return_find(&laid.code, &none, &names), SCA_OK);
    ck_assert(!stops(0));
    ck_assert_uint_eq(laid.list[1].owner, 0);
    ck_assert(stops(2));
}
END_TEST

START_TEST(who_is_called_is_told)
{
    find(returns, 4, (const char *const[]){"a", "b", "c", "d"});
    ck_assert(!laid.list[0].called);
    ck_assert(laid.list[1].called && laid.list[2].called && laid.list[3].called);
}
END_TEST

START_TEST(other_files_functions_are_known_by_name)
{
    find(returns, 4, (const char *const[]){"a", "b", "c", "d"});
    ck_assert(laid.code.no_return(laid.code.names, "abort"));
    ck_assert(!laid.code.no_return(laid.code.names, "puts"));
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("no_return");
    TCase *tcase = tcase_create("no_return");
    tcase_add_checked_fixture(tcase, NULL, tear_down);
    tcase_add_test(tcase, callers_of_what_never_returns_do_not_either);
    tcase_add_test(tcase, what_is_behind_such_a_call_does_not_count);
    tcase_add_test(tcase, callers_of_what_returns_return);
    tcase_add_test(tcase, one_way_back_is_enough);
    tcase_add_test(tcase, who_calls_itself_is_taken_to_return);
    tcase_add_test(tcase, a_part_is_looked_at_with_its_function);
    tcase_add_test(tcase, who_is_called_is_told);
    tcase_add_test(tcase, other_files_functions_are_known_by_name);
    suite_add_tcase(suite, tcase);
    return suite;
}
