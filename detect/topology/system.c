#include "topology/system.h"
#include "topology/topologies.h"

#include <stdlib.h>
#include <string.h>

/* ---- bindings ---- */

/* "0:0-3,8 1:0": the package and the core, if there is but one. */
void sca_system_read_binding(const char *text, struct sca_location *to)
{
    char *end;
    to->package = to->core = -1;
    to->cores = text ? text : "";
    long package = strtol(to->cores, &end, 10);
    if (end == to->cores || *end != ':' || package < 0 || package > INT32_MAX)
        return;
    if (strchr(end + 1, ':'))
        return; /* of several packages */
    to->package = (int32_t)package;
    const char *first = end + 1;
    long core = strtol(first, &end, 10);
    if (end != first && !*end && core >= 0 && core <= INT32_MAX)
        to->core = (int32_t)core;
}

static uint32_t host_of(const struct sca_profile *p, struct sca_system *s, uint32_t rank)
{
    uint32_t h = 0;
    while (h < s->nhosts && p->ranks[s->lowest[h]].node != p->ranks[rank].node)
        h++;
    if (h == s->nhosts)
        s->lowest[s->nhosts++] = rank;
    return h;
}

void sca_system_make(struct sca_workspace *space, const struct sca_profile *p,
                     struct sca_system *out)
{
    *out = (struct sca_system){.nranks = p->nranks};
    out->lowest = sca_workspace_alloc(space, p->nranks, sizeof *out->lowest);
    out->locations = sca_workspace_alloc(space, p->nranks, sizeof *out->locations);
    for (uint32_t r = 0; r < p->nranks; r++) {
        struct sca_location *to = &out->locations[r];
        const struct sca_rank *rank = &p->ranks[r];
        *to = (struct sca_location){SCA_NONE, -1, -1, ""};
        if (!rank->present)
            continue;
        bool same = r && p->ranks[r - 1].present && p->ranks[r - 1].node == rank->node;
        to->host = same ? out->locations[r - 1].host : host_of(p, out, r);
        sca_system_read_binding(rank->cores, to);
        out->bound += to->core >= 0;
        out->unbound += !strcmp(to->cores, "all");
        out->unknown += !*to->cores;
    }
}

/* ---- order ---- */

struct ordered {
    uint32_t host, rank, package, core; /* what is -1 comes last */
};

static int by_hardware(const void *a, const void *b)
{
    const struct ordered *x = a, *y = b;
    if (x->host != y->host)
        return x->host < y->host ? -1 : 1;
    if (x->package != y->package)
        return x->package < y->package ? -1 : 1;
    if (x->core != y->core)
        return x->core < y->core ? -1 : 1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

uint32_t sca_system_order(struct sca_workspace *space, const struct sca_system *s, uint32_t *order)
{
    struct ordered *all = sca_workspace_alloc(space, s->nranks, sizeof *all);
    uint32_t n = 0;
    for (uint32_t r = 0; r < s->nranks; r++) {
        const struct sca_location *at = &s->locations[r];
        if (at->host != SCA_NONE)
            all[n++] = (struct ordered){at->host, r, (uint32_t)at->package, (uint32_t)at->core};
    }
    if (n)
        qsort(all, n, sizeof *all, by_hardware);
    for (uint32_t i = 0; i < n; i++)
        order[i] = all[i].rank;
    return n;
}

/* ---- as a topology ---- */

static void put_place(struct sca_topology *t, uint32_t rank, const uint32_t *place)
{
    for (uint32_t d = 0; d < t->ndims; d++) {
        t->coordinates[(size_t)rank * t->ndims + d] = (int32_t)place[d];
        t->dims[d] = place[d] >= t->dims[d] ? place[d] + 1 : t->dims[d];
    }
    t->members++;
}

/* Counts on in the outermost dimension that changes, and begins anew in those inside it. */
static void count_on(const struct sca_location *from, const struct sca_location *to, bool cores,
                     uint32_t place[4])
{
    if (from->host != to->host) {
        memset(place, 0, 4 * sizeof *place);
        place[0] = to->host;
    } else if (!cores) {
        place[1]++;
    } else if (from->package != to->package) {
        place[1]++;
        place[2] = place[3] = 0;
    } else if (from->core != to->core) {
        place[2]++;
        place[3] = 0;
    } else {
        place[3]++;
    }
}

void sca_system_topology(struct sca_workspace *space, const struct sca_system *s,
                         struct sca_topology *out)
{
    static const char *const by_core[] = {"host", "package", "core", "slot"};
    static const char *const by_host[] = {"host", "slot"};
    uint32_t *order = sca_workspace_alloc(space, s->nranks, sizeof *order);
    uint32_t n = sca_system_order(space, s, order), place[4] = {0};
    bool cores = n && s->bound == n;
    sca_topologies_new(space, s->nranks, cores ? 4 : 2, out);
    out->name = out->kind = "system";
    for (uint32_t d = 0; d < out->ndims; d++) {
        out->dimension_names[d] = cores ? by_core[d] : by_host[d];
        out->dims[d] = 1;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (i)
            count_on(&s->locations[order[i - 1]], &s->locations[order[i]], cores, place);
        put_place(out, order[i], place);
    }
}
