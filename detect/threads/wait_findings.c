#include "threads/wait_findings.h"
#include "base/degrees.h"
#include "threads/cutting.h"
#include "threads/thread_waits.h"

#include <math.h>

/* Of an interval of a rank: its parts of both lists. */
struct thread_work {
    const struct sca_thread_use *wait, *work;
    uint32_t nwaits, nwork;
    double seconds; /* the rank takes, but for waits for locks within it */
    double waited;  /* of these */
    double mean;    /* of the threads that compute */
};

static bool is_same(const struct sca_thread_use *a, const struct sca_thread_use *b)
{
    return a->rank == b->rank && a->interval == b->interval;
}

static uint32_t count_same(const struct sca_thread_use *list, uint32_t n)
{
    uint32_t same = 0;
    while (same < n && is_same(list, list + same))
        same++;
    return same;
}

static bool comes_before(const struct sca_thread_use *a, const struct sca_thread_use *b)
{
    return a->rank != b->rank ? a->rank < b->rank : a->interval < b->interval;
}

static double of_thread(const struct thread_work *w, uint32_t from, uint32_t *end)
{
    double seconds = 0;
    for (*end = from; *end < w->nwork && w->work[*end].thread == w->work[from].thread; ++*end)
        seconds += w->work[*end].seconds;
    return fmin(seconds, w->seconds); /* samples may say a little more than clocks */
}

/* Those that compute little, beside the busiest, have other things to do. */
static double mean_of(const struct thread_work *w)
{
    double own = fmax(0, w->seconds - w->waited), most = own, sum = 0;
    uint32_t n = 0;
    for (uint32_t i = 0, end; i < w->nwork; i = end)
        most = fmax(most, of_thread(w, i, &end));
    if (own >= SCA_RELEVANT * most) {
        sum = own;
        n = 1;
    }
    for (uint32_t i = 0, end; i < w->nwork; i = end) {
        double seconds = of_thread(w, i, &end);
        sum += seconds >= SCA_RELEVANT * most ? seconds : 0;
        n += seconds >= SCA_RELEVANT * most;
    }
    return n ? sum / n : 0;
}

static size_t cell_of(const struct sca_measure *m, const struct sca_thread_use *at)
{
    return (size_t)at->rank * m->run->intervals.n + at->interval;
}

/* What the rank takes, and its first thread waits of that. What locks make of both is no uneven
 * work: lock_findings.h has it. */
static void read_times(const struct sca_measure *m, const struct sca_thread_waits *all,
                       struct thread_work *w)
{
    size_t cell = cell_of(m, w->wait);
    double seconds = sca_measure_seconds_in(m, w->wait->rank, w->wait->interval);
    double waited = 0;
    for (uint32_t i = 0; i < w->nwaits; i++)
        waited += w->wait[i].seconds;
    waited = fmin(seconds, fmax(waited, all->helped[cell]));
    w->seconds = fmax(0, seconds - all->locked[cell]);
    w->waited = fmax(0, waited - all->locked[cell]);
}

/* The next interval in which a first thread waits; false: there is none. */
static bool next_interval(const struct sca_measure *m, const struct sca_thread_waits *all,
                          struct thread_work *w)
{
    w->wait = w->wait ? w->wait + w->nwaits : all->waits.of;
    w->work = w->work ? w->work + w->nwork : all->work.of;
    if (w->wait == all->waits.of + all->waits.n)
        return false;
    const struct sca_thread_use *end = all->work.of + all->work.n;
    w->nwaits = count_same(w->wait, (uint32_t)(all->waits.of + all->waits.n - w->wait));
    while (w->work < end && comes_before(w->work, w->wait))
        w->work++;
    w->nwork = w->work < end && is_same(w->work, w->wait)
                   ? count_same(w->work, (uint32_t)(end - w->work))
                   : 0;
    read_times(m, all, w);
    w->mean = mean_of(w);
    return true;
}

/* What is charged to a vertex for all waits of an interval: the part of each thread's work. */
static double charge_of(const struct thread_work *w, uint32_t vertex, double excess,
                        double *waiting)
{
    double charged = 0, sum = 0;
    for (uint32_t i = 0; i < w->nwaits; i++)
        sum += w->wait[i].seconds;
    for (uint32_t i = 0; i < w->nwaits; i++) {
        double all = 0, here = 0;
        for (uint32_t k = 0; k < w->nwork; k++) {
            bool is = w->work[k].thread == w->wait[i].thread;
            all += is ? w->work[k].seconds : 0;
            here += is && w->work[k].vertex == vertex ? w->work[k].seconds : 0;
        }
        double part = all > 0 ? here / all : 0;
        charged += part * excess * w->wait[i].seconds / sum;
        if (waiting)
            waiting[w->wait[i].vertex] += part * w->wait[i].seconds;
    }
    return charged;
}

