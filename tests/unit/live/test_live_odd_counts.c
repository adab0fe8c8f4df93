/* Who has made a call more or less often than ranks that do the same. */
#include "check_main.h"
#include "waits/odd_counts.h"

enum { ROOT, LOOP, SEND, RECEIVE, SUM, CONTEXTS, RANKS = 4 };

static struct scalana_context contexts[CONTEXTS];
static struct sca_rank_now ranks[RANKS];
static struct scalana_awaited meeting, message;
static double calls[CONTEXTS][RANKS];
static struct sca_look look;
static struct sca_odd_count odd;

/* All wait in the sum, and have sent and received ten times. */
static void begin(void)
{
    look = (struct sca_look){
        .nranks = RANKS, .ncontexts = CONTEXTS, .contexts = contexts, .ranks = ranks};
    meeting = (struct scalana_awaited){.kind = SCALANA_AWAITS_ALL, .group = 0, .number = 3};
    message = (struct scalana_awaited){.kind = SCALANA_AWAITS_SENDER, .group = 0};
    for (uint32_t c = 0; c < CONTEXTS; c++) {
        contexts[c].kind = c < SEND ? SCALANA_LOOP : SCALANA_MPI;
        for (uint32_t r = 0; r < RANKS; r++)
            calls[c][r] = c < SEND ? 0 : c == SUM ? 2 : 10;
    }
    for (uint32_t r = 0; r < RANKS; r++)
        ranks[r] = (struct sca_rank_now){.known = true,
                                         .doing = SCALANA_IN_MPI_CALL,
                                         .context = SUM,
                                         .nawaited = 1,
                                         .nknown = 1,
                                         .awaited = &meeting};
}

static void receives(uint32_t rank)
{
    ranks[rank].context = RECEIVE;
    ranks[rank].awaited = &message;
}

static bool is_odd(uint32_t rank)
{
    return sca_odd_counts_among(&look, &calls[0][0], rank, &odd);
}

static void has(uint32_t rank, uint32_t context, double n, uint32_t nusual)
{
    ck_assert(is_odd(rank));
    ck_assert_uint_eq(odd.rank, rank);
    ck_assert_uint_eq(odd.context, context);
    ck_assert_double_eq(odd.calls, n);
    ck_assert_double_eq(odd.usual, 10);
    ck_assert_uint_eq(odd.nusual, nusual);
}

START_TEST(who_sent_less_is_named)
{
    calls[SEND][1] = 9;
    receives(2);
    calls[RECEIVE][2] = 9;
    has(1, SEND, 9, 2);
    ck_assert(!is_odd(2)); /* it is in its tenth */
}
END_TEST

START_TEST(who_receives_once_too_often_is_named)
{
    receives(2);
    has(2, RECEIVE, 11, 3);
    ck_assert(!is_odd(1));
}
END_TEST

START_TEST(who_is_behind_is_not_odd)
{
    receives(2);
    calls[SEND][2] = 7;
    calls[RECEIVE][2] = 6;
    calls[SUM][2] = 1;
    ck_assert(!is_odd(2));
}
END_TEST

START_TEST(ranks_that_differ_tell_nothing)
{
    calls[SEND][0] = 12; /* work as it comes */
    calls[SEND][1] = 9;
    calls[SEND][3] = 8;
    ck_assert(!is_odd(1));
}
END_TEST

START_TEST(one_other_or_one_that_does_something_else_tells_nothing)
{
    calls[SEND][1] = 9;
    calls[SEND][0] = 0; /* it never sends */
    receives(2);
    ck_assert(!is_odd(1));
}
END_TEST

/* A round less: four messages and one call that waits for them. */
START_TEST(the_call_that_tells_of_rounds_is_named)
{
    for (uint32_t r = 0; r < RANKS; r++)
        calls[SEND][r] = r == 1 ? 36 : 40;
    calls[RECEIVE][1] = 9;
    has(1, RECEIVE, 9, 3);
}
END_TEST

START_TEST(only_members_have_to_come)
{
    meeting.group = 5;
    calls[SEND][1] = 9;
    has(1, SEND, 9, 3); /* it has come */
    receives(2);
    ck_assert(!is_odd(2));
}
END_TEST

START_TEST(another_meeting_tells_nothing)
{
    struct scalana_awaited other = meeting;
    other.number++;
    calls[SEND][1] = 9;
    ranks[1].awaited = &other;
    ck_assert(!is_odd(1));
    other = meeting;
    other.kind = SCALANA_AWAITS_ROOT; /* others may have left it */
    ck_assert(!is_odd(1));
}
END_TEST

/* The others never come to that call: they do something else. */
START_TEST(who_has_begun_a_call_has_made_it)
{
    for (uint32_t r = 0; r < RANKS; r++)
        calls[RECEIVE][r] = 0;
    receives(1);
    receives(2);
    ck_assert(!is_odd(1));
    ck_assert(!is_odd(2));
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("live_odd_counts");
    TCase *tests = tcase_create("live_odd_counts");
    tcase_add_checked_fixture(tests, begin, NULL);
    tcase_add_test(tests, who_sent_less_is_named);
    tcase_add_test(tests, who_receives_once_too_often_is_named);
    tcase_add_test(tests, who_is_behind_is_not_odd);
    tcase_add_test(tests, ranks_that_differ_tell_nothing);
    tcase_add_test(tests, one_other_or_one_that_does_something_else_tells_nothing);
    tcase_add_test(tests, the_call_that_tells_of_rounds_is_named);
    tcase_add_test(tests, only_members_have_to_come);
    tcase_add_test(tests, another_meeting_tells_nothing);
    tcase_add_test(tests, who_has_begun_a_call_has_made_it);
    suite_add_tcase(suite, tests);
    return suite;
}
