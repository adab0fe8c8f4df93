#include "verdict.h"
#include "backtrack.h"
#include "cost.h"
#include "critical.h"
#include "fill.h"
#include "growth.h"
#include "interval.h"
#include "notes.h"
#include "sca_error.h"
#include "served.h"
#include "wander.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_EXCESS 0.25 /* of min-share: what several candidates may add up to */
#define SURE_RATIO   2.0  /* no contention looks like that: needs no second run */
#define LEAST_WANDER 0.1  /* of ranks x duration: single steps scatter on any machine */
#define MOST_FORCED  0.02 /* of the steps: beyond this the messages do not fit together */
#define SHARED_LEAST                                                                               \
    2.0 /* times min-share where ranks share cores: wake-ups and caches cost that */
#define LEAST_EXCHANGE 5.0 /* times min-share: like growth of computation, some is usual */

static bool fits_together(const struct sca_stage *stage)
{
    uint64_t forced = 0, steps = 1;
    for (uint32_t i = 0; i < stage->nreplays; i++) {
        forced += stage->replays[i].forced;
        steps += stage->replays[i].scene->nsteps;
    }
    return (double)forced <= MOST_FORCED * (double)steps;
}

static void open_stage(struct sca_room *room, const struct sca_measure *m, const uint32_t *ends,
                       const double *inside, struct sca_stage *stage, struct sca_scenes *scenes)
{
    struct sca_room ops = {.out_of_memory = room->out_of_memory};
    sca_scenes_build(room, &ops, m->run, scenes);
    if (inside)
        sca_scenes_add_transfer(scenes, inside, m->run->profile->nsites);
    sca_stage_open(room, m, ends, scenes, stage);
    if (!fits_together(stage)) {
        for (uint32_t i = 0; i < scenes->count; i++)
            scenes->scenes[i].no_messages = true;
        sca_stage_open(room, m, ends, scenes, stage);
    }
    sca_room_free(&ops);
}

static void measure_all(struct sca_case *c)
{
    uint32_t n = c->ppg->nruns;
    c->measures = sca_room_alloc(c->room, n, sizeof *c->measures);
    c->transfers = sca_room_alloc(c->room, n, sizeof *c->transfers);
    c->ends = sca_subtree_ends(c->room, c->ppg);
    c->last = n - 1;
    for (uint32_t i = 0; i < n; i++) {
        sca_measure_run(c->room, c->ppg, i, &c->measures[i]);
        sca_transfers_measure(c->room, &c->measures[i], &c->transfers[i]);
    }
}

/* An aborted run computed less, not faster. */
static void choose_whole(struct sca_case *c)
{
    bool usable = c->measures[c->last].run->profile->complete;
    c->whole = sca_room_alloc(c->room, c->ppg->nruns, sizeof *c->whole);
    c->whole_transfers = sca_room_alloc(c->room, c->ppg->nruns, sizeof *c->whole_transfers);
    for (uint32_t i = 0; i < c->ppg->nruns; i++) {
        if (i != c->last && !(usable && c->measures[i].run->profile->complete))
            continue;
        c->whole[c->nwhole] = c->measures[i];
        c->whole_transfers[c->nwhole++] = c->transfers[i];
    }
}

/* Before any replay: what the busiest rank computes, on all ranks. */
static double rough_base(const struct sca_measure *m)
{
    double most = 0;
    for (uint32_t r = 0; r < m->nranks; r++)
        most = fmax(most, m->rank_total[r]);
    return most * m->nranks;
}

static void find_exchanges(struct sca_case *c)
{
    double least = LEAST_EXCHANGE * c->settings->min_share * rough_base(&c->measures[c->last]);
    sca_exchanges_find(c->room, c->whole, c->whole_transfers, c->nwhole, least, &c->exchanges);
}

static void play_run(struct sca_case *c, uint32_t i)
{
    const struct sca_measure *m = &c->measures[i];
    const double *inside = sca_exchanges_per_call(c->room, m, &c->exchanges);
    open_stage(c->room, m, c->ends, inside, &c->stages[i], &c->scenes[i]);
    sca_account_run(&c->stages[i], &c->accounts[i]);
    sca_costs_open(c->room, m, i == c->last, &c->costs[i]);
    for (uint32_t k = 0; k < c->stages[i].nreplays; k++)
        sca_costs_add(c->room, m, &c->stages[i].replays[k], &c->costs[i]);
    sca_abnormal_find(c->room, m, c->ends, c->settings->abnorm_thd,
                      LEAST_EXCESS * c->settings->min_share * c->accounts[i].base,
                      &c->abnormals[i]);
}

