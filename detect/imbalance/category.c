#include "imbalance/category.h"
#include "base/degrees.h"
#include "graph/mpi_function.h"
#include "findings/named_place.h"
#include "stats/over_ranks.h"
#include "trace/replay_trace.h"

#include <math.h>
#include <string.h>

enum { MOST_LOCAL = 16 }; /* local calls in a row */

struct ends { /* of an interval: sites */
    uint32_t previous, site;
};

struct section { /* work of one rank that the others have none of */
    struct sca_workspace *space;
    const struct sca_measure *m;
    const uint32_t *ends;
    const struct sca_finding *c;
    const struct sca_rank *rank;         /* that the section is of: its peers, collectives */
    const struct sca_interval_cell *own; /* and its intervals */
    uint32_t nown;
    double threshold, *row; /* from that ratio on one takes longer than others */
    bool *local;            /* per site */
};

static void find_local(struct section *s)
{
    const struct sca_profile *profile = s->m->run->profile;
    s->local = sca_workspace_alloc(s->space, profile->nsites, sizeof *s->local);
    for (uint32_t i = 0; i < profile->nsites; i++)
        s->local[i] = sca_mpi_function_is_local(profile->sites[i].function);
}

/* The interval that most often comes before (or after) a local call; NULL if none does. */
static const struct sca_call_pair *beside(const struct section *s, uint32_t rank, uint32_t site,
                                          bool before)
{
    const struct sca_interval_matrix *in = &s->m->matrix;
    const struct sca_call_pair *best = NULL;
    uint64_t most = 0;
    struct sca_interval_matrix_row row = sca_interval_matrix_row(in, rank);
    for (const struct sca_interval_cell *cell = row.first; cell < row.end; cell++) {
        const struct sca_call_pair *x = &in->of[cell->pair];
        if ((before ? x->site : x->previous) == site && (!best || cell->count > most)) {
            best = x;
            most = cell->count;
        }
    }
    return best;
}

/* The calls around an interval that other ranks can take part in: between the same two of them a
 * rank that asks for its number, or for a size, does what the others do. */
static struct ends ends_of(const struct section *s, uint32_t rank,
                           const struct sca_call_pair *interval)
{
    struct ends e = {interval->previous, interval->site};
    const struct sca_call_pair *next;
    for (int i = 0; i < MOST_LOCAL && s->local[e.previous]; i++)
        if ((next = beside(s, rank, e.previous, true)))
            e.previous = next->previous;
    for (int i = 0; i < MOST_LOCAL && s->local[e.site]; i++)
        if ((next = beside(s, rank, e.site, false)))
            e.site = next->site;
    return e;
}

/* Negative if the rank has no such interval. */
static double same_interval(const struct section *s, uint32_t rank, const struct ends *like)
{
    const struct sca_interval_matrix *in = &s->m->matrix;
    double seconds = -1;
    struct sca_interval_matrix_row row = sca_interval_matrix_row(in, rank);
    for (const struct sca_interval_cell *cell = row.first; cell < row.end; cell++) {
        struct ends e = ends_of(s, rank, &in->of[cell->pair]);
        if (e.previous == like->previous && e.site == like->site)
            seconds = fmax(0, seconds) + cell->seconds;
    }
    return seconds;
}

/* The ranks' median of the interval; negative if no other rank has it. */
static double usual_seconds(const struct section *s, const struct sca_call_pair *interval)
{
    struct ends around = ends_of(s, s->c->ranks[0], interval);
    bool any = false;
    for (uint32_t r = 0; r < s->m->nranks; r++) {
        double seconds = r != s->c->ranks[0] ? same_interval(s, r, &around) : -1;
        s->row[r] = seconds < 0 ? (double)NAN : seconds;
        any = any || seconds >= 0;
    }
    return any ? sca_over_ranks_median(s->row, s->m->nranks, NULL, s->row) : -1;
}

static bool holds_section(const struct section *s, const struct sca_call_pair *interval)
{
    return sca_measure_part_in(s->m, s->ends, s->c->vertices, s->c->nvertices, s->c->ranks[0],
                               interval->interval) > 0;
}

/* What part of its rank's time the others compute between the calls that enclose it. Of intervals
 * only those count in which its rank takes longer than they do. Negative if what they do meanwhile
 * is not between the same calls. */
