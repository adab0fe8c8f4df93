/* Evidence in words and sentences. */
#include "base/degrees.h"
#include "report/finding_phrase.h"
#include "findings/evidence.h"

#include <stdio.h>

#define S SCA_PHRASE

const char *sca_finding_phrase_evidence_word(enum sca_evidence_kind kind)
{
    static const char *const words[] = {
        [SCA_EVIDENCE_SKEWED] = "skewed",
        [SCA_EVIDENCE_BY_TIMES] = "by-times",
        [SCA_EVIDENCE_ROTATES] = "rotates",
        [SCA_EVIDENCE_BY_WINDOWS] = "by-windows",
        [SCA_EVIDENCE_ON_PATH] = "on-path",
        [SCA_EVIDENCE_GROWS] = "grows",
        [SCA_EVIDENCE_EXCHANGE] = "exchange",
        [SCA_EVIDENCE_LINE_TOLD] = "line-told",
        [SCA_EVIDENCE_REFINED] = "refined",
        [SCA_EVIDENCE_JOINED] = "joined",
        [SCA_EVIDENCE_CORES] = "cores",
        [SCA_EVIDENCE_SETTLED] = "settled",
        [SCA_EVIDENCE_SLOW_ELSEWHERE] = "slow-elsewhere",
        [SCA_EVIDENCE_TWO_KINDS] = "two-kinds",
        [SCA_EVIDENCE_NO_CORE] = "no-core",
        [SCA_EVIDENCE_PATTERN_DOUBTED] = "pattern-doubted",
        [SCA_EVIDENCE_HANDED_OUT] = "handed-out",
        [SCA_EVIDENCE_ASKED] = "asked",
        [SCA_EVIDENCE_STANDS_IN] = "stands-in",
        [SCA_EVIDENCE_NOT_IN] = "not-in",
        [SCA_EVIDENCE_REPLICATED] = "replicated",
        [SCA_EVIDENCE_NOT_CONFIRMED] = "not-confirmed",
        [SCA_EVIDENCE_SINGLE] = "single",
        [SCA_EVIDENCE_OFF_CORE] = "off-core",
        [SCA_EVIDENCE_SET_UP] = "set-up",
        [SCA_EVIDENCE_ONE_READING] = "one-reading",
        [SCA_EVIDENCE_UNLIKE_STEPS] = "unlike-steps",
        [SCA_EVIDENCE_UNCERTAIN] = "uncertain",
    };
    return words[kind];
}

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
                 "%s run on %u ranks has not: such ranks take %.2f times as long as the others.",
                 which, ranks_of(c, e), e->number);
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
    case SCA_EVIDENCE_BY_WINDOWS:
        return snprintf(buffer, S,
                        "Windows that follow each other show the same ranks late, %.2fx what is "
                        "usual for them; all lost %.3g core-s to it.",
                        e->number, e->other);
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
        return snprintf(buffer, S, "The run on %u ranks has it beyond what cores make.",
                        ranks_of(c, e));
    case SCA_EVIDENCE_SLOW_ELSEWHERE:
        return snprintf(buffer, S, "Its ranks take longer elsewhere as well, or do little there.");
    case SCA_EVIDENCE_TWO_KINDS:
        return snprintf(buffer, S, "The ranks are of two kinds, each of which hardly differs.");
    case SCA_EVIDENCE_NO_CORE:
        return snprintf(buffer, S,
                        "No core has just these ranks, and the others hardly differ: it is not "
                        "what shared cores make.");
    case SCA_EVIDENCE_PATTERN_DOUBTED:
        return snprintf(buffer, S, "Shared cores may differ so, or no other run shows it.");
    case SCA_EVIDENCE_HANDED_OUT:
        return snprintf(buffer, S,
                        "Rank %u hands it out, to ranks in an order that changes (%.2f of the "
                        "pieces come in the usual one): on shared cores that is chance.",
                        e->of, e->number);
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
    case SCA_EVIDENCE_REPLICATED:
        return snprintf(buffer, S,
                        "The run on %u ranks tells how much it is, give or take %.2g of it.",
                        ranks_of(c, e), SCA_TWO_SIGMAS * e->number);
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
        return snprintf(buffer, S,
                        "It is too much only if the problem stays the same on more ranks.");
    case SCA_EVIDENCE_UNLIKE_STEPS:
        return snprintf(buffer, S,
                        "The runs stop by time, and nothing else in a step tells that their steps "
                        "are alike.");
    case SCA_EVIDENCE_UNCERTAIN:
        return snprintf(buffer, S, "What it saves lies between %.3g and %.3g core-s (95 %%).",
                        e->number, e->other);
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