static void play_all(struct sca_case *c)
{
    uint32_t n = c->ppg->nruns;
    c->stages = sca_room_alloc(c->room, n, sizeof *c->stages);
    c->scenes = sca_room_alloc(c->room, n, sizeof *c->scenes);
    c->accounts = sca_room_alloc(c->room, n, sizeof *c->accounts);
    c->abnormals = sca_room_alloc(c->room, n, sizeof *c->abnormals);
    c->costs = sca_room_alloc(c->room, n, sizeof *c->costs);
    for (uint32_t i = 0; i < n; i++)
        play_run(c, i);
}

/* Whether run i finds the candidate's place abnormal too; on the same ranks if it is a repetition
 * (a slow core stays with its rank within a run, not from run to run). */
static bool stands_in(struct sca_case *c, uint32_t i, const struct sca_candidate *candidate)
{
    struct sca_abnormal again;
    const struct sca_measure *m = &c->measures[i];
    double threshold = c->settings->abnorm_thd;
    int stands = candidate->between
                     ? sca_interval_judge(c->room, m, candidate->after, threshold, &again)
                     : sca_abnormal_judge(c->room, m, c->ends, candidate->vertices,
                                          candidate->nvertices, threshold, &again);
    if (!stands)
        return false;
    if (c->measures[i].nranks != c->measures[c->last].nranks)
        return true;
    for (uint32_t a = 0; a < again.nranks; a++)
        for (uint32_t b = 0; b < candidate->nranks; b++)
            if (again.ranks[a] == candidate->ranks[b])
                return true;
    return false;
}

/*
 * A difference that a busy core could make must stand in a second run. Repetitions decide by
 * majority; without any, one other run of at least three ranks must agree, for with two ranks
 * both may be the slow ones (edges).
 */
static bool is_confirmed(struct sca_case *c, const struct sca_candidate *candidate)
{
    uint32_t same = 0, agree = 0, others = 0, others_agree = 0;
    for (uint32_t i = 0; i < c->last; i++) {
        bool repetition = c->measures[i].nranks == c->measures[c->last].nranks;
        bool stands = (repetition || c->measures[i].nranks > 2) && stands_in(c, i, candidate);
        same += repetition;
        agree += repetition && stands;
        others += !repetition && c->measures[i].nranks > 2;
        others_agree += !repetition && stands;
    }
    if (same)
        return 2 * (agree + 1) > same + 1;
    if (!others || !c->measures[c->last].shared)
        return true;
    return others_agree || candidate->ratio == 0 || candidate->ratio >= SURE_RATIO;
}

/* On shared cores, who had one for longer got more of the work that is handed out. */
static bool is_chance(const struct sca_case *c, const struct sca_candidate *candidate)
{
    const struct sca_measure *m = &c->measures[c->last];
    return m->shared && sca_is_served(c->room, m, c->ends, candidate);
}

static void drop_unconfirmed(struct sca_case *c, struct sca_candidates *candidates)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < candidates->count; i++)
        if (is_confirmed(c, &candidates->items[i]) && !is_chance(c, &candidates->items[i]))
            candidates->items[kept++] = candidates->items[i];
    candidates->count = kept;
}

static void find_candidates(struct sca_case *c)
{
    const struct sca_measure *m = &c->measures[c->last];
    struct sca_candidates *out = &c->candidates;
    out->items = sca_room_alloc(c->room, 3 * (size_t)c->ppg->nvertices, sizeof *out->items);
    sca_candidates_abnormal(c->room, c->measures, c->ppg->nruns, c->ends, &c->abnormals[c->last],
                            c->settings->abnorm_thd, out);
    sca_candidates_interval(c->room, m, c->ends, c->settings->abnorm_thd,
                            LEAST_EXCESS * c->settings->min_share * c->accounts[c->last].base, out);
    drop_unconfirmed(c, out);
    if (c->scenes[c->last].recorded)
        sca_candidates_wander(c->room, m, c->ends, &c->scenes[c->last], c->settings->abnorm_thd,
                              LEAST_WANDER * c->accounts[c->last].base, out);
    sca_growth_find(c->room, c->whole, c->nwhole, c->ends, c->settings,
                    c->settings->min_share * c->accounts[c->last].base, &c->growths);
    sca_candidates_growth(c->room, m, c->ends, &c->growths, out);
    sca_candidates_exchange(c->room, m, &c->exchanges, out);
}

