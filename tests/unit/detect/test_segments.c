/* A walk that is cut where all ranks meet takes as long as the whole, and makes the same waits. */
#include "replay/replay.h"
#include "trace/segments.h"
#include "synthetic_ppg.h"
#include "check_main.h"

#include <math.h>

enum { STEPS = 60, RANKS = 4, APART = 40 };

static jmp_buf out_of_memory;

struct program {
    struct model *model;
    const struct sca_ppg *ppg;
    uint32_t run;
};

/* Each step: work that differs between the ranks, a message round the ring, a collective. The last
 * rank leaves out `missing` of the collectives. */
static struct program ring(uint64_t missing)
{
    struct program p = {.model = model_new()};
    uint32_t step = model_vertex(p.model, 0, SCA_LOOP, "", "main", 10);
    uint32_t work = model_vertex(p.model, step, SCA_LOOP, "", "main", 12);
    uint32_t calls[] = {model_vertex(p.model, step, SCA_MPI, "MPI_Send", "main", 14),
                        model_vertex(p.model, step, SCA_MPI, "MPI_Recv", "main", 16),
                        model_vertex(p.model, step, SCA_MPI, "MPI_Allreduce", "main", 18)};
    p.run = model_run(p.model, RANKS);
    uint32_t send = model_site(p.model, p.run, calls[0]);
    uint32_t receive = model_site(p.model, p.run, calls[1]);
    uint32_t all = model_site(p.model, p.run, calls[2]);
    for (uint32_t r = 0; r < RANKS; r++) {
        double seconds = 0.01 * (r + 1);
        model_work(p.model, p.run, r, 0, send, 1, work, seconds);
        model_work(p.model, p.run, r, all, send, STEPS - 1, work, seconds * (STEPS - 1));
        model_work(p.model, p.run, r, send, receive, STEPS, work, 0.003 * STEPS);
        model_work(p.model, p.run, r, receive, all, STEPS, work, 0.001 * (RANKS - r) * STEPS);
        model_sent(p.model, p.run, r, send, (int32_t)((r + 1) % RANKS), STEPS);
        model_received(p.model, p.run, r, receive, (int32_t)((r + RANKS - 1) % RANKS), STEPS);
        model_collective(p.model, p.run, r, all, -1, STEPS - (r + 1 == RANKS ? missing : 0));
    }
    p.ppg = model_ppg(p.model);
    return p;
}

struct played {
    uint32_t segments, all;
    double duration, waits;
};

static struct played play(struct program *p, struct sca_team team, uint32_t apart)
{
    struct sca_workspace ops = {.out_of_memory = &out_of_memory};
    struct sca_traces traces = {.team = &team, .space.out_of_memory = &out_of_memory};
    struct played sum = {0};
    sca_segments_walk(&ops, &p->ppg->runs[p->run], apart, &traces);
    sum.segments = traces.count;
    sum.all = traces.all;
    for (uint32_t i = 0; i < traces.count; i++) {
        struct sca_replay replay;
        struct sca_replay_links *links = sca_links_build(&ops, &traces.traces[i]);
        sca_replay_open(&traces.space, &traces.traces[i], links, UINT64_MAX, &replay);
        sca_replay_run(&replay);
        ck_assert_uint_eq(replay.forced, 0);
        sum.duration += replay.end * traces.traces[i].weight;
        sum.waits += replay.waits * traces.traces[i].weight;
    }
    sca_replay_trace_free(&traces);
    sca_workspace_free(&ops);
    return sum;
}

static const struct sca_team alone = {.size = 1};

START_TEST(segments_add_up_to_the_whole)
{
    struct program p = ring(0);
    struct played whole = play(&p, alone, UINT32_MAX), cut = play(&p, alone, APART);
    ck_assert_uint_eq(whole.segments, 1);
    ck_assert_uint_ge(cut.segments, SCA_WORTH_CUTTING);
    ck_assert_double_gt(whole.waits, 0.1);
    /* by hand: rank 3 enters its receive last, and rank 0 has the longest way from there on */
    ck_assert_double_eq_tol(whole.duration, STEPS * (0.04 + 0.004), 1e-9);
    ck_assert_double_eq_tol(cut.duration, whole.duration, 1e-9);
    ck_assert_double_eq_tol(cut.waits, whole.waits, 1e-9);
    model_free(p.model);
}
END_TEST

START_TEST(processes_have_all_segments_between_them)
{
    struct program p = ring(0);
    struct played whole = play(&p, alone, APART), sum = {0};
    for (uint32_t rank = 0; rank < 3; rank++) {
        struct played part = play(&p, (struct sca_team){.rank = rank, .size = 3}, APART);
        ck_assert_uint_eq(part.all, whole.all);
        ck_assert_uint_lt(part.segments, whole.segments);
        sum.segments += part.segments;
        sum.duration += part.duration;
        sum.waits += part.waits;
    }
    ck_assert_uint_eq(sum.segments, whole.segments);
    ck_assert_double_eq_tol(sum.duration, whole.duration, 1e-9);
    ck_assert_double_eq_tol(sum.waits, whole.waits, 1e-9);
    model_free(p.model);
}
END_TEST

START_TEST(ranks_that_do_not_all_meet_are_not_cut)
{
    struct program p = ring(1);
    struct sca_workspace ops = {.out_of_memory = &out_of_memory};
    struct sca_team team = alone;
    struct sca_traces traces = {.team = &team, .space.out_of_memory = &out_of_memory};
    sca_segments_walk(&ops, &p.ppg->runs[p.run], APART, &traces);
    ck_assert_uint_eq(traces.count, 1);
    ck_assert_uint_eq(traces.traces[0].nranks, RANKS);
    sca_replay_trace_free(&traces);
    sca_workspace_free(&ops);
    model_free(p.model);
}
END_TEST

SCA_SUITE("segments", segments_add_up_to_the_whole, processes_have_all_segments_between_them,
          ranks_that_do_not_all_meet_are_not_cut)
