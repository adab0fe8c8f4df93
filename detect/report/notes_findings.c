#include "base/degrees.h"
#include "findings/finding.h"
#include "report/notes.h"
#include "sca_phrase.h"

#include <ctype.h>
#include <stdio.h>

enum { SHORT = 64 };

/* "most of it in one instance of 100", "in code that runs only once". */
static void phrase_once(uint64_t instances, char text[SHORT])
{
    if (instances >= SCA_SEVERAL)
        snprintf(text, SHORT, "most of it in one instance of %llu", (unsigned long long)instances);
    else if (instances > 1)
        snprintf(text, SHORT, "in code that runs only %llu times", (unsigned long long)instances);
    else
        snprintf(text, SHORT, "in code that runs only once");
}

/* What came once may never come again. Where there were other runs they have been asked. */
static void note_once(struct sca_analysis *c)
{
    for (uint32_t i = 0; i < c->causes.count; i++) {
        char single[SHORT];
        if (!sca_finding_instances(c->causes.items[i]))
            continue;
        phrase_once(sca_finding_instances(c->causes.items[i]), single);
        sca_notes_add(c, "Cause %u is rare: %s.%s", i + 1, single,
                      c->ppg->nruns > 1 ? "" : " Another run shows whether it recurs.");
    }
}

/* Time off shared cores that may be the scheduler's doing is not counted. */
static void phrase_stall(const struct sca_analysis *c, const struct sca_finding *stall,
                         const char *place, char text[2 * SCA_PHRASE])
{
    snprintf(text, 2 * SCA_PHRASE,
             "%s off the core for %s%.2g s, mostly in one block (%s): stopped, asleep or in I/O",
             stall->nranks > 1 ? "were" : "was", c->measures[c->last].shared ? "at least " : "",
             sca_finding_off_core(stall), place);
}

static void phrase_rare(const struct sca_finding *rare, const char *place,
                        char text[2 * SCA_PHRASE])
{
    char single[SHORT];
    phrase_once(sca_finding_instances(rare), single);
    snprintf(text, 2 * SCA_PHRASE, "computed %.2g s longer than the others, %s (%s)", rare->excess,
             single, place);
}

/* Whether a run could say something of it. */
static bool was_asked(const struct sca_finding *each)
{
    return sca_finding_has(each, SCA_EVIDENCE_STANDS_IN) ||
           sca_finding_has(each, SCA_EVIDENCE_NOT_IN);
}

/* Of two ranks both may be the slow ones. */
static bool is_another_run(const struct sca_analysis *c)
{
    for (uint32_t i = 0; i < c->last; i++)
        if (c->measures[i].nranks > 2)
            return true;
    return false;
}

static bool may_be_cores(const struct sca_finding *each)
{
    return sca_finding_has(each, SCA_EVIDENCE_SLOW_ELSEWHERE) ||
           (sca_finding_has(each, SCA_EVIDENCE_CORES) &&
            !sca_finding_has(each, SCA_EVIDENCE_CONFIRMED));
}

static const char *phrase_doubt(const struct sca_analysis *c, const struct sca_finding *each)
{
    bool skewed = sca_finding_has(each, SCA_EVIDENCE_SKEWED);
    if (sca_finding_has(each, SCA_EVIDENCE_DYNAMIC))
        return "dynamic scheduling assigns it, in random order on shared cores: run with one core "
               "per rank to see";
    if (sca_finding_has(each, SCA_EVIDENCE_UNLIKE_STEPS))
        return "these runs stop after a fixed time, and their iterations may differ: run the same "
               "iterations in all, or give their work (--work)";
    if (sca_finding_has(each, SCA_EVIDENCE_ONE_READING))
        return sca_report_by_threads(c->report)
                   ? "a cause if the problem stays the same on more threads, none if it grows: "
                     "give "
                     "--scaling or --work"
                   : "a cause if the problem stays the same on more ranks, none if it grows: give "
                     "--scaling or --work";
    if (may_be_cores(each) && !c->measures[c->last].shared)
        return "cores may differ this much: run on other cores to see";
    if (may_be_cores(each) || (skewed && (sca_finding_has(each, SCA_EVIDENCE_TWO_GROUPS) ||
                                          sca_finding_has(each, SCA_EVIDENCE_STANDS_IN))))
        return "shared cores may differ this much: run with one core per rank to see";
    if (c->ppg->nruns == 1)
        return "a second run must confirm it before a line is named as the cause";
    if (!skewed && !was_asked(each) && is_another_run(c))
        return "no other run shows for certain whether it recurs, so no line is named as the cause";
    if (!skewed && !was_asked(each))
        return "a second run on three ranks or more must confirm it before a line is named as the "
               "cause";
    if (skewed && !was_asked(each))
        return "no other run shows for certain whether the corresponding ranks have it, so no line "
               "is named as the cause";
    return skewed
               ? "no other run has it on the corresponding ranks, so no line is named as the cause"
               : "no other run has it, so no line is named as the cause";
}