/* What the others wait because of the candidate's ranks in its vertices. */
static void price(const struct sca_case *c, struct sca_candidate *candidate)
{
    const struct sca_costs *costs = &c->costs[c->last];
    uint32_t nranks = c->measures[c->last].nranks;
    for (uint32_t k = 0; k < candidate->nvertices; k++)
        for (uint32_t v = candidate->vertices[k]; v < c->ends[candidate->vertices[k]]; v++)
            for (uint32_t i = 0; i < candidate->nranks; i++) {
                size_t cell = (size_t)v * nranks + candidate->ranks[i];
                candidate->cost += costs->of[cell];
                candidate->direct += costs->direct_of[cell];
            }
}

/* Growth costs its own excess; communication that grows, the waits it causes as well. */
static void price_candidates(struct sca_case *c)
{
    for (uint32_t i = 0; i < c->candidates.count; i++) {
        struct sca_candidate *candidate = &c->candidates.items[i];
        bool communicates = candidate->category == SCA_CAUSE_COMMUNICATION;
        candidate->cost = candidate->direct = 0;
        if (candidate->category != SCA_CAUSE_NONSCALABLE && !candidate->between)
            price(c, candidate);
        candidate->indirect = candidate->cost - candidate->direct;
        if (communicates || candidate->category == SCA_CAUSE_NONSCALABLE)
            candidate->cost += candidate->excess;
    }
}

/* Waits of the replays as they stand, per MPI vertex. */
static double *waits_by_vertex(struct sca_case *c)
{
    const struct sca_stage *stage = &c->stages[c->last];
    double *waits = sca_room_alloc(c->room, c->ppg->nvertices, sizeof *waits);
    for (uint32_t i = 0; i < stage->nreplays; i++) {
        const struct sca_replay *replay = &stage->replays[i];
        for (uint32_t s = 0; s < replay->scene->nsteps; s++) {
            uint32_t v = sca_step_vertex(stage->m->run, sca_replay_step(replay, s));
            if (v != SCA_NONE)
                waits[v] += (replay->exit[s] - replay->enter[s]) * replay->scene->weight;
        }
    }
    return waits;
}

/* Waits per vertex with one cause levelled (`only`), or all but that one. */
static double *waits_with(struct sca_case *c, uint32_t cause, bool only)
{
    struct sca_candidate **levelled = sca_room_alloc(c->room, c->ncauses, sizeof *levelled);
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->ncauses; i++)
        if ((i == cause) == only)
            levelled[n++] = &c->candidates.items[i];
    sca_whatif(&c->stages[c->last], levelled, n);
    return waits_by_vertex(c);
}

/* A cause's symptoms are the waits that go when it is levelled; first of all causes or last,
 * whichever is more, for another cause may hide it. */
static void find_symptoms_of(struct sca_case *c, uint32_t i, const double *none, const double *all)
{
    const double *alone = waits_with(c, i, true), *but_it = waits_with(c, i, false);
    struct sca_candidate *cause = &c->candidates.items[i];
    double sum = 0;
    c->symptoms[i] = sca_room_alloc(c->room, c->ppg->nvertices, sizeof(double));
    for (uint32_t v = 0; v < c->ppg->nvertices; v++)
        sum += c->symptoms[i][v] = fmax(0, fmax(none[v] - alone[v], but_it[v] - all[v]));
    if (cause->wanders || cause->between) /* waits are charged to vertices: not known by these */
        cause->cost = cause->direct = sum;
}

static void find_symptoms(struct sca_case *c)
{
    struct sca_stage *stage = &c->stages[c->last];
    c->symptoms = sca_room_alloc(c->room, c->ncauses, sizeof *c->symptoms);
    c->chains = sca_room_alloc(c->room, c->ncauses, sizeof *c->chains);
    sca_whatif(stage, NULL, 0);
    const double *none = waits_by_vertex(c), *all = waits_with(c, SCA_NONE, false);
    for (uint32_t i = 0; i < c->ncauses; i++)
        find_symptoms_of(c, i, none, all);
    sca_whatif(stage, NULL, 0);
    for (uint32_t i = 0; i < c->ncauses; i++)
        sca_backtrack(c->room, stage->m, stage->replays, stage->nreplays, &c->candidates.items[i],
                      c->symptoms[i], &c->chains[i]);
}

