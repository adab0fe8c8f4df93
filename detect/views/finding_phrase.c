#include "views/finding_phrase.h"
#include "imbalance/single_instance.h"

#include <stdio.h>

#define S SCA_PHRASE

/* Of outcomes: a word, the group, and the sentence, in which %u is another finding. */
static const struct {
    const char *word;
    enum sca_finding_group group;
    const char *sentence;
} outcomes[] = {
    [SCA_OUTCOME_OPEN] = {"open", SCA_FINDING_NOT_BELIEVED, "Not judged."},
    [SCA_OUTCOME_CAUSE] = {"cause", SCA_FINDING_CAUSE, "A cause."},
    [SCA_OUTCOME_NOTE] = {"note", SCA_FINDING_NOTE, "No cause, but told in a note."},
    [SCA_OUTCOME_REFINED] = {"refined", SCA_FINDING_TOLD_BY_ANOTHER, "Finding %u tells it better."},
    [SCA_OUTCOME_JOINED] = {"joined", SCA_FINDING_TOLD_BY_ANOTHER,
                            "The same defect as finding %u, which tells of both."},
    [SCA_OUTCOME_EXPLAINED] = {"explained", SCA_FINDING_TOLD_BY_ANOTHER,
                               "Explained by finding %u, which has most of it."},
    [SCA_OUTCOME_TOLD] = {"told", SCA_FINDING_TOLD_BY_ANOTHER, "Finding %u is at the same place."},
    [SCA_OUTCOME_EVENED_OUT] = {"evened-out", SCA_FINDING_NOT_BELIEVED,
                                "Not believed: its ranks do as much less of the rest around it."},
    [SCA_OUTCOME_FIRST_ROUND] = {"first-round", SCA_FINDING_NOT_BELIEVED,
                                 "Not believed: what comes before the first MPI call may be the "
                                 "first round of a loop."},
    [SCA_OUTCOME_SELDOM] = {"seldom", SCA_FINDING_NOT_BELIEVED,
                            "Not believed: too few instances take long."},
    [SCA_OUTCOME_SAME_RANKS] = {"same-ranks", SCA_FINDING_NOT_BELIEVED,
                                "Not believed: it does not rotate, the same ranks have most of "
                                "it."},
    [SCA_OUTCOME_NO_PLACE] = {"no-place", SCA_FINDING_NOT_BELIEVED,
                              "Not believed: samples show no place that has so much."},
    [SCA_OUTCOME_SCHEDULING] = {"scheduling", SCA_FINDING_NOT_BELIEVED,
                                "Not believed: its ranks were off shared cores meanwhile, which "
                                "may be the scheduler's doing."},
    [SCA_OUTCOME_SLOW_CORES] = {"slow-cores", SCA_FINDING_NOT_BELIEVED,
                                "Not believed: its ranks take longer elsewhere as well, or do too "
                                "little elsewhere to tell: their cores may be slower."},
    [SCA_OUTCOME_CHANCE] = {"chance", SCA_FINDING_NOT_BELIEVED,
                            "Not believed: the work is handed out piece by piece, and on shared "
                            "cores it is chance who gets more pieces."},
    [SCA_OUTCOME_BALANCED] = {"balanced", SCA_FINDING_NOT_BELIEVED,
                              "Not believed: the other ranks do other work meanwhile that takes as "
                              "long, and wait"},
    [SCA_OUTCOME_BESIDE] = {"beside", SCA_FINDING_NOT_BELIEVED,
                            "Not believed: it only looks like a cause when the work of finding %u "
                            "is gone."},
    [SCA_OUTCOME_LITTLE] = {"little", SCA_FINDING_NOT_BELIEVED, "No cause:"},
    [SCA_OUTCOME_LITTLE_DOUBT] = {"little-doubted", SCA_FINDING_NOT_BELIEVED,
                                  "Not told: cores may have done it, and"},
    [SCA_OUTCOME_ONE_READING] = {"one-reading", SCA_FINDING_NOT_BELIEVED,
                                 "Not told: if the runs are read otherwise another place loses "
                                 "more."},
};

