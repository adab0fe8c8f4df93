#include "verdict/confirm.h"
#include "imbalance/slow_ranks.h"
#include "confirm/borne_out.h"
#include "stats/rank_correspondence.h"
#include "imbalance/interval_findings.h"
#include "stats/regression.h"
#include "imbalance/single_instance.h"
#include "imbalance/work_queue.h"
#include "imbalance/off_cpu_stall.h"
#include "imbalance/skew.h"

#include <math.h>

/* No contention looks like that, and needs no second run: of a place, and of all that its ranks
 * compute between the same calls, for contention falls on what is bound by memory in it. */
#define SURE_RATIO 2.0
#define SURE_WHOLE 1.5
#define AS_MUCH    0.1 /* of a rank's excess: what another run must have of it to agree */

/* On the same ranks if it is a repetition (a slow core stays with its rank within a run, not from
 * run to run), most of them on ranks like these if it came once, as a disturbance does, now here,
 * now there; and more than a trifle. */
static bool agrees(const struct sca_case *c, uint32_t i, const struct sca_candidate *candidate,
                   const struct sca_abnormal *again)
{
    uint32_t nranks = c->measures[c->last].nranks, nothers = c->measures[i].nranks;
    uint32_t such = sca_corresponding_ranks(candidate->ranks, candidate->nranks, nranks,
                                            again->ranks, again->nranks, nothers);
    if (candidate->doubted && again->doubted) /* two doubtful runs decide nothing */
        return false;
    if (again->most < AS_MUCH * candidate->excess / candidate->nranks)
        return false;
    if (candidate->once)
        return 2 * such > candidate->nranks;
    return such || nothers != nranks;
}

/* Whether run i has the line abnormal by its samples. */
static bool is_sampled(struct sca_case *c, uint32_t i, const struct sca_candidate *candidate)
{
    struct sca_abnormal again;
    return sca_abnormal_judge(c->room, &c->measures[i], c->ends, candidate->vertices,
                              candidate->nvertices, SCA_ANY_RATIO, &again) &&
           agrees(c, i, candidate, &again);
}

/* Whether it has by exact times what lies between two calls. */
static bool is_timed(struct sca_case *c, uint32_t i, const struct sca_candidate *candidate)
{
    struct sca_abnormal again;
    struct sca_way way = sca_candidate_way(candidate);
    return sca_interval_judge(c->room, &c->measures[i], &way, SCA_ANY_RATIO, &again) &&
           agrees(c, i, candidate, &again);
}

/* Whether its exact times bear out the line: on the way that holds most of it, or on all. */
static bool is_borne_out(struct sca_case *c, uint32_t i, const struct sca_candidate *candidate)
{
    struct sca_abnormal again;
    struct sca_way way;
    if (sca_way_of_line(c->room, &c->measures[c->last], c->ends, candidate, &way) &&
        sca_is_borne_out(c->room, &c->measures[i], c->ends, &way, candidate, SCA_ANY_RATIO,
                         &again) &&
        agrees(c, i, candidate, &again))
        return true;
    return sca_is_borne_out_around(c->room, &c->measures[i], c->ends, candidate, SCA_ANY_RATIO,
                                   &again) &&
           agrees(c, i, candidate, &again);
}

/* Whether run i finds the candidate's place abnormal too. */
static bool stands_in(struct sca_case *c, uint32_t i, const struct sca_candidate *candidate)
{
    if (candidate->between)
        return is_timed(c, i, candidate);
    return (candidate->in_interval ? is_timed : is_sampled)(c, i, candidate) ||
           is_borne_out(c, i, candidate);
}

static enum sca_belief belief_in(struct sca_case *c, const struct sca_candidate *candidate)
{
    return sca_uneven_belief(c->room, &c->measures[c->last], c->settings->abnorm_thd, candidate);
}

static void mark_ranks(const struct sca_candidate *candidate, bool *named)
{
    for (uint32_t i = 0; i < candidate->nranks; i++)
        named[candidate->ranks[i]] = true;
}

