/* Which calls wait because of a cause, and what that makes of its cost. */
#include "verdict/symptoms.h"
#include "replay_script.h"
#include "check_main.h"

enum { RANKS = 3 };

static struct script *s;
static struct staged st;
static uint32_t first, second, one, two;
static uint32_t of_rank[2] = {0, 1};
static double factor[2][RANKS];
static struct sca_finding causes[2], *all[2];
static const struct sca_finding *list[2];
static struct sca_charge charges[2];
static const struct sca_gain gains[2];
static struct sca_analysis c;

static void set_cause(uint32_t i, uint32_t *vertex, double left, double cost)
{
    for (uint32_t r = 0; r < RANKS; r++)
        factor[i][r] = r == of_rank[i] ? left : 1;
    causes[i] = (struct sca_finding){.vertex = *vertex,
                                     .nvertices = 1,
                                     .vertices = vertex,
                                     .nranks = 1,
                                     .ranks = &of_rank[i],
                                     .transform.factor = factor[i],
                                     .number = i};
    charges[i] = (struct sca_charge){cost, 0.75 * cost, 0.25 * cost};
    list[i] = all[i] = &causes[i];
}

static void stage(uint32_t site_one, uint32_t site_two)
{
    script_stage(s, &st);
    one = st.measure.run->site_vertex[site_one];
    two = st.measure.run->site_vertex[site_two];
    c = (struct sca_analysis){.team = &st.played.team,
                              .ppg = st.measure.ppg,
                              .space = &st.space,
                              .ends = st.ends,
                              .measures = &st.measure,
                              .stages = &st.stage,
                              .findings = {.count = 2, .all = all},
                              .charges = charges,
                              .gains = gains,
                              .ncharges = 2,
                              .ngains = 2,
                              .causes = {.count = 2, .items = list}};
}

/* A barrier after each of two phases: rank 0 has three seconds in the first, rank 1 two in the
 * second, all others one. So two ranks wait for 2 s, and then two for 1 s. */
static void begin(double first_cost, double second_cost)
{
    s = script_new(RANKS);
    first = model_vertex(s->model, 0, SCA_LOOP, "", "main", 10);
    uint32_t site_one = script_site(s, "MPI_Barrier", 20);
    second = model_vertex(s->model, 0, SCA_LOOP, "", "main", 30);
    uint32_t site_two = script_site(s, "MPI_Barrier", 40);
    for (uint32_t r = 0; r < RANKS; r++) {
        double in_first = r == 0 ? 3 : 1, in_second = r == 1 ? 2 : 1;
        script_collective(s, r, in_first, site_one, SCA_ALL_TO_ALL, -1, 0);
        script_collective(s, r, in_second, site_two, SCA_ALL_TO_ALL, -1, 1);
        script_work(s, r, site_two, site_one, first, in_first);
        script_work(s, r, site_one, site_two, second, in_second);
    }
    set_cause(0, &first, 1.0 / 3, first_cost);
    set_cause(1, &second, 0.5, second_cost);
    stage(site_one, site_two);
}

static void check_waits(uint32_t cause, double at_one, double at_two)
{
    for (uint32_t v = 0; v < c.ppg->nvertices; v++)
        ck_assert_double_eq_tol(c.symptoms[cause][v],
                                v == one   ? at_one
                                : v == two ? at_two
                                           : 0,
                                1e-5);
}

START_TEST(each_has_its_own_waits)
{
    begin(4, 2);
    sca_symptoms_find(&c);
    check_waits(0, 4, 0);
    check_waits(1, 0, 2);
    ck_assert_double_eq_tol(c.prices[0].cost, 4, 1e-5);
    ck_assert_double_eq_tol(c.prices[1].cost, 2, 1e-5);
    staged_end(s, &st);
}
END_TEST

/* Charged with one core-second, where four go when it is equalised; the other with more than go. */
START_TEST(what_goes_when_it_is_equalised_is_the_least_that_it_costs)
{
    begin(1, 3);
    sca_symptoms_find(&c);
    ck_assert_double_eq_tol(c.prices[0].cost, 4, 1e-5);
    ck_assert_double_eq_tol(c.prices[0].direct, 3, 1e-5);
    ck_assert_double_eq_tol(c.prices[0].indirect, 1, 1e-5);
    ck_assert_double_eq_tol(c.prices[1].cost, 3, 1e-5);
    staged_end(s, &st);
}
END_TEST

/* No wait is charged to an interval, and growth keeps its own cost. */
START_TEST(intervals_and_growth_are_told_by_equalising)
{
    begin(0, 7);
    causes[0].interval.part = SCA_ALL_OF_INTERVAL;
    causes[0].interval.after = two;
    causes[0].interval.before = one;
    causes[0].interval.any = true;
    causes[1].category = SCA_CAUSE_NONSCALABLE;
    sca_symptoms_find(&c);
    check_waits(0, 4, 0);
    check_waits(1, 0, 2);
    ck_assert_double_eq_tol(c.prices[0].cost, 4, 1e-5);
    ck_assert_double_eq_tol(c.prices[0].direct, 4, 1e-5);
    ck_assert_double_eq_tol(c.prices[1].cost, 7, 1e-5);
    staged_end(s, &st);
}
END_TEST

/* Ranks 0 and 1 are late together: mending one lets it wait for the other. Only as the last of
 * both it takes waits away: those of the mended one and of rank 2. */
START_TEST(one_that_another_hides_is_told_as_the_last)
{
    s = script_new(RANKS);
    first = model_vertex(s->model, 0, SCA_LOOP, "", "main", 10);
    second = model_vertex(s->model, 0, SCA_LOOP, "", "main", 12);
    uint32_t site = script_site(s, "MPI_Barrier", 20);
    for (uint32_t r = 0; r < RANKS; r++) {
        script_collective(s, r, r < 2 ? 3 : 1, site, SCA_ALL_TO_ALL, -1, 0);
        script_work(s, r, site, site, r == 1 ? second : first, r < 2 ? 3 : 1);
    }
    set_cause(0, &first, 1.0 / 3, 0);
    set_cause(1, &second, 1.0 / 3, 0);
    causes[0].category = causes[1].category = SCA_CAUSE_NONSCALABLE;
    stage(site, site);
    sca_symptoms_find(&c);
    check_waits(0, 4, 0);
    check_waits(1, 4, 0);
    staged_end(s, &st);
}
END_TEST

START_TEST(afterwards_the_replay_stands_as_measured)
{
    begin(4, 2);
    sca_symptoms_find(&c);
    ck_assert_double_eq_tol(sca_what_if_level(&st.stage, NULL, 0), 5, 1e-6);
    ck_assert_uint_eq(c.chains[0].steps[c.chains[0].count - 1].vertex, first);
    ck_assert_uint_eq(c.chains[0].steps[0].vertex, one);
    ck_assert_uint_eq(c.chains[1].steps[0].vertex, two);
    c.causes.count = 0; /* nor without any cause */
    sca_symptoms_find(&c);
    staged_end(s, &st);
}
END_TEST

SCA_SUITE("symptoms", each_has_its_own_waits,
          what_goes_when_it_is_equalised_is_the_least_that_it_costs,
          intervals_and_growth_are_told_by_equalising, one_that_another_hides_is_told_as_the_last,
          afterwards_the_replay_stands_as_measured)
