/* Intervals that run the same code, taken together. */
#include "measure/phases.h"
#include "measured.h"
#include "check_main.h"

enum { RANKS = 2 };

static struct model *model;
static struct measured d;
static uint32_t run, site[3], loop[2];

/* One loop runs before the first call and, on the second rank, before the second one; another runs
 * before the third. */
static void make(double other)
{
    model = model_new();
    for (uint32_t k = 0; k < 2; k++)
        loop[k] = model_vertex(model, 0, SCA_LOOP, "", "main", 10 + k);
    uint32_t call[3];
    for (uint32_t k = 0; k < 3; k++)
        call[k] = model_vertex(model, 0, SCA_MPI, "MPI_Barrier", "main", 20 + k);
    run = model_run(model, RANKS);
    for (uint32_t k = 0; k < 3; k++)
        site[k] = model_site(model, run, call[k]);
    model_work(model, run, 0, site[2], site[0], 10, loop[0], 4);
    model_work(model, run, 1, site[2], site[0], 5, loop[0], 2);
    model_work(model, run, 1, site[2], site[1], 5, loop[0], 3);
    model_work(model, run, 0, site[0], site[2], 10, loop[1], other);
    model_work(model, run, 1, site[0], site[2], 10, loop[1], other);
    d = measured_open(model);
}

START_TEST(the_same_code_is_one_phase)
{
    make(1);
    const struct sca_phases *p = &d.m[0].phases;
    ck_assert_uint_eq(p->n, 2);
    for (uint32_t k = 0; k < 2; k++) {
        const double *row = sca_phases_row(p, d.m[0].run, k);
        bool first = row[0] > 2;
        ck_assert_double_eq_tol(row[0], first ? 4 : 1, 1e-9);
        ck_assert_double_eq_tol(row[1], first ? 5 : 1, 1e-9);
    }
    measured_close(&d);
}
END_TEST

/* 0.04 s of 9.08 s are less than half a hundredth. */
START_TEST(what_is_short_is_of_none)
{
    make(0.02);
    const struct sca_phases *p = &d.m[0].phases;
    ck_assert_uint_eq(p->n, 1);
    uint32_t none = 0;
    for (uint32_t g = 0; g < d.m[0].run->intervals.n; g++)
        none += p->of_interval[g] == SCA_NONE;
    ck_assert_uint_ge(none, 1);
    measured_close(&d);
}
END_TEST

SCA_SUITE("phases", the_same_code_is_one_phase, what_is_short_is_of_none)
