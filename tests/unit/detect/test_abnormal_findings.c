/* Findings from abnormal vertices: the deepest, one for each place. */
#include "imbalance/abnormal_findings.h"
#include "measured.h"
#include "verdict_program.h"
#include "check_main.h"

enum { RANKS = 8, SLOW = 3 };

static struct program p;
static struct measured d;
static struct sca_ledger found;

/* One more run: ten seconds of the work and five of the rest, and so much more on the slow rank. */
static void add_run(double work, double extra)
{
    double w[RANKS], e[RANKS];
    program_fill(w, RANKS, 10);
    program_fill(e, RANKS, 5);
    w[SLOW] += work;
    e[SLOW] += extra;
    program_run(&p, RANKS, w, e);
}

/* Beside what is known already; NULL: nothing is. A core-second is worth it. */
static uint32_t find(const struct sca_finding *known)
{
    const struct sca_abnormal_limits limits = {1.3, 1, INFINITY};
    struct sca_abnormals abnormals;
    d = measured_open(p.model);
    uint32_t n = d.ppg->nruns;
    sca_ledger_begin(&d.space, &found);
    if (known)
        sca_ledger_append(&found, known);
    sca_abnormal_find(&d.space, &d.m[n - 1], d.ends, &limits, &abnormals);
    sca_abnormal_findings_add(&d.space, d.m, n, d.ends, &abnormals, &found);
    return found.open.count;
}

/* Of the work alone; the loop around it is abnormal, too. */
START_TEST(the_deepest_is_the_finding)
{
    p = program_new();
    add_run(20, 0);
    ck_assert_uint_eq(find(NULL), 1);
    const struct sca_finding *c = found.open.items[0];
    ck_assert_uint_eq(c->vertex, p.work);
    ck_assert_uint_eq(c->nvertices, 1);
    ck_assert_uint_eq(c->vertices[0], p.work);
    ck_assert_uint_eq(c->nranks, 1);
    ck_assert_uint_eq(c->ranks[0], SLOW);
    ck_assert_double_eq_tol(c->ratio, 3, 1e-6);
    ck_assert_double_eq_tol(c->excess, 20, 1e-6);
    ck_assert_int_eq(c->category, SCA_CAUSE_IMBALANCE);
    ck_assert_uint_eq(c->evidence.count, 0);
    for (uint32_t r = 0; r < RANKS; r++)
        ck_assert_double_eq_tol(c->transform.factor[r], r == SLOW ? 1.0 / 3 : 1, 1e-6);
    measured_close(&d);
}
END_TEST

START_TEST(code_in_a_loop_is_that_loops)
{
    p = program_new();
    add_run(0, 10);
    ck_assert_uint_eq(find(NULL), 1);
    ck_assert_uint_eq(found.open.items[0]->vertex, p.extra);
    measured_close(&d);
}
END_TEST

START_TEST(equal_ranks_have_none)
{
    p = program_new();
    add_run(0, 0);
    ck_assert_uint_eq(find(NULL), 0);
    measured_close(&d);
}
END_TEST

START_TEST(it_is_the_last_run_that_is_asked)
{
    p = program_new();
    add_run(20, 0);
    add_run(0, 10);
    ck_assert_uint_eq(find(NULL), 1);
    ck_assert_uint_eq(found.open.items[0]->vertex, p.extra);
    measured_close(&d);
}
END_TEST

START_TEST(two_places_are_two_findings)
{
    double w[RANKS], e[RANKS];
    program_fill(w, RANKS, 10);
    program_fill(e, RANKS, 5);
    w[SLOW] = 30;
    e[5] = 15;
    p = program_new();
    program_run(&p, RANKS, w, e);
    ck_assert_uint_eq(find(NULL), 2);
    ck_assert_uint_eq(found.open.items[0]->vertex, p.work);
    ck_assert_uint_eq(found.open.items[0]->ranks[0], SLOW);
    ck_assert_uint_eq(found.open.items[1]->vertex, p.extra);
    ck_assert_uint_eq(found.open.items[1]->ranks[0], 5);
    measured_close(&d);
}
END_TEST

