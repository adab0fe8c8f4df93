#include "replay_script.h"
#include "trace/trace_build.h"
#include "measured.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

struct script *script_new(uint32_t nranks)
{
    struct script *s = calloc(1, sizeof *s);
    ck_assert_uint_le(nranks, SCRIPT_RANKS);
    s->model = model_new();
    s->nranks = nranks;
    s->run = model_run(s->model, nranks);
    for (uint32_t r = 0; r < nranks; r++)
        s->windows[r] = (struct sca_window){
            .iterations = 1, .class_total = 1, .events = s->events[r], .ops = s->ops[r]};
    return s;
}

void script_call(struct script *s, uint32_t r, double interval, uint32_t site)
{
    struct sca_window *w = &s->windows[r];
    ck_assert_uint_lt(w->nevents, SCRIPT_EVENTS);
    w->events[w->nevents++] = (struct sca_event){
        .site = site, .first_op = w->nops, .gap_ns = (uint64_t)llround(interval * 1e9)};
}

void script_op(struct script *s, uint32_t r, struct sca_op op)
{
    struct sca_window *w = &s->windows[r];
    w->ops[w->nops++] = op;
    w->events[w->nevents - 1].nops++;
}

void script_send(struct script *s, uint32_t r, double interval, uint32_t site, int32_t to,
                 uint64_t n)
{
    script_call(s, r, interval, site);
    script_op(s, r, (struct sca_op){.kind = SCA_OP_SEND, .peer = to, .number = n});
}

void script_receive(struct script *s, uint32_t r, double interval, uint32_t site, int32_t from,
                    uint64_t n)
{
    script_call(s, r, interval, site);
    script_op(s, r, (struct sca_op){.kind = SCA_OP_RECV_POST, .peer = from, .number = n});
    script_op(s, r, (struct sca_op){.kind = SCA_OP_RECV, .peer = from, .number = n});
}

void script_collective(struct script *s, uint32_t r, double interval, uint32_t site, uint8_t shape,
                       int32_t root, uint64_t n)
{
    script_call(s, r, interval, site);
    script_op(
        s, r,
        (struct sca_op){.kind = SCA_OP_COLLECTIVE, .shape = shape, .peer = root, .number = n});
}

void script_traces(struct script *s, struct played *p)
{
    const struct sca_ppg *ppg = model_ppg(s->model);
    struct sca_profile *profile = (struct sca_profile *)ppg->runs[s->run].profile;
    *p = (struct played){.team.size = 1, .space = test_room()};
    for (uint32_t r = 0; r < s->nranks; r++) {
        profile->ranks[r].nwindows = 1;
        profile->ranks[r].windows = &s->windows[r];
    }
    sca_trace_build(&p->space, &ppg->runs[s->run], &p->team, &p->traces);
    ck_assert_uint_eq(p->traces.count, 1);
}

void script_play(struct script *s, struct played *p)
{
    script_traces(s, p);
    struct sca_trace *trace = &p->traces.traces[0];
    sca_measure_run(&p->space, model_graph(s->model), s->run, &p->measure);
    sca_replay_open(&p->space, trace, sca_links_build(&p->space, trace), UINT64_MAX, &p->replay);
    sca_replay_run(&p->replay);
    sca_delay_cost_open(&p->space, &p->measure, true, &p->costs);
    sca_delay_cost_find(&p->space, &p->measure, &p->replay, 1, &p->costs);
}

void script_end(struct script *s, struct played *p)
{
    sca_replay_trace_free(&p->traces);
    sca_workspace_free(&p->space);
    model_free(s->model);
    free(s);
}

double played_left(const struct played *p, uint32_t rank, uint32_t i)
{
    return sca_replay_exit(&p->replay, sca_replay_at(&p->replay, rank, i));
}

double played_cost(const struct played *p, uint32_t vertex, uint32_t rank)
{
    return p->costs.of[vertex * p->measure.nranks + rank];
}

uint32_t script_site(struct script *s, const char *function, uint32_t line)
{
    return model_site(s->model, s->run, model_vertex(s->model, 0, SCA_MPI, function, "main", line));
}

void script_work(struct script *s, uint32_t rank, uint32_t after, uint32_t before, uint32_t vertex,
                 double seconds)
{
    model_work(s->model, s->run, rank, after, before, 1, vertex, seconds);
}

void script_stage(struct script *s, struct staged *out)
{
    script_traces(s, &out->played);
    out->space = test_room();
    sca_measure_run(&out->space, model_graph(s->model), s->run, &out->measure);
    out->ends = sca_measure_subtree_ends(&out->space, model_graph(s->model));
    sca_what_if_open(&out->space, &out->measure, out->ends, &out->played.traces, &out->played.space,
                     &out->stage);
}

void staged_end(struct script *s, struct staged *staged)
{
    sca_workspace_free(&staged->space);
    script_end(s, &staged->played);
}
