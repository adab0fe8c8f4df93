#include "trace/trace_scale.h"

#include <math.h>
#include <stdlib.h>

enum {
    MOST_STEPS = 300000, /* in a trace: keeps what-if replays quick */
    LEAST_PER_RANK = 64, /* but never fewer than this per rank */
    MOST_LOOKED_AT = 16, /* ranks, for the loop that they are in */
    MOST_SHORTER = 2,    /* times what is needed, for the sake of whole rounds */
    MOST_TRIED = 4000000 /* divisions: where there are very many counts, the smaller are tried */
};

#define EVEN 1e-9 /* a multiple stays one although it is divided in floating point */

struct count { /* intervals that happened as often */
    uint64_t times;
    double calls; /* in all of them */
};

struct call_counts { /* of the intervals of some ranks; each number once, rising */
    struct count *list;
    uint32_t n;
};

static double total_calls(const struct sca_profile *profile, struct sca_opened *opened)
{
    double calls = 0;
    for (uint32_t r = 0; r < profile->nranks; r++) {
        const struct sca_rank *rank = sca_rank_open(opened, r, SCA_OPEN_INTERVALS);
        for (uint32_t i = 0; i < rank->nintervals; i++)
            calls += (double)rank->intervals[i].count;
    }
    return calls;
}

static int by_times(const void *a, const void *b)
{
    const struct count *x = a, *y = b;
    return (x->times > y->times) - (x->times < y->times);
}

static void merge_equal(struct call_counts *c)
{
    uint32_t kept = 0;
    if (c->n)
        qsort(c->list, c->n, sizeof *c->list, by_times);
    for (uint32_t i = 0; i < c->n; i++)
        if (kept && c->list[kept - 1].times == c->list[i].times)
            c->list[kept - 1].calls += c->list[i].calls;
        else
            c->list[kept++] = c->list[i];
    c->n = kept;
}

static struct call_counts collect(struct sca_workspace *space, const struct sca_profile *profile,
                                  struct sca_opened *opened)
{
    struct call_counts c = {0};
    uint32_t apart = (profile->nranks + MOST_LOOKED_AT - 1) / MOST_LOOKED_AT;
    for (uint32_t r = 0; r < profile->nranks; r += apart) {
        const struct sca_rank *rank = sca_rank_open(opened, r, SCA_OPEN_INTERVALS);
        c.list =
            sca_workspace_grow(space, c.list, c.n, (size_t)c.n + rank->nintervals, sizeof *c.list);
        for (uint32_t i = 0; i < rank->nintervals; i++)
            if (rank->intervals[i].count)
                c.list[c.n++] =
                    (struct count){rank->intervals[i].count, (double)rank->intervals[i].count};
    }
    merge_equal(&c);
    return c;
}

/* Calls that are made equally often in each of n rounds. */
static double calls_in_rounds(const struct call_counts *c, uint64_t n)
{
    double calls = 0;
    for (uint32_t i = 0; i < c->n; i++)
        if (c->list[i].times % n == 0)
            calls += c->list[i].calls;
    return calls;
}

/* The factor nearest to `least` and above it that leaves whole rounds; `least` if none does. */
static double whole_rounds(const struct call_counts *c, double least)
{
    double best = least, most = 0;
    uint64_t tries = c->n ? MOST_TRIED / c->n + 1 : 0;
    for (uint32_t i = 0; i < c->n && tries; i++) {
        double n = (double)c->list[i].times, kept = floor(n / least);
        if (kept < 1 || n > kept * least * MOST_SHORTER)
            continue;
        double calls = calls_in_rounds(c, c->list[i].times);
        tries--;
        if (calls > most) {
            most = calls;
            best = n / kept;
        }
    }
    return best;
}

double sca_trace_scale_factor(struct sca_workspace *space, const struct sca_profile *profile,
                              struct sca_opened *opened)
{
    double most = fmax(MOST_STEPS, (double)LEAST_PER_RANK * profile->nranks);
    double least = total_calls(profile, opened) / most;
    if (least <= 1)
        return 1;
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    struct call_counts c = collect(&scratch, profile, opened);
    double factor = whole_rounds(&c, least);
    sca_workspace_free(&scratch);
    return factor;
}

uint64_t sca_trace_scale_count(uint64_t count, double factor)
{
    return (uint64_t)((double)count / factor * (1 + EVEN));
}
