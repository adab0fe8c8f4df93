#include "report/finding_phrase.h"

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
    [SCA_OUTCOME_NOTE] = {"note", SCA_FINDING_NOTE, "Not a cause; reported in a note."},
    [SCA_OUTCOME_REFINED] = {"refined", SCA_FINDING_TOLD_BY_ANOTHER,
                             "Finding %u describes it better."},
    [SCA_OUTCOME_JOINED] = {"joined", SCA_FINDING_TOLD_BY_ANOTHER,
                            "The same defect as finding %u, which covers both."},
    [SCA_OUTCOME_EXPLAINED] = {"explained", SCA_FINDING_TOLD_BY_ANOTHER,
                               "Explained by finding %u, which has most of the excess."},
    [SCA_OUTCOME_TOLD] = {"told", SCA_FINDING_TOLD_BY_ANOTHER, "Finding %u is at the same place."},
    [SCA_OUTCOME_FIRST_ROUND] =
        {"first-round", SCA_FINDING_NOT_BELIEVED,
         "Rejected: code before the first MPI call may be the first iteration of a loop."},
    [SCA_OUTCOME_ELSEWHERE] =
        {"elsewhere", SCA_FINDING_NOT_BELIEVED,
         "Rejected: other ranks spend this time before a different MPI call."},
    [SCA_OUTCOME_SELDOM] = {"seldom", SCA_FINDING_NOT_BELIEVED,
                            "Rejected: too few instances take long."},
    [SCA_OUTCOME_SAME_RANKS] = {"same-ranks", SCA_FINDING_NOT_BELIEVED,
                                "Rejected: it does not rotate; the same ranks have most of it."},
    [SCA_OUTCOME_NO_PLACE] = {"no-place", SCA_FINDING_NOT_BELIEVED,
                              "Rejected: samples show no place with this much time."},
    [SCA_OUTCOME_SCHEDULING] =
        {"scheduling", SCA_FINDING_NOT_BELIEVED,
         "Rejected: its ranks were off shared cores meanwhile, possibly because of the scheduler."},
    [SCA_OUTCOME_SCATTER] = {"scatter", SCA_FINDING_NOT_BELIEVED,
                             "Rejected: single instances on shared cores vary as much, and neither "
                             "samples of long instances nor another run confirm it."},
    [SCA_OUTCOME_LITTLE] = {"little", SCA_FINDING_NOT_BELIEVED, "Not a cause:"},
    [SCA_OUTCOME_LITTLE_DOUBT] = {"little-doubted", SCA_FINDING_NOT_BELIEVED,
                                  "Not reported: differences between cores may explain it, and"},
};

enum sca_finding_group sca_finding_phrase_group(const struct sca_outcome *outcome)
{
    return outcomes[outcome->kind].group;
}

const char *sca_finding_phrase_outcome_word(enum sca_outcome_kind kind)
{
    return outcomes[kind].word;
}

const char *sca_finding_phrase_category_word(const struct sca_finding *finding)
{
    return sca_finding_rotates(finding) ? "rotating" : sca_finding_category_name(finding->category);
}

uint32_t sca_finding_phrase_other(const struct sca_outcome *outcome)
{
    return sca_finding_phrase_group(outcome) == SCA_FINDING_TOLD_BY_ANOTHER ? outcome->of
                                                                            : SCA_NONE;
}

const char *sca_finding_phrase_where(char *buffer, const struct sca_analysis *c,
                                     const struct sca_finding *finding)
{
    char place[SCA_PHRASE], ranks[SCA_PHRASE];
    const struct sca_report_cause where = {.vertex = finding->vertex,
                                           .between = sca_finding_is_between(finding),
                                           .after = sca_finding_reported_after(finding),
                                           .before = finding->interval.before};
    sca_phrase_cause(place, c->report, &where);
    sca_phrase_ranks(ranks, &c->report->runs[c->last], finding->ranks, finding->nranks);
    snprintf(buffer, SCA_FINDING_WHERE, "%s, %s", place, ranks);
    return buffer;
}

const char *sca_finding_phrase_outcome(char *buffer, const struct sca_analysis *c,
                                       const struct sca_finding *finding)
{
    const struct sca_outcome *o = &c->findings.outcomes[finding->number];
    const char *sentence = outcomes[o->kind].sentence;
    if (o->kind == SCA_OUTCOME_LITTLE || o->kind == SCA_OUTCOME_LITTLE_DOUBT)
        snprintf(buffer, S, "%s fixing it saves %.3g core-s; the threshold is %.3g.", sentence,
                 o->number, o->least);
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
        snprintf(buffer, S,
                 "Exact times between two calls identify the ranks; samples identify the line.");
    else if (sca_finding_is_interval(finding) && core->off > 0)
        snprintf(buffer, S, "Exact times %s show it: %.3g s on the core, %.3g s off it.", where,
                 core->on, core->off);
    else if (sca_finding_is_interval(finding))
        snprintf(buffer, S, "Exact times %s show it.", where);
    else if (sca_finding_is_between(finding))
        snprintf(buffer, S, "Windows show it %s; samples identify no line.", where);
    return buffer;
}