START_TEST(a_place_that_is_known_is_not_found_again)
{
    for (int same = 0; same < 2; same++) {
        p = program_new();
        add_run(20, 0);
        struct sca_finding known = {.vertex = same ? p.work : p.extra};
        ck_assert_uint_eq(find(&known), same ? 1 : 2);
        measured_close(&d);
    }
}
END_TEST

/* A sample a second: exact times prove two seconds, and samples tell where. */
START_TEST(few_samples_tell_where_what_exact_times_prove_is)
{
    double w[RANKS], e[RANKS];
    program_fill(w, RANKS, 1);
    program_fill(e, RANKS, 5);
    w[SLOW] = 3;
    p = program_new();
    program_run(&p, RANKS, w, e);
    model_rare(p.model, 0, SCA_NONE, 1);
    ck_assert_uint_eq(find(NULL), 1);
    const struct sca_finding *c = found.open.items[0];
    const struct sca_evidence *times = sca_evidence_find(&c->evidence, SCA_EVIDENCE_BY_TIMES);
    ck_assert_uint_eq(c->vertex, p.work);
    ck_assert_ptr_nonnull(times);
    ck_assert_double_eq_tol(times->number, 2, 0.05);
    ck_assert_double_eq_tol(times->other, 2, 1e-6);
    measured_close(&d);
}
END_TEST

static uint32_t path[2];

/* One loop that two calls lead to, one before each reduction: ten seconds on each path, but for the
 * slow rank; and for its neighbour on the second. */
static void add_paths_beside(double of_first, double of_second, double of_neighbour)
{
    struct model *m = model_new();
    uint32_t step = model_vertex(m, 0, SCA_LOOP, "", "main", 10);
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t call = model_vertex(m, step, SCA_CALL, "solve", "main", 12 + i);
        path[i] = model_vertex(m, call, SCA_LOOP, "", "solve", 50);
    }
    uint32_t sum = model_vertex(m, step, SCA_MPI, "MPI_Allreduce", "main", 30),
             last = model_vertex(m, step, SCA_MPI, "MPI_Allreduce", "main", 40);
    uint32_t run = model_run(m, RANKS), site = model_site(m, run, sum),
             end = model_site(m, run, last);
    for (uint32_t r = 0; r < RANKS; r++) {
        model_work(m, run, r, end, site, 100, path[0], r == SLOW ? of_first : 10);
        model_work(m, run, r, site, end, 100, path[1],
                   r == SLOW       ? of_second
                   : r == SLOW + 1 ? of_neighbour
                                   : 10);
        model_collective(m, run, r, site, -1, 100);
        model_collective(m, run, r, end, -1, 100);
    }
    p.model = m;
}

static void add_paths(double of_first, double of_second)
{
    add_paths_beside(of_first, of_second, 10);
}

START_TEST(two_paths_to_a_place_are_one_finding)
{
    add_paths(14, 16);
    ck_assert_uint_eq(find(NULL), 1);
    const struct sca_finding *c = found.open.items[0];
    ck_assert_uint_eq(c->nvertices, 2);
    ck_assert_uint_eq(c->vertex, path[1]); /* the heavier */
    ck_assert_double_eq_tol(c->excess, 10, 1e-6);
    ck_assert_double_eq_tol(c->ratio, 1.5, 1e-6);
    measured_close(&d);
}
END_TEST

START_TEST(of_two_paths_the_one_that_has_it_all_is_the_finding)
{
    add_paths(20, 10);
    ck_assert_uint_eq(find(NULL), 1);
    const struct sca_finding *c = found.open.items[0];
    ck_assert_uint_eq(c->nvertices, 1);
    ck_assert_uint_eq(c->vertices[0], path[0]);
    ck_assert_double_eq_tol(c->excess, 10, 1e-6);
    ck_assert_double_eq_tol(c->ratio, 2, 1e-6);
    measured_close(&d);
}
END_TEST

