#include "verdict/confirm.h"
#include "base/degrees.h"
#include "measure/sides.h"
#include "imbalance/slow_ranks.h"
#include "confirm/borne_out.h"
#include "stats/rank_correspondence.h"
#include "imbalance/interval_findings.h"
#include "imbalance/single_instance.h"
#include "imbalance/work_queue.h"
#include "imbalance/off_cpu_stall.h"
#include "imbalance/skew.h"

#include <math.h>

/* On the same ranks if it is a repetition (a slow core stays with its rank within a run, not from
 * run to run), most of them on ranks like these if it came once, as a disturbance does, now here,
 * now there; and more than a trifle. */
static bool agrees(const struct sca_analysis *c, uint32_t i, const struct sca_finding *finding,
                   const struct sca_abnormal *again)
{
    uint32_t nranks = c->measures[c->last].nranks, nothers = c->measures[i].nranks;
    uint32_t such = sca_rank_correspondence_count(finding->ranks, finding->nranks, nranks,
                                                  again->ranks, again->nranks, nothers);
    if (sca_finding_is_doubted(finding) && again->doubted) /* two doubtful runs decide nothing */
        return false;
    if (again->most < SCA_LITTLE * finding->excess / finding->nranks)
        return false;
    if (sca_finding_has(finding, SCA_EVIDENCE_SINGLE))
        return 2 * such > finding->nranks;
    return such || nothers != nranks;
}

/* Whether run i has the line abnormal by its samples. *found: what it has there, if anything. */
static bool is_sampled(struct sca_analysis *c, uint32_t i, const struct sca_finding *finding,
                       struct sca_abnormal *found)
{
    struct sca_abnormal again;
    if (!sca_abnormal_judge(c->space, &c->measures[i], c->ends, finding->vertices,
                            finding->nvertices, SCA_ANY_RATIO, &again))
        return false;
    *found = again;
    return agrees(c, i, finding, &again);
}

/* Whether it has by exact times what lies between two calls. */
static bool is_timed(struct sca_analysis *c, uint32_t i, const struct sca_finding *finding,
                     struct sca_abnormal *found)
{
    struct sca_abnormal again;
    struct sca_interval_bounds bounds = sca_finding_bounds(finding);
    if (!sca_interval_findings_judge(c->space, &c->measures[i], &bounds, SCA_ANY_RATIO, &again))
        return false;
    *found = again;
    return agrees(c, i, finding, &again);
}

/* Whether its exact times bear out the line: on the way that holds most of it, or on all. */
static bool is_borne_out(struct sca_analysis *c, uint32_t i, const struct sca_finding *finding,
                         struct sca_abnormal *found)
{
    struct sca_abnormal again;
    struct sca_interval_bounds bounds;
    if (sca_borne_out_bounds_of_line(c->space, &c->measures[c->last], c->ends, finding, &bounds) &&
        sca_borne_out_is(c->space, &c->measures[i], c->ends, &bounds, finding, SCA_ANY_RATIO,
                         &again)) {
        *found = again;
        if (agrees(c, i, finding, &again))
            return true;
    }
    if (!sca_borne_out_is_around(c->space, &c->measures[i], c->ends, finding, SCA_ANY_RATIO,
                                 &again))
        return false;
    *found = again;
    return agrees(c, i, finding, &again);
}

/* Whether run i finds the finding's place abnormal too. */
static bool stands_in(struct sca_analysis *c, uint32_t i, const struct sca_finding *finding,
                      struct sca_abnormal *found)
{
    bool by_interval = finding->interval.part != SCA_NO_INTERVAL;
    *found = (struct sca_abnormal){0};
    if ((by_interval ? is_timed : is_sampled)(c, i, finding, found))
        return true;
    return !sca_finding_is_interval(finding) && is_borne_out(c, i, finding, found);
}

/* The same, put down as evidence. */
static bool ask_run(struct sca_analysis *c, uint32_t i, const struct sca_finding *finding)
{
    struct sca_abnormal found;
    bool stands = stands_in(c, i, finding, &found);
    struct sca_evidence evidence = {stands ? SCA_EVIDENCE_STANDS_IN : SCA_EVIDENCE_NOT_IN, i,
                                    stands ? found.ratio : found.nranks, found.excess};
    sca_ledger_add_evidence(&c->findings, finding, evidence);
    return stands;
}

