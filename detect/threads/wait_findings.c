#include "threads/wait_findings.h"
#include "base/degrees.h"
#include "graph/same_place.h"
#include "threads/cutting.h"
#include "threads/thread_waits.h"

#include <math.h>

/* Of an interval of a rank: its parts of both lists. */
struct thread_work {
    const struct sca_thread_use *wait, *work;
    uint32_t nwaits, nwork;
    double seconds;   /* the rank takes, but for waits for locks within it */
    double waited;    /* of these */
    double mean;      /* of the threads that compute */
    uint32_t threads; /* these */
    bool has_regions;
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

/* Those that compute little, beside the busiest, have other things to do. What the first thread
 * does the clocks say. */
static void count_threads(struct thread_work *w)
{
    double own = fmax(0, w->seconds - w->waited), most = own, sum = 0;
    uint32_t first = 0;
    while (first < w->nwork && !w->work[first].thread)
        first++;
    for (uint32_t i = first, end; i < w->nwork; i = end)
        most = fmax(most, of_thread(w, i, &end));
    w->threads = 0;
    if (own >= SCA_RELEVANT * most) {
        sum = own;
        w->threads = 1;
    }
    for (uint32_t i = first, end; i < w->nwork; i = end) {
        double seconds = of_thread(w, i, &end);
        sum += seconds >= SCA_RELEVANT * most ? seconds : 0;
        w->threads += seconds >= SCA_RELEVANT * most;
    }
    w->mean = w->threads ? sum / w->threads : 0;
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
    size_t cell = cell_of(m, w->work);
    double seconds = sca_measure_seconds_in(m, w->work->rank, w->work->interval);
    double waited = 0;
    for (uint32_t i = 0; i < w->nwaits; i++)
        waited += w->wait[i].seconds;
    waited = fmin(seconds, fmax(waited, all->helped[cell]));
    w->has_regions = all->has_regions[cell];
    w->seconds = fmax(0, seconds - all->locked[cell]);
    w->waited = fmax(0, waited - all->locked[cell]);
}

/* The next interval of a rank in which others than its first thread compute; false: there is none.
 */
static bool next_interval(const struct sca_measure *m, const struct sca_thread_waits *all,
                          struct thread_work *w)
{
    const struct sca_thread_use *work_end = all->work.of + all->work.n;
    const struct sca_thread_use *wait_end = all->waits.of + all->waits.n;
    w->wait = w->wait ? w->wait : all->waits.of;
    w->work = w->work ? w->work + w->nwork : all->work.of;
    for (; w->work < work_end; w->work += w->nwork) {
        w->nwork = count_same(w->work, (uint32_t)(work_end - w->work));
        if (w->work[w->nwork - 1].thread)
            break;
    }
    if (w->work == work_end)
        return false;
    while (w->wait < wait_end && comes_before(w->wait, w->work))
        w->wait++;
    w->nwaits = w->wait < wait_end && is_same(w->wait, w->work)
                    ? count_same(w->wait, (uint32_t)(wait_end - w->wait))
                    : 0;
    read_times(m, all, w);
    count_threads(w);
    return true;
}

/* Seconds by place in the source: of all threads of an interval, and of one of them. */
struct place_sums {
    const uint32_t *place; /* per vertex */
    double *all, *own;
    double *path; /* of all threads, per vertex */
    bool crowded;
};

/* Whether threads share cores: then who computes most of what is handed out is chance, and a first
 * thread that takes part in it is there first. */
static bool is_crowded(const struct sca_measure *m)
{
    return m->shared || (m->cores && m->run->threads * m->nranks > m->cores);
}

/* Seconds on a call path beyond the mean of all threads there. */
static double beyond_path(const struct thread_work *w, const struct sca_thread_use *use,
                          const struct place_sums *sums)
{
    return w->threads ? fmax(0, use->seconds - sums->path[use->vertex] / w->threads) : 0;
}

/* The part of a call path in what its thread has too much of a place: as it has too much of the
 * paths to it. */
static double part_of_place(const struct thread_work *w, const struct sca_thread_use *use,
                            uint32_t n, uint32_t k, const struct place_sums *sums)
{
    uint32_t at = sums->place[use[k].vertex];
    double all = 0;
    for (uint32_t i = 0; i < n; i++)
        all += sums->place[use[i].vertex] == at ? beyond_path(w, &use[i], sums) : 0;
    return all > 0 ? beyond_path(w, &use[k], sums) / all : use[k].seconds / sums->own[at];
}

static void set_beyond_of(const struct thread_work *w, struct sca_thread_use *use, uint32_t n,
                          const struct place_sums *sums)
{
    for (uint32_t k = 0; k < n; k++)
        sums->own[sums->place[use[k].vertex]] += use[k].seconds;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t at = sums->place[use[k].vertex];
        double own = sums->own[at], others = sums->all[at] - own;
        bool is_shared_out = others >= SCA_RELEVANT * own && !w->has_regions && !sums->crowded;
        bool counts = use[k].thread || is_shared_out;
        double beyond = counts && w->threads ? fmax(0, own - sums->all[at] / w->threads) : 0;
        use[k].beyond = beyond * part_of_place(w, use, n, k, sums);
    }
    for (uint32_t k = 0; k < n; k++)
        sums->own[sums->place[use[k].vertex]] = 0;
}

