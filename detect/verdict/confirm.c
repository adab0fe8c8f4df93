#include "verdict/confirm.h"
#include "base/degrees.h"
#include "measure/sides.h"
#include "imbalance/code_intervals.h"
#include "confirm/replicate.h"
#include "imbalance/single_instance.h"
#include "imbalance/off_cpu_stall.h"
#include "price/served_order.h"
#include "imbalance/skew.h"

#include <math.h>

enum reply { SAYS_NOTHING, HAS_IT, HAS_NOTHING };

struct answer { /* of a run; all zero: it was not asked */
    enum reply reply;
    struct sca_replicate there;
};

/* A run has it if its corresponding ranks take longer by more than chance, and by a good part of
 * what these do here; it has nothing of it if they take less than half of that by more than chance
 * in either. In seconds where it computes more: what stays the same is less of that. */
static enum reply reply_of(const struct sca_replicate *there, const struct sca_replicate *here)
{
    double units = fmax(1, there->unit / here->unit), effect = units * there->effect;
    if (there->effect >= SCA_THREE_SIGMAS * there->error && effect >= SCA_QUARTER * here->effect)
        return HAS_IT;
    double error = hypot(units * there->error, SCA_HALF * here->error);
    return SCA_HALF * here->effect - effect > SCA_TWO_SIGMAS * error ? HAS_NOTHING : SAYS_NOTHING;
}

/* What each run but the last says of the finding; from the workspace. */
static struct answer *ask_runs(struct sca_analysis *c, const struct sca_finding *finding)
{
    struct answer *answers = sca_workspace_alloc(c->space, c->last + 1, sizeof *answers);
    uint32_t nranks = c->measures[c->last].nranks;
    const struct sca_measure *last = &c->measures[c->last];
    struct sca_replicate here;
    if (!c->last || !sca_replicate_ask(c->space, last, c->ends, finding, nranks, &here))
        return answers;
    for (uint32_t i = 0; i < c->last; i++)
        if (sca_replicate_ask(c->space, &c->measures[i], c->ends, finding, nranks,
                              &answers[i].there))
            answers[i].reply = reply_of(&answers[i].there, &here);
    return answers;
}

static void put_answer_down(struct sca_analysis *c, const struct sca_finding *finding, uint32_t i,
                            const struct answer *answer)
{
    enum sca_evidence_kind kind =
        answer->reply == HAS_IT ? SCA_EVIDENCE_STANDS_IN : SCA_EVIDENCE_NOT_IN;
    if (answer->reply != SAYS_NOTHING)
        sca_ledger_add_evidence(
            &c->findings, finding,
            (struct sca_evidence){kind, i, answer->there.ratio, answer->there.excess});
}

/* What ranks take where the code of its place runs. */
static double *seconds_around(struct sca_workspace *scratch, const struct sca_analysis *c,
                              const struct sca_finding *finding)
{
    const struct sca_measure *m = &c->measures[c->last];
    const struct sca_within place = {c->ends, finding->vertices, finding->nvertices,
                                     finding->track};
    const bool *named = sca_sides_named(scratch, m, finding->ranks, finding->nranks);
    bool *on = sca_workspace_alloc(scratch, m->run->intervals.n, sizeof *on);
    double *seconds = sca_workspace_alloc(scratch, m->nranks, sizeof *seconds);
    sca_code_intervals_mark(scratch, m, &place, named, on);
    sca_code_intervals_time(m, on, seconds);
    return seconds;
}

/* How many times as long as the others its ranks take there. */
static double ratio_around(const struct sca_analysis *c, const struct sca_finding *finding)
{
    const struct sca_measure *m = &c->measures[c->last];
    struct sca_workspace scratch = {.out_of_memory = c->space->out_of_memory};
    const double *seconds = seconds_around(&scratch, c, finding);
    struct sca_sides sides = sca_sides_of(&scratch, m, seconds, finding->ranks, finding->nranks);
    sca_workspace_free(&scratch);
    return sca_sides_ratio(&sides, finding->nranks);
}

/* Cores make code take longer. They make no rank run code that the others do not: its ranks have
 * many samples there, and the others none. */
static bool runs_alone(const struct sca_analysis *c, const struct sca_finding *finding)
{
    const struct sca_measure *m = &c->measures[c->last];
    return finding->ratio == 0 && !sca_finding_is_interval(finding) &&
           sca_measure_samples_at(m, c->ends, finding->vertices, finding->nvertices, finding->ranks,
                                  finding->nranks) >= SCA_ENOUGH_SAMPLES;
}

