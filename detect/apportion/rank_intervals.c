#include "apportion/rank_intervals.h"
#include "base/degrees.h"
#include "sca_error.h"

#include <math.h>
#include <stdlib.h>

int sca_rank_intervals_open(struct sca_rank_intervals *g, const struct sca_intervals *numbers,
                            uint32_t nranks)
{
    *g = (struct sca_rank_intervals){.numbers = numbers};
    g->seconds = calloc(3ul * numbers->n + 1, sizeof *g->seconds);
    g->visited = calloc(numbers->n + 1ul, sizeof *g->visited);
    g->is_visited = calloc(numbers->n + 1ul, sizeof *g->is_visited);
    if (!g->seconds || !g->visited || !g->is_visited)
        return SCA_ENOMEM;
    g->visits = g->seconds + numbers->n;
    g->unusual = g->visits + numbers->n;
    return sca_typical_rank_open(&g->typical, numbers->n, nranks);
}

void sca_rank_intervals_free(struct sca_rank_intervals *g)
{
    sca_typical_rank_free(&g->typical);
    free(g->seconds);
    free(g->visited);
    free(g->is_visited);
    sca_rank_samples_free(&g->samples);
}

/* Of many intervals a rank visits few: only what the one before left is cleared. */
static void clear(struct sca_rank_intervals *g)
{
    for (uint32_t i = 0; i < g->nvisited; i++) {
        uint32_t interval = g->visited[i];
        g->seconds[interval] = g->visits[interval] = g->unusual[interval] = 0;
        g->is_visited[interval] = false;
    }
    g->nvisited = 0;
}

static void add_up(struct sca_rank_intervals *g, const struct sca_rank *r)
{
    clear(g);
    for (uint32_t i = 0; i < r->nintervals; i++) {
        const struct sca_part_interval *x = &r->intervals[i];
        uint32_t interval = sca_intervals_number(g->numbers, x->previous, x->site);
        if (!g->is_visited[interval])
            g->visited[g->nvisited++] = interval;
        g->is_visited[interval] = true;
        g->seconds[interval] += (double)x->cpu_ns * 1e-9;
        g->visits[interval] += (double)x->count;
    }
}

void sca_rank_intervals_ask(struct sca_rank_intervals *g, const struct sca_rank *r)
{
    add_up(g, r);
    sca_typical_rank_add(&g->typical, g->seconds, g->visits);
}

void sca_rank_intervals_asked(struct sca_rank_intervals *g)
{
    sca_typical_rank_close(&g->typical);
}

double sca_rank_intervals_usual(const struct sca_rank_intervals *g, uint32_t interval)
{
    return sca_typical_rank_seconds(&g->typical, interval, g->seconds[interval],
                                    g->visits[interval]);
}

/* Who needs longer or less long than others does something that they do not; also where it was not
 * sampled itself. */
static void judge_unusual(struct sca_rank_intervals *g)
{
    for (uint32_t i = 0; i < g->nvisited; i++) {
        uint32_t interval = g->visited[i];
        if (g->seconds[interval] <= 0)
            continue;
        double usual = sca_rank_intervals_usual(g, interval);
        /* so far from the usual time, a rank is half usual */
        double off = usual > 0 ? (g->seconds[interval] / usual - 1) / SCA_QUARTER : 0;
        g->unusual[interval] = off * fabs(off) / (1 + off * off);
    }
}

/* Of a rank some of whose threads have no samples, those of the others say nothing of an interval
 * that they do not cover. */
static void leave_out_uncovered(struct sca_rank_intervals *g, const struct sca_rank *r)
{
    double period = (double)r->sample_period_ns * 1e-9 / r->sample_worth;
    size_t kept = 0;
    for (size_t i = 0, end; i < g->samples.nown; i = end) {
        double covered = 0;
        end = sca_sample_pool_of_interval(g->samples.own, i, g->samples.nown);
        for (size_t k = i; k < end; k++)
            covered += g->samples.own[k].count * period;
        for (size_t k = i; k < end && covered >= SCA_HALF * g->seconds[g->samples.own[i].interval];
             k++)
            g->samples.own[kept++] = g->samples.own[k];
    }
    g->samples.nown = kept;
}

int sca_rank_intervals_take(struct sca_rank_intervals *g, const struct sca_rank *r,
                            const uint32_t *node_vertex)
{
    add_up(g, r);
    int status = sca_rank_samples_take(&g->samples, g->numbers, r, node_vertex, g->seconds);
    if (!status && r->unreached && *r->unreached)
        leave_out_uncovered(g, r);
    judge_unusual(g);
    return status;
}
