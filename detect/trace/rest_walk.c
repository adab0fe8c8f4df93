#include "trace/rest_walk.h"
#include "trace/trace_synthesis.h"

static void walk_rank(const struct sca_walk *walk, struct sca_workspace *space,
                      struct sca_workspace *ops, struct sca_trace *trace, uint32_t rank)
{
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    struct sca_event_sequence all, *kept = &trace->sequences[rank];
    (void)sca_trace_synthesis_of_rank(walk, &scratch, rank, &all);
    *kept = (struct sca_event_sequence){.nevents = all.nevents, .nops = all.nops};
    kept->sites = sca_replay_trace_sites(space, trace->sequences, rank, all.sites, all.nevents);
    kept->interval =
        sca_workspace_grow(space, all.interval, all.nevents, all.nevents, sizeof *kept->interval);
    sca_replay_trace_take_others(space, &all, kept);
    kept->ops = sca_workspace_grow(ops, all.ops, all.nops, all.nops, sizeof *kept->ops);
    sca_workspace_free(&scratch);
}

void sca_rest_walk_make(struct sca_workspace *space, struct sca_workspace *ops,
                        const struct sca_profile *profile, const bool *shown, struct sca_trace *out)
{
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    struct sca_walk walk;
    sca_trace_synthesis_open(&scratch, profile, &walk);
    walk.left_out = shown;
    *out = (struct sca_trace){.nranks = profile->nranks, .weight = walk.factor};
    out->sequences = sca_workspace_alloc(space, out->nranks, sizeof *out->sequences);
    for (uint32_t r = 0; r < out->nranks; r++)
        walk_rank(&walk, space, ops, out, r);
    sca_workspace_free(&scratch);
}
