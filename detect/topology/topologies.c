#include "topology/topologies.h"
#include "topology/graph_hops.h"
#include "topology/topology_words.h"

#include <stdlib.h>
#include <string.h>

struct candidate {
    uint32_t comm, members;
    uint32_t rank, entry; /* of some member: its rank, and where that has it */
    uint32_t ndims;       /* 0: a graph */
    bool named;
};

/* ---- which communicators ---- */

static const char *words_at(const struct sca_rank *rank, uint32_t entry)
{
    return rank->present && rank->topologies ? rank->topologies[entry] : "";
}

static void count_members(const struct sca_profile *p, struct candidate *all)
{
    for (uint32_t r = 0; r < p->nranks; r++)
        for (uint32_t i = 0; i < p->ranks[r].ncomms; i++) {
            if (!*words_at(&p->ranks[r], i))
                continue;
            struct candidate *c = &all[p->ranks[r].comms[i]];
            if (!c->members++) {
                c->rank = r;
                c->entry = i;
            }
        }
}

/* Most members, then coordinates before graphs, more dimensions before fewer, a name before none.
 */
static int by_weight(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->members != y->members)
        return x->members < y->members ? 1 : -1;
    if (x->ndims != y->ndims)
        return x->ndims < y->ndims ? 1 : -1;
    if (x->named != y->named)
        return x->named ? -1 : 1;
    return (x->comm > y->comm) - (x->comm < y->comm);
}

static struct candidate *find(struct sca_workspace *space, const struct sca_profile *p, uint32_t *n)
{
    struct candidate *all = sca_workspace_alloc(space, p->ncomms, sizeof *all);
    struct sca_topology_words words;
    uint32_t kept = 0;
    count_members(p, all);
    for (uint32_t i = 0; i < p->ncomms; i++) {
        struct candidate c = all[i];
        if (c.members < 2 || !sca_topology_words_read(words_at(&p->ranks[c.rank], c.entry), &words))
            continue;
        c.comm = i;
        c.ndims = words.ndims;
        c.named = *words.name != '\0';
        all[kept++] = c;
    }
    if (kept)
        qsort(all, kept, sizeof *all, by_weight);
    *n = kept;
    return all;
}

/* ---- one of them ---- */

void sca_topologies_new(struct sca_workspace *space, uint32_t nranks, uint32_t ndims,
                        struct sca_topology *out)
{
    *out = (struct sca_topology){.name = "", .kind = "", .ndims = ndims, .nranks = nranks};
    out->dims = sca_workspace_alloc(space, ndims, sizeof *out->dims);
    out->periodic = sca_workspace_alloc(space, ndims, sizeof *out->periodic);
    out->dimension_names = sca_workspace_alloc(space, ndims, sizeof *out->dimension_names);
    out->coordinates = sca_workspace_alloc(space, (size_t)nranks * ndims, sizeof *out->coordinates);
    for (uint32_t d = 0; d < ndims; d++)
        out->dimension_names[d] = "";
    for (uint32_t r = 0; r < nranks; r++)
        out->coordinates[(size_t)r * ndims] = -1;
}

static void name_it(struct sca_workspace *space, const struct sca_profile *p,
                    const struct candidate *c, const struct sca_topology_words *words,
                    struct sca_topology *to)
{
    const char *name = *words->name ? words->name : p->comms[c->comm].kind;
    char *copy = sca_workspace_alloc(space, strlen(name) + 1, 1);
    strcpy(copy, name);
    sca_topology_words_split(copy, words->ndims, to->dimension_names);
    to->name = *copy ? copy : p->comms[c->comm].kind;
}

static void begin(struct sca_workspace *space, const struct sca_profile *p,
                  const struct candidate *c, struct sca_topology *to)
{
    struct sca_topology_words words;
    sca_topology_words_read(words_at(&p->ranks[c->rank], c->entry), &words);
    sca_topologies_new(space, p->nranks, words.ndims ? words.ndims : 1, to);
    name_it(space, p, c, &words, to);
    to->kind = words.ndims ? "cartesian" : "graph";
    if (!words.ndims)
        to->dimension_names[0] = "member";
    for (uint32_t d = 0; d < words.ndims; d++) {
        to->dims[d] = (uint32_t)words.dims[d];
        to->periodic[d] = words.periodic[d] != 0;
    }
}

