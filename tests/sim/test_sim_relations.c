/* What must hold for any program: the same program, written or run in another way, has the same
 * cause, at the same place, on the same ranks, at the price that follows. Held against each
 * simulated program that has a defect; each relation is a case of its own. */
#include "sim_trial.h"
#include "check_main.h"

#include <string.h>

static const uint32_t sizes[] = {8, 64};
enum { NSIZES = sizeof sizes / sizeof *sizes };

enum { MOST_EXCEPTIONS = 18 };

/* Programs with which a relation does not hold yet are named: nobody may join them unseen. */
static const struct relation {
    const char *name;
    struct sim_variant as;
    const char *but[MOST_EXCEPTIONS];
} relations[] = {
    {"stretched", {.stretch = 2}, {NULL}},                         /* all takes twice as long */
    {"halved", {.delayed = 0.5}, {"coincidence"}},                 /* half of a defect costs half */
    {"reversed", {.multiply = 1023, .add = 1023}, {NULL}},         /* the last rank is the first */
    {"renumbered", {.multiply = 5, .add = 3}, {"front_in_parts"}}, /* neighbours are no more */
    {"repeated", {.again = 1}, {"among_hiccups"}},                 /* each run is there twice */
    /* a loop is two loops */
    {"split",
     {.split = true},
     {"filling", "turns", "wavefront", "beside", "writing", "wandering", "wandering_alike",
      "wandering_to_root", "in_phases", "front", "front_in_parts", "pushed_beside", "slope",
      "slope_on_shared_cores", "majority", "two", "shared_cores"}},
};

static const struct relation *chosen;

static bool applies(const struct sim_case *c, uint32_t ranks)
{
    for (int i = 0; i < MOST_EXCEPTIONS && chosen->but[i]; i++)
        if (!strcmp(chosen->but[i], c->name))
            return false;
    return ranks >= c->least && ranks <= c->most;
}

/* The number of the test tells which program on how many ranks. */
static const struct sim_case *program_of(int test, uint32_t *ranks)
{
    *ranks = sizes[test % (int)NSIZES];
    chosen = &relations[test / (int)(NSIZES * sim_ncases)];
    return &sim_cases[test / (int)NSIZES % (int)sim_ncases];
}

START_TEST(the_cause_is_the_same)
{
    struct sim_trial trial;
    uint32_t ranks;
    const struct sim_case *c = program_of(_i, &ranks);
    if (!c->category || !applies(c, ranks))
        return;
    sim_trial_open(&trial, c, ranks, true, &chosen->as);
    sim_trial_judge(&trial);
    sim_trial_close(&trial);
}
END_TEST

START_TEST(without_it_there_is_none)
{
    struct sim_trial trial;
    uint32_t ranks;
    const struct sim_case *c = program_of(_i, &ranks);
    if (!applies(c, ranks))
        return;
    sim_trial_open(&trial, c, ranks, false, &chosen->as);
    ck_assert_msg(trial.verdict.report->ncauses == 0, "%s on %u ranks: %s", c->name, ranks,
                  sim_trial_first(trial.verdict.report));
    sim_trial_close(&trial);
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("relations");
    int each = (int)(NSIZES * sim_ncases);
    for (int i = 0; i < (int)(sizeof relations / sizeof *relations); i++) {
        TCase *tests = tcase_create(relations[i].name);
        tcase_add_loop_test(tests, the_cause_is_the_same, i * each, (i + 1) * each);
        tcase_add_loop_test(tests, without_it_there_is_none, i * each, (i + 1) * each);
        suite_add_tcase(suite, tests);
    }
    return suite;
}
