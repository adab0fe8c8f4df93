#include "threads/thread_waits.h"
#include "load/serialised.h"

#include <string.h>

struct wait_reading {
    struct sca_workspace *space;
    const struct sca_ppg_run *run;
    struct sca_thread_waits *out;
    const uint32_t *site_of; /* per node of the profile, or 0 */
};

static uint32_t *find_sites(struct sca_workspace *space, const struct sca_profile *p)
{
    uint32_t *site_of = sca_workspace_alloc(space, p->nnodes + 1ul, sizeof *site_of);
    for (uint32_t s = 1; s < p->nsites; s++)
        if (p->sites[s].node < p->nnodes && !sca_serialised_is_lock(&p->sites[s]))
            site_of[p->sites[s].node] = s;
    return site_of;
}

static void add(struct wait_reading *r, struct sca_thread_uses *to, struct sca_thread_use use)
{
    if (use.interval == SCA_NONE || use.vertex == SCA_NONE || use.seconds <= 0)
        return;
    if (to->n == to->capacity) {
        to->capacity = to->capacity ? 2 * to->capacity : 64;
        to->of = sca_workspace_grow(r->space, to->of, to->n, to->capacity, sizeof *to->of);
    }
    to->of[to->n++] = use;
}

static void add_to_interval(const struct wait_reading *r, size_t cell,
                            const struct sca_part_sample *s)
{
    double seconds = (double)s->length_ns * 1e-9;
    if (s->in_mpi == SCA_SAMPLE_HELPED)
        r->out->helped[cell] += seconds;
    else if (s->in_mpi == SCA_SAMPLE_CONTENDED || s->in_mpi == SCA_SAMPLE_HELD)
        r->out->locked[cell] += seconds;
    else if (s->in_mpi == SCA_SAMPLE_REGION)
        r->out->has_regions[cell] = true;
}

static void read_sample(struct wait_reading *r, const struct sca_rank *rank, uint32_t number,
                        const struct sca_part_sample *s)
{
    const struct sca_profile *p = r->run->profile;
    struct sca_thread_use use = {.rank = number,
                                 .interval =
                                     sca_intervals_number(&r->run->intervals, s->previous, s->next),
                                 .thread = s->thread};
    if (s->node >= p->nnodes)
        return;
    if (use.interval != SCA_NONE)
        add_to_interval(r, (size_t)number * r->run->intervals.n + use.interval, s);
    if (s->in_mpi == SCA_SAMPLE_THREAD && r->site_of[s->node]) {
        use.vertex = r->run->site_vertex[r->site_of[s->node]];
        use.seconds = (double)s->length_ns * 1e-9;
        add(r, &r->out->waits, use);
    } else if (s->in_mpi == SCA_SAMPLE_COMPUTES) {
        use.vertex = r->run->node_vertex[s->node];
        use.seconds = (double)s->count * (double)rank->sample_period_ns * 1e-9;
        add(r, &r->out->work, use);
    }
}

static int by_thread(const void *a, const void *b)
{
    const struct sca_thread_use *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->interval != y->interval)
        return x->interval < y->interval ? -1 : 1;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    return (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

static void put_in_order(struct sca_workspace *space, struct sca_thread_uses *uses)
{
    uint32_t kept = 0;
    sca_workspace_put_in_order(space, uses->of, uses->n, sizeof *uses->of, by_thread);
    for (uint32_t i = 0; i < uses->n; i++)
        if (kept && !by_thread(&uses->of[kept - 1], &uses->of[i]))
            uses->of[kept - 1].seconds += uses->of[i].seconds;
        else
            uses->of[kept++] = uses->of[i];
    uses->n = kept;
}

/* Most programs have none, and one thread: then nothing is opened. */
static bool has_any(const struct sca_profile *p)
{
    static const char *const names[] = {"pthread_cond_wait",      "pthread_cond_timedwait",
                                        "pthread_cond_clockwait", "cnd_wait",
                                        "cnd_timedwait",          "sem_wait",
                                        "sem_timedwait",          "sem_clockwait",
                                        "pthread_join",           "thrd_join",
                                        "pthread_timedjoin_np",   "pthread_clockjoin_np",
                                        "pthread_once",           "call_once",
                                        "pthread_barrier",        "futex"};
    for (uint32_t s = 1; s < p->nsites; s++)
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            if (!strcmp(p->sites[s].function, names[i]))
                return true;
    return false;
}

void sca_thread_waits_read(struct sca_workspace *space, const struct sca_ppg_run *run,
                           struct sca_thread_waits *out)
{
    struct wait_reading r = {space, run, out, NULL};
    *out = (struct sca_thread_waits){0};
    if (!run->beside && !has_any(run->profile))
        return;
    size_t cells = (size_t)run->nranks * run->intervals.n;
    out->helped = sca_workspace_alloc(space, cells, sizeof *out->helped);
    out->locked = sca_workspace_alloc(space, cells, sizeof *out->locked);
    out->has_regions = sca_workspace_alloc(space, cells, sizeof *out->has_regions);
    r.site_of = find_sites(space, run->profile);
    struct sca_opened *opened = sca_workspace_opened(space, run->profile);
    for (uint32_t k = 0; k < run->nranks; k++) {
        const struct sca_rank *rank = sca_rank_open(opened, k, SCA_OPEN_SAMPLES);
        for (uint32_t i = 0; rank->present && i < rank->nsamples; i++)
            read_sample(&r, rank, k, &rank->sample[i]);
    }
    put_in_order(space, &out->waits);
    put_in_order(space, &out->work);
}
