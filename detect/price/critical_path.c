#include "price/critical_path.h"
#include "base/degrees.h"
#include "graph/same_place.h"
#include "findings/named_place.h"
#include "measure/off_cpu.h"
#include "replay/critical_walk.h"

#include <math.h>
#include <string.h>

struct path { /* what the replays play, and what of it is on the critical path */
    struct sca_stage *stage;
    struct sca_workspace *scratch;
    const struct sca_intervals *intervals;
    uint32_t nranks, nintervals;
    double *all, *all_count; /* per interval, of one rank: seconds, and events of them; of this
                                process' traces, all else of all */
    double *on, *on_count;   /* [rank * ngaps + interval] the same on the path */
    double *mean, *critical; /* per vertex, with all below: mean over the ranks; on the path */
};

/* `seconds` and `count`: of the event's rank. */
static void book(const struct path *p, const struct sca_replay *replay, uint32_t event,
                 double *seconds, double *count)
{
    struct sca_trace_event s = sca_replay_event(replay, event);
    uint32_t interval = sca_intervals_number(p->intervals, s.previous, s.site);
    if (interval == SCA_NONE)
        return;
    seconds[interval] += replay->interval[event] * replay->trace->weight;
    count[interval] += replay->trace->weight;
}

static void book_rank(const struct path *p, uint32_t rank)
{
    memset(p->all, 0, p->nintervals * sizeof *p->all);
    memset(p->all_count, 0, p->nintervals * sizeof *p->all_count);
    for (uint32_t i = 0; i < p->stage->nreplays; i++) {
        const struct sca_replay *replay = &p->stage->replays[i];
        for (uint32_t k = 0; k < replay->trace->sequences[rank].nevents; k++)
            book(p, replay, sca_replay_at(replay, rank, k), p->all, p->all_count);
    }
}

static void follow(struct path *p, const struct sca_replay *replay)
{
    struct sca_critical_walk walk;
    uint32_t event;
    sca_critical_walk_begin(&walk, replay, p->stage->m->run->profile);
    while ((event = sca_critical_walk_next(&walk)) != SCA_NO_EVENT) {
        size_t row = (size_t)sca_replay_rank(replay, event) * p->nintervals;
        book(p, replay, event, p->on + row, p->on_count + row);
    }
}

/* An interval consists of the vertices that it did in the run, in equal parts of its seconds. */
static void split(struct path *p, uint32_t rank, uint32_t interval)
{
    const struct sca_ppg_run *run = p->stage->m->run;
    size_t cell = (size_t)rank * p->nintervals + interval;
    double total = sca_measure_seconds_in(p->stage->m, rank, interval);
    for (uint32_t i = run->first_share[cell]; total > 0 && i < run->first_share[cell + 1]; i++) {
        const struct sca_ppg_share *share = &run->shares[i];
        double part = share->seconds / total;
        p->mean[share->vertex] += p->all[interval] * part / p->stage->m->npresent;
        p->critical[share->vertex] += p->on[cell] * part;
    }
}

static void open_path(struct path *p)
{
    struct sca_workspace *space = p->scratch;
    const struct sca_ppg *ppg = p->stage->m->ppg;
    size_t cells = (size_t)p->nranks * p->nintervals;
    p->all = sca_workspace_alloc(space, p->nintervals, sizeof(double));
    p->all_count = sca_workspace_alloc(space, p->nintervals, sizeof(double));
    p->on = sca_workspace_alloc(space, cells, sizeof(double));
    p->on_count = sca_workspace_alloc(space, cells, sizeof(double));
    p->mean = sca_workspace_alloc(space, ppg->nvertices, sizeof(double));
    p->critical = sca_workspace_alloc(space, ppg->nvertices, sizeof(double));
    for (uint32_t i = 0; i < p->stage->nreplays; i++)
        follow(p, &p->stage->replays[i]);
    for (uint32_t r = 0; r < p->nranks; r++) {
        book_rank(p, r);
        for (uint32_t interval = 0; interval < p->nintervals; interval++)
            split(p, r, interval);
    }
    sca_team_sum(p->stage->traces->team, p->mean, ppg->nvertices);
    sca_team_sum(p->stage->traces->team, p->critical, ppg->nvertices);
    sca_team_sum_sparse(p->stage->traces->team, p->on, cells);
    sca_team_sum_sparse(p->stage->traces->team, p->on_count, cells);
    for (uint32_t v = ppg->nvertices; v-- > 1;) {
        p->mean[ppg->vertices[v].parent] += p->mean[v];
        p->critical[ppg->vertices[v].parent] += p->critical[v];
    }
}

