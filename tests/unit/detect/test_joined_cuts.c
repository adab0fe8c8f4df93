/* Cuts of two findings that are one defect. */
#include "confirm/joined_cuts.h"
#include "measured.h"
#include "check_main.h"

enum { RANKS = 3 };

static struct model *model;
static struct measured d;
static uint32_t work, one, two, ranks[] = {1, 2};
static const uint32_t first[] = {0, 1, 2};

/* Behind each of two calls ranks 1 and 2 compute 4 s and rank 0 one. */
static void begin(void)
{
    model = model_new();
    uint32_t run = model_run(model, RANKS);
    work = model_vertex(model, 0, SCA_LOOP, "", "main", 10);
    one = model_site(model, run, model_vertex(model, 0, SCA_MPI, "MPI_Send", "main", 20));
    two = model_site(model, run, model_vertex(model, 0, SCA_MPI, "MPI_Barrier", "main", 30));
    for (uint32_t r = 0; r < RANKS; r++) {
        model_work(model, run, r, one, two, 10, work, r ? 4 : 1);
        model_work(model, run, r, two, one, 10, work, r ? 4 : 1);
    }
    d = measured_open(model);
}

static uint32_t behind(uint32_t site)
{
    return sca_intervals_number(&d.m[0].run->intervals, site, site == one ? two : one);
}

static struct sca_finding cutting(const struct sca_cut *cuts)
{
    return (struct sca_finding){
        .nranks = 2, .ranks = ranks, .transform = {.cuts = cuts, .first_cut = first}};
}

/* What the i-th rank loses behind a call. */
static double taken(const struct sca_finding *f, uint32_t i, uint32_t site)
{
    double seconds = 0;
    for (uint32_t k = f->transform.first_cut[i]; k < f->transform.first_cut[i + 1]; k++)
        if (f->transform.cuts[k].interval == behind(site))
            seconds += f->transform.cuts[k].seconds;
    return seconds;
}

START_TEST(they_add_up)
{
    begin();
    const struct sca_cut here[] = {{behind(one), 1}, {behind(one), 2}},
                         there[] = {{behind(two), 0.5}, {behind(one), 0.25}};
    struct sca_finding draft = cutting(here), other = cutting(there);
    sca_joined_cuts_add(&d.space, &d.m[0], &draft, &other);
    ck_assert_double_eq(taken(&draft, 0, one), 1);
    ck_assert_double_eq(taken(&draft, 0, two), 0.5);
    ck_assert_double_eq(taken(&draft, 1, one), 2.25);
    ck_assert_double_eq(taken(&draft, 1, two), 0);
    ck_assert_double_eq(here[1].seconds, 2); /* the other finding's list stays */
    measured_close(&d);
}
END_TEST

/* A quarter is left of the 4 s behind the call, or 3 of them taken: more than 1, less than 3.5.
 */
START_TEST(all_behind_a_call_has_its_part_in_it)
{
    begin();
    const struct sca_cut here[] = {{behind(one), 1}, {behind(one), 3.5}};
    struct sca_finding draft = cutting(here);
    struct sca_finding between = {.nranks = 2,
                                  .ranks = ranks,
                                  .interval = {.part = SCA_ALL_OF_INTERVAL,
                                               .after = d.m[0].run->site_vertex[one],
                                               .before = d.m[0].run->site_vertex[two],
                                               .any = true},
                                  .transform.factor = (double[RANKS]){1, 0.25, 0.25}};
    sca_joined_cuts_add(&d.space, &d.m[0], &draft, &between);
    ck_assert_double_eq_tol(taken(&draft, 0, one), 3, 1e-9);
    ck_assert_double_eq_tol(taken(&draft, 1, one), 3.5, 1e-9);
    ck_assert_double_eq(taken(&draft, 0, two), 0);
    measured_close(&d);
}
END_TEST

START_TEST(factors_of_one_decide_for_both)
{
    begin();
    const struct sca_cut here[] = {{behind(one), 1}, {behind(one), 2}};
    struct sca_finding draft = cutting(here), by_factor = cutting(NULL);
    sca_joined_cuts_add(&d.space, &d.m[0], &draft, &by_factor);
    ck_assert_ptr_null(draft.transform.cuts);
    measured_close(&d);
}
END_TEST

/* Of what an inner and an outer place have too much in an interval the greater is the defect. */
START_TEST(nested_ones_count_once)
{
    begin();
    const struct sca_cut here[] = {{behind(one), 1}, {behind(one), 2}},
                         there[] = {{behind(two), 0.5}, {behind(one), 3}};
    struct sca_finding inner = cutting(here), outer = cutting(there), bare = cutting(NULL);
    sca_joined_cuts_nest(&d.space, &d.m[0], &inner, &bare);
    ck_assert_ptr_eq(inner.transform.cuts, here);
    sca_joined_cuts_nest(&d.space, &d.m[0], &inner, &outer);
    ck_assert_double_eq(taken(&inner, 0, one), 1);
    ck_assert_double_eq(taken(&inner, 0, two), 0.5);
    ck_assert_double_eq(taken(&inner, 1, one), 3);
    ck_assert_double_eq(taken(&inner, 1, two), 0);
    measured_close(&d);
}
END_TEST

SCA_SUITE("joined_cuts", they_add_up, all_behind_a_call_has_its_part_in_it,
          factors_of_one_decide_for_both, nested_ones_count_once)
