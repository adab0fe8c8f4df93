/* On which ranks it is what moves, of which windows show some instances only. */
#include "imbalance/rotating_ranks.h"
#include "check_main.h"

#include <string.h>

enum { RANKS = 8, ROWS = 100, FIRST = 2 };

static struct sca_workspace space;
static struct sca_measure m = {.nranks = RANKS, .npresent = RANKS};
static struct sca_traces traces;
static double late[RANKS], inclusive[RANKS];

/* Windows show so many instances of an interval, and these ranks late, a second each time. */
static struct sca_rotating_search search(uint32_t shown, uint32_t first, uint32_t last)
{
    static double times[RANKS], excess[RANKS];
    for (uint32_t r = 0; r < RANKS; r++)
        excess[r] = times[r] = r >= first && r <= last ? shown / (1 + last - first) : 0;
    traces.shown = shown;
    return (struct sca_rotating_search){.space = &space,
                                        .m = &m,
                                        .late = late,
                                        .of = {.traces = &traces,
                                               .sum = {.rows = ROWS, .shown = shown},
                                               .times = times,
                                               .excess = excess}};
}

static void check(const struct sca_rotating_search *s, uint32_t first, uint32_t nranks)
{
    struct sca_finding c = {0};
    sca_rotating_ranks_name(s, false, &c);
    ck_assert_uint_eq(c.nranks, nranks);
    for (uint32_t i = 0; i < nranks; i++)
        ck_assert_uint_eq(c.ranks[i], first + i);
}

static void begin(void)
{
    space = (struct sca_workspace){0};
    m.inclusive = inclusive;
}

static void end(void)
{
    sca_workspace_free(&space);
}

/* Four windows cannot show eight ranks; of sixteen the other four would hardly be missed. */
START_TEST(few_windows_may_have_missed_some)
{
    for (int many = 0; many < 2; many++) {
        struct sca_rotating_search s = search(many ? 16 : 4, FIRST, FIRST + 3);
        check(&s, many ? FIRST : 0, many ? 4 : RANKS);
    }
}
END_TEST

Suite *test_suite(void)
{
    const TTest *const tests[] = {few_windows_may_have_missed_some};
    Suite *suite = suite_create("rotating ranks");
    TCase *tcase = tcase_create("rotating ranks");
    tcase_add_checked_fixture(tcase, begin, end);
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        tcase_add_test(tcase, tests[i]);
    suite_add_tcase(suite, tcase);
    return suite;
}