static double part_of(const struct path *p, uint32_t v, uint32_t rank, uint32_t interval)
{
    return sca_measure_part_in(p->stage->m, p->stage->ends, &v, 1, rank, interval);
}

/* Whether one rank alone could have put so much of it on the path. */
static bool is_of_one(const struct path *p, uint32_t v)
{
    const double *row = p->stage->m->inclusive + (size_t)v * p->nranks;
    double most = 0, sum = 0;
    for (uint32_t r = 0; r < p->nranks; r++) {
        most = fmax(most, row[r]);
        sum += row[r];
    }
    return p->critical[v] * sum < (1 + SCA_HALF) * most * p->mean[v] * p->stage->m->npresent;
}

/* Whether all ranks do it alike, so that it is the order that makes it long, not single steps. */
static bool is_order(const struct path *p, uint32_t v)
{
    double on = 0, on_count = 0, all[2] = {0}; /* seconds, events */
    for (uint32_t r = 0; r < p->nranks; r++) {
        book_rank(p, r);
        for (uint32_t interval = 0; interval < p->nintervals; interval++) {
            size_t cell = (size_t)r * p->nintervals + interval;
            if (part_of(p, v, r, interval) <= 0)
                continue;
            on += p->on[cell];
            on_count += p->on_count[cell];
            all[0] += p->all[interval];
            all[1] += p->all_count[interval];
        }
    }
    sca_team_sum(p->stage->traces->team, all, 2);
    return on_count > 0 && on / on_count < SCA_TWICE * all[0] / all[1];
}

/* Single long instances of what is done off shared cores are the scheduler's. */
static bool is_scheduling(const struct path *p, uint32_t v, double excess)
{
    bool *in = sca_workspace_alloc(p->scratch, p->nintervals, sizeof *in);
    for (uint32_t interval = 0; interval < p->nintervals; interval++)
        for (uint32_t r = 0; r < p->nranks && !in[interval]; r++)
            in[interval] = part_of(p, v, r, interval) > 0;
    return p->stage->m->shared &&
           sca_off_cpu(p->scratch, p->stage->m, in) >= SCA_HALF * excess / p->stage->m->npresent;
}

/* Whether what is known of the place, or in or around it, makes up half of such an excess: all
 * ranks wait for what some have too much. What is less has been levelled, and the order is beside
 * it. */
static bool is_known(const struct path *p, const struct sca_finding_list *known, uint32_t v,
                     double excess)
{
    const uint32_t *ends = p->stage->ends;
    for (uint32_t i = 0; i < known->count; i++) {
        const struct sca_finding *c = known->items[i];
        if (c->excess * p->stage->m->npresent < SCA_HALF * excess)
            continue;
        for (uint32_t k = 0; k < c->nvertices && !sca_finding_is_interval(c); k++) {
            uint32_t u = c->vertices[k];
            if ((v >= u && v < ends[u]) || (u >= v && u < ends[v]))
                return true;
        }
    }
    return false;
}

static bool always_alike(void *context, uint32_t a, uint32_t b)
{
    (void)context;
    (void)a;
    (void)b;
    return true;
}