/* The least a cause must save, as a share of the largest run. */
static double least_share(const struct sca_case *c)
{
    return c->settings->min_share * (c->measures[c->last].shared ? SHARED_LEAST : 1);
}

static bool has_rank(const struct sca_candidate *candidate, uint32_t rank)
{
    for (uint32_t i = 0; i < candidate->nranks; i++)
        if (candidate->ranks[i] == rank)
            return true;
    return false;
}

/* Whether either all ranks have none of the one or none of the other: two kinds of work, done by
 * two groups of ranks. */
static bool share_ranks_out(const struct sca_candidate *a, const struct sca_candidate *b,
                            uint32_t nranks)
{
    if (a->ratio > 0 || b->ratio > 0 || a->wanders || b->wanders)
        return false;
    for (uint32_t r = 0; r < nranks; r++)
        if (has_rank(a, r) == has_rank(b, r))
            return false;
    return true;
}

/* Work of one group that saves nothing alone only looks like a cause because that of the other
 * group was levelled away before: nobody is left who does neither, to compare with. */
static bool drop_work_beside(struct sca_case *c, double least)
{
    uint32_t kept = 0, nranks = c->measures[c->last].nranks;
    struct sca_candidate *items = c->candidates.items;
    for (uint32_t i = 0; i < c->ncauses; i++) {
        bool beside = false;
        for (uint32_t k = 0; k < kept && items[i].alone < least; k++)
            beside |= share_ranks_out(&items[i], &items[k], nranks);
        if (!beside)
            items[kept++] = items[i];
    }
    bool dropped = kept < c->ncauses;
    c->ncauses = kept;
    return dropped;
}

static void rank_once(struct sca_case *c, double least)
{
    struct sca_candidates *all = &c->candidates;
    struct sca_stage *stage = &c->stages[c->last];
    c->ncauses = sca_whatif_rank(c->room, stage, all->items, all->count, least);
    if (drop_work_beside(c, least))
        c->ncauses = sca_whatif_rank(c->room, stage, all->items, c->ncauses, least);
}

/* What the causes found so far leave on the critical path may be a cause too; then all are ranked
 * again, for they may hide each other. */
static void rank_candidates(struct sca_case *c)
{
    struct sca_stage *stage = &c->stages[c->last];
    struct sca_candidate **levelled;
    double base = c->accounts[c->last].base, least = least_share(c) * base;
    rank_once(c, least);
    levelled = sca_room_alloc(c->room, c->ncauses, sizeof *levelled);
    for (uint32_t i = 0; i < c->ncauses; i++)
        levelled[i] = &c->candidates.items[i];
    sca_whatif(stage, levelled, c->ncauses);
    c->candidates.count = c->ncauses;
    if (!sca_candidates_critical(stage, LEAST_WANDER * base, &c->candidates))
        return;
    price_candidates(c);
    rank_once(c, least);
}

static void analyse(struct sca_case *c)
{
    measure_all(c);
    choose_whole(c);
    find_exchanges(c);
    play_all(c);
    find_candidates(c);
    price_candidates(c);
    rank_candidates(c);
    find_symptoms(c);
}

/* Alone in its function: locals of a caller of setjmp are lost when it returns twice. */
static int analyse_guarded(struct sca_case *c)
{
    jmp_buf out_of_memory;
    c->room->out_of_memory = &out_of_memory;
    if (setjmp(out_of_memory))
        return sca_fail(SCA_ENOMEM, "out of memory");
    analyse(c);
    sca_report_fill(c);
    return SCA_OK;
}

int sca_verdict_find(const struct sca_ppg *ppg, const struct sca_settings *settings,
                     struct sca_verdict *out)
{
    struct sca_room room = {0};
    struct sca_case c = {.ppg = ppg, .settings = settings, .room = &room};
    *out = (struct sca_verdict){0};
    c.report = sca_report_new();
    if (!c.report)
        return sca_fail(SCA_ENOMEM, "out of memory");
    int status = analyse_guarded(&c);
    if (status == SCA_OK) {
        out->report = c.report;
        out->least_share = least_share(&c);
    } else
        sca_report_free(c.report);
    sca_room_free(&room);
    return status;
}

void sca_verdict_free(struct sca_verdict *verdict)
{
    if (verdict->report)
        sca_report_free(verdict->report);
    *verdict = (struct sca_verdict){0};
}
