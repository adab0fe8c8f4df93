#include "category.h"
#include "model.h"
#include "scene.h"
#include "walk.h"

#define IDLE    0.05 /* others with less computation than this beside a section wait for it */
#define HALF_OF 0.5  /* of the other ranks, that are sent to: it is for everybody */

struct section { /* work of one rank that the others have none of */
    struct sca_room *room;
    const struct sca_measure *m;
    const uint32_t *ends;
    const struct sca_candidate *c;
    const struct sca_rank *rank;
    struct sca_opened *opened; /* for the others */
    double threshold, *row;
};

/* Negative if the rank has no such interval. */
static double same_interval(const struct section *s, uint32_t r,
                            const struct sca_part_interval *like)
{
    const struct sca_rank *rank = sca_rank_open(s->opened, r, SCA_OPEN_INTERVALS);
    for (uint32_t i = 0; i < rank->nintervals; i++)
        if (rank->intervals[i].previous == like->previous && rank->intervals[i].site == like->site)
            return sca_interval_seconds(&rank->intervals[i]);
    return -1;
}

/* The ranks' median of the interval; negative if no other rank has it. */
static double usual_seconds(const struct section *s, const struct sca_part_interval *interval)
{
    uint32_t n = 0;
    for (uint32_t r = 0; r < s->m->nranks; r++) {
        double seconds = r != s->c->ranks[0] ? same_interval(s, r, interval) : -1;
        if (seconds >= 0)
            s->row[n++] = seconds;
    }
    return n ? sca_median(s->row, n) : -1;
}

static bool holds_section(const struct section *s, const struct sca_part_interval *interval)
{
    return sca_part_after(s->m, s->ends, s->c->vertices, s->c->nvertices, s->c->ranks[0],
                          interval->previous) > 0;
}

/* Whether the others compute next to nothing between the calls that enclose it on its rank. Of
 * intervals only those count in which its rank takes longer than they do. */
static bool others_idle(const struct section *s)
{
    double here = 0, there = 0;
    for (uint32_t i = 0; i < s->rank->nintervals; i++) {
        const struct sca_part_interval *interval = &s->rank->intervals[i];
        if (!holds_section(s, interval))
            continue;
        double own = sca_interval_seconds(interval), others = usual_seconds(s, interval);
        if (others < 0)
            return false; /* what they do meanwhile is not between the same calls */
        here += own >= s->threshold * others ? own : 0;
        there += own >= s->threshold * others ? others : 0;
    }
    return here > 0 && there < IDLE * here;
}

static bool is_root(const struct section *s, uint32_t site)
{
    if (sca_collective_shape(s->m->run->profile->sites[site].function) != SCA_ONE_TO_ALL)
        return false;
    for (uint32_t i = 0; i < s->rank->ncollectives; i++)
        if (s->rank->collectives[i].site == site &&
            s->rank->collectives[i].root == (int32_t)s->c->ranks[0])
            return true;
    return false;
}

static bool sends_to_most(const struct section *s, uint32_t site)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->rank->npeers; i++)
        n += s->rank->peers[i].site == site && s->rank->peers[i].direction == SCA_SENT;
    return n > 1 && n >= HALF_OF * (s->m->npresent - 1);
}

/* Whether its rank hands something out when it is done: what the others wait for is its result. */
static bool hands_out(const struct section *s)
{
    double all = 0, handed = 0;
    for (uint32_t i = 0; i < s->rank->nintervals; i++) {
        const struct sca_part_interval *interval = &s->rank->intervals[i];
        if (!holds_section(s, interval))
            continue;
        double own = sca_interval_seconds(interval);
        all += own;
        if (is_root(s, interval->site) || sends_to_most(s, interval->site))
            handed += own;
    }
    return handed > HALF_OF * all;
}

/*
 * Work of one rank alone is a serial section if it is rank 0's, as such sections are written, or if
 * the others have nothing to do meanwhile and then get its result; a rank that is merely late is
 * out of balance. A loop around MPI calls is named where the section itself cannot be (it sleeps):
 * then the others have other parts of that loop.
 */
enum sca_category sca_category_of(struct sca_room *room, const struct sca_measure *m,
                                  const uint32_t *ends, double threshold,
                                  const struct sca_candidate *c)
{
    struct section s = {.room = room, .m = m, .ends = ends, .c = c, .threshold = threshold};
    bool around = sca_calls_mpi(m->ppg, ends, c->vertex);
    if (c->nranks != 1 || (c->ratio > 0 && !around))
        return SCA_CAUSE_IMBALANCE;
    s.rank = sca_rank_open(sca_room_opened(room, m->run->profile), c->ranks[0],
                           SCA_OPEN_INTERVALS | SCA_OPEN_PEERS | SCA_OPEN_COLLECTIVES);
    s.opened = sca_room_opened(room, m->run->profile);
    s.row = sca_room_alloc(room, m->nranks, sizeof *s.row);
    bool first = c->ranks[0] == 0;
    bool alone = (!around && first) || (others_idle(&s) && (first || hands_out(&s)));
    return alone ? SCA_CAUSE_SERIAL : SCA_CAUSE_IMBALANCE;
}
