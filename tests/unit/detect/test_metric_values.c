/* Metrics of a run by vertex and rank: what its tables have, and what its replay tells. */
#include "metrics/metric_values.h"
#include "replay_script.h"
#include "check_main.h"

#include <math.h>
#include <string.h>

enum { RANKS = 2 };

static struct script *s;
static struct staged st;
static struct sca_costs costs;
static struct sca_replayed replayed;
static struct sca_metric_catalogue catalogue;
static uint32_t outer, loop, out, in;

/* Rank 0 sends after a second, and is let go when the other one, after three, receives. */
static void begin(void)
{
    s = script_new(RANKS);
    outer = model_vertex(s->model, 0, SCA_LOOP, "", "main", 5);
    loop = model_vertex(s->model, outer, SCA_LOOP, "", "main", 10);
    out = script_site(s, "MPI_Ssend", 20);
    in = script_site(s, "MPI_Recv", 21);
    script_work(s, 0, out, out, loop, 1);
    script_work(s, 1, in, in, loop, 3);
    script_send(s, 0, 1, out, 1, 0);
    script_op(s, 0, (struct sca_op){.kind = SCA_OP_SEND_DONE, .peer = 1, .number = 0});
    script_receive(s, 1, 3, in, 0, 0);
    model_calls(s->model, s->run, 0, out, 7, 56, 1e-6);
    model_sent(s->model, s->run, 0, out, 1, 7);
    model_received(s->model, s->run, 1, in, 0, 7);
}

static void look(void)
{
    script_stage(s, &st);
    sca_delay_cost_open(&st.space, &st.measure, true, &costs);
    sca_delay_cost_find(&st.space, &st.measure, st.stage.replays, st.stage.nreplays, &costs);
    sca_replayed_make(&st.space, &st.stage, &costs, &replayed);
    sca_metric_catalogue_make(st.measure.run->profile, &replayed, "", &catalogue);
}

static void end(void)
{
    staged_end(s, &st);
}

static double value(const char *name, uint32_t vertex, uint32_t rank, bool inclusive)
{
    const struct sca_metric_source source = {st.measure.ppg, st.measure.run, &replayed, 0};
    const struct sca_metric_range one = {vertex, 1, rank, 1};
    const struct scalana_metric *metric = sca_metric_catalogue_find(&catalogue, name);
    double found = NAN;
    ck_assert_msg(metric && !*metric->absent, "%s", name);
    ck_assert_int_eq(sca_metric_values(&source, st.ends, metric, inclusive, &one, &found), 0);
    return found;
}

static uint32_t vertex_of(uint32_t site)
{
    return st.measure.run->site_vertex[site];
}

START_TEST(a_late_receiver_costs_the_sender)
{
    begin();
    look();
    ck_assert_double_eq_tol(value("late_receiver", vertex_of(out), 0, false), 2, 1e-6);
    ck_assert_double_eq_tol(value("waiting", vertex_of(out), 0, false), 2, 1e-6);
    ck_assert_double_eq(value("late_sender", vertex_of(out), 0, false), 0);
    ck_assert_double_eq(value("waiting", vertex_of(in), 1, false), 0);
    ck_assert_double_eq_tol(value("delay_direct", loop, 1, false), 2, 1e-6);
    ck_assert_double_eq_tol(value("delay_cost", loop, 1, false), 2, 1e-6);
    ck_assert_double_eq_tol(value("delay_indirect", loop, 1, false), 0, 1e-6);
    ck_assert_double_eq(value("delay_cost", loop, 0, false), 0);
    ck_assert_double_eq_tol(value("critical_path", loop, 1, false), 3, 1e-6);
    ck_assert_double_eq_tol(value("critical_imbalance", loop, 1, false), 1, 1e-6);
    end();
}
END_TEST

START_TEST(inclusive_values_have_those_below)
{
    begin();
    look();
    ck_assert_double_eq(value("delay_cost", outer, 1, false), 0);
    ck_assert_double_eq_tol(value("delay_cost", outer, 1, true), 2, 1e-6);
    ck_assert_double_eq_tol(value("critical_path", 0, 1, true), 3, 1e-6);
    ck_assert_double_eq_tol(value("waiting", 0, 0, true), 2, 1e-6);
    ck_assert_double_eq_tol(value("computation", 0, 1, true), 3, 1e-6);
    end();
}
END_TEST

START_TEST(tables_tell_calls_and_messages)
{
    begin();
    look();
    ck_assert_double_eq(value("mpi_calls", vertex_of(out), 0, false), 7);
    ck_assert_double_eq(value("mpi_bytes", vertex_of(out), 0, false), 56);
    ck_assert_double_eq(value("messages_sent", vertex_of(out), 0, false), 7);
    ck_assert_double_eq(value("messages_received", vertex_of(out), 0, false), 0);
    ck_assert_double_eq(value("messages_received", vertex_of(in), 1, false), 7);
    ck_assert_double_eq(value("messages_sent", 0, 0, true), 7);
    end();
}
END_TEST