static void name_ranks(const struct path *p, struct sca_finding *c)
{
    double *on = sca_workspace_alloc(p->scratch, p->nranks, sizeof *on), sum = 0;
    for (uint32_t r = 0; r < p->nranks; r++) {
        for (uint32_t interval = 0; interval < p->nintervals; interval++) {
            size_t cell = (size_t)r * p->nintervals + interval;
            double part = p->on[cell] > 0 ? part_of(p, c->vertex, r, interval) : 0;
            if (part > 0)
                on[r] += p->on[cell] * part / sca_measure_seconds_in(p->stage->m, r, interval);
        }
        sum += on[r];
    }
    c->ranks = sca_workspace_alloc(p->stage->space, p->nranks, sizeof *c->ranks);
    for (uint32_t r = 0; r < p->nranks; r++)
        if (on[r] > SCA_LITTLE * sum / p->nranks)
            c->ranks[c->nranks++] = r;
}

static void add(const struct path *p, uint32_t v, struct sca_ledger *out,
                struct sca_finding_list *known)
{
    struct sca_finding c = {.vertex = v, .transform.alike = true};
    double left = p->mean[v] / p->critical[v];
    c.category = is_order(p, v) ? SCA_CAUSE_SERIAL : SCA_CAUSE_IMBALANCE;
    c.nvertices = sca_same_place(p->stage->space, p->stage->m->ppg, v, &c.vertices);
    c.excess = (p->critical[v] - p->mean[v]) * p->stage->m->npresent;
    c.ratio = p->critical[v] / fmax(p->mean[v], SCA_NO_TIME);
    sca_finding_add_evidence(
        p->stage->space, &c,
        (struct sca_evidence){SCA_EVIDENCE_ON_PATH, 0, p->critical[v], p->mean[v]});
    name_ranks(p, &c);
    if (c.category == SCA_CAUSE_IMBALANCE && is_scheduling(p, v, c.excess)) {
        sca_ledger_append_closed(out, &c, (struct sca_outcome){.kind = SCA_OUTCOME_SCHEDULING});
        return;
    }
    c.transform.factor =
        sca_workspace_alloc(p->stage->space, p->nranks, sizeof *c.transform.factor);
    c.transform.error = sca_measure_usual_spread(p->stage->m);
    for (uint32_t r = 0; r < p->nranks; r++)
        c.transform.factor[r] = left;
    if (c.nranks)
        sca_finding_list_add(p->stage->space, known, sca_ledger_append(out, &c));
}

uint32_t sca_critical_path_find(struct sca_stage *stage, double least, struct sca_ledger *out,
                                struct sca_finding_list *known)
{
    const struct sca_ppg *ppg = stage->m->ppg;
    struct sca_workspace scratch = {.out_of_memory = stage->space->out_of_memory};
    struct path p = {.stage = stage, .scratch = &scratch, .nranks = stage->m->nranks};
    uint32_t before = known->count;
    p.intervals = &stage->m->run->intervals;
    p.nintervals = p.intervals->n;
    open_path(&p);
    bool *flagged = sca_workspace_alloc(&scratch, ppg->nvertices, sizeof *flagged);
    double *weight = sca_workspace_alloc(&scratch, ppg->nvertices, sizeof *weight);
    uint32_t *carriers = sca_workspace_alloc(&scratch, ppg->nvertices, sizeof *carriers);
    for (uint32_t v = 1; v < ppg->nvertices; v++) {
        weight[v] = fmax(0, (p.critical[v] - p.mean[v]) * stage->m->npresent);
        flagged[v] = weight[v] >= least && p.critical[v] >= SCA_TWICE * p.mean[v];
    }
    uint32_t n = sca_named_place_carriers(&scratch, ppg, stage->ends, flagged, weight, p.critical,
                                          always_alike, NULL, carriers);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t v = sca_named_place_whole(ppg, stage->ends, weight, carriers[i]);
        /* What one rank has more of is not the order's fault: if it were abnormal it would be
         * known, and if half of the ranks do other work, somebody's is left on the path. What holds
         * MPI calls is no work that could be done at the same time: who is late in it changes. */
        if (!is_known(&p, known, v, weight[v]) && !is_of_one(&p, v) &&
            !sca_named_place_calls_mpi(ppg, stage->ends, v))
            add(&p, v, out, known);
    }
    sca_workspace_free(&scratch);
    return known->count - before;
}