static double others_part(const struct section *s)
{
    double here = 0, there = 0;
    for (uint32_t i = 0; i < s->nown; i++) {
        const struct sca_call_pair *interval = &s->m->matrix.of[s->own[i].pair];
        if (!holds_section(s, interval))
            continue;
        double own = s->own[i].seconds, others = usual_seconds(s, interval);
        if (others < 0)
            return -1;
        here += own >= s->threshold * others ? own : 0;
        there += own >= s->threshold * others ? others : 0;
    }
    return here > 0 ? there / here : 1;
}

static bool is_root(const struct section *s, uint32_t site, int shape)
{
    if (sca_collective_shape(s->m->run->profile->sites[site].function) != shape)
        return false;
    for (uint32_t i = 0; i < s->rank->ncollectives; i++)
        if (s->rank->collectives[i].site == site &&
            s->rank->collectives[i].root == (int32_t)s->c->ranks[0])
            return true;
    return false;
}

static bool talks_to_most(const struct section *s, uint32_t site, unsigned direction)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->rank->npeers; i++)
        n += s->rank->peers[i].site == site && s->rank->peers[i].direction == direction;
    return n > 1 && n >= SCA_HALF * (s->m->npresent - 1);
}

/* Whether its rank hands something out when it is done: what the others wait for is its result. */
static bool hands_out(const struct section *s, const struct sca_call_pair *interval)
{
    uint32_t site = ends_of(s, s->c->ranks[0], interval).site;
    return is_root(s, site, SCA_ONE_TO_ALL) || talks_to_most(s, site, SCA_SENT);
}

/* Whether it begins when the rank has collected what the others have. */
static bool takes_in(const struct section *s, const struct sca_call_pair *interval)
{
    uint32_t site = ends_of(s, s->c->ranks[0], interval).previous;
    return is_root(s, site, SCA_ALL_TO_ONE) || talks_to_most(s, site, SCA_RECEIVED);
}

static bool mostly(const struct section *s,
                   bool (*is)(const struct section *s, const struct sca_call_pair *interval))
{
    double all = 0, part = 0;
    for (uint32_t i = 0; i < s->nown; i++) {
        const struct sca_call_pair *interval = &s->m->matrix.of[s->own[i].pair];
        if (!holds_section(s, interval))
            continue;
        all += s->own[i].seconds;
        part += is(s, interval) ? s->own[i].seconds : 0;
    }
    return part > SCA_HALF * all;
}

/*
 * Work of one rank alone is a serial section if the others have nothing to do meanwhile; but a rank
 * that is merely late is out of balance. So it must be rank 0's, as such sections are written, or
 * be done for all: they get its result. Rank 0 may do it beside other work that all have, if that
 * is less than half as much as the section, or if it is done for all: with what it has collected,
 * as when it writes a file, or for what it hands out. What the others do between other calls, as
 * workers do beside a master, is not beside it. A loop around MPI calls is named where the section
 * itself cannot be (it sleeps): then the others have other parts of that loop.
 */
enum sca_category sca_category_of(struct sca_workspace *space, const struct sca_measure *m,
                                  const uint32_t *ends, const struct sca_finding *c)
{
    struct section s = {.space = space, .m = m, .ends = ends, .c = c};
    s.threshold = 1 + SCA_FIVE_SIGMAS * m->noise_level;
    bool around = sca_named_place_calls_mpi(m->ppg, ends, c->vertex);
    if (c->nranks != 1 || (c->ratio > 0 && !around))
        return SCA_CAUSE_IMBALANCE;
    s.rank = sca_rank_open(sca_workspace_opened(space, m->run->profile), c->ranks[0],
                           SCA_OPEN_PEERS | SCA_OPEN_COLLECTIVES);
    struct sca_interval_matrix_row own = sca_interval_matrix_row(&m->matrix, c->ranks[0]);
    s.nown = (uint32_t)(own.end - own.first);
    s.own = sca_workspace_grow(space, own.first, s.nown, s.nown, sizeof *s.own);
    s.row = sca_workspace_alloc(space, m->nranks, sizeof *s.row);
    find_local(&s);
    double others = others_part(&s);
    /* others wait for it beside a section if they compute next to nothing */
    bool first = c->ranks[0] == 0, idle = others >= 0 && others < SCA_NEGLIGIBLE;
    bool alone = idle && (first || mostly(&s, hands_out));
    if (first && !around)
        alone = others < SCA_QUARTER || mostly(&s, hands_out) || mostly(&s, takes_in);
    return alone ? SCA_CAUSE_SERIAL : SCA_CAUSE_IMBALANCE;
}
