#include "threads/lock_waits.h"
#include "graph/known_objects.h"
#include "load/serialised.h"

#include <stdlib.h>

struct lock_reading {
    struct sca_workspace *space;
    const struct sca_ppg_run *run;
    uint32_t *vertex_of; /* per node of the profile: the call that it leads to; SCA_NONE: none */
    struct sca_lock_waits *out;
};

static bool find_places(struct lock_reading *r)
{
    const struct sca_profile *p = r->run->profile;
    bool any = false;
    r->vertex_of = sca_workspace_alloc(r->space, p->nnodes + 1ul, sizeof *r->vertex_of);
    for (uint32_t n = 0; n <= p->nnodes; n++)
        r->vertex_of[n] = SCA_NONE;
    for (uint32_t s = 1; s < p->nsites; s++)
        if (sca_serialised_is_lock(&p->sites[s]) && p->sites[s].node < p->nnodes) {
            r->vertex_of[p->sites[s].node] = r->run->site_vertex[s];
            any = true;
        }
    return any;
}

static void add_use(struct lock_reading *r, struct sca_lock_uses *to, uint32_t rank,
                    uint32_t interval, const struct sca_part_sample *s)
{
    if (r->vertex_of[s->node] == SCA_NONE)
        return;
    if (to->n == to->capacity) {
        to->capacity = to->capacity ? 2 * to->capacity : 64;
        to->of = sca_workspace_grow(r->space, to->of, to->n, to->capacity, sizeof *to->of);
    }
    to->of[to->n++] = (struct sca_lock_use){r->vertex_of[s->node], rank, interval, s->thread,
                                            (double)s->length_ns * 1e-9};
}

/* What the lock makes of an interval on cores of one's own (load/serialised.h): who has it keeps
 * those who come to the same line. */
static void add_expected(struct lock_reading *r, uint32_t rank, uint32_t interval,
                         const struct sca_part_sample *s)
{
    add_use(r, &r->out->waits, rank, interval, s);
    add_use(r, &r->out->holders, rank, interval, s);
    r->out->contended[(size_t)rank * r->run->intervals.n + interval] += (double)s->length_ns * 1e-9;
}

static void add_hand_over(struct lock_reading *r, uint32_t rank, const struct sca_part_sample *s)
{
    struct sca_hand_overs *to = &r->out->hand_overs;
    bool known = s->previous && s->previous < r->run->profile->nsites;
    uint32_t from = known ? r->run->site_vertex[s->previous] : SCA_NONE;
    if (from == SCA_NONE || r->vertex_of[s->node] == SCA_NONE)
        return;
    if (to->n == to->capacity) {
        to->capacity = to->capacity ? 2 * to->capacity : 64;
        to->of = sca_workspace_grow(r->space, to->of, to->n, to->capacity, sizeof *to->of);
    }
    to->of[to->n++] = (struct sca_hand_over){.rank = rank,
                                             .from_thread = (uint16_t)s->next,
                                             .to_thread = s->thread,
                                             .from = from,
                                             .to = r->vertex_of[s->node],
                                             .number = (uint16_t)(s->next >> 16),
                                             .count = (double)s->count,
                                             .seconds = (double)s->length_ns * 1e-9};
}

static void add_origin(struct lock_reading *r, uint32_t rank, const struct sca_part_sample *s)
{
    struct sca_lock_origins *to = &r->out->origins;
    const struct sca_ppg_object *object = sca_known_objects_of(r->run, s->node);
    if (!object || !*object->name)
        return;
    if (to->n == to->capacity) {
        to->capacity = to->capacity ? 2 * to->capacity : 64;
        to->of = sca_workspace_grow(r->space, to->of, to->n, to->capacity, sizeof *to->of);
    }
    to->of[to->n++] = (struct sca_lock_origin){rank, s->thread, object};
}

static void add(struct lock_reading *r, uint32_t rank, const struct sca_part_sample *s)
{
    if (s->in_mpi == SCA_SAMPLE_HANDED_OVER)
        add_hand_over(r, rank, s);
    else if (s->in_mpi == SCA_SAMPLE_LOCK_AT)
        add_origin(r, rank, s);
    if (s->in_mpi == SCA_SAMPLE_HANDED_OVER || s->in_mpi == SCA_SAMPLE_LOCK_AT)
        return;
    uint32_t interval = sca_intervals_number(&r->run->intervals, s->previous, s->next);
    if (interval == SCA_NONE)
        return;
    if (s->in_mpi == SCA_SAMPLE_LOCK)
        add_use(r, &r->out->waits, rank, interval, s);
    else if (s->in_mpi == SCA_SAMPLE_HOLDER)
        add_use(r, &r->out->holders, rank, interval, s);
    else if (s->in_mpi == SCA_SAMPLE_HELD && s->length_ns)
        add_expected(r, rank, interval, s);
    if (s->in_mpi == SCA_SAMPLE_CONTENDED)
        r->out->contended[(size_t)rank * r->run->intervals.n + interval] +=
            (double)s->length_ns * 1e-9;
}

static int by_number(const void *a, const void *b)
{
    const struct sca_lock_origin *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

const struct sca_ppg_object *sca_lock_waits_object(const struct sca_lock_waits *locks,
                                                   uint32_t rank, uint16_t number)
{
    const struct sca_lock_origin wanted = {.rank = rank, .number = number}, *found = NULL;
    if (number && locks->origins.n)
        found = bsearch(&wanted, locks->origins.of, locks->origins.n, sizeof wanted, by_number);
    return found ? found->object : NULL;
}

void sca_lock_waits_read(struct sca_workspace *space, const struct sca_ppg_run *run,
                         struct sca_lock_waits *out)
{
    struct lock_reading r = {space, run, NULL, out};
    *out = (struct sca_lock_waits){0};
    if (!find_places(&r))
        return;
    out->contended =
        sca_workspace_alloc(space, (size_t)run->nranks * run->intervals.n, sizeof *out->contended);
    struct sca_opened *opened = sca_workspace_opened(space, run->profile);
    for (uint32_t k = 0; k < run->nranks; k++) {
        const struct sca_rank *rank = sca_rank_open(opened, k, SCA_OPEN_SAMPLES);
        for (uint32_t i = 0; rank->present && i < rank->nsamples; i++)
            add(&r, k, &rank->sample[i]);
    }
    if (out->origins.n)
        qsort(out->origins.of, out->origins.n, sizeof *out->origins.of, by_number);
}