/* Whether the cores that ranks used here explain what its ranks take longer. */
static bool cores_explain(const struct sca_analysis *c, const struct sca_finding *finding)
{
    const struct sca_measure *here = &c->measures[c->last];
    struct sca_workspace scratch = {.out_of_memory = c->space->out_of_memory};
    bool known = here->core_use.ncores && finding->nvertices;
    bool explained = known && sca_core_use_explains(&scratch, &here->core_use,
                                                    seconds_around(&scratch, c, finding),
                                                    finding->ranks, finding->nranks);
    sca_workspace_free(&scratch);
    return explained;
}

static bool is_sure(const struct sca_analysis *c, const struct sca_finding *finding)
{
    if (runs_alone(c, finding) || (sca_finding_has(finding, SCA_EVIDENCE_NO_CORE) &&
                                   !sca_finding_has(finding, SCA_EVIDENCE_SINGLE)))
        return true;
    /* no contention looks like that */
    double contention = cores_explain(c, finding) ? SCA_SHARED_HARDWARE : SCA_TWICE;
    if (finding->ratio > 0 && finding->ratio < contention)
        return false;
    /* contention falls on what is bound by memory: 1.47 for two of eight ranks without a defect */
    return sca_finding_is_interval(finding) || ratio_around(c, finding) >= 1 + SCA_HALF;
}

struct poll {
    uint32_t has, has_not;
};

static void count(struct poll *poll, enum reply reply)
{
    poll->has += reply == HAS_IT;
    poll->has_not += reply == HAS_NOTHING;
}

/*
 * A difference that a busy core could make must stand in a second run, and so must what a rank did
 * in one step of many. Repetitions decide by majority; without any, one other run of at least three
 * ranks must agree, for with two ranks both may be the slow ones (edges). Where no run says
 * anything, what came again and again is believed; what came once, only if no busy core makes it.
 */
static bool is_confirmed(struct sca_analysis *c, const struct sca_finding *finding,
                         const struct answer *answers)
{
    struct poll same = {0}, others = {0};
    for (uint32_t i = 0; i < c->last; i++) {
        bool repetition = c->measures[i].nranks == c->measures[c->last].nranks;
        if (!repetition && c->measures[i].nranks <= 2)
            continue;
        put_answer_down(c, finding, i, &answers[i]);
        count(repetition ? &same : &others, answers[i].reply);
    }
    if (same.has + same.has_not)
        return same.has + 1 > same.has_not;
    bool single = sca_finding_has(finding, SCA_EVIDENCE_SINGLE);
    if (single && others.has + others.has_not)
        return others.has;
    if (!c->measures[c->last].shared || (!others.has_not && !single))
        return true;
    return others.has || is_sure(c, finding);
}

/* On shared cores, who had one for longer got more of the work that is handed out. */
static void ask_work_queue(struct sca_analysis *c, const struct sca_finding *finding)
{
    struct sca_workspace scratch = {.out_of_memory = c->space->out_of_memory};
    struct sca_evidence handed_out;
    if (sca_served_order_changes(&scratch, &c->stages[c->last], finding, true, &handed_out))
        sca_ledger_add_evidence(&c->findings, finding, handed_out);
    sca_workspace_free(&scratch);
}

/* Where ranks share cores, both of two may be the slow ones; of more, that a slow core is with the
 * same rank again, and falls on the same place, is not to be expected. */
static bool has_it(const struct sca_analysis *c, uint32_t i, const struct answer *answers)
{
    return c->measures[i].nranks > (c->measures[i].shared ? 2 : 1) && answers[i].reply == HAS_IT;
}

static bool stands_in_another(const struct sca_analysis *c, const struct answer *answers)
{
    for (uint32_t i = 0; i < c->last; i++)
        if (has_it(c, i, answers))
            return true;
    return false;
}

/* What a run must show at least, where nothing tells how fast its cores are. */
static double most_of_cores(const struct sca_analysis *c, const struct sca_finding *finding)
{
    return cores_explain(c, finding) ? SCA_SHARED_HARDWARE
                                     : (1 + SCA_RELEVANT) * SCA_MOST_CORE_SPEED;
}