static bool same_dims(const struct sca_topology *t, const struct sca_topology_words *w)
{
    for (uint32_t d = 0; d < w->ndims; d++)
        if ((uint32_t)w->dims[d] != t->dims[d])
            return false;
    return w->ndims == t->ndims;
}

/* What makes no sense beside the others' words is left out. */
static void stand(struct sca_topology *t, uint32_t rank, const char *text)
{
    struct sca_topology_words words;
    int32_t *place = &t->coordinates[(size_t)rank * t->ndims];
    bool graph = !strcmp(t->kind, "graph");
    if (!sca_topology_words_read(text, &words) || (!graph && !same_dims(t, &words)) ||
        (graph && words.ndims) || place[0] >= 0)
        return;
    if (graph)
        place[0] = (int32_t)t->dims[0]++;
    else
        memcpy(place, words.place, t->ndims * sizeof *place);
    t->members++;
}

/* ---- all of them ---- */

static bool is_told(const struct sca_topologies *list, const struct sca_topology *t)
{
    for (uint32_t i = 0; i < list->n; i++) {
        const struct sca_topology *o = &list->of[i];
        if (o->ndims == t->ndims && !strcmp(o->kind, t->kind) &&
            !memcmp(o->dims, t->dims, t->ndims * sizeof *t->dims) &&
            !memcmp(o->periodic, t->periodic, t->ndims * sizeof *t->periodic) &&
            !memcmp(o->coordinates, t->coordinates,
                    (size_t)t->nranks * t->ndims * sizeof *t->coordinates))
            return true;
    }
    return false;
}

/* row_of[communicator]: which of the rows it is, from 1. */
static void fill_places(const struct sca_profile *p, const uint32_t *row_of,
                        struct sca_topology *rows)
{
    for (uint32_t r = 0; r < p->nranks; r++)
        for (uint32_t i = 0; i < p->ranks[r].ncomms; i++)
            if (row_of[p->ranks[r].comms[i]] && *words_at(&p->ranks[r], i))
                stand(&rows[row_of[p->ranks[r].comms[i]] - 1], r, words_at(&p->ranks[r], i));
}

void sca_topologies_make(struct sca_workspace *space, const struct sca_profile *p,
                         struct sca_topologies *out)
{
    uint32_t found = 0;
    const struct candidate *list = find(space, p, &found);
    uint32_t *row_of = sca_workspace_alloc(space, p->ncomms, sizeof *row_of);
    uint32_t rows = found < SCA_MOST_TOPOLOGIES ? found : SCA_MOST_TOPOLOGIES;
    struct sca_topology *of = sca_workspace_alloc(space, rows, sizeof *of);
    *out = (struct sca_topologies){.left_out = found - rows};
    out->of = sca_workspace_alloc(space, rows, sizeof *out->of);
    for (uint32_t i = 0; i < rows; i++) {
        begin(space, p, &list[i], &of[i]);
        row_of[list[i].comm] = i + 1;
    }
    fill_places(p, row_of, of);
    for (uint32_t i = 0; i < rows; i++) {
        if (of[i].members > 1 && !list[i].ndims)
            sca_graph_hops_place(space, p, list[i].comm, &of[i]);
        if (of[i].members > 1 && !is_told(out, &of[i]))
            out->of[out->n++] = of[i];
    }
}

void sca_topologies_of_threads(struct sca_workspace *space, uint32_t nranks, uint32_t nthreads,
                               struct sca_topology *to)
{
    sca_topologies_new(space, nranks * nthreads, 2, to);
    to->name = to->kind = "threads";
    to->dims[0] = nranks;
    to->dims[1] = nthreads;
    to->dimension_names[0] = "rank";
    to->dimension_names[1] = "thread";
    sca_topology_count_off(to);
}
