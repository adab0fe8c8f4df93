#include "threads/lock_findings.h"
#include "threads/cutting.h"
#include "threads/lock_waits.h"

struct contention {
    const struct sca_lock_waits *locks;
    double *waited;    /* [rank * intervals + interval] for all locks */
    double *by_vertex; /* of the holder at hand: where threads wait for it */
};

static size_t cell_of(const struct sca_measure *m, const struct sca_lock_use *use)
{
    return (size_t)use->rank * m->run->intervals.n + use->interval;
}

/* For the locks that are had from that call. A lock may be had from several: each has its part. */
static void share_waits(const struct contention *of, uint32_t holder)
{
    const struct sca_lock_uses *waits = &of->locks->waits, *holders = &of->locks->holders;
    for (uint32_t i = 0; i < waits->n; i++) {
        const struct sca_lock_use *w = &waits->of[i];
        double all = 0, own = 0;
        for (uint32_t k = 0; k < holders->n; k++) {
            const struct sca_lock_use *h = &holders->of[k];
            bool same = h->rank == w->rank && h->number == w->number;
            all += same ? h->seconds : 0;
            own += same && h->vertex == holder ? h->seconds : 0;
        }
        of->by_vertex[w->vertex] += all > 0 ? w->seconds * own / all : 0;
    }
}

static void list_waits(const struct sca_cutting *c, const struct contention *of,
                       struct sca_finding *draft)
{
    uint32_t nv = c->m->ppg->nvertices;
    struct sca_finding_wait *list = sca_workspace_alloc(c->space, of->locks->waits.n, sizeof *list);
    for (uint32_t v = 0; v < nv; v++) {
        if (of->by_vertex[v] > 0)
            list[draft->nwaits++] = (struct sca_finding_wait){v, of->by_vertex[v]};
        of->by_vertex[v] = 0;
    }
    draft->waits = list;
}

static void look_at(struct sca_cutting *c, const struct contention *of, uint32_t holder,
                    double least, struct sca_ledger *out)
{
    struct sca_finding draft = {.vertex = holder, .category = SCA_CAUSE_CONTENTION};
    sca_cutting_begin(c);
    for (uint32_t i = 0; i < of->locks->holders.n; i++) {
        const struct sca_lock_use *use = &of->locks->holders.of[i];
        size_t cell = cell_of(c->m, use);
        if (use->vertex == holder && of->waited[cell] > 0)
            sca_cutting_take(c, use->rank, use->interval,
                             of->locks->contended[cell] * use->seconds / of->waited[cell]);
    }
    share_waits(of, holder);
    list_waits(c, of, &draft);
    sca_cutting_put(c, draft, least, out);
}

void sca_lock_findings_add(struct sca_workspace *space, const struct sca_measure *m, double least,
                           struct sca_ledger *out)
{
    struct sca_lock_waits locks;
    sca_lock_waits_read(space, m->run, &locks);
    if (!locks.holders.n)
        return;
    struct sca_cutting c = sca_cutting_open(space, m);
    struct contention of = {&locks, NULL, NULL};
    of.waited =
        sca_workspace_alloc(space, (size_t)m->nranks * m->run->intervals.n, sizeof *of.waited);
    of.by_vertex = sca_workspace_alloc(space, m->ppg->nvertices, sizeof *of.by_vertex);
    bool *seen = sca_workspace_alloc(space, m->ppg->nvertices, sizeof *seen);
    for (uint32_t i = 0; i < locks.holders.n; i++)
        of.waited[cell_of(m, &locks.holders.of[i])] += locks.holders.of[i].seconds;
    for (uint32_t i = 0; i < locks.holders.n; i++) {
        uint32_t holder = locks.holders.of[i].vertex;
        if (!seen[holder])
            look_at(&c, &of, holder, least, out);
        seen[holder] = true;
    }
}