/* Whether its ranks may have slow cores there as here. */
static bool may_have_same_cores(const struct sca_analysis *c, const struct sca_finding *finding,
                                uint32_t i)
{
    const struct sca_measure *here = &c->measures[c->last], *there = &c->measures[i];
    return !here->shared || !there->shared || !here->core_use.ncores || cores_explain(c, finding);
}

/* By a run that has it where cores were seen to be alike, or beyond what they make, or on ranks
 * that no slow core has alone. SCA_NONE: none does. */
static uint32_t confirmed_by(const struct sca_analysis *c, const struct sca_finding *finding,
                             const struct answer *answers)
{
    for (uint32_t i = 0; i < c->last; i++) {
        const struct sca_replicate *there = &answers[i].there;
        if (has_it(c, i, answers) &&
            (there->cores_known || there->ratio == 0 || there->ratio >= most_of_cores(c, finding) ||
             !may_have_same_cores(c, finding, i)))
            return i;
    }
    return SCA_NONE;
}

static void put_down(struct sca_analysis *c, const struct sca_finding *finding,
                     enum sca_evidence_kind kind, uint32_t of, double number)
{
    sca_ledger_add_evidence(&c->findings, finding,
                            (struct sca_evidence){.kind = kind, .of = of, .number = number});
}

/* What came once, and in no other run: off the core, or in one step of many. */
static void ask_whether_once(struct sca_analysis *c, const struct sca_finding *each,
                             const struct answer *answers)
{
    const struct sca_measure *m = &c->measures[c->last];
    double seconds;
    uint64_t single = sca_single_instance_of(c->space, m, c->ends, &c->traces[c->last], each);
    if (single)
        put_down(c, each, SCA_EVIDENCE_SINGLE, 0, (double)single);
    if (sca_off_cpu_stall_is(m, c->ends, each, &seconds) && !stands_in_another(c, answers))
        put_down(c, each, SCA_EVIDENCE_OFF_CORE, 0, seconds);
}

/* What cores may have done; what is sure needs no other run. */
static void ask_whether_cores(struct sca_analysis *c, const struct sca_finding *each,
                              const struct answer *answers)
{
    bool skewed = sca_finding_has(each, SCA_EVIDENCE_SKEWED);
    /* what another run has all along says nothing of what came once here */
    bool asked = (skewed || sca_finding_is_inconclusive(each)) &&
                 !sca_finding_has(each, SCA_EVIDENCE_SINGLE);
    uint32_t run = asked ? confirmed_by(c, each, answers) : SCA_NONE;
    if (run != SCA_NONE)
        put_down(c, each, SCA_EVIDENCE_CONFIRMED, run, 0);
    bool confirmed = is_confirmed(c, each, answers);
    if (!skewed) {
        if (!confirmed)
            put_down(c, each, SCA_EVIDENCE_NOT_CONFIRMED, 0, 0);
        return;
    }
    enum sca_belief belief =
        sca_skew_belief(c->space, &c->measures[c->last], c->ends, c->settings->abnorm_thd, each);
    bool sure = run != SCA_NONE || is_sure(c, each);
    if (belief != SCA_BELIEVED && !sure)
        put_down(c, each,
                 belief == SCA_INCONCLUSIVE ? SCA_EVIDENCE_PATTERN_INCONCLUSIVE
                                            : SCA_EVIDENCE_SLOW_ELSEWHERE,
                 0, 0);
}

/* How exactly another run tells how much it is, where nobody can say what cores make. Of those that
 * have it, the one that tells it best. */
static void put_replicate_down(struct sca_analysis *c, const struct sca_finding *each,
                               const struct answer *answers)
{
    uint32_t best = SCA_NONE;
    double least = INFINITY;
    for (uint32_t i = 0; i < c->last; i++) {
        double error = answers[i].there.error / answers[i].there.effect;
        if (has_it(c, i, answers) && error < least) {
            best = i;
            least = error;
        }
    }
    if (best != SCA_NONE)
        put_down(c, each, SCA_EVIDENCE_REPLICATED, best, least);
}

static void ask(struct sca_analysis *c, const struct sca_finding *each)
{
    const struct answer *answers = ask_runs(c, each);
    ask_whether_once(c, each, answers);
    ask_whether_cores(c, each, answers);
    if (sca_finding_has(each, SCA_EVIDENCE_SKEWED))
        put_replicate_down(c, each, answers);
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
