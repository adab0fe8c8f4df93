/* A nest of loops that is written in one line, or in one macro: its ratio, excess and price are
 * those of the same nest in several lines. */
#include "verdict/analysis.h"
#include "verdict_program.h"
#include "check_main.h"

#include <math.h>

enum { RANKS = 8, LINE = 12 };

struct nest {
    struct model *model;
    uint32_t inner, sum;
};

/* Three loops, each in the next, of which the innermost works; so many lines lie between two. */
static struct nest nest_new(uint32_t lines)
{
    struct nest n = {.model = model_new()};
    uint32_t step = model_vertex(n.model, 0, SCA_LOOP, "", "main", 10);
    uint32_t loop = step;
    for (uint32_t i = 0; i < 3; i++)
        loop = model_vertex(n.model, loop, SCA_LOOP, "", "main", LINE + i * lines);
    n.inner = loop;
    n.sum = model_vertex(n.model, step, SCA_MPI, "MPI_Allreduce", "main", 30);
    return n;
}

static void nest_run(const struct nest *n, uint32_t nranks, const double *seconds)
{
    uint32_t run = model_run(n->model, nranks), site = model_site(n->model, run, n->sum);
    for (uint32_t r = 0; r < nranks; r++) {
        model_work(n->model, run, r, 0, site, 1, n->inner, seconds[r] / PROGRAM_STEPS);
        model_work(n->model, run, r, site, site, PROGRAM_STEPS - 1, n->inner,
                   seconds[r] * (PROGRAM_STEPS - 1) / PROGRAM_STEPS);
        model_collective(n->model, run, r, site, -1, PROGRAM_STEPS);
    }
}

struct told {
    double ratio, excess, gain;
};

/* Whatever was found, by whom it may be: no vertex of it lies in another, or it counts twice. */
static void expect_apart(const uint32_t *ends, const struct sca_finding *finding)
{
    for (uint32_t i = 0; i < finding->nvertices; i++)
        for (uint32_t k = 0; k < finding->nvertices; k++)
            ck_assert(i == k || finding->vertices[i] < finding->vertices[k] ||
                      finding->vertices[i] >= ends[finding->vertices[k]]);
}

static void take_excess(void *excess, const struct sca_analysis *analysis)
{
    const struct sca_ledger *ledger = &analysis->findings;
    for (uint32_t i = 0; i < ledger->count; i++) {
        expect_apart(analysis->ends, ledger->all[i]);
        if (ledger->outcomes[i].kind == SCA_OUTCOME_CAUSE)
            *(double *)excess = ledger->all[i]->excess;
    }
}

/* What is told of a nest on 4 and 8 ranks that do so much each; its ranks are from `first` on. */
static struct told tell(uint32_t lines, const double *on_4, const double *on_8, uint32_t first,
                        uint32_t nranks)
{
    struct nest n = nest_new(lines);
    struct told told = {0};
    const struct sca_verdict_look look = {take_excess, &told.excess};
    struct sca_verdict v;
    nest_run(&n, 4, on_4);
    nest_run(&n, RANKS, on_8);
    ck_assert_int_eq(sca_verdict_look(model_ppg(n.model), &program_settings, &look, &v), 0);
    ck_assert_uint_eq(v.report->ncauses, 1);
    const struct sca_report_cause *c = &v.report->causes[0];
    ck_assert_uint_eq(c->vertex, n.inner);
    ck_assert_uint_eq(c->nranks, nranks);
    ck_assert_uint_eq(c->ranks[0], first);
    told.ratio = c->ratio;
    told.gain = c->gain_core_s;
    sca_verdict_free(&v);
    model_free(n.model);
    return told;
}

static void expect_alike(struct told one_line, struct told lines)
{
    ck_assert_double_eq_tol(one_line.ratio, lines.ratio, 1e-9);
    ck_assert_double_eq_tol(one_line.excess, lines.excess, 1e-9);
    ck_assert_double_eq_tol(one_line.gain, lines.gain, 1e-9);
}

/* Rows of a triangle in blocks: 15 of the last rank's, 8 on average. */
START_TEST(a_triangle_is_shared_out)
{
    static const double on_4[] = {2, 6, 10, 14}, on_8[] = {1, 3, 5, 7, 9, 11, 13, 15};
    struct told t = tell(0, on_4, on_8, 5, 3);
    ck_assert_double_eq_tol(t.ratio, 13. / 5, 1e-3);
    ck_assert_double_eq_tol(t.excess, 3 * (13 - 5), 0.01);
    ck_assert_double_eq_tol(t.gain, RANKS * (15 - 8), 1); /* all steps but the first */
    expect_alike(t, tell(2, on_4, on_8, 5, 3));
}
END_TEST

START_TEST(a_rank_with_thrice_the_work_is_equalised)
{
    static const double on_4[] = {2, 2, 6, 2}, on_8[] = {1, 1, 1, 1, 3, 1, 1, 1};
    struct told t = tell(0, on_4, on_8, 4, 1);
    ck_assert_double_eq_tol(t.ratio, 3, 1e-3);
    ck_assert_double_eq_tol(t.excess, 2, 0.01);
    ck_assert_double_eq_tol(t.gain, RANKS * 2, 0.1);
    expect_alike(t, tell(2, on_4, on_8, 4, 1));
}
END_TEST

SCA_SUITE("one-line nest", a_triangle_is_shared_out, a_rank_with_thrice_the_work_is_equalised)