enum sca_finding_group sca_finding_group_of(const struct sca_outcome *outcome)
{
    return outcomes[outcome->kind].group;
}

const char *sca_finding_outcome_word(enum sca_outcome_kind kind)
{
    return outcomes[kind].word;
}

const char *sca_finding_phrase_outcome(char *buffer, const struct sca_analysis *c,
                                       const struct sca_finding *finding)
{
    const struct sca_outcome *o = &c->findings.outcomes[finding->number];
    const char *sentence = outcomes[o->kind].sentence;
    if (o->kind == SCA_OUTCOME_LITTLE || o->kind == SCA_OUTCOME_LITTLE_DOUBT)
        snprintf(buffer, S, "%s mending it saves %.3g core-s, and %.3g are needed.", sentence,
                 o->number, o->least);
    else if (o->kind == SCA_OUTCOME_BALANCED)
        snprintf(buffer, S, "%s for %.3g core-s.", sentence, o->number);
    else if (o->kind == SCA_OUTCOME_EXPLAINED && o->of == SCA_NONE)
        snprintf(buffer, S, "Explained by other findings.");
    else
        snprintf(buffer, S, sentence, o->of + 1);
    return buffer;
}

const char *sca_finding_phrase_interval(char *buffer, const struct sca_finding *finding)
{
    const struct sca_core_time *core = &finding->interval.core;
    const char *where =
        finding->interval.any ? "from that call to the next" : "between the two calls";
    buffer[0] = '\0';
    if (finding->interval.part == SCA_RANKS_OF_INTERVAL)
        snprintf(buffer, S, "Exact times between two calls tell the ranks, samples the line.");
    else if (sca_finding_is_interval(finding) && core->off > 0)
        snprintf(buffer, S, "Exact times %s tell it: %.3g s on the core, %.3g s off it.", where,
                 core->on, core->off);
    else if (sca_finding_is_interval(finding))
        snprintf(buffer, S, "Exact times %s tell it.", where);
    return buffer;
}

/* ---- evidence ---- */

static uint32_t ranks_of(const struct sca_analysis *c, const struct sca_evidence *e)
{
    return c->measures[e->of].nranks;
}

static void phrase_run(char *buffer, const struct sca_analysis *c, const struct sca_evidence *e)
{
    bool stands = e->kind == SCA_EVIDENCE_STANDS_IN;
    const char *which = ranks_of(c, e) == c->measures[c->last].nranks ? "Another" : "The";
    if (stands && e->number > 0)
        snprintf(buffer, S, "%s run on %u ranks has it too: %.2fx, %.3g s.", which, ranks_of(c, e),
                 e->number, e->other);
    else if (stands)
        snprintf(buffer, S, "%s run on %u ranks has it too: %.3g s.", which, ranks_of(c, e),
                 e->other);
    else if (e->number > 0)
        snprintf(buffer, S,
                 "%s run on %u ranks does not: %.0f of them have %.3g s of it, not such ranks or "
                 "not enough.",
                 which, ranks_of(c, e), e->number, e->other);
    else
        snprintf(buffer, S, "%s run on %u ranks has nothing of it.", which, ranks_of(c, e));
}

static void phrase_single(char *buffer, const struct sca_evidence *e)
{
    if (e->number >= SCA_SEVERAL)
        snprintf(buffer, S, "One instance of %.0f has most of it.", e->number);
    else
        snprintf(buffer, S, "It is done %.0f time%s only.", e->number, e->number > 1 ? "s" : "");
}

