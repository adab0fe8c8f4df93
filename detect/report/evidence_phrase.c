/* Evidence in words and sentences. */
#include "base/degrees.h"
#include "report/finding_phrase.h"
#include "imbalance/single_instance.h"

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
        snprintf(buffer, S, "%s run on %u ranks shows it too: %.2fx, %.3g s.", which,
                 ranks_of(c, e), e->number, e->other);
    else if (stands)
        snprintf(buffer, S, "%s run on %u ranks shows it too: %.3g s.", which, ranks_of(c, e),
                 e->other);
    else if (e->number > 0)
        snprintf(buffer, S,
                 "%s run on %u ranks does not show it: the corresponding ranks take %.2f times as "
                 "long as the others.",
                 which, ranks_of(c, e), e->number);
    else
        snprintf(buffer, S, "%s run on %u ranks does not show it.", which, ranks_of(c, e));
}

static void phrase_single(char *buffer, const struct sca_evidence *e)
{
    if (e->number >= SCA_SEVERAL)
        snprintf(buffer, S, "One instance of %.0f has most of the excess.", e->number);
    else
        snprintf(buffer, S, "It runs only %.0f time%s.", e->number, e->number > 1 ? "s" : "");
}

/* How it was found. */
static bool phrase_origin(char *buffer, const struct sca_analysis *c, const struct sca_evidence *e)
{
    switch (e->kind) {
    case SCA_EVIDENCE_SKEWED:
        return snprintf(buffer, S, "No rank is an outlier: the work is unevenly distributed.");
    case SCA_EVIDENCE_BY_TIMES:
        return snprintf(buffer, S,
                        "Exact times show an excess of %.3g s where this code runs; samples "
                        "attribute %.3g s of it to this place.",
                        e->number, e->other);
    case SCA_EVIDENCE_ROTATES:
        return snprintf(buffer, S, "In %.0f of %.0f instances at least one rank takes long.",
                        e->number, e->other);
    case SCA_EVIDENCE_BY_WINDOWS:
        return snprintf(buffer, S,
                        "Consecutive windows show the same ranks late, at %.2fx their baseline; "
                        "all ranks lost %.3g core-s to it.",
                        e->number, e->other);
    case SCA_EVIDENCE_ON_PATH:
        return snprintf(buffer, S,
                        "%.3g s of it are on the critical path; the mean rank has %.3g s.",
                        e->number, e->other);
    case SCA_EVIDENCE_GROWS:
        return snprintf(buffer, S, "Time per rank grows as P^%.2f; expected is P^%.2f.", e->number,
                        e->other);
    case SCA_EVIDENCE_EXCHANGE:
        return snprintf(
            buffer, S,
            "Transfers take the busiest rank %.3g s in the smallest run and %.3g s in the largest.",
            e->number, e->other);
    case SCA_EVIDENCE_LINE_TOLD:
        return snprintf(buffer, S, "Samples of the %u-rank run identify the line.", ranks_of(c, e));
    case SCA_EVIDENCE_REFINED:
        return snprintf(buffer, S, "It replaces finding %u.", e->of + 1);
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
        return snprintf(buffer, S, "Differences between cores may be as large.");
    case SCA_EVIDENCE_SETTLED:
        return snprintf(buffer, S, "The %u-rank run shows it beyond any difference between cores.",
                        ranks_of(c, e));
    case SCA_EVIDENCE_SLOW_ELSEWHERE:
        return snprintf(buffer, S,
                        "Its ranks also take longer elsewhere, or compute little there.");
    case SCA_EVIDENCE_TWO_KINDS:
        return snprintf(buffer, S, "The ranks form two groups with little variation within each.");
    case SCA_EVIDENCE_NO_CORE:
        return snprintf(
            buffer, S,
            "Core sharing ruled out: no core hosts exactly these ranks, and the others agree.");
    case SCA_EVIDENCE_PATTERN_DOUBTED:
        return snprintf(buffer, S,
                        "Inconclusive: shared cores may cause it, or no other run shows it.");
    case SCA_EVIDENCE_HANDED_OUT:
        return snprintf(buffer, S,
                        "Rank %u distributes it by dynamic scheduling: %.2f of the pieces follow "
                        "the most frequent order. On shared cores this order is random.",
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
        return c->ppg->nruns == 1 &&
               snprintf(buffer, S, "No other run is available for comparison.");
    case SCA_EVIDENCE_STANDS_IN:
    case SCA_EVIDENCE_NOT_IN:
        phrase_run(buffer, c, e);
        return true;
    case SCA_EVIDENCE_REPLICATED:
        return snprintf(buffer, S, "Size confirmed by the %u-rank run, relative error %.2g.",
                        ranks_of(c, e), SCA_TWO_SIGMAS * e->number);
    case SCA_EVIDENCE_NOT_CONFIRMED:
        return snprintf(buffer, S, "The finding is therefore not confirmed.");
    case SCA_EVIDENCE_SINGLE:
        phrase_single(buffer, e);
        return true;
    case SCA_EVIDENCE_OFF_CORE:
        return snprintf(
            buffer, S,
            "Its ranks were off the core for %.3g s, mostly in one block, and in no other run.",
            e->number);
    case SCA_EVIDENCE_SET_UP:
        return snprintf(buffer, S, "It runs only %.0f time%s, as initialisation does.", e->number,
                        e->number > 1 ? "s" : "");
    case SCA_EVIDENCE_ONE_READING:
        return snprintf(buffer, S,
                        "It is a loss only if the problem size stays the same on more ranks.");
    case SCA_EVIDENCE_UNLIKE_STEPS:
        return snprintf(buffer, S,
                        "The runs stop after a fixed time, and nothing shows that their iterations "
                        "are comparable.");
    case SCA_EVIDENCE_UNCERTAIN:
        return snprintf(buffer, S, "Its gain lies between %.3g and %.3g core-s (95 %%).", e->number,
                        e->other);
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
