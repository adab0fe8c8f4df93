#include "imbalance/work_queue.h"
#include "base/degrees.h"

#include <math.h>
#include <string.h>

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

/* By rank: how often it does the work. */
static double *count_pieces(struct sca_workspace *space, const struct sca_measure *m,
                            const uint32_t *ends, const struct sca_finding *c)
{
    double *pieces = sca_workspace_alloc(space, m->nranks, sizeof *pieces);
    sca_interval_matrix_add(
        &m->matrix, sca_interval_matrix_in(space, &m->matrix, intervals_with(space, m, ends, c)),
        &(struct sca_interval_sums){.count = pieces});
    return pieces;
}

/* Keeps those ranks to which this one sends about a message for each of its pieces. */
static void keep_asked(struct sca_opened *opened, uint32_t r, double its, double *row, bool *asked,
                       uint32_t nranks)
{
    const struct sca_rank *rank = sca_rank_open(opened, r, SCA_OPEN_PEERS);
    memset(row, 0, nranks * sizeof *row);
    for (uint32_t i = 0; i < rank->npeers; i++)
        if (rank->peers[i].direction == SCA_SENT && rank->peers[i].peer >= 0 &&
            (uint32_t)rank->peers[i].peer < nranks)
            row[rank->peers[i].peer] += (double)rank->peers[i].count;
    for (uint32_t q = 0; q < nranks; q++)
        asked[q] &= q == r || row[q] >= SCA_HALF * its;
}

/* Who has one piece of it, or does all of it, need not ask. */
static bool are_shared_out(const double *pieces, uint32_t nranks)
{
    uint32_t workers = 0;
    double all = 0;
    for (uint32_t r = 0; r < nranks; r++) {
        workers += pieces[r] > 0;
        all += pieces[r];
    }
    return workers > 1 && all > workers;
}

static uint32_t server_of(struct sca_workspace *space, const struct sca_measure *m,
                          const double *pieces)
{
    struct sca_opened *opened = sca_workspace_opened(space, m->run->profile);
    double *row = sca_workspace_alloc(space, m->nranks, sizeof *row);
    bool *asked = sca_workspace_alloc(space, m->nranks, sizeof *asked);
    memset(asked, true, m->nranks * sizeof *asked);
    for (uint32_t r = 0; r < m->nranks; r++)
        if (pieces[r] > 0)
            keep_asked(opened, r, pieces[r], row, asked, m->nranks);
    for (uint32_t q = 0; q < m->nranks; q++)
        if (asked[q] && pieces[q] <= 0)
            return are_shared_out(pieces, m->nranks) ? q : SCA_NONE;
    return SCA_NONE;
}

/* Who has a piece more than others may be the first or the last of a round. */
static bool is_uneven(const double *pieces, uint32_t nranks)
{
    double fewest = INFINITY, most = 0;
    for (uint32_t r = 0; r < nranks; r++)
        if (pieces[r] > 0) {
            fewest = fmin(fewest, pieces[r]);
            most = fmax(most, pieces[r]);
        }
    return most > fewest + 1;
}

struct sca_work_queue sca_work_queue_find(struct sca_workspace *space, const struct sca_measure *m,
                                          const uint32_t *ends, const struct sca_finding *c)
{
    if (m->nranks <= 2 || m->nranks > SCA_MOST_SERVED || !c->nvertices)
        return (struct sca_work_queue){.server = SCA_NONE};
    const double *pieces = count_pieces(space, m, ends, c);
    return (struct sca_work_queue){server_of(space, m, pieces), is_uneven(pieces, m->nranks)};
}