/* The neighbour has more on the other path, but not enough of both to be slow. */
START_TEST(what_another_rank_has_on_another_path_is_no_part_of_it)
{
    add_paths_beside(40, 10, 14);
    ck_assert_uint_eq(find(NULL), 1);
    const struct sca_finding *c = found.open.items[0];
    ck_assert_uint_eq(c->nvertices, 1);
    ck_assert_uint_eq(c->vertices[0], path[0]);
    ck_assert_uint_eq(c->nranks, 1);
    ck_assert_uint_eq(c->ranks[0], SLOW);
    ck_assert_double_eq_tol(c->ratio, 4, 1e-6);
    measured_close(&d);
}
END_TEST

/* The slow rank has ten seconds more on the one path, and less on the other: of both together none,
 * four or 5.5 are left over twenty, which is not 1.3 times as much. Half of ten must be left. */
START_TEST(what_the_other_path_makes_up_for_is_none)
{
    add_paths(20, 0);
    ck_assert_uint_eq(find(NULL), 0);
    measured_close(&d);
    add_paths(20, 4);
    ck_assert_uint_eq(find(NULL), 0);
    measured_close(&d);
    add_paths(20, 5.5);
    ck_assert_uint_eq(find(NULL), 1);
    ck_assert_uint_eq(found.open.items[0]->nvertices, 1);
    ck_assert_uint_eq(found.open.items[0]->vertex, path[0]);
    measured_close(&d);
}
END_TEST

/* The kinds of evidence that ranks like these give, as bits. */
static unsigned evidence_of(struct sca_abnormal a)
{
    struct sca_workspace space = test_room();
    struct sca_finding draft = {0};
    unsigned bits = 0;
    sca_abnormal_findings_add_evidence(&space, &a, &draft);
    for (uint32_t i = 0; i < draft.evidence.count; i++)
        bits |= 1U << draft.evidence.items[i].kind;
    sca_workspace_free(&space);
    return bits;
}

START_TEST(what_ranks_say_becomes_evidence)
{
    ck_assert_uint_eq(evidence_of((struct sca_abnormal){.excess = 2}), 0);
    ck_assert_uint_eq(evidence_of((struct sca_abnormal){.inconclusive = true}),
                      1U << SCA_EVIDENCE_CORES);
    ck_assert_uint_eq(evidence_of((struct sca_abnormal){.around = 2}), 1U << SCA_EVIDENCE_BY_TIMES);
    ck_assert_uint_eq(evidence_of((struct sca_abnormal){.skewed = true}),
                      1U << SCA_EVIDENCE_SKEWED);
    ck_assert_uint_eq(evidence_of((struct sca_abnormal){.skewed = true, .two_kinds = true}),
                      1U << SCA_EVIDENCE_SKEWED | 1U << SCA_EVIDENCE_TWO_GROUPS);
    ck_assert_uint_eq(evidence_of((struct sca_abnormal){.no_core = true}),
                      1U << SCA_EVIDENCE_NO_CORE);
}
END_TEST

SCA_SUITE("abnormal findings", the_deepest_is_the_finding, code_in_a_loop_is_that_loops,
          equal_ranks_have_none, it_is_the_last_run_that_is_asked, two_places_are_two_findings,
          a_place_that_is_known_is_not_found_again,
          few_samples_tell_where_what_exact_times_prove_is, two_paths_to_a_place_are_one_finding,
          of_two_paths_the_one_that_has_it_all_is_the_finding,
          what_another_rank_has_on_another_path_is_no_part_of_it,
          what_the_other_path_makes_up_for_is_none, what_ranks_say_becomes_evidence)