/* A block of many ranks has what each of them has by itself. */
START_TEST(ranks_of_a_block_have_their_own_values)
{
    enum { MANY = 21, SOME = 19 };
    s = script_new(MANY);
    out = script_site(s, "MPI_Send", 20);
    for (uint32_t r = 0; r < MANY; r++)
        model_calls(s->model, s->run, r, out, r + 1, 8ull * r, 1e-6);
    look();
    const struct sca_metric_source source = {st.measure.ppg, st.measure.run, &replayed, 0};
    const struct sca_metric_range range = {vertex_of(out), 1, 1, SOME};
    double found[SOME];
    ck_assert_int_eq(sca_metric_values(&source, st.ends,
                                       sca_metric_catalogue_find(&catalogue, "mpi_calls"), false,
                                       &range, found),
                     0);
    for (uint32_t r = 0; r < SOME; r++) {
        ck_assert_double_eq(found[r], r + 2);
        ck_assert_double_eq(value("mpi_bytes", vertex_of(out), r + 1, false), 8 * (r + 1));
    }
    end();
}
END_TEST

/* In MPI, but not waiting: of a collective it is its completion. */
START_TEST(beyond_waiting_is_transfer_or_completion)
{
    begin();
    uint32_t barrier = script_site(s, "MPI_Barrier", 30);
    for (uint32_t r = 0; r < RANKS; r++) {
        script_work(s, r, r ? in : out, barrier, loop, 1);
        script_collective(s, r, 1, barrier, SCA_ALL_TO_ALL, -1, 0);
    }
    look();
    for (uint32_t r = 0; r < RANKS; r++) {
        double transfer = value("transfer", 0, r, true),
               completion = value("completion", 0, r, true);
        double inside = value("mpi_time", 0, r, true), waiting = value("waiting", 0, r, true);
        ck_assert_double_eq_tol(transfer + completion, inside - waiting, 1e-9);
        ck_assert_double_eq_tol(value("completion", vertex_of(barrier), r, false), completion,
                                1e-9);
    }
    end();
}
END_TEST

/* ---- the catalogue ---- */

static const struct scalana_metric *named(const char *name)
{
    const struct scalana_metric *found = sca_metric_catalogue_find(&catalogue, name);
    ck_assert_msg(found != NULL, "%s", name);
    return found;
}

START_TEST(each_metric_has_one_name_and_number)
{
    begin();
    look();
    for (uint32_t i = 0; i < catalogue.n; i++) {
        const struct scalana_metric *m = &catalogue.rows[i];
        ck_assert_ptr_eq(sca_metric_catalogue_find(&catalogue, m->name), m);
        ck_assert_ptr_eq(sca_metric_catalogue_get(&catalogue, m->id), m);
        ck_assert(*m->title && *m->unit && *m->meaning);
        ck_assert(m->parent == SCALANA_NONE || sca_metric_catalogue_get(&catalogue, m->parent) < m);
    }
    for (int kind = 0; kind < SCA_WAIT_CLASSES; kind++) {
        uint32_t id = sca_metric_of_waits((enum sca_wait_class)kind);
        ck_assert_uint_eq(sca_metric_catalogue_get(&catalogue, id)->parent, SCALANA_METRIC_WAITING);
    }
    end();
}
END_TEST

START_TEST(what_was_not_counted_says_why)
{
    begin();
    model_meta(s->model, s->run, "metrics.absent", "PAPI_TOT_INS,PAPI_TOT_CYC,PAPI_L2_DCM");
    model_meta(s->model, s->run, "sampling", "perf::TASK-CLOCK (no counter of cycles)");
    look();
    ck_assert_str_eq(named("PAPI_TOT_INS")->absent,
                     "not counted: samples came from perf::TASK-CLOCK (no counter of cycles)");
    ck_assert_str_eq(named("ipc")->absent, named("PAPI_TOT_INS")->absent);
    ck_assert_uint_eq(named("ipc")->of, named("PAPI_TOT_INS")->id);
    ck_assert_uint_eq(named("ipc")->per, named("PAPI_TOT_CYC")->id);
    ck_assert_str_eq(named("PAPI_L2_DCM_per_ki")->absent, named("PAPI_TOT_INS")->absent);
    ck_assert_double_eq(named("PAPI_L2_DCM_per_ki")->scale, 1000);
    ck_assert_ptr_null(sca_metric_catalogue_find(&catalogue, "PAPI_TOT_CYC_per_ki"));
    end();
}
END_TEST

START_TEST(without_a_replay_there_is_a_reason)
{
    begin();
    look();
    sca_metric_catalogue_make(st.measure.run->profile, NULL, "not replayed", &catalogue);
    ck_assert_str_eq(named("waiting")->absent, "not replayed");
    ck_assert_str_eq(named("critical_imbalance")->absent, "not replayed");
    ck_assert_str_eq(named("mpi_time")->absent, "");
    replayed.shared = replayed.without_messages = true;
    sca_metric_catalogue_make(st.measure.run->profile, &replayed, "", &catalogue);
    ck_assert_ptr_nonnull(strstr(named("completion")->absent, "shared cores"));
    ck_assert_ptr_nonnull(strstr(named("late_sender")->absent, "are inconsistent"));
    ck_assert_str_eq(named("wait_at_nxn")->absent, "");
    end();
}
END_TEST

SCA_SUITE("metric values", a_late_receiver_costs_the_sender, inclusive_values_have_those_below,
          tables_tell_calls_and_messages, ranks_of_a_block_have_their_own_values,
          beyond_waiting_is_transfer_or_completion, each_metric_has_one_name_and_number,
          what_was_not_counted_says_why, without_a_replay_there_is_a_reason)
