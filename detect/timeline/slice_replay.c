#include "timeline/slice_replay.h"
#include "replay/links.h"
#include "trace/probed.h"
#include "trace/window_start.h"

#include <math.h>

void sca_slice_walk(const struct sca_rank *rank, const struct sca_slice *slice,
                    sca_slice_visit *visit, void *context)
{
    uint32_t w = slice->first, e = slice->begin;
    for (uint32_t left = slice->nevents; left && w < rank->nwindows;) {
        if (e == rank->windows[w].nevents) {
            w++;
            e = 0;
            continue;
        }
        visit(context, &rank->windows[w], &rank->windows[w].events[e++]);
        left--;
    }
}

static void count_ops(void *context, const struct sca_window *w, const struct sca_event *e)
{
    (void)w;
    *(uint32_t *)context += e->nops;
}

struct filling_sequence {
    const struct sca_profile *profile;
    const struct sca_rank *rank;
    struct sca_event_sequence *sequence;
    uint32_t *sites;
};

static void add_event(void *context, const struct sca_window *w, const struct sca_event *e)
{
    struct filling_sequence *f = context;
    struct sca_event_sequence *s = f->sequence;
    s->interval[s->nevents] = 1e-9 * (double)e->gap_ns;
    f->sites[++s->nevents] = e->site;
    for (uint32_t i = 0; i < e->nops; i++)
        s->ops[s->nops++] =
            sca_replay_trace_op(f->profile, f->rank, &w->ops[e->first_op + i], s->nevents - 1);
}

static void take_site(void *context, const struct sca_window *w, const struct sca_event *e)
{
    (void)w;
    *(uint32_t *)context = e->site;
}

uint32_t sca_slice_call_before(struct sca_detours *detours, const struct sca_rank *rank,
                               const struct sca_slice *slice)
{
    if (!slice->nevents || slice->first >= rank->nwindows)
        return 0;
    const struct sca_window *w = &rank->windows[slice->first];
    uint32_t before =
        slice->begin ? w->events[slice->begin - 1].site : sca_window_start_call(detours, w);
    if (before == SCA_NONE)
        sca_slice_walk(rank, slice, take_site, &before);
    return before;
}

static void fill_rank(struct sca_workspace *space, const struct sca_ppg_run *run,
                      struct sca_detours *detours, uint32_t r, const struct sca_slice *slice,
                      struct sca_event_sequence *sequence)
{
    const struct sca_rank *rank = sca_local_calls_of_rank(detours, r);
    struct filling_sequence f = {run->profile, rank, sequence, NULL};
    uint32_t nops = 0;
    sca_slice_walk(rank, slice, count_ops, &nops);
    *sequence = (struct sca_event_sequence){0};
    sequence->ops = sca_workspace_alloc(space, nops, sizeof *sequence->ops);
    sequence->interval = sca_workspace_alloc(space, slice->nevents, sizeof *sequence->interval);
    f.sites = sca_workspace_alloc(space, slice->nevents + (size_t)1, sizeof *f.sites);
    sca_slice_walk(rank, slice, add_event, &f);
    f.sites[0] = sca_slice_call_before(detours, rank, slice);
    sequence->sites = f.sites;
    sca_probed_receives(run->profile, sequence);
}

void sca_slice_replay_make(struct sca_workspace *space, const struct sca_ppg_run *run,
                           const struct sca_slice *slices, struct sca_slice_replay *out)
{
    struct sca_detours detours;
    sca_local_calls_open(space, run->profile, &detours);
    out->trace = (struct sca_trace){.nranks = run->nranks, .weight = 1};
    out->trace.sequences = sca_workspace_alloc(space, run->nranks, sizeof *out->trace.sequences);
    for (uint32_t r = 0; r < run->nranks; r++)
        fill_rank(space, run, &detours, r, &slices[r], &out->trace.sequences[r]);
    sca_local_calls_close(&detours);
    sca_replay_trace_number(space, &out->trace);
    sca_replay_open(space, &out->trace, sca_links_build(space, &out->trace), UINT64_MAX,
                    &out->replay);
    sca_replay_run(&out->replay);
}

/* ---- all iterations of a kind ---- */

struct summing {
    struct sca_kind_times *out;
    uint32_t at; /* place of the next call */
};

static void sum_event(void *context, const struct sca_window *w, const struct sca_event *e)
{
    struct summing *s = context;
    (void)w;
    s->out->mean[s->at] += 1e-9 * (double)e->gap_ns;
    s->out->most[s->at] = fmax(s->out->most[s->at], 1e-9 * (double)e->gap_ns);
    s->at++;
}

void sca_kind_times_sum(struct sca_workspace *space, const struct sca_ppg_run *run,
                        const struct sca_loop_iterations *iterations, uint32_t kind,
                        const struct sca_trace *trace, struct sca_kind_times *out)
{
    struct sca_opened *opened = sca_workspace_opened(space, run->profile);
    const struct sca_loop_kind *k = &iterations->kinds[kind];
    uint32_t number = iterations->of[k->representative].kind;
    out->mean = sca_workspace_alloc(space, trace->nevents, sizeof *out->mean);
    out->most = sca_workspace_alloc(space, trace->nevents, sizeof *out->most);
    for (uint32_t r = 0; r < run->nranks; r++) {
        const struct sca_rank *rank = sca_rank_open(opened, r, SCA_OPEN_WINDOWS);
        for (uint32_t i = 0; i < iterations->count; i++) {
            struct summing s = {out, trace->first[r]};
            if (iterations->of[i].kind == number)
                sca_slice_walk(rank, &iterations->of[i].slices[r], sum_event, &s);
        }
    }
    for (uint32_t i = 0; i < trace->nevents; i++)
        out->mean[i] /= k->count;
}
