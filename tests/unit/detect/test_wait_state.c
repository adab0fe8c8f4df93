/* What a replayed wait is called, and where it is. */
#include "replay/wait_state.h"
#include "replay_script.h"
#include "check_main.h"

#include <stdlib.h>

START_TEST(classes_have_their_names_in_reports)
{
    ck_assert_str_eq(sca_wait_state_class_name(SCA_WAIT_LATE_SENDER), "late-sender");
    ck_assert_str_eq(sca_wait_state_class_name(SCA_WAIT_WRONG_ORDER), "wrong-order");
    ck_assert_str_eq(sca_wait_state_class_name(SCA_WAIT_LATE_RECEIVER), "late-receiver");
    ck_assert_str_eq(sca_wait_state_class_name(SCA_WAIT_LATE_BROADCAST), "late-broadcast");
    ck_assert_str_eq(sca_wait_state_class_name(SCA_WAIT_EARLY_REDUCE), "early-reduce");
    ck_assert_str_eq(sca_wait_state_class_name(SCA_WAIT_AT_NXN), "wait-at-nxn");
    ck_assert_str_eq(sca_wait_state_class_name(SCA_WAIT_AT_BARRIER), "wait-at-barrier");
    ck_assert_str_eq(sca_wait_state_class_name(SCA_WAIT_AT_SCAN), "wait-at-scan");
}
END_TEST

/* Two ranks meet in a call of that name; the one that waits is asked. */
static enum sca_wait_class class_of(const char *function, uint8_t shape, int32_t root,
                                    uint32_t early)
{
    struct script *s = script_new(2);
    struct played p;
    uint32_t site = script_site(s, function, 20);
    for (uint32_t r = 0; r < 2; r++)
        script_collective(s, r, r == early ? 1 : 3, site, shape, root, 0);
    script_play(s, &p);
    uint32_t event = sca_replay_at(&p.replay, early, 0);
    ck_assert_double_eq_tol(sca_replay_waited(&p.replay, event), 2, 1e-6);
    enum sca_wait_class kind = sca_wait_state_classify(&p.replay, p.measure.run, event);
    ck_assert_uint_eq(sca_wait_state_vertex(p.measure.run, sca_replay_event(&p.replay, event)),
                      p.measure.run->site_vertex[site]);
    script_end(s, &p);
    return kind;
}

START_TEST(collectives_by_their_shape)
{
    ck_assert_int_eq(class_of("MPI_Bcast", SCA_ONE_TO_ALL, 1, 0), SCA_WAIT_LATE_BROADCAST);
    ck_assert_int_eq(class_of("MPI_Scatter", SCA_ONE_TO_ALL, 1, 0), SCA_WAIT_LATE_BROADCAST);
    ck_assert_int_eq(class_of("MPI_Gather", SCA_ALL_TO_ONE, 0, 0), SCA_WAIT_EARLY_REDUCE);
    ck_assert_int_eq(class_of("MPI_Scan", SCA_PREFIX, -1, 1), SCA_WAIT_AT_SCAN);
    ck_assert_int_eq(class_of("MPI_Alltoall", SCA_ALL_TO_ALL, -1, 0), SCA_WAIT_AT_NXN);
}
END_TEST

START_TEST(barriers_by_their_names)
{
    ck_assert_int_eq(class_of("MPI_Barrier", SCA_ALL_TO_ALL, -1, 0), SCA_WAIT_AT_BARRIER);
    ck_assert_int_eq(class_of("MPI_Win_fence", SCA_ALL_TO_ALL, -1, 0), SCA_WAIT_AT_BARRIER);
    ck_assert_int_eq(class_of("MPI_Finalize", SCA_ALL_TO_ALL, -1, 0), SCA_WAIT_AT_BARRIER);
    ck_assert_int_eq(class_of("MPI_Allreduce", SCA_ALL_TO_ALL, -1, 0), SCA_WAIT_AT_NXN);
}
END_TEST

/* The end of the run has a site beyond all: it is its last call's. */
START_TEST(the_end_is_where_the_last_call_is)
{
    struct script *s = script_new(1);
    uint32_t site = script_site(s, "MPI_Barrier", 20);
    const struct sca_ppg_run *run = &model_ppg(s->model)->runs[s->run];
    uint32_t vertex = run->site_vertex[site], beyond = run->profile->nsites;
    ck_assert_uint_eq(sca_wait_state_vertex(run, (struct sca_trace_event){site, 0, 0}), vertex);
    ck_assert_uint_eq(sca_wait_state_vertex(run, (struct sca_trace_event){beyond, site, 0}),
                      vertex);
    ck_assert_uint_eq(sca_wait_state_vertex(run, (struct sca_trace_event){beyond, beyond, 0}),
                      SCA_NONE);
    ck_assert_uint_eq(sca_wait_state_vertex(run, (struct sca_trace_event){0, 0, 0}),
                      SCA_NONE); /* MPI_Init */
    model_free(s->model);
    free(s);
}
END_TEST

SCA_SUITE("wait_state", classes_have_their_names_in_reports, collectives_by_their_shape,
          barriers_by_their_names, the_end_is_where_the_last_call_is)
