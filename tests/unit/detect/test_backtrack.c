/* The chain from a call that waits back to the computation that is to blame. */
#include "explain/all_paths.h"
#include "explain/backtrack.h"
#include "replay_script.h"
#include "check_main.h"

#include <stdlib.h>

enum { RANKS = 3 };

static struct script *s;
static struct staged st;
static uint32_t slow, usual, in, out, in_site, out_site;
static struct sca_chain chain;

/* Rank 0 computes for five seconds; rank 1 waits for its message and passes one on to rank 2. */
static void begin(void)
{
    s = script_new(RANKS);
    slow = model_vertex(s->model, 0, SCA_LOOP, "", "main", 10);
    usual = model_vertex(s->model, 0, SCA_LOOP, "", "main", 14);
    in_site = script_site(s, "MPI_Recv", 21);
    out_site = script_site(s, "MPI_Send", 20);
    script_work(s, 0, out_site, out_site, slow, 5);
    script_work(s, 1, out_site, in_site, usual, 1);
    script_work(s, 2, in_site, in_site, usual, 1);
    script_send(s, 0, 5, out_site, 1, 0);
    script_receive(s, 1, 1, in_site, 0, 0);
    script_send(s, 1, 0, out_site, 2, 0);
    script_receive(s, 2, 1, in_site, 1, 0);
    script_stage(s, &st);
    in = st.measure.run->site_vertex[in_site];
    out = st.measure.run->site_vertex[out_site];
}

static void back_from(const double *symptom, uint32_t rank)
{
    static uint32_t of;
    of = rank;
    struct sca_finding cause = {
        .vertex = slow, .nvertices = 1, .vertices = &slow, .nranks = 1, .ranks = &of, .excess = 4};
    sca_backtrack(&st.space, &st.stage, &cause, symptom, &chain);
}

static void check_step(uint32_t i, uint32_t vertex, uint32_t rank, const char *via)
{
    ck_assert_uint_lt(i, chain.count);
    ck_assert_uint_eq(chain.steps[i].vertex, vertex);
    ck_assert_uint_eq(chain.steps[i].rank, rank);
    ck_assert_str_eq(chain.steps[i].via, via);
}

/* Both waits take four seconds; the lower rank's is told. */
START_TEST(from_a_wait_to_who_made_it)
{
    double symptom[64] = {0};
    begin();
    symptom[in] = 8;
    back_from(symptom, 0);
    ck_assert_uint_eq(chain.count, 3);
    check_step(0, in, 1, "");
    check_step(1, out, 0, "p2p");
    check_step(2, slow, 0, "data");
    staged_end(s, &st);
}
END_TEST

START_TEST(without_a_symptom_it_is_the_cause_alone)
{
    double symptom[64] = {0};
    begin();
    back_from(symptom, 0);
    ck_assert_uint_eq(chain.count, 1);
    check_step(0, slow, 0, "");
    staged_end(s, &st);
}
END_TEST

/* Nobody waits for rank 2. */
START_TEST(waits_for_others_do_not_lead_there)
{
    double symptom[64] = {0};
    begin();
    symptom[in] = 8;
    back_from(symptom, 2);
    ck_assert_uint_eq(chain.count, 1);
    check_step(0, slow, 2, "");
    staged_end(s, &st);
}
END_TEST

/* Two ranks wait as long: a path from each call and rank, back to the loop of rank 0. */
START_TEST(all_paths_lead_from_each_wait_to_what_is_late)
{
    struct sca_paths paths;
    begin();
    const bool *grows = calloc(st.measure.ppg->nvertices, sizeof *grows);
    const struct sca_abnormals none = {0};
    const struct sca_path_wish wish = {1, grows, &none, 1.3};
    sca_all_paths_find(&st.space, &st.stage, &wish, &paths);
    ck_assert_uint_eq(paths.count, 2);
    for (uint32_t i = 0; i < 2; i++) {
        ck_assert_int_eq(paths.items[i].start, SCA_PATH_WAITING);
        ck_assert_double_eq_tol(paths.items[i].waited, 4, 0.1);
        chain = paths.items[i].chain;
        check_step(0, in, i + 1, "");
        check_step(chain.count - 1, slow, 0, "data");
    }
    check_step(1, out, 1, "p2p"); /* rank 2's goes over rank 1 */
    check_step(2, in, 1, "data");
    check_step(3, out, 0, "p2p");
    free((void *)(uintptr_t)grows);
    staged_end(s, &st);
}
END_TEST

/* From a call that does not scale however little it is waited in, and from a place that does not
 * and that no path comes through: on the rank that has most of it. */
START_TEST(paths_begin_where_something_does_not_scale)
{
    struct sca_paths paths;
    begin();
    bool *grows = calloc(st.measure.ppg->nvertices, sizeof *grows);
    grows[in] = grows[usual] = true;
    const struct sca_abnormals none = {0};
    const struct sca_path_wish wish = {100, grows, &none, 1.3};
    sca_all_paths_find(&st.space, &st.stage, &wish, &paths);
    ck_assert_uint_eq(paths.count, 3);
    for (uint32_t i = 0; i < 3; i++)
        ck_assert_int_eq(paths.items[i].start, SCA_PATH_NONSCALABLE);
    chain = paths.items[0].chain;
    check_step(0, in, 1, "");
    check_step(chain.count - 1, slow, 0, "data");
    chain = paths.items[2].chain;
    check_step(0, usual, 1, "");
    ck_assert_uint_eq(chain.count, 1);
    ck_assert_double_eq(paths.items[2].waited, 0);
    grows[in] = false; /* it is waited in for less than was asked for */
    sca_all_paths_find(&st.space, &st.stage, &wish, &paths);
    ck_assert_uint_eq(paths.count, 1);
    ck_assert_str_eq(sca_all_paths_start(paths.items[0].start), "nonscalable");
    free(grows);
    staged_end(s, &st);
}
END_TEST

SCA_SUITE("backtrack", paths_begin_where_something_does_not_scale,
          all_paths_lead_from_each_wait_to_what_is_late, from_a_wait_to_who_made_it,
          without_a_symptom_it_is_the_cause_alone, waits_for_others_do_not_lead_there)
