/* Loops that ranks come to between different calls, and have unlike much of. */
#include "imbalance/abnormal_findings.h"
#include "measured.h"
#include "check_main.h"

enum { RANKS = 8, STEPS = 100 };

static const double SLOPE[RANKS] = {4, 3.3, 2.9, 1.2, 1, 1, 1.5, 1},
                    EVEN[RANKS] = {1, 1.01, 1, 1.02, 1, 1, 1.01, 1};

static struct model *model;
static struct measured d;
static uint32_t step, nest, work, other;
static struct sca_ledger found;

/* Every other rank has its neighbour on the left. Beside the nest it does as much as all others, in
 * the same intervals if `beside` says so, and after the call that all come to. */
static void make(const double *seconds, const double *beside)
{
    model = model_new();
    step = model_vertex(model, 0, SCA_LOOP, "", "main", 10);
    uint32_t left = model_vertex(model, step, SCA_MPI, "MPI_Recv", "main", 11);
    uint32_t right = model_vertex(model, step, SCA_MPI, "MPI_Recv", "main", 12);
    nest = model_vertex(model, step, SCA_LOOP, "", "main", 13);
    work = model_vertex(model, nest, SCA_LOOP, "", "main", 14);
    other = model_vertex(model, step, SCA_LOOP, "", "main", 16);
    uint32_t end = model_vertex(model, step, SCA_MPI, "MPI_Allreduce", "main", 18);
    uint32_t rest = model_vertex(model, step, SCA_LOOP, "", "main", 20);
    uint32_t run = model_run(model, RANKS), back = model_site(model, run, end);
    uint32_t sites[] = {model_site(model, run, left), model_site(model, run, right)};
    for (uint32_t r = 0; r < RANKS; r++) {
        model_work(model, run, r, sites[r % 2], back, STEPS, work, seconds[r]);
        if (beside)
            model_work(model, run, r, sites[r % 2], back, STEPS, other, beside[r]);
        model_work(model, run, r, back, sites[r % 2], STEPS, rest, 5);
    }
}

static uint32_t find(const struct sca_finding *before)
{
    const struct sca_abnormal_limits limits = {INFINITY, 1, 1}; /* none stands out */
    struct sca_abnormals abnormals;
    d = measured_open(model);
    sca_ledger_begin(&d.space, &found);
    if (before)
        sca_ledger_append(&found, before);
    sca_abnormal_find(&d.space, d.m, d.ends, &limits, &abnormals);
    sca_abnormal_findings_add(&d.space, d.m, 1, d.ends, &abnormals, &found);
    return found.open.count;
}

START_TEST(the_innermost_loop_is_named_once)
{
    make(SLOPE, NULL);
    ck_assert_uint_eq(find(NULL), 1);
    const struct sca_finding *c = found.open.items[0];
    ck_assert_uint_eq(c->vertex, work);
    ck_assert_uint_eq(c->nranks, 3);
    ck_assert(c->ranks[0] == 0 && c->ranks[1] == 1 && c->ranks[2] == 2);
    ck_assert_double_eq_tol(c->ratio, 3.4, 0.05);
    ck_assert_double_eq_tol(4 * c->transform.factor[0], 15.9 / 8, 0.01); /* the ranks' mean */
    ck_assert_double_eq(c->transform.factor[4], 1);
    ck_assert(sca_finding_has(c, SCA_EVIDENCE_SKEWED) &&
              !sca_finding_has(c, SCA_EVIDENCE_TWO_GROUPS));
    measured_close(&d);
}
END_TEST

START_TEST(what_is_shared_out_evenly_is_not)
{
    make(EVEN, NULL);
    ck_assert_uint_eq(find(NULL), 0);
    measured_close(&d);
}
END_TEST

/* Who has less of the one loop has more of the other, between the same calls. */
START_TEST(ranks_that_do_other_work_instead_are_even)
{
    static const double instead[RANKS] = {0.1, 0.8, 1.2, 2.9, 3.1, 3.1, 2.6, 3.1};
    make(SLOPE, instead);
    ck_assert_uint_eq(find(NULL), 0);
    measured_close(&d);
}
END_TEST

static struct sca_finding known_at(uint32_t *vertex, uint32_t *ranks, double excess)
{
    return (struct sca_finding){.vertex = *vertex,
                                .vertices = vertex,
                                .nvertices = 1,
                                .ranks = ranks,
                                .nranks = 3,
                                .excess = excess};
}

START_TEST(what_another_finding_has_is_not_found_again)
{
    static uint32_t first[] = {0, 1, 2}, last[] = {5, 6, 7};
    make(SLOPE, NULL);
    struct sca_finding around = known_at(&step, first, 70);
    ck_assert_uint_eq(find(&around), 1);
    ck_assert_uint_eq(found.open.items[0]->vertex, step);
    measured_close(&d);
    make(SLOPE, NULL);
    struct sca_finding of_others = known_at(&step, last, 7);
    ck_assert_uint_eq(find(&of_others), 2);
    measured_close(&d);
}
END_TEST

SCA_SUITE("abnormal uneven", the_innermost_loop_is_named_once, what_is_shared_out_evenly_is_not,
          ranks_that_do_other_work_instead_are_even, what_another_finding_has_is_not_found_again)
