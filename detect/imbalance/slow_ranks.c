#include "imbalance/slow_ranks.h"
#include "stats/regression.h"
#include "measure/same_code.h"

#include <string.h>

#define MOST_OF 0.1 /* of the place's time: gaps with less do not count */
#define HALF_OF 0.5
enum { MOST_ASKED = 64 }; /* chosen ranks: they do the same */

struct slow_search {
    const struct sca_measure *m;
    const bool *chosen;
    uint32_t *gaps, ngaps; /* in which the chosen ranks are at the place */
    double *seconds;       /* per rank, in those */
    double usual, abnormal;
};

uint32_t sca_gaps_of_place(struct sca_room *room, const struct sca_measure *m,
                           const struct sca_within *place, const bool *chosen, uint32_t **gaps)
{
    uint32_t all_gaps = m->run->gaps.n, asked = 0, n = 0;
    double *at = sca_room_alloc(room, all_gaps, sizeof *at), all = 0;
    *gaps = sca_room_alloc(room, all_gaps, sizeof **gaps);
    for (uint32_t r = 0; r < m->nranks && asked < MOST_ASKED; r++) {
        if (!chosen[r])
            continue;
        asked++;
        for (uint32_t gap = 0; gap < all_gaps; gap++) {
            double part = sca_part_in(m, place->ends, place->vertices, place->nvertices, r, gap);
            at[gap] += part;
            all += part;
        }
    }
    for (uint32_t gap = 0; gap < all_gaps; gap++)
        if (at[gap] > MOST_OF * all)
            (*gaps)[n++] = gap;
    return n;
}

void sca_mark_around(struct sca_room *room, const struct sca_measure *m,
                     const struct sca_within *place, const bool *chosen, bool *on)
{
    uint32_t *gaps, n = sca_gaps_of_place(room, m, place, chosen, &gaps);
    for (uint32_t i = 0; i < n; i++)
        on[gaps[i]] = true;
    sca_add_same_code(room, m->ppg, m->run, on);
}

void sca_time_marked(const struct sca_measure *m, const bool *on, double *seconds)
{
    memset(seconds, 0, m->nranks * sizeof *seconds);
    for (uint32_t gap = 0; gap < m->run->gaps.n; gap++)
        for (uint32_t r = 0; r < m->nranks && on[gap]; r++)
            seconds[r] += sca_seconds_in(m, r, gap);
}

static void add_up(struct sca_room *room, struct slow_search *s)
{
    double *others = sca_room_alloc(room, s->m->nranks, sizeof *others), chosen = 0;
    uint32_t n = 0, nchosen = 0;
    for (uint32_t r = 0; r < s->m->nranks; r++) {
        for (uint32_t i = 0; i < s->ngaps; i++)
            s->seconds[r] += sca_seconds_in(s->m, r, s->gaps[i]);
        if (s->chosen[r]) {
            chosen += s->seconds[r];
            nchosen++;
        } else if (sca_is_present(s->m, r)) {
            others[n++] = s->seconds[r];
        }
    }
    s->usual = sca_median(others, n);
    s->abnormal = nchosen ? chosen / nchosen : 0;
}

void sca_find_as_slow(struct sca_room *room, const struct sca_measure *m,
                      const struct sca_within *place, const bool *chosen, double least,
                      bool *as_slow)
{
    struct sca_room scratch = {.out_of_memory = room->out_of_memory};
    struct slow_search s = {.m = m, .chosen = chosen};
    s.seconds = sca_room_alloc(&scratch, m->nranks, sizeof *s.seconds);
    s.ngaps = sca_gaps_of_place(&scratch, m, place, chosen, &s.gaps);
    add_up(&scratch, &s);
    double enough = s.usual + HALF_OF * (s.abnormal - s.usual);
    for (uint32_t r = 0; r < m->nranks; r++)
        as_slow[r] = !chosen[r] && sca_is_present(m, r) && s.seconds[r] >= enough &&
                     s.seconds[r] >= least * s.usual && s.seconds[r] > SCA_NEVER;
    sca_room_free(&scratch);
}