/* How many times as long as the others its ranks take where the code of its place runs. */
static double ratio_around(const struct sca_case *c, const struct sca_candidate *candidate)
{
    const struct sca_measure *m = &c->measures[c->last];
    struct sca_room scratch = {.out_of_memory = c->room->out_of_memory};
    const struct sca_within place = {c->ends, candidate->vertices, candidate->nvertices};
    bool *named = sca_room_alloc(&scratch, m->nranks, sizeof *named);
    double *others = sca_room_alloc(&scratch, m->nranks, sizeof *others), sum = 0;
    mark_ranks(candidate, named);
    bool *on = sca_room_alloc(&scratch, m->run->gaps.n, sizeof *on);
    double *seconds = sca_room_alloc(&scratch, m->nranks, sizeof *seconds);
    uint32_t n = 0;
    sca_mark_around(&scratch, m, &place, named, on);
    sca_time_marked(m, on, seconds);
    for (uint32_t r = 0; r < m->nranks; r++)
        if (named[r])
            sum += seconds[r] / candidate->nranks;
        else if (sca_is_present(m, r))
            others[n++] = seconds[r];
    double usual = sca_median(others, n);
    sca_room_free(&scratch);
    return usual > 0 ? sum / usual : INFINITY;
}

static bool is_sure(const struct sca_case *c, const struct sca_candidate *candidate)
{
    if (candidate->ratio > 0 && candidate->ratio < SURE_RATIO)
        return false;
    return candidate->between || ratio_around(c, candidate) >= SURE_WHOLE;
}

/*
 * A difference that a busy core could make must stand in a second run, and so must what a rank did
 * in one step of many. Repetitions decide by
 * majority; without any, one other run of at least three ranks must agree, for with two ranks
 * both may be the slow ones (edges).
 */
static bool is_confirmed(struct sca_case *c, const struct sca_candidate *candidate)
{
    if (candidate->uneven) /* other runs were asked */
        return belief_in(c, candidate) == SCA_BELIEVED;
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
    if (others && candidate->once)
        return others_agree;
    if (!others || !c->measures[c->last].shared)
        return true;
    return others_agree || is_sure(c, candidate);
}

/* On shared cores, who had one for longer got more of the work that is handed out: then only slower
 * pieces tell something. */
static bool is_chance(const struct sca_case *c, struct sca_candidate *candidate)
{
    const struct sca_measure *m = &c->measures[c->last];
    double threshold = c->settings->abnorm_thd * (1 + m->noise_level);
    return m->shared && sca_is_served(c->room, m, c->ends, candidate) &&
           !sca_keep_slow_pieces(c->room, m, c->ends, threshold, candidate);
}

static bool stands_in_another(struct sca_case *c, const struct sca_candidate *candidate)
{
    for (uint32_t i = 0; i < c->last; i++)
        if (stands_in(c, i, candidate))
            return true;
    return false;
}

/* A run in which each rank had a core decides what shared cores leave open. */
static bool is_settled(struct sca_case *c, const struct sca_candidate *candidate)
{
    for (uint32_t i = 0; i < c->last; i++)
        if (!c->measures[i].shared && c->measures[i].nranks > 1 && stands_in(c, i, candidate))
            return true;
    return false;
}

/* What came once, and in no other run: off the core, or in one step of many. What cores may have
 * done. */
static void set_aside(struct sca_case *c, struct sca_candidate *each)
{
    double seconds;
    each->once = sca_only_once(c->room, &c->measures[c->last], c->ends, &c->scenes[c->last], each);
    bool stall =
        sca_is_stall(&c->measures[c->last], c->ends, each, &seconds) && !stands_in_another(c, each);
    each->stalled = stall ? seconds : 0;
    each->doubted &= !is_settled(c, each);
    each->doubted |= !each->once && !each->uneven && !is_confirmed(c, each);
    each->aside = stall || each->doubted || (each->once && !is_confirmed(c, each)) ||
                  (each->uneven && belief_in(c, each) == SCA_DOUBTED);
}

static bool stays(struct sca_case *c, struct sca_candidate *each)
{
    if (each->settled || each->wanders)
        return true;
    set_aside(c, each);
    each->settled = true;
    return each->stalled > 0 || ((each->aside || is_confirmed(c, each)) && !is_chance(c, each));
}

void sca_drop_unconfirmed(struct sca_case *c, struct sca_candidates *candidates)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < candidates->count; i++)
        if (stays(c, &candidates->items[i]))
            candidates->items[kept++] = candidates->items[i];
    candidates->count = kept;
}
