#include "measure/transfer.h"
#include "base/degrees.h"
#include "trace/completion.h"
#include "stats/median.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct volume { /* of one site on one rank */
    double calls, seconds, least_seconds, messages, bytes;
};

struct transfer_walk { /* over the ranks: the volumes of one at a time */
    const struct sca_measure *m;
    struct sca_opened *opened;
    uint32_t nsites;
    struct volume *of;    /* per site */
    bool begins;          /* some site begins what another completes */
    uint32_t *completing; /* per site: where what it begins is completed; UINT32_MAX */
    double *completed;    /* per site: bytes of what it completes */
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

/* Partners of a rank in one call: all of them where each sends each its own data, else those of a
 * tree, on which gathered parts travel together. */
static double partners(const char *name, double members)
{
    return strstr(operation(name), "lltoall") ? members - 1 : ceil(log2(fmax(2, members)));
}

static void add_sites(struct transfer_walk *w, const struct sca_rank *r)
{
    for (uint32_t i = 0; i < r->nsites; i++) {
        struct volume *v = &w->of[r->sites[i].site];
        v->calls = (double)r->sites[i].count;
        v->seconds = (double)r->sites[i].time_ns * 1e-9;
        v->least_seconds = (double)r->sites[i].min_ns * 1e-9;
        v->bytes = (double)r->sites[i].bytes;
    }
    for (uint32_t i = 0; i < r->npeers; i++)
        w->of[r->peers[i].site].messages += (double)r->peers[i].count;
}

static void add_collectives(struct transfer_walk *w, uint32_t rank, const struct sca_rank *r)
{
    const struct sca_profile *profile = w->m->run->profile;
    for (uint32_t i = 0; i < r->ncollectives; i++) {
        const struct sca_part_collective *c = &r->collectives[i];
        const char *name = profile->sites[c->site].function;
        struct volume *v = &w->of[c->site];
        double members = c->comm < profile->ncomms ? profile->comms[c->comm].size : 0;
        members = members > 0 ? members : profile->nranks;
        bool is_root = c->root >= 0 && (uint32_t)c->root == rank;
        v->messages += (double)c->count * partners(name, members);
        v->bytes += (double)c->bytes * (parts(name, members, is_root) - 1);
    }
}

static void find_completions(struct transfer_walk *w, const struct sca_rank *r)
{
    for (uint32_t s = 0; s < w->nsites; s++) {
        w->completing[s] = UINT32_MAX;
        w->completed[s] = 0;
    }
    for (uint32_t i = 0; i < r->ncollectives; i++) {
        uint32_t site = r->collectives[i].site;
        w->completing[site] = sca_completion_site(w->m->run->profile, r, site);
    }
    for (uint32_t s = 0; s < w->nsites; s++)
        if (w->completing[s] < w->nsites)
            w->completed[w->completing[s]] += w->of[s].bytes;
}

/* What of such a pair of calls a transfer takes at least. The one may copy all when it comes last,
 * then the other has nothing to do, so that the shortest of both say little; where ranks share
 * cores, one_call() bounds what both take. */
static double least_of_pair(const struct transfer_walk *w, const struct volume *v)
{
    return w->m->shared && v->calls > 0 ? v->seconds / v->calls : v->least_seconds;
}

/* What a collective that does not block moves is moved when it is completed. Where one call
 * completes several, its time is shared out by their bytes. */
static void add_completions(struct transfer_walk *w, const struct sca_rank *r)
{
    find_completions(w, r);
    for (uint32_t s = 0; s < w->nsites; s++) {
        uint32_t at = w->completing[s];
        if (at >= w->nsites || w->completed[at] <= 0)
            continue;
        double part = w->of[s].bytes / w->completed[at];
        w->of[s].least_seconds = least_of_pair(w, &w->of[s]) + least_of_pair(w, &w->of[at]) * part;
        w->of[s].seconds += w->of[at].seconds * part;
    }
}

static struct transfer_walk start(struct sca_workspace *space, const struct sca_measure *m)
{
    struct transfer_walk w = {.m = m, .nsites = m->run->profile->nsites};
    w.of = sca_workspace_alloc(space, w.nsites, sizeof *w.of);
    for (uint32_t s = 0; s < w.nsites; s++)
        w.begins |= sca_completion_begins_collective(m->run->profile->sites[s].function);
    if (w.begins) {
        w.completed = sca_workspace_alloc(space, w.nsites, sizeof *w.completed);
        w.completing = sca_workspace_alloc(space, w.nsites, sizeof *w.completing);
    }
    w.opened = sca_workspace_opened(space, m->run->profile);
    return w;
}

static void look_at(struct transfer_walk *w, uint32_t rank)
{
    memset(w->of, 0, w->nsites * sizeof *w->of);
    unsigned tables = SCA_OPEN_SITES | SCA_OPEN_PEERS | SCA_OPEN_COLLECTIVES;
    const struct sca_rank *r =
        sca_rank_open(w->opened, rank, w->begins ? tables | SCA_OPEN_INTERVALS : tables);
    add_sites(w, r);
    add_collectives(w, rank, r);
    if (w->begins)
        add_completions(w, r);
}

/* Several sites may be one vertex: sums first, then the greatest. */
static void keep_most(const struct sca_ppg *ppg, double *sum, double *most)
{
    for (uint32_t v = 0; v < ppg->nvertices; v++) {
        most[v] = sum[v] > most[v] ? sum[v] : most[v];
        sum[v] = 0;
    }
}

void sca_transfer_measure(struct sca_workspace *space, const struct sca_measure *m,
                          struct sca_transfers *out)
{
    uint32_t nv = m->ppg->nvertices;
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    struct transfer_walk w = start(&scratch, m);
    double *messages = sca_workspace_alloc(space, nv, sizeof *messages);
    double *bytes = sca_workspace_alloc(space, nv, sizeof *bytes);
    double *calls = sca_workspace_alloc(space, nv, sizeof *calls);
    out->messages = sca_workspace_alloc(space, nv, sizeof(double));
    out->bytes = sca_workspace_alloc(space, nv, sizeof(double));
    out->calls = sca_workspace_alloc(space, nv, sizeof(double));
    for (uint32_t r = 0; r < m->nranks; r++) {
        look_at(&w, r);
        for (uint32_t s = 0; s < w.nsites; s++) {
            uint32_t v = m->run->site_vertex[s];
            if (v == SCA_NONE || w.of[s].calls <= 0)
                continue;
            messages[v] += w.of[s].messages;
            bytes[v] += w.of[s].bytes;
            calls[v] += w.of[s].calls;
        }
        keep_most(m->ppg, messages, out->messages);
        keep_most(m->ppg, bytes, out->bytes);
        keep_most(m->ppg, calls, out->calls);
    }
    sca_workspace_free(&scratch);
}

struct one { /* one site on one rank, per call */
    double bytes, seconds;
};

static int by_bytes(const void *a, const void *b)
{
    double x = ((const struct one *)a)->bytes, y = ((const struct one *)b)->bytes;
    return (x > y) - (x < y);
}

static bool is_alike(double a, double b)
{
    return a >= SCA_HALF * b && b >= SCA_HALF * a;
}

/* The ranks with calls at a site, in groups that move about as much; each takes the median of its
 * shortest calls: one rank's shortest may have had luck, or have waited each time. */
static void level_alike(struct one *list, uint32_t n, double *row)
{
    qsort(list, n, sizeof *list, by_bytes);
    for (uint32_t i = 0; i < n;) {
        uint32_t end = i;
        for (; end < n && is_alike(list[i].bytes, list[end].bytes); end++)
            row[end - i] = list[end].seconds;
        double seconds = sca_median(row, end - i);
        for (; i < end; i++)
            list[i].seconds = seconds;
    }
}

enum { SITES_AT_ONCE = 16 }; /* each look at all ranks takes its time, and each site memory */

struct timed_call { /* all ranks at one site */
    const struct volume *of;
    struct one *list;
    double *row;
};

static double seconds_alike(const struct one *list, uint32_t n, double bytes)
{
    uint32_t low = 0, high = n - 1;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (list[middle].bytes < bytes)
            low = middle + 1;
        else
            high = middle;
    }
    return list[low].seconds;
}