/* What a thread has at a place beyond the mean of all: what all have alike is nobody's excess. Of
 * the first thread's, only what others do as well: it may have things of its own to do. */
static void set_beyond(struct sca_workspace *scratch, const struct sca_measure *m,
                       struct sca_thread_waits *all)
{
    const struct place_sums sums = {sca_same_place_find(scratch, m->ppg),
                                    sca_workspace_alloc(scratch, m->ppg->nvertices, sizeof(double)),
                                    sca_workspace_alloc(scratch, m->ppg->nvertices, sizeof(double)),
                                    sca_workspace_alloc(scratch, m->ppg->nvertices, sizeof(double)),
                                    is_crowded(m)};
    struct thread_work w = {0};
    while (next_interval(m, all, &w)) {
        struct sca_thread_use *work = all->work.of + (w.work - all->work.of);
        for (uint32_t k = 0; k < w.nwork; k++) {
            sums.all[sums.place[work[k].vertex]] += work[k].seconds;
            sums.path[work[k].vertex] += work[k].seconds;
        }
        for (uint32_t k = 0, end; k < w.nwork; k = end) {
            (void)of_thread(&w, k, &end);
            set_beyond_of(&w, work + k, end - k, &sums);
        }
        for (uint32_t k = 0; k < w.nwork; k++)
            sums.all[sums.place[work[k].vertex]] = sums.path[work[k].vertex] = 0;
    }
}

/* Whether a thread has more than others, and hardly by chance. */
static bool has_excess(const struct thread_work *w, uint16_t thread)
{
    double work = 0, beyond = 0;
    for (uint32_t k = 0; k < w->nwork; k++) {
        bool is = w->work[k].thread == thread;
        work += is ? w->work[k].seconds : 0;
        beyond += is ? w->work[k].beyond : 0;
    }
    return beyond > 0 && beyond >= SCA_RELEVANT * work;
}

/* The part of that which is at a vertex. */
static double part_of(const struct thread_work *w, uint16_t thread, uint32_t vertex)
{
    double all = 0, here = 0;
    for (uint32_t k = 0; k < w->nwork; k++) {
        bool is = w->work[k].thread == thread;
        all += is ? w->work[k].beyond : 0;
        here += is && w->work[k].vertex == vertex ? w->work[k].beyond : 0;
    }
    return has_excess(w, thread) ? here / all : 0;
}

/* What is charged to a vertex of an interval's excess: for waits the threads that are waited for,
 * and for the rest the first one. */
static double charge_of(const struct thread_work *w, uint32_t vertex, double excess,
                        double *waiting)
{
    double waited = fmin(w->waited, excess), sum = 0;
    double charged = part_of(w, 0, vertex) * (excess - waited);
    for (uint32_t i = 0; i < w->nwaits; i++)
        sum += has_excess(w, w->wait[i].thread) ? w->wait[i].seconds : 0;
    for (uint32_t i = 0; i < w->nwaits && sum > 0; i++) {
        const struct sca_thread_use *wait = &w->wait[i];
        double part = part_of(w, wait->thread, vertex);
        charged += part * waited * wait->seconds / sum;
        if (waiting)
            waiting[wait->vertex] += part * wait->seconds;
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
        even[w.work->interval] += w.mean;
        taken[w.work->interval] += w.mean > 0 ? w.seconds : 0;
    }
    for (uint32_t i = 0; i < m->run->intervals.n; i++)
        even[i] = taken[i] > 0 ? fmin(1, even[i] / taken[i]) : 1;
    return even;
}

static double excess_of(const struct thread_work *w, const double *even)
{
    return (1 - even[w->work->interval]) * w->seconds;
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
        sca_cutting_take(c, w.work->rank, w.work->interval, seconds);
        taken += w.seconds;
        mean += even[w.work->interval] * w.seconds;
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

void sca_wait_findings_of(struct sca_workspace *space, const struct sca_measure *m,
                          struct sca_thread_waits *all, double least, struct sca_ledger *out)
{
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    struct sca_cutting c = sca_cutting_open(space, m);
    set_beyond(&scratch, m, all);
    const double *even = even_parts(&scratch, m, all);
    const double *charged = charge_all(&scratch, m, all, even);
    for (uint32_t v = 0; v < m->ppg->nvertices; v++)
        if (charged[v] >= least)
            look_at(&c, all, even, v, least, out);
    sca_workspace_free(&scratch);
}

void sca_wait_findings_add(struct sca_workspace *space, const struct sca_measure *m, double least,
                           struct sca_ledger *out)
{
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    struct sca_thread_waits all;
    sca_thread_waits_read(&scratch, m->run, &all);
    if (all.work.n)
        sca_wait_findings_of(space, m, &all, least, out);
    sca_workspace_free(&scratch);
}