static void phrase_finding(const struct sca_analysis *c, const struct sca_finding *each,
                           const char *place, char text[2 * SCA_PHRASE])
{
    if (sca_finding_off_core(each) > 0)
        phrase_stall(c, each, place, text);
    else if (each->category >= SCA_CAUSE_NONSCALABLE)
        snprintf(text, 2 * SCA_PHRASE, "took longer as ranks were added (%s)", place);
    else if (sca_finding_instances(each))
        phrase_rare(each, place, text);
    else if (sca_finding_has(each, SCA_EVIDENCE_ON_PATH))
        snprintf(text, 2 * SCA_PHRASE, "ran one after the other (%s)", place);
    else if (each->ratio == 0)
        snprintf(text, 2 * SCA_PHRASE, "computed %.2g s, the other ranks nothing (%s)",
                 each->excess, place);
    else
        snprintf(text, 2 * SCA_PHRASE, "computed %s%.1fx as long as the others (%s)",
                 sca_finding_rotates(each) ? "in rotation " : "", each->ratio, place);
}

static void note_set_up(struct sca_analysis *c, const struct sca_finding *each, const char *place)
{
    char single[SHORT];
    phrase_once(sca_finding_instances(each), single);
    sca_notes_add(c,
                  "Time per rank does not shrink with more ranks at %s, %s. A longer run does not "
                  "repeat it. This run lost %.3g core-s to it.",
                  place, single, c->prices[each->number].gain);
}

static void note_uncertain(struct sca_analysis *c, const struct sca_finding *each,
                           const char *ranks, const char *what)
{
    const struct sca_price *price = &c->prices[each->number];
    sca_notes_add(c,
                  "%s %s. Fixing it saves %.3g core-s, between %.3g and %.3g (95 %%). A longer "
                  "run, or several runs, narrow this range.",
                  ranks, what, price->gain, price->low, price->high);
}

const char *sca_notes_doubt(const struct sca_analysis *c, const struct sca_finding *aside)
{
    if (sca_finding_has(aside, SCA_EVIDENCE_SET_UP))
        return "";
    if (sca_finding_has(aside, SCA_EVIDENCE_UNCERTAIN))
        return "how much it saves is not certain: a longer run, or several, tell more";
    return phrase_doubt(c, aside);
}

/* The cause in doubt that the next note is about. */
static void refer_to_note(struct sca_analysis *c, uint32_t *told)
{
    if (*told < c->report->nunconfirmed)
        c->report->causes[c->report->ncauses + (*told)++].note = c->report->nnotes;
}

/* What the others waited for, but came only once, or is the cores' doing, or may be little. */
void sca_notes_of_findings(struct sca_analysis *c)
{
    uint32_t told = 0;
    note_once(c);
    for (uint32_t i = 0; i < c->noted.count; i++) {
        const struct sca_finding *each = c->noted.items[i];
        char ranks[SCA_PHRASE], place[SCA_PHRASE], what[2 * SCA_PHRASE];
        struct sca_report_cause where = {.vertex = each->vertex,
                                         .between = sca_finding_is_between(each),
                                         .after = sca_finding_reported_after(each),
                                         .before = each->interval.before};
        sca_phrase_ranks(ranks, &c->report->runs[c->last], each->ranks, each->nranks);
        ranks[0] = (char)toupper((unsigned char)ranks[0]);
        sca_phrase_cause(place, c->report, &where);
        phrase_finding(c, each, place, what);
        if (*sca_notes_doubt(c, each))
            refer_to_note(c, &told);
        if (sca_finding_has(each, SCA_EVIDENCE_UNCERTAIN))
            note_uncertain(c, each, ranks, what);
        else if (sca_finding_has(each, SCA_EVIDENCE_SET_UP))
            note_set_up(c, each, place);
        else
            sca_notes_add(c, "%s %s. The run lost %.3g core-s to it, but %s.", ranks, what,
                          c->prices[each->number].gain, phrase_doubt(c, each));
    }
}
