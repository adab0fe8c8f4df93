#include "imbalance/code_intervals.h"
#include "base/degrees.h"
#include "measure/same_code.h"

#include <string.h>

enum { MOST_ASKED = 64 }; /* chosen ranks: they do the same */

static bool is_asked(const struct sca_measure *m, const struct sca_within *place, uint32_t interval)
{
    return !place->track || sca_measure_track_of(m, interval) == place->track;
}

uint32_t sca_code_intervals_list(struct sca_workspace *space, const struct sca_measure *m,
                                 const struct sca_within *place, const bool *chosen,
                                 uint32_t **intervals)
{
    uint32_t all_intervals = m->run->intervals.n, asked = 0, n = 0;
    double *at = sca_workspace_alloc(space, all_intervals, sizeof *at), all = 0;
    *intervals = sca_workspace_alloc(space, all_intervals, sizeof **intervals);
    for (uint32_t r = 0; r < m->nranks && asked < MOST_ASKED; r++) {
        if (chosen ? !chosen[r] : m->absent[r])
            continue;
        asked++;
        for (uint32_t interval = 0; interval < all_intervals; interval++) {
            if (!is_asked(m, place, interval))
                continue;
            double part =
                sca_measure_part_in(m, place->ends, place->vertices, place->nvertices, r, interval);
            at[interval] += part;
            all += part;
        }
    }
    for (uint32_t interval = 0; interval < all_intervals; interval++)
        if (at[interval] > SCA_RELEVANT * all)
            (*intervals)[n++] = interval;
    return n;
}

void sca_code_intervals_mark(struct sca_workspace *space, const struct sca_measure *m,
                             const struct sca_within *place, const bool *chosen, bool *on)
{
    uint32_t *intervals, n = sca_code_intervals_list(space, m, place, chosen, &intervals);
    for (uint32_t i = 0; i < n; i++)
        on[intervals[i]] = true;
    sca_same_code_add(space, m->ppg, m->run, on);
    for (uint32_t interval = 0; interval < m->run->intervals.n; interval++)
        on[interval] = on[interval] && is_asked(m, place, interval);
}

void sca_code_intervals_time(const struct sca_measure *m, const bool *on, double *seconds)
{
    memset(seconds, 0, m->nranks * sizeof *seconds);
    for (uint32_t interval = 0; interval < m->run->intervals.n; interval++)
        for (uint32_t r = 0; r < m->nranks && on[interval]; r++)
            seconds[r] += sca_measure_seconds_in(m, r, interval);
}
