/* A walk over the edges of a run: control, then communication, then collectives, then locks. */
#include "sca_arena.h"
#include "graph/messages.h"
#include "library/known_messages.h"
#include "library/arguments.h"
#include "library/collective_edges.h"
#include "library/lock_edges.h"
#include "library/rows.h"
#include "library/run_metrics.h"
#include "library/senders.h"
#include "sca_error.h"
#include "scalana/graph.h"

#include <math.h>
#include <stdlib.h>

struct scalana_edges {
    const struct sca_ppg *ppg;
    const struct sca_ppg_run *run;
    double *seconds;         /* [context], of control edges */
    uint32_t context;        /* the next one that a control edge leads to */
    uint32_t receiver, last; /* the next one, and the first that is not asked for */
    void *memory;
    struct sca_opened *opened;
    struct sca_senders senders; /* to the receiver before the next one */
    size_t sender;              /* the next of them */
    struct sca_arena arena;     /* of one pair of ranks: */
    struct sca_messages pair;
    uint32_t *known;  /* [pair.count] */
    uint32_t message; /* the next of them */
    struct sca_collective_edges collectives;
    struct sca_lock_edges locks;
};

static const uint32_t all_kinds =
    SCALANA_EDGE_CONTROL | SCALANA_EDGE_COMMUNICATION | SCALANA_EDGE_COLLECTIVE | SCALANA_EDGE_LOCK;

/* Computation and MPI of each context and those below it, over all locations. */
static int sum_up(scalana_edges *e, const scalana_runs *runs, uint32_t run)
{
    uint32_t n = e->ppg->nvertices, ranks = e->run->nranks;
    double *mpi = malloc((size_t)n * ranks * sizeof *mpi);
    e->seconds = calloc(n, sizeof *e->seconds);
    int status = mpi && e->seconds ? SCA_OK : sca_fail(SCA_ENOMEM, "out of memory");
    if (status == SCA_OK)
        status = scalana_metric_values(runs, run, SCALANA_METRIC_MPI_TIME, SCALANA_EXCLUSIVE, 0, n,
                                       0, ranks, mpi);
    for (uint32_t v = n; status == SCA_OK && v-- > 1;) {
        for (uint32_t r = 0; r < ranks; r++)
            e->seconds[v] += e->run->comp[(size_t)v * ranks + r] + mpi[(size_t)v * ranks + r];
        e->seconds[e->ppg->vertices[v].parent] += e->seconds[v];
    }
    free(mpi);
    return status;
}

static int prepare(scalana_edges *e, const scalana_runs *runs, uint32_t run, uint32_t kinds)
{
    e->memory = calloc(1, sca_rank_open_size(e->run->profile));
    if (!e->memory)
        return sca_fail(SCA_ENOMEM, "out of memory");
    e->opened = sca_rank_open_init(e->memory, e->run->profile);
    e->context = kinds & SCALANA_EDGE_CONTROL ? 1 : e->ppg->nvertices;
    e->collectives = (struct sca_collective_edges){
        e->run,  e->opened, kinds & SCALANA_EDGE_COLLECTIVE ? e->receiver : e->last,
        e->last, NULL,      0};
    int status = kinds & SCALANA_EDGE_LOCK
                     ? sca_lock_edges_find(e->run, e->receiver, e->last, &e->locks)
                     : SCA_OK;
    if (!(kinds & SCALANA_EDGE_COMMUNICATION))
        e->receiver = e->last;
    return status == SCA_OK && kinds & SCALANA_EDGE_CONTROL ? sum_up(e, runs, run) : status;
}

static int check(const struct sca_ppg_run *run, uint32_t kinds, uint32_t first, uint32_t n,
                 const void *out)
{
    int status = sca_arguments_there(out, "out");
    if (status == SCA_OK && kinds & ~all_kinds)
        status = sca_fail(SCA_EINVAL, "no such kinds of edges: %u", kinds);
    if (status == SCA_OK)
        status = sca_arguments_range(first, n, run->nranks, "locations");
    return status;
}

int scalana_edges_open(const scalana_runs *runs, uint32_t run, uint32_t kinds,
                       uint32_t first_location, uint32_t nlocations, scalana_edges **out)
{
    const struct sca_ppg_run *of;
    int status = sca_run_metrics_take_run(runs, run, &of);
    if (status == SCA_OK)
        status = check(of, kinds, first_location, nlocations, out);
    if (status != SCA_OK)
        return status;
    *out = NULL;
    scalana_edges *e = calloc(1, sizeof *e);
    if (!e)
        return sca_fail(SCA_ENOMEM, "out of memory");
    *e = (scalana_edges){.ppg = runs->loaded.ppg,
                         .run = of,
                         .receiver = first_location,
                         .last = first_location + nlocations};
    status = prepare(e, runs, run, kinds);
    if (status == SCA_OK)
        *out = e;
    else
        scalana_edges_close(e);
    return status;
}