/* How it was found. */
static bool phrase_origin(char *buffer, const struct sca_analysis *c, const struct sca_evidence *e)
{
    switch (e->kind) {
    case SCA_EVIDENCE_SKEWED:
        return snprintf(buffer, S, "No rank stands out: the work is shared out unevenly.");
    case SCA_EVIDENCE_BY_TIMES:
        return snprintf(buffer, S,
                        "Exact times prove %.3g s too much where its code runs; samples put %.3g s "
                        "of that here.",
                        e->number, e->other);
    case SCA_EVIDENCE_ROTATES:
        return snprintf(buffer, S, "In %.0f of %.0f instances some rank takes long.", e->number,
                        e->other);
    case SCA_EVIDENCE_ON_PATH:
        return snprintf(buffer, S,
                        "%.3g s of it are on the critical path; a rank has %.3g s on average.",
                        e->number, e->other);
    case SCA_EVIDENCE_GROWS:
        return snprintf(buffer, S, "A rank's time goes with P^%.2f, expected is P^%.2f.", e->number,
                        e->other);
    case SCA_EVIDENCE_EXCHANGE:
        return snprintf(buffer, S,
                        "Transfers take the busiest rank %.3g s in the smallest run, %.3g s in the "
                        "largest.",
                        e->number, e->other);
    case SCA_EVIDENCE_LINE_TOLD:
        return snprintf(buffer, S, "Samples of the run on %u ranks tell the line.", ranks_of(c, e));
    case SCA_EVIDENCE_REFINED:
        return snprintf(buffer, S, "It takes the place of finding %u.", e->of + 1);
    case SCA_EVIDENCE_JOINED:
        return snprintf(buffer, S, "Finding %u is the same defect.", e->of + 1);
    case SCA_EVIDENCE_SLOW_PIECES:
        return snprintf(buffer, S, "Of work that is handed out, its pieces take longer.");
    default:
        return false;
    }
}

/* Whether cores are to blame. */
static bool phrase_cores(char *buffer, const struct sca_analysis *c, const struct sca_evidence *e)
{
    switch (e->kind) {
    case SCA_EVIDENCE_CORES:
        return snprintf(buffer, S, "Cores may differ as much.");
    case SCA_EVIDENCE_SETTLED:
        return snprintf(buffer, S, "The run on %u ranks, with a core for each, has it too.",
                        ranks_of(c, e));
    case SCA_EVIDENCE_SLOW_ELSEWHERE:
        return snprintf(buffer, S, "Its ranks take longer elsewhere as well, or do little there.");
    case SCA_EVIDENCE_AGAIN:
        return snprintf(buffer, S,
                        "Another run's ranks differ alike, or the ranks are of two kinds.");
    case SCA_EVIDENCE_PATTERN_DOUBTED:
        return snprintf(buffer, S, "Shared cores may differ so, or no other run shows it.");
    default:
        return false;
    }
}

/* Whether it comes back. */
static bool phrase_return(char *buffer, const struct sca_analysis *c, const struct sca_evidence *e)
{
    switch (e->kind) {
    case SCA_EVIDENCE_ASKED:
        return c->ppg->nruns == 1 && snprintf(buffer, S, "There is no other run to ask.");
    case SCA_EVIDENCE_STANDS_IN:
    case SCA_EVIDENCE_NOT_IN:
        phrase_run(buffer, c, e);
        return true;
    case SCA_EVIDENCE_NOT_CONFIRMED:
        return snprintf(buffer, S, "So it is not confirmed.");
    case SCA_EVIDENCE_SINGLE:
        phrase_single(buffer, e);
        return true;
    case SCA_EVIDENCE_OFF_CORE:
        return snprintf(buffer, S,
                        "Its ranks were off the core for %.3g s, most of it at once, and in no "
                        "other run.",
                        e->number);
    case SCA_EVIDENCE_SET_UP:
        return snprintf(buffer, S, "It is done %.0f time%s only, as to set the program up.",
                        e->number, e->number > 1 ? "s" : "");
    case SCA_EVIDENCE_ONE_READING:
        return snprintf(buffer, S, "It is too much only if the problem %s.",
                        e->of == SCA_SCALING_STRONG ? "stays the same on more ranks"
                                                    : "grows with the ranks");
    default:
        return false;
    }
}

const char *sca_finding_phrase_evidence(char *buffer, const struct sca_analysis *c,
                                        const struct sca_evidence *evidence)
{
    if (!phrase_origin(buffer, c, evidence) && !phrase_cores(buffer, c, evidence) &&
        !phrase_return(buffer, c, evidence))
        buffer[0] = '\0';
    return buffer;
}