static void mark_ranks(const struct sca_finding *finding, bool *named)
{
    for (uint32_t i = 0; i < finding->nranks; i++)
        named[finding->ranks[i]] = true;
}

/* How many times as long as the others its ranks take where the code of its place runs. */
static double ratio_around(const struct sca_analysis *c, const struct sca_finding *finding)
{
    const struct sca_measure *m = &c->measures[c->last];
    struct sca_workspace scratch = {.out_of_memory = c->space->out_of_memory};
    const struct sca_within place = {c->ends, finding->vertices, finding->nvertices};
    bool *named = sca_workspace_alloc(&scratch, m->nranks, sizeof *named);
    mark_ranks(finding, named);
    bool *on = sca_workspace_alloc(&scratch, m->run->intervals.n, sizeof *on);
    double *seconds = sca_workspace_alloc(&scratch, m->nranks, sizeof *seconds);
    sca_slow_ranks_mark_around(&scratch, m, &place, named, on);
    sca_slow_ranks_time_marked(m, on, seconds);
    struct sca_sides sides = sca_sides_of(&scratch, m, seconds, finding->ranks, finding->nranks);
    sca_workspace_free(&scratch);
    return sca_sides_ratio(&sides, finding->nranks);
}

static bool is_sure(const struct sca_analysis *c, const struct sca_finding *finding)
{
    /* no contention looks like that */
    if (finding->ratio > 0 && finding->ratio < SCA_TWICE)
        return false;
    /* contention falls on what is bound by memory: 1.47 for two of eight ranks without a defect */
    return sca_finding_is_interval(finding) || ratio_around(c, finding) >= 1 + SCA_HALF;
}

/*
 * A difference that a busy core could make must stand in a second run, and so must what a rank did
 * in one step of many. Repetitions decide by majority; without any, one other run of at least three
 * ranks must agree, for with two ranks both may be the slow ones (edges). Where no run can be
 * asked, what came again and again is believed; what came once, only if no busy core makes it.
 */
static bool is_confirmed(struct sca_analysis *c, const struct sca_finding *finding)
{
    uint32_t same = 0, agree = 0, others = 0, others_agree = 0;
    for (uint32_t i = 0; i < c->last; i++) {
        bool repetition = c->measures[i].nranks == c->measures[c->last].nranks;
        bool stands = (repetition || c->measures[i].nranks > 2) && ask_run(c, i, finding);
        same += repetition;
        agree += repetition && stands;
        others += !repetition && c->measures[i].nranks > 2;
        others_agree += !repetition && stands;
    }
    if (same)
        return 2 * (agree + 1) > same + 1;
    bool single = sca_finding_has(finding, SCA_EVIDENCE_SINGLE);
    if (others && single)
        return others_agree;
    if (!c->measures[c->last].shared || (!others && !single))
        return true;
    return others_agree || is_sure(c, finding);
}

/* On shared cores, who had one for longer got more of the work that is handed out: then only slower
 * pieces tell something. */
static void ask_work_queue(struct sca_analysis *c, const struct sca_finding *finding)
{
    const struct sca_measure *m = &c->measures[c->last];
    double threshold = c->settings->abnorm_thd * (1 + m->noise_level);
    struct sca_finding slow;
    if (!m->shared || !sca_work_queue_is(c->space, m, c->ends, finding))
        return;
    if (!sca_work_queue_keep_slow_pieces(c->space, m, c->ends, threshold, finding, &slow)) {
        sca_ledger_close(&c->findings, finding, (struct sca_outcome){.kind = SCA_OUTCOME_CHANCE});
        return;
    }
    sca_finding_add_evidence(c->space, &slow,
                             (struct sca_evidence){.kind = SCA_EVIDENCE_SLOW_PIECES});
    sca_ledger_refine(&c->findings, finding, &slow);
}

static bool stands_in_another(struct sca_analysis *c, const struct sca_finding *finding)
{
    struct sca_abnormal found;
    for (uint32_t i = 0; i < c->last; i++)
        if (stands_in(c, i, finding, &found))
            return true;
    return false;
}