void scalana_edges_close(scalana_edges *edges)
{
    if (!edges)
        return;
    sca_arena_free(&edges->arena);
    sca_senders_free(&edges->senders);
    free(edges->locks.of);
    free(edges->seconds);
    free(edges->memory);
    free(edges);
}

static struct scalana_edge next_control(scalana_edges *e)
{
    uint32_t to = e->context++;
    return (struct scalana_edge){.kind = SCALANA_EDGE_CONTROL,
                                 .from_context = e->ppg->vertices[to].parent,
                                 .from_location = SCALANA_NONE,
                                 .to_context = to,
                                 .to_location = SCALANA_NONE,
                                 .seconds = e->seconds[to],
                                 .late_s = (double)NAN,
                                 .group = SCALANA_NONE,
                                 .from_thread = SCALANA_NONE,
                                 .to_thread = SCALANA_NONE,
                                 .lock = ""};
}

static struct scalana_edge next_message(scalana_edges *e)
{
    uint32_t known = e->known[e->message];
    const struct sca_ppg_message *m = &e->pair.edges[e->message++];
    return (struct scalana_edge){.kind = SCALANA_EDGE_COMMUNICATION,
                                 .from_context = m->send_vertex,
                                 .from_location = m->send_rank,
                                 .to_context = m->receive_vertex,
                                 .to_location = m->receive_rank,
                                 .messages = m->count,
                                 .bytes = m->bytes,
                                 .late_s = m->late_s,
                                 .group = SCALANA_NONE,
                                 .known = known,
                                 .from_thread = SCALANA_NONE,
                                 .to_thread = SCALANA_NONE,
                                 .lock = ""};
}

static int take_pair(scalana_edges *e, uint32_t sender)
{
    sca_arena_free(&e->arena);
    e->arena = (struct sca_arena){0};
    e->message = 0;
    if (sender >= e->run->nranks)
        return SCA_OK;
    if (sca_messages_between(&e->arena, e->run, sender, e->receiver - 1, &e->pair))
        return sca_fail(SCA_ENOMEM, "out of memory");
    e->known = sca_arena_alloc(&e->arena, e->pair.count + (size_t)1, sizeof *e->known);
    if (!e->known || sca_known_messages_find(e->ppg, e->run, e->opened, sender, e->receiver - 1,
                                             &e->pair, e->known) != SCA_OK)
        return sca_fail(SCA_ENOMEM, "out of memory");
    return SCA_OK;
}

/* On to the next pair of ranks that has messages; without any, all receivers are done. */
static int find_pair(scalana_edges *e)
{
    int status = SCA_OK;
    while (status == SCA_OK && e->message == e->pair.count) {
        e->pair.count = e->message = 0;
        if (e->sender < e->senders.n) {
            status = take_pair(e, e->senders.ranks[e->sender++]);
        } else if (e->receiver < e->last) {
            e->sender = 0;
            status = sca_senders_of(&e->senders, e->opened, e->receiver++);
        } else {
            break;
        }
    }
    return status == SCA_OK ? SCA_OK : sca_fail(SCA_ENOMEM, "out of memory");
}

/* *found: whether there is one left. */
static int next_edge(scalana_edges *e, struct scalana_edge *out, bool *found)
{
    *found = true;
    if (e->context < e->ppg->nvertices) {
        *out = next_control(e);
        return SCA_OK;
    }
    int status = find_pair(e);
    if (status != SCA_OK)
        return status;
    if (e->message < e->pair.count)
        *out = next_message(e);
    else
        *found =
            sca_collective_edges_next(&e->collectives, out) || sca_lock_edges_next(&e->locks, out);
    return SCA_OK;
}

int scalana_edges_next(scalana_edges *edges, uint32_t space, struct scalana_edge *out, size_t size,
                       uint32_t *n)
{
    int status = sca_arguments_there(edges, "edges");
    if (status == SCA_OK)
        status = sca_arguments_there(out, "out");
    if (status == SCA_OK)
        status = sca_arguments_there(n, "n");
    if (status == SCA_OK && (!space || !size))
        status =
            sca_fail(SCA_EINVAL, "%s is 0: at least one edge must fit", space ? "size" : "room");
    if (status != SCA_OK)
        return status;
    for (*n = 0; status == SCA_OK && *n < space; ++*n) {
        struct scalana_edge edge;
        bool found;
        status = next_edge(edges, &edge, &found);
        if (status != SCA_OK || !found)
            break;
        status = sca_rows_copy_one(&edge, sizeof edge, (char *)out + *n * size, size);
    }
    return status;
}