/* Per interval: the part of the ranks' time that they would take if their threads shared it evenly.
 * Of all ranks together, for samples of one scatter; a rank that waits less has less to win. */
static double *even_parts(struct sca_workspace *scratch, const struct sca_measure *m,
                          const struct sca_thread_waits *all)
{
    double *even = sca_workspace_alloc(scratch, m->run->intervals.n, sizeof *even);
    double *taken = sca_workspace_alloc(scratch, m->run->intervals.n, sizeof *taken);
    struct thread_work w = {0};
    while (next_interval(m, all, &w)) {
        even[w.wait->interval] += w.mean;
        taken[w.wait->interval] += w.mean > 0 ? w.seconds : 0;
    }
    for (uint32_t i = 0; i < m->run->intervals.n; i++)
        even[i] = taken[i] > 0 ? fmin(1, even[i] / taken[i]) : 1;
    return even;
}

static double excess_of(const struct thread_work *w, const double *even)
{
    return fmin(w->waited, (1 - even[w->wait->interval]) * w->seconds);
}

static void list_waits(const struct sca_cutting *c, const double *waiting,
                       struct sca_finding *draft)
{
    uint32_t nv = c->m->ppg->nvertices;
    struct sca_finding_wait *list = sca_workspace_alloc(c->space, nv, sizeof *list);
    for (uint32_t v = 0; v < nv; v++)
        if (waiting[v] > 0)
            list[draft->nwaits++] = (struct sca_finding_wait){v, waiting[v]};
    draft->waits = list;
}

static void look_at(struct sca_cutting *c, const struct sca_thread_waits *all, const double *even,
                    uint32_t vertex, double least, struct sca_ledger *out)
{
    const struct sca_measure *m = c->m;
    struct sca_finding draft = {.vertex = vertex, .category = SCA_CAUSE_UNEVEN_THREADS};
    struct sca_workspace scratch = {.out_of_memory = c->space->out_of_memory};
    double *waiting = sca_workspace_alloc(&scratch, m->ppg->nvertices, sizeof *waiting);
    double taken = 0, mean = 0;
    struct thread_work w = {0};
    sca_cutting_begin(c);
    while (next_interval(m, all, &w)) {
        double seconds = charge_of(&w, vertex, excess_of(&w, even), waiting);
        if (seconds <= 0)
            continue;
        sca_cutting_take(c, w.wait->rank, w.wait->interval, seconds);
        taken += w.seconds;
        mean += even[w.wait->interval] * w.seconds;
    }
    draft.ratio = mean > 0 ? taken / mean : 0;
    list_waits(c, waiting, &draft);
    if (draft.ratio >= (m->shared ? SCA_SHARED_CORES : 1 + SCA_RELEVANT))
        sca_cutting_put(c, draft, least, out);
    sca_workspace_free(&scratch);
}

/* What is charged to each place, of all ranks. */
static double *charge_all(struct sca_workspace *scratch, const struct sca_measure *m,
                          const struct sca_thread_waits *all, const double *even)
{
    double *charged = sca_workspace_alloc(scratch, m->ppg->nvertices, sizeof *charged);
    struct thread_work w = {0};
    while (next_interval(m, all, &w)) {
        double excess = excess_of(&w, even);
        for (uint32_t k = 0; excess > 0 && k < w.nwork; k++) {
            bool seen = false;
            for (uint32_t before = 0; before < k && !seen; before++)
                seen = w.work[before].vertex == w.work[k].vertex;
            if (!seen)
                charged[w.work[k].vertex] += charge_of(&w, w.work[k].vertex, excess, NULL);
        }
    }
    return charged;
}

void sca_wait_findings_add(struct sca_workspace *space, const struct sca_measure *m, double least,
                           struct sca_ledger *out)
{
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    struct sca_thread_waits all;
    sca_thread_waits_read(&scratch, m->run, &all);
    if (all.waits.n && all.work.n) {
        struct sca_cutting c = sca_cutting_open(space, m);
        const double *even = even_parts(&scratch, m, &all);
        const double *charged = charge_all(&scratch, m, &all, even);
        for (uint32_t v = 0; v < m->ppg->nvertices; v++)
            if (charged[v] >= least)
                look_at(&c, &all, even, v, least, out);
    }
    sca_workspace_free(&scratch);
}