/* A call that waits each time, as the root of a gather does for one that is always late, is never
 * short: no transfer takes more than what is left of the calls without their waits. Where ranks
 * share cores, what takes longer than handling and copying within a node is scheduling. */
static double one_call(const struct sca_measure *m, double seconds, const struct volume *own,
                       size_t cell)
{
    if (m->shared)
        return fmin(seconds,
                    (own->messages * SCA_MESSAGE_S + own->bytes / SCA_BYTES_PER_S) / own->calls);
    return m->waited ? fmin(seconds, fmax(0, own->seconds / own->calls - m->waited[cell]))
                     : seconds;
}

static void time_site(const struct sca_measure *m, const struct timed_call *t, uint32_t site,
                      double *seconds, double *per_call)
{
    uint32_t n = 0, nsites = m->run->profile->nsites;
    for (uint32_t r = 0; r < m->nranks; r++)
        if (t->of[r].calls > 0)
            t->list[n++] = (struct one){t->of[r].bytes / t->of[r].calls, t->of[r].least_seconds};
    level_alike(t->list, n, t->row);
    for (uint32_t r = 0; r < m->nranks; r++) {
        const struct volume *v = &t->of[r];
        if (v->calls <= 0 || v->messages <= 0)
            continue;
        size_t cell = (size_t)r * nsites + site;
        double single = one_call(m, seconds_alike(t->list, n, v->bytes / v->calls), v, cell);
        seconds[r] += single * v->calls;
        if (per_call)
            per_call[cell] = single;
    }
}

