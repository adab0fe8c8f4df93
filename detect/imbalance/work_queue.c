#include "imbalance/work_queue.h"
#include "base/degrees.h"
#include "trace/trace_synthesis.h"

#include <math.h>
#include <string.h>

enum { MOST_SERVED = 1024 };

struct pieces { /* by rank: the intervals in which the work is done */
    double *seconds, *count;
    bool *chosen;
};

/* Gaps in which some rank does the work: samples of one rank alone may have missed it. */
static bool *intervals_with(struct sca_workspace *space, const struct sca_measure *m,
                            const uint32_t *ends, const struct sca_finding *c)
{
    uint32_t nintervals = m->run->intervals.n;
    bool *with = sca_workspace_alloc(space, nintervals, sizeof *with);
    for (uint32_t interval = 0; interval < nintervals; interval++)
        for (uint32_t r = 0; r < m->nranks && !with[interval]; r++)
            with[interval] =
                sca_measure_part_in(m, ends, c->vertices, c->nvertices, r, interval) > 0;
    return with;
}

static struct pieces count_pieces(struct sca_workspace *space, const struct sca_measure *m,
                                  const uint32_t *ends, const struct sca_finding *c)
{
    struct pieces p = {sca_workspace_alloc(space, m->nranks, sizeof(double)),
                       sca_workspace_alloc(space, m->nranks, sizeof(double)),
                       sca_workspace_alloc(space, m->nranks, sizeof(bool))};
    sca_interval_matrix_add(
        &m->matrix, sca_interval_matrix_in(space, &m->matrix, intervals_with(space, m, ends, c)),
        &(struct sca_interval_sums){.seconds = p.seconds, .count = p.count});
    for (uint32_t k = 0; k < c->nranks; k++)
        p.chosen[c->ranks[k]] = true;
    return p;
}

/* Whether more of the chosen ranks' excess comes from how many pieces they have than from how long
 * each takes. */
static bool is_number(const struct pieces *p, uint32_t nranks)
{
    double seconds[2] = {0}, count[2] = {0}, ranks[2] = {0};
    for (uint32_t r = 0; r < nranks; r++)
        if (p->count[r] > 0) {
            seconds[p->chosen[r]] += p->seconds[r];
            count[p->chosen[r]] += p->count[r];
            ranks[p->chosen[r]]++;
        }
    if (!ranks[0] || !ranks[1] || seconds[0] <= 0)
        return false;
    double more = count[1] / ranks[1] / (count[0] / ranks[0]);
    double longer = seconds[1] / ranks[1] / (seconds[0] / ranks[0]);
    return more > 1 && log(more) >= SCA_HALF * log(longer);
}

/* Keeps those ranks to which this one sends about a message for each of its pieces. */
static void keep_asked(struct sca_opened *opened, uint32_t r, double pieces, double *row,
                       bool *asked, uint32_t nranks)
{
    const struct sca_rank *rank = sca_rank_open(opened, r, SCA_OPEN_PEERS);
    memset(row, 0, nranks * sizeof *row);
    for (uint32_t i = 0; i < rank->npeers; i++)
        if (rank->peers[i].direction == SCA_SENT && rank->peers[i].peer >= 0 &&
            (uint32_t)rank->peers[i].peer < nranks)
            row[rank->peers[i].peer] += (double)rank->peers[i].count;
    for (uint32_t q = 0; q < nranks; q++)
        asked[q] &= q == r || row[q] >= SCA_HALF * pieces;
}

/* Who has one piece of it, or does all of it, need not ask. */
static bool are_shared_out(const struct pieces *p, uint32_t nranks)
{
    uint32_t workers = 0;
    double pieces = 0;
    for (uint32_t r = 0; r < nranks; r++) {
        workers += p->count[r] > 0;
        pieces += p->count[r];
    }
    return workers > 1 && pieces > workers;
}

static uint32_t server_of(struct sca_workspace *space, const struct sca_measure *m,
                          const struct pieces *p)
{
    struct sca_opened *opened = sca_workspace_opened(space, m->run->profile);
    double *row = sca_workspace_alloc(space, m->nranks, sizeof *row);
    bool *asked = sca_workspace_alloc(space, m->nranks, sizeof *asked);
    memset(asked, true, m->nranks * sizeof *asked);
    for (uint32_t r = 0; r < m->nranks; r++)
        if (p->count[r] > 0)
            keep_asked(opened, r, p->count[r], row, asked, m->nranks);
    for (uint32_t q = 0; q < m->nranks; q++)
        if (asked[q] && p->count[q] <= 0)
            return are_shared_out(p, m->nranks) ? q : SCA_NONE;
    return SCA_NONE;
}

bool sca_work_queue_is(struct sca_workspace *space, const struct sca_measure *m,
                       const uint32_t *ends, const struct sca_finding *c)
{
    struct pieces p = count_pieces(space, m, ends, c);
    return is_number(&p, m->nranks) && server_of(space, m, &p) != SCA_NONE;
}

uint32_t sca_work_queue_server(struct sca_workspace *space, const struct sca_measure *m,
                               const uint32_t *ends, const struct sca_finding *c)
{
    if (m->nranks <= 2 || m->nranks > MOST_SERVED || !c->nvertices)
        return SCA_NONE;
    struct pieces p = count_pieces(space, m, ends, c);
    return server_of(space, m, &p);
}