/* Whether a run decides what the last one leaves open, by what it has at the place beyond what
 * cores make (agrees). Where ranks share cores, both of two may be the slow ones; of more, that a
 * slow core is with the same rank again, and falls on the same place, is not to be expected. */
static bool decides(const struct sca_analysis *c, uint32_t i, const struct sca_finding *finding,
                    const struct sca_abnormal *found)
{
    const struct sca_measure *m = &c->measures[i];
    if (!m->shared)
        return true;
    return m->nranks > 2 && sca_rank_correspondence_count(finding->ranks, finding->nranks,
                                                          c->measures[c->last].nranks, found->ranks,
                                                          found->nranks, m->nranks) > 0;
}

/* SCA_NONE: none does. */
static uint32_t settled_by(struct sca_analysis *c, const struct sca_finding *finding)
{
    struct sca_abnormal found;
    for (uint32_t i = 0; i < c->last; i++)
        if (c->measures[i].nranks > 1 && stands_in(c, i, finding, &found) &&
            decides(c, i, finding, &found))
            return i;
    return SCA_NONE;
}

static void put_down(struct sca_analysis *c, const struct sca_finding *finding,
                     enum sca_evidence_kind kind, uint32_t of, double number)
{
    sca_ledger_add_evidence(&c->findings, finding,
                            (struct sca_evidence){.kind = kind, .of = of, .number = number});
}

/* What came once, and in no other run: off the core, or in one step of many. */
static void ask_whether_once(struct sca_analysis *c, const struct sca_finding *each)
{
    const struct sca_measure *m = &c->measures[c->last];
    double seconds;
    uint64_t single = sca_single_instance_of(c->space, m, c->ends, &c->traces[c->last], each);
    if (single)
        put_down(c, each, SCA_EVIDENCE_SINGLE, 0, (double)single);
    if (sca_off_cpu_stall_is(m, c->ends, each, &seconds) && !stands_in_another(c, each))
        put_down(c, each, SCA_EVIDENCE_OFF_CORE, 0, seconds);
}

/* What cores may have done. Of what is skewed other runs were asked when it was found; what is sure
 * needs none. */
static void ask_whether_cores(struct sca_analysis *c, const struct sca_finding *each)
{
    uint32_t run = sca_finding_is_doubted(each) ? settled_by(c, each) : SCA_NONE;
    if (run != SCA_NONE)
        put_down(c, each, SCA_EVIDENCE_SETTLED, run, 0);
    if (!sca_finding_has(each, SCA_EVIDENCE_SKEWED)) {
        if (!is_confirmed(c, each))
            put_down(c, each, SCA_EVIDENCE_NOT_CONFIRMED, 0, 0);
        return;
    }
    enum sca_belief belief =
        sca_skew_belief(c->space, &c->measures[c->last], c->settings->abnorm_thd, each);
    if (belief == SCA_NOT_BELIEVED || (belief == SCA_DOUBTED && !is_sure(c, each)))
        put_down(c, each,
                 belief == SCA_DOUBTED ? SCA_EVIDENCE_PATTERN_DOUBTED : SCA_EVIDENCE_SLOW_ELSEWHERE,
                 0, 0);
}

static void ask(struct sca_analysis *c, const struct sca_finding *each)
{
    ask_whether_once(c, each);
    ask_whether_cores(c, each);
    put_down(c, each, SCA_EVIDENCE_ASKED, 0, 0);
    if (sca_finding_has(each, SCA_EVIDENCE_OFF_CORE))
        return;
    ask_work_queue(c, each);
}

void sca_confirm_ask(struct sca_analysis *c)
{
    struct sca_finding_list open = {0};
    for (uint32_t i = 0; i < c->findings.open.count; i++)
        sca_finding_list_add(c->space, &open, c->findings.open.items[i]);
    for (uint32_t i = 0; i < open.count; i++)
        if (!sca_finding_has(open.items[i], SCA_EVIDENCE_ASKED) &&
            !sca_finding_rotates(open.items[i]))
            ask(c, open.items[i]);
}
