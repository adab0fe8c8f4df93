#include "imbalance/slow_ranks.h"
#include "base/degrees.h"
#include "stats/over_ranks.h"
#include "measure/same_code.h"

#include <string.h>

enum { MOST_ASKED = 64 }; /* chosen ranks: they do the same */

struct slow_search {
    const struct sca_measure *m;
    const bool *chosen;
    uint32_t *intervals, nintervals; /* in which the chosen ranks are at the place */
    double *seconds;                 /* per rank, in those */
    double usual, abnormal;
};

uint32_t sca_slow_ranks_intervals(struct sca_workspace *space, const struct sca_measure *m,
                                  const struct sca_within *place, const bool *chosen,
                                  uint32_t **intervals)
{
    uint32_t all_intervals = m->run->intervals.n, asked = 0, n = 0;
    double *at = sca_workspace_alloc(space, all_intervals, sizeof *at), all = 0;
    *intervals = sca_workspace_alloc(space, all_intervals, sizeof **intervals);
    for (uint32_t r = 0; r < m->nranks && asked < MOST_ASKED; r++) {
        if (!chosen[r])
            continue;
        asked++;
        for (uint32_t interval = 0; interval < all_intervals; interval++) {
            double part =
                sca_measure_part_in(m, place->ends, place->vertices, place->nvertices, r, interval);
            at[interval] += part;
            all += part;
        }
    }
    for (uint32_t interval = 0; interval < all_intervals; interval++)
        if (at[interval] > SCA_LITTLE * all)
            (*intervals)[n++] = interval;
    return n;
}

void sca_slow_ranks_mark_around(struct sca_workspace *space, const struct sca_measure *m,
                                const struct sca_within *place, const bool *chosen, bool *on)
{
    uint32_t *intervals, n = sca_slow_ranks_intervals(space, m, place, chosen, &intervals);
    for (uint32_t i = 0; i < n; i++)
        on[intervals[i]] = true;
    sca_same_code_add(space, m->ppg, m->run, on);
}

void sca_slow_ranks_time_marked(const struct sca_measure *m, const bool *on, double *seconds)
{
    memset(seconds, 0, m->nranks * sizeof *seconds);
    for (uint32_t interval = 0; interval < m->run->intervals.n; interval++)
        for (uint32_t r = 0; r < m->nranks && on[interval]; r++)
            seconds[r] += sca_measure_seconds_in(m, r, interval);
}

static void add_up(struct sca_workspace *space, struct slow_search *s)
{
    double *scratch = sca_workspace_alloc(space, s->m->nranks, sizeof *scratch), chosen = 0;
    bool *left_out = sca_workspace_alloc(space, s->m->nranks, sizeof *left_out);
    uint32_t nchosen = 0;
    for (uint32_t r = 0; r < s->m->nranks; r++) {
        for (uint32_t i = 0; i < s->nintervals; i++)
            s->seconds[r] += sca_measure_seconds_in(s->m, r, s->intervals[i]);
        left_out[r] = s->chosen[r] || !sca_measure_is_present(s->m, r);
        if (s->chosen[r]) {
            chosen += s->seconds[r];
            nchosen++;
        }
    }
    s->usual = sca_over_ranks_median(s->seconds, s->m->nranks, left_out, scratch);
    s->abnormal = nchosen ? chosen / nchosen : 0;
}

void sca_slow_ranks_find(struct sca_workspace *space, const struct sca_measure *m,
                         const struct sca_within *place, const bool *chosen, double least,
                         bool *as_slow)
{
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    struct slow_search s = {.m = m, .chosen = chosen};
    s.seconds = sca_workspace_alloc(&scratch, m->nranks, sizeof *s.seconds);
    s.nintervals = sca_slow_ranks_intervals(&scratch, m, place, chosen, &s.intervals);
    add_up(&scratch, &s);
    double enough = s.usual + SCA_HALF * (s.abnormal - s.usual);
    for (uint32_t r = 0; r < m->nranks; r++)
        as_slow[r] = !chosen[r] && sca_measure_is_present(m, r) && s.seconds[r] >= enough &&
                     s.seconds[r] >= least * s.usual && s.seconds[r] > SCA_NO_TIME;
    sca_workspace_free(&scratch);
}
