#include "transfer.h"
#include "model.h"

#include <math.h>
#include <string.h>

#define ALIKE       0.5  /* calls that move at least that part of another's bytes are its like */
#define MESSAGE_S   1e-6 /* seconds: where ranks share cores, so within a node, a message's */
#define BYTES_PER_S 2e9  /* handling and copying take no longer; what does is scheduling */

enum { SIZES = 8 * 64 }; /* of a call's bytes, by eighths of an octave */

struct volume { /* of one site on one rank */
    double calls, seconds_of_shortest, messages, bytes;
};

struct sites {
    const struct sca_measure *m;
    uint32_t nsites;
    struct volume *of; /* [rank * nsites + site] */
    double *row;       /* per rank, working memory */
};

static bool starts_with(const char *text, const char *start)
{
    return !strncmp(text, start, strlen(start));
}

/* "MPI_Iallgatherv" -> "allgatherv": the operation without its blocking. */
static const char *operation(const char *name)
{
    name += starts_with(name, "MPI_") ? strlen("MPI_") : 0;
    return *name == 'I' ? name + 1 : name;
}

/* The arguments count one member's part of these; whoever gets all parts moves more. */
static double parts(const char *name, double members, bool is_root)
{
    const char *what = operation(name);
    if (starts_with(what, "Allgather") || starts_with(what, "allgather"))
        return members;
    bool rooted = starts_with(what, "Gather") || starts_with(what, "gather") ||
                  starts_with(what, "Scatter") || starts_with(what, "scatter");
    return rooted && is_root ? members : 1;
}

/* Partners of a rank in one call: all of them where each has its own data, else those of a tree. */
static double partners(const char *name, double members, bool is_root)
{
    const char *what = operation(name);
    bool all = strstr(what, "lltoall") || parts(name, members, is_root) > 1;
    return all ? members - 1 : ceil(log2(fmax(2, members)));
}

static void add_sites(struct sites *s, uint32_t rank)
{
    const struct sca_rank *r = &s->m->run->profile->ranks[rank];
    for (uint32_t i = 0; i < r->nsites; i++) {
        struct volume *v = &s->of[(size_t)rank * s->nsites + r->sites[i].site];
        v->calls = (double)r->sites[i].count;
        v->seconds_of_shortest = (double)r->sites[i].min_ns * 1e-9;
        v->bytes = (double)r->sites[i].bytes;
    }
    for (uint32_t i = 0; i < r->npeers; i++)
        s->of[(size_t)rank * s->nsites + r->peers[i].site].messages += (double)r->peers[i].count;
}

static void add_collectives(struct sites *s, uint32_t rank)
{
    const struct sca_profile *profile = s->m->run->profile;
    const struct sca_rank *r = &profile->ranks[rank];
    for (uint32_t i = 0; i < r->ncollectives; i++) {
        const struct sca_part_collective *c = &r->collectives[i];
        const char *name = profile->sites[c->site].function;
        struct volume *v = &s->of[(size_t)rank * s->nsites + c->site];
        double members = c->comm < profile->ncomms ? profile->comms[c->comm].size : 0;
        members = members > 0 ? members : profile->nranks;
        bool is_root = c->root >= 0 && (uint32_t)c->root == rank;
        v->messages += (double)c->count * partners(name, members, is_root);
        v->bytes += (double)c->bytes * (parts(name, members, is_root) - 1);
    }
}

static double each(const struct volume *v)
{
    return v->bytes / v->calls;
}

static const struct volume *volume_of(const struct sites *s, uint32_t rank, uint32_t site)
{
    return &s->of[(size_t)rank * s->nsites + site];
}

/* The median over the ranks that move as much by it of their shortest calls: one rank's shortest
 * may have had luck, or have waited each time. */
static double shortest_alike(const struct sites *s, uint32_t site, const struct volume *own)
{
    uint32_t n = 0;
    for (uint32_t r = 0; r < s->m->nranks; r++) {
        const struct volume *v = volume_of(s, r, site);
        if (v->calls > 0 && each(v) >= ALIKE * each(own) && ALIKE * each(v) <= each(own))
            s->row[n++] = v->seconds_of_shortest;
    }
    return sca_median(s->row, n);
}

/* Ranks whose calls move the same to an eighth of an octave have the same answer, and mostly all
 * ranks do: `known` has what was found for a size, negative where nothing was. */
static double shortest_known(const struct sites *s, uint32_t site, const struct volume *own,
                             double known[SIZES])
{
    double size = 8 * log2(1 + each(own));
    double *answer = &known[size < SIZES - 1 ? (int)size : SIZES - 1];
    if (*answer < 0)
        *answer = shortest_alike(s, site, own);
    return *answer;
}

static double one_call(const struct sites *s, const struct volume *own, double shortest)
{
    double needed = (own->messages * MESSAGE_S + own->bytes / BYTES_PER_S) / own->calls;
    return s->m->shared ? fmin(shortest, needed) : shortest;
}

static void add_site(const struct sites *s, uint32_t site, struct sca_transfers *out)
{
    double known[SIZES];
    uint32_t vertex = s->m->run->site_vertex[site];
    for (int i = 0; i < SIZES; i++)
        known[i] = -1;
    for (uint32_t r = 0; vertex != SCA_NONE && r < s->m->nranks; r++) {
        const struct volume *v = volume_of(s, r, site);
        if (v->calls <= 0 || v->messages <= 0)
            continue;
        size_t cell = (size_t)vertex * s->m->nranks + r;
        double seconds = one_call(s, v, shortest_known(s, site, v, known));
        out->per_call[(size_t)r * s->nsites + site] = seconds;
        out->seconds[cell] += seconds * v->calls;
        out->messages[cell] += v->messages;
        out->bytes[cell] += v->bytes;
    }
}

void sca_transfers_measure(struct sca_room *room, const struct sca_measure *m,
                           struct sca_transfers *out)
{
    size_t cells = (size_t)m->ppg->nvertices * m->nranks;
    struct sites s = {.m = m, .nsites = m->run->profile->nsites};
    s.of = sca_room_alloc(room, (size_t)m->nranks * s.nsites, sizeof *s.of);
    s.row = sca_room_alloc(room, m->nranks, sizeof *s.row);
    out->per_call = sca_room_alloc(room, (size_t)m->nranks * s.nsites, sizeof(double));
    out->seconds = sca_room_alloc(room, cells, sizeof(double));
    out->messages = sca_room_alloc(room, cells, sizeof(double));
    out->bytes = sca_room_alloc(room, cells, sizeof(double));
    for (uint32_t r = 0; r < m->nranks; r++) {
        add_sites(&s, r);
        add_collectives(&s, r);
    }
    for (uint32_t site = 0; site < s.nsites; site++)
        add_site(&s, site, out);
}
