/* How often ranks went round a loop, by the calls in it. */
#include "check_main.h"
#include "look/rounds.h"

#include <string.h>

/* A loop with a branch and an inner loop, and MPI calls in each. */
enum { ROOT, LOOP, SEND, RECEIVE, BRANCH, SUM, INNER, ROW, CONTEXTS, RANKS = 3 };

static const struct scalana_context contexts[CONTEXTS] = {
    [ROOT] = {.kind = SCALANA_ROOT, .end = CONTEXTS},
    [LOOP] = {.kind = SCALANA_LOOP, .parent = ROOT, .end = CONTEXTS},
    [SEND] = {.kind = SCALANA_MPI, .parent = LOOP, .end = SEND + 1},
    [RECEIVE] = {.kind = SCALANA_MPI, .parent = LOOP, .end = RECEIVE + 1},
    [BRANCH] = {.kind = SCALANA_BRANCH, .parent = LOOP, .end = SUM + 1},
    [SUM] = {.kind = SCALANA_MPI, .parent = BRANCH, .end = SUM + 1},
    [INNER] = {.kind = SCALANA_LOOP, .parent = LOOP, .end = ROW + 1},
    [ROW] = {.kind = SCALANA_MPI, .parent = INNER, .end = ROW + 1}};

static double calls[CONTEXTS][RANKS];
static struct sca_rounds rounds[CONTEXTS];

static void begin(void)
{
    memset(calls, 0, sizeof calls);
}

static void set(uint32_t context, double first, double second, double third)
{
    calls[context][0] = first;
    calls[context][1] = second;
    calls[context][2] = third;
}

static void has(uint32_t loop, double n, bool at_least)
{
    static struct scalana_context copy[CONTEXTS];
    memcpy(copy, contexts, sizeof copy);
    const struct sca_look look = {.nranks = RANKS, .ncontexts = CONTEXTS, .contexts = copy};
    ck_assert_int_eq(sca_rounds_find(&look, &calls[0][0], rounds), SCALANA_OK);
    ck_assert_double_eq(rounds[loop].n, n);
    ck_assert(rounds[loop].at_least == at_least);
}

START_TEST(who_is_behind_counts)
{
    set(SEND, 9, 8, 10);
    set(RECEIVE, 9, 8, 9);
    set(SUM, 2, 2, 2);
    set(ROW, 90, 80, 100);
    has(LOOP, 8, false);
    has(INNER, 80, false);
}
END_TEST

START_TEST(ends_of_a_pipeline_make_one_call_each)
{
    set(SEND, 12, 11, 0);
    set(RECEIVE, 0, 11, 10);
    has(LOOP, 10, false);
}
END_TEST

START_TEST(who_is_never_there_does_not_count)
{
    set(SEND, 1500, 0, 0);
    has(LOOP, 1500, false);
    has(INNER, 0, false);
}
END_TEST

START_TEST(branches_give_a_bound)
{
    set(SUM, 3, 3, 4);
    set(ROW, 160, 160, 160);
    has(LOOP, 3, true);
    set(SEND, 3, 0, 0); /* as far behind, and known */
    has(LOOP, 3, false);
    set(SEND, 40, 39, 40);
    has(LOOP, 39, false);
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("live_rounds");
    TCase *tests = tcase_create("live_rounds");
    tcase_add_checked_fixture(tests, begin, NULL);
    tcase_add_test(tests, who_is_behind_counts);
    tcase_add_test(tests, ends_of_a_pipeline_make_one_call_each);
    tcase_add_test(tests, who_is_never_there_does_not_count);
    tcase_add_test(tests, branches_give_a_bound);
    suite_add_tcase(suite, tests);
    return suite;
}
