/*
 * Blocking calls whose transfer could run beside the computation that follows: of each pair of call
 * and computation the shorter one is saved at most. Whether the computation needs the message only
 * the programmer knows.
 */
#include "advice/advice.h"

#include <math.h>
#include <string.h>

enum { LARGE = 16384 }; /* bytes: what is less is sent at once by all MPI libraries */

static bool blocks(const char *name)
{
    static const char *const names[] = {"MPI_Recv",     "MPI_Send",  "MPI_Ssend",
                                        "MPI_Sendrecv", "MPI_Rsend", "MPI_Sendrecv_replace"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i], name))
            return true;
    return false;
}

/* Of large messages, on average. */
static void find_large(const struct sca_rank *rank, bool *large)
{
    for (uint32_t i = 0; i < rank->nsites; i++)
        large[rank->sites[i].site] = rank->sites[i].bytes >= LARGE * rank->sites[i].count;
}

/* Saves of one rank, by the vertex of the call. */
static void add_rank(const struct sca_advice_input *in, uint32_t r, bool *large, double *saved)
{
    const struct sca_rank *rank = sca_rank_open(in->opened, r, SCA_OPEN_SITES | SCA_OPEN_INTERVALS);
    const struct sca_profile *profile = in->run->profile;
    memset(large, 0, profile->nsites * sizeof *large);
    find_large(rank, large);
    for (uint32_t i = 0; i < rank->nintervals; i++) {
        const struct sca_part_interval *v = &rank->intervals[i];
        uint32_t vertex = v->previous ? in->run->site_vertex[v->previous] : SCA_NONE;
        if (vertex == SCA_NONE || !v->count || !large[v->previous] ||
            !blocks(profile->sites[v->previous].function))
            continue;
        double transfer = in->per_call[(size_t)r * profile->nsites + v->previous];
        double computes = 1e-9 * (double)(v->cpu_ns + v->blocked_ns) / (double)v->count;
        saved[in->place[vertex]] += fmin(transfer, computes) * (double)v->count;
    }
}

void sca_advice_overlap(const struct sca_advice_input *in, struct sca_advices *out)
{
    uint32_t n = in->c->ppg->nvertices, nranks = in->run->nranks;
    double *sum = sca_workspace_alloc(in->c->space, n, sizeof *sum);
    bool *large = sca_workspace_alloc(in->c->space, in->run->profile->nsites, sizeof *large);
    double *saved = sca_workspace_alloc(in->c->space, n, sizeof *saved);
    for (uint32_t r = 0; r < nranks; r++)
        add_rank(in, r, large, sum);
    for (uint32_t v = 0; v < n; v++) {
        if (sum[v] < in->least)
            continue;
        double *by_rank = sca_workspace_alloc(in->c->space, nranks, sizeof *by_rank);
        for (uint32_t r = 0; r < nranks; r++) {
            memset(saved, 0, n * sizeof *saved);
            add_rank(in, r, large, saved);
            by_rank[r] = saved[v];
        }
        const struct sca_advice advice = {
            .kind = SCA_ADVICE_OVERLAP,
            .vertex = v,
            .gain = sum[v],
            .text = sca_advice_text(in,
                                    "%s blocks while it transfers, and computation follows. If "
                                    "that needs no message, begin the transfer before it and "
                                    "complete it behind (MPI_Irecv, MPI_Isend, MPI_Waitall).",
                                    sca_advice_place(in, v))};
        sca_advice_add(in, out, &advice, by_rank);
    }
}
