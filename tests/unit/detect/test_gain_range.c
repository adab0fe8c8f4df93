/* Between what bounds a gain lies. */
#include "price/gain_range.h"
#include "replay_script.h"
#include "check_main.h"

enum { RANKS = 3, STEPS = 4 };

static struct script *s;
static struct staged st;
static uint32_t work, zero;
static struct sca_cut cut;
static const uint32_t first[] = {0, 1};
static struct sca_finding cause;

/* Rank 0 computes 4 s between barriers, the others 1 and 3 s by turns: 16 s. From rank 0 `taken` of
 * its 16 s are taken. */
static void begin(double taken, double error)
{
    s = script_new(RANKS);
    work = model_vertex(s->model, 0, SCA_LOOP, "", "main", 10);
    uint32_t site = script_site(s, "MPI_Barrier", 20);
    for (uint32_t r = 0; r < RANKS; r++)
        for (uint32_t i = 0; i < STEPS; i++) {
            double seconds = r == 0 ? 4 : 1 + 2 * ((i + r) % 2);
            script_collective(s, r, seconds, site, SCA_ALL_TO_ALL, -1, i);
            script_work(s, r, site, site, work, seconds);
        }
    script_stage(s, &st);
    cut = (struct sca_cut){sca_intervals_number(&st.measure.run->intervals, site, site), taken};
    cause = (struct sca_finding){.vertex = work,
                                 .nvertices = 1,
                                 .vertices = &work,
                                 .nranks = 1,
                                 .ranks = &zero,
                                 .transform = {.cuts = &cut, .first_cut = first, .error = error}};
}

/* Of a cause from which so much is taken, that uncertain, and which so much is to be gained by. */
static struct sca_gain range_of(double taken, double error, double gain)
{
    static double factor[RANKS] = {0.5, 1, 1};
    struct sca_gain of = {.gain = gain, .alone = gain};
    begin(taken, error);
    cause.transform.factor = factor;
    sca_gain_ranges_find(sca_gain_ranges_open(&st.stage), &cause, &of);
    staged_end(s, &st);
    return of;
}

static void is_exactly(struct sca_gain of, double gain)
{
    ck_assert_double_eq(of.low, gain);
    ck_assert_double_eq(of.high, gain);
}

/* Of one window nothing tells how windows differ. */
START_TEST(as_uncertain_as_what_is_taken)
{
    struct sca_gain of = range_of(4, 0.1, 6);
    ck_assert_double_eq_tol(of.low, 6 * (1 - 0.196), 1e-6);
    ck_assert_double_eq_tol(of.high, 6 * (1 + 0.196), 1e-6);
    ck_assert_double_eq(range_of(4, 0.6, 6).low, 0);
}
END_TEST

/* Three ranks that take 16 s. */
START_TEST(no_more_than_the_run)
{
    ck_assert_double_eq_tol(range_of(4, 5, 6).high, RANKS * 16, 1e-6);
}
END_TEST

START_TEST(certain_where_nothing_scatters)
{
    is_exactly(range_of(4, 0, 6), 6);
}
END_TEST

START_TEST(what_saves_nothing_has_no_bounds)
{
    is_exactly(range_of(0, 0.5, 0), 0);
}
END_TEST

SCA_SUITE("gain_range", as_uncertain_as_what_is_taken, no_more_than_the_run,
          certain_where_nothing_scatters, what_saves_nothing_has_no_bounds)