/* The volumes of all ranks at some sites, one site behind the other. */
static void gather(struct transfer_walk *w, const uint32_t *sites, uint32_t n, struct volume *of)
{
    for (uint32_t r = 0; r < w->m->nranks; r++) {
        look_at(w, r);
        for (uint32_t i = 0; i < n; i++)
            of[(size_t)i * w->m->nranks + r] = w->of[sites[i]];
    }
}

static uint32_t next_sites(const struct sca_measure *m, const bool *in, uint32_t *from,
                           uint32_t *sites)
{
    const struct sca_ppg_run *run = m->run;
    uint32_t n = 0;
    for (; *from < run->profile->nsites && n < SITES_AT_ONCE; ++*from)
        if (run->site_vertex[*from] != SCA_NONE && in[run->site_vertex[*from]])
            sites[n++] = *from;
    return n;
}

void sca_transfer_seconds(struct sca_workspace *space, const struct sca_measure *m, const bool *in,
                          double *seconds, double *per_call)
{
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    struct transfer_walk w = start(&scratch, m);
    struct volume *of =
        sca_workspace_alloc(&scratch, (size_t)SITES_AT_ONCE * m->nranks, sizeof *of);
    struct timed_call t = {NULL, sca_workspace_alloc(&scratch, m->nranks, sizeof *t.list),
                           sca_workspace_alloc(&scratch, m->nranks, sizeof *t.row)};
    uint32_t sites[SITES_AT_ONCE], from = 0, n;
    memset(seconds, 0, m->nranks * sizeof *seconds);
    while ((n = next_sites(m, in, &from, sites))) {
        gather(&w, sites, n, of);
        for (uint32_t i = 0; i < n; i++) {
            t.of = of + (size_t)i * m->nranks;
            time_site(m, &t, sites[i], seconds, per_call);
        }
    }
    sca_workspace_free(&scratch);
}
