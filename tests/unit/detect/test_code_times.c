/* What ranks take where some code runs, on a usual core. */
#include "imbalance/code_times.h"
#include "measured.h"
#include "check_main.h"

#include <string.h>

enum { RANKS = 8, STEPS = 10 };

static struct model *model;
static struct measured d;
static uint32_t work, other;

/* Two phases; the first one's work is judged. */
static void make(const double *judged, const double *elsewhere)
{
    model = model_new();
    work = model_vertex(model, 0, SCA_LOOP, "", "main", 10);
    uint32_t first = model_vertex(model, 0, SCA_MPI, "MPI_Barrier", "main", 11);
    other = model_vertex(model, 0, SCA_LOOP, "", "main", 20);
    uint32_t second = model_vertex(model, 0, SCA_MPI, "MPI_Allreduce", "main", 21);
    uint32_t run = model_run(model, RANKS);
    uint32_t a = model_site(model, run, first), b = model_site(model, run, second);
    for (uint32_t r = 0; r < RANKS; r++) {
        model_work(model, run, r, b, a, STEPS, work, judged[r]);
        model_work(model, run, r, a, b, STEPS, other, elsewhere[r]);
    }
    d = measured_open(model);
}

static struct sca_code_times times(void)
{
    bool chosen[RANKS];
    memset(chosen, true, sizeof chosen);
    const struct sca_within place = {d.ends, &work, 1, 0};
    struct sca_code_times t = sca_code_times_open(&d.space, RANKS);
    sca_code_times_of_place(&d.space, &d.m[0], &place, chosen, &t);
    return t;
}

/* Half of the cores are slow; rank 3 has a fifth more to do beside. */
START_TEST(slow_cores_are_taken_out)
{
    make((double[]){12, 10, 12, 12, 12, 10, 12, 10}, (double[]){6, 5, 6, 5, 6, 5, 6, 5});
    struct sca_code_times t = times();
    ck_assert(t.cores_differ);
    ck_assert_double_eq_tol(t.seconds[0] / t.seconds[1], 1, 0.02);
    ck_assert_double_eq_tol(t.seconds[2] / t.seconds[1], 1, 0.02);
    ck_assert_double_eq_tol(t.seconds[3] / t.seconds[1], 1.2, 0.03);
    measured_close(&d);
}
END_TEST

/* The other phase is uneven by itself: it does not make equal ranks unequal here. */
START_TEST(what_explains_nothing_is_left)
{
    make((double[]){10, 10, 10, 12, 10, 10, 10, 10}, (double[]){6.5, 5, 4, 5, 6.9, 4, 3.6, 6});
    struct sca_code_times t = times();
    ck_assert(!t.cores_differ);
    ck_assert_double_eq(t.seconds[0], 10);
    ck_assert_double_eq(t.seconds[3], 12);
    ck_assert_double_ge(t.core[0], 1.1); /* whose core may be slow all the same */
    ck_assert_double_eq(t.core[6], 1);
    ck_assert_double_eq(sca_code_times_equalised(&t, 0, 3), 3);
    measured_close(&d);
}
END_TEST

SCA_SUITE("code_times", slow_cores_are_taken_out, what_explains_nothing_is_left)
