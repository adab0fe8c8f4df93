#include "report/notes.h"
#include "base/degrees.h"
#include "findings/named_place.h"
#include "verdict/causes.h"
#include "report/report_memory.h"
#include "imbalance/single_instance.h"
#include "sca_phrase.h"
#include "imbalance/work_queue.h"
#include "stats/over_ranks.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_NOTES = 64, SHORT = 64 };

void sca_notes_add(struct sca_analysis *c, const char *format, ...)
{
    char text[1024];
    va_list args;
    if (c->report->nnotes == MOST_NOTES)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    c->report->notes[c->report->nnotes++] = sca_report_string(c->report, text);
}

/* "most of it in one instance of 100", "in what is done only once". */
static void phrase_once(uint64_t instances, char text[SHORT])
{
    if (instances >= SCA_SEVERAL)
        snprintf(text, SHORT, "most of it in one instance of %llu", (unsigned long long)instances);
    else if (instances > 1)
        snprintf(text, SHORT, "in what is done %llu times only", (unsigned long long)instances);
    else
        snprintf(text, SHORT, "in what is done only once");
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
                      c->ppg->nruns > 1 ? "" : " See whether it comes back in another run.");
    }
}

/* Time off shared cores that may be the scheduler's doing is not counted. */
static void phrase_stall(const struct sca_analysis *c, const struct sca_finding *stall,
                         const char *place, char text[2 * SCA_PHRASE])
{
    snprintf(text, 2 * SCA_PHRASE,
             "%s off the core for %s%.2g s, most of it at once (%s): stopped, asleep or in I/O",
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

static const char *phrase_doubt(const struct sca_analysis *c, const struct sca_finding *each)
{
    bool doubted = sca_finding_is_doubted(each),
         skewed = sca_finding_has(each, SCA_EVIDENCE_SKEWED);
    if (sca_finding_has(each, SCA_EVIDENCE_HANDED_OUT))
        return "it is handed out piece by piece, and on shared cores chance says who comes first: "
               "run it with a core for each rank to see";
    if (sca_finding_has(each, SCA_EVIDENCE_UNLIKE_STEPS))
        return "these runs stop by time, and their steps may be unlike: let all of them do the "
               "same steps, or tell what work they do (--work)";
    if (doubted && !c->measures[c->last].shared)
        return "the cores may differ so much: run it on others to see";
    if (doubted || (skewed && (sca_finding_has(each, SCA_EVIDENCE_TWO_KINDS) ||
                               sca_finding_has(each, SCA_EVIDENCE_STANDS_IN))))
        return "shared cores may differ so much: run it with a core for each rank to see";
    if (c->ppg->nruns == 1)
        return "without a second run nobody can say whether it comes back: so no line is named as "
               "its cause";
    if (!skewed && !was_asked(each))
        return "without a second run on three ranks or more nobody can say whether it comes back: "
               "so no line is named as its cause";
    if (skewed && !was_asked(each))
        return "no other run tells for certain whether the ranks that correspond have it: so no "
               "line is named as its cause";
    return skewed ? "no other run has it on the ranks that correspond: so no line is named "
                    "as its cause"
                  : "no other run has it: so no line is named as its cause";
}

static void phrase_aside(const struct sca_analysis *c, const struct sca_finding *each,
                         const char *place, char text[2 * SCA_PHRASE])
{
    if (sca_finding_off_core(each) > 0)
        phrase_stall(c, each, place, text);
    else if (each->category >= SCA_CAUSE_NONSCALABLE)
        snprintf(text, 2 * SCA_PHRASE, "took longer as ranks were added (%s)", place);
    else if (sca_finding_instances(each))
        phrase_rare(each, place, text);
    else if (sca_finding_has(each, SCA_EVIDENCE_ON_PATH))
        snprintf(text, 2 * SCA_PHRASE, "did it one after the other (%s)", place);
    else if (each->ratio == 0)
        snprintf(text, 2 * SCA_PHRASE, "computed %.2g s that the others have none of (%s)",
                 each->excess, place);
    else
        snprintf(text, 2 * SCA_PHRASE, "computed %s%.1fx as long as the others (%s)",
                 sca_finding_rotates(each) ? "in turn " : "", each->ratio, place);
}

static void note_set_up(struct sca_analysis *c, const struct sca_finding *each, const char *place)
{
    char single[SHORT];
    phrase_once(sca_finding_instances(each), single);
    sca_notes_add(
        c,
        "%s takes each rank no less time on more ranks, %s: a longer run pays it no more often. "
        "This run lost %.3g core-s to it.",
        place, single, c->prices[each->number].gain);
}

static void note_uncertain(struct sca_analysis *c, const struct sca_finding *each,
                           const char *ranks, const char *what)
{
    const struct sca_price *price = &c->prices[each->number];
    sca_notes_add(c,
                  "%s %s. Mending that saves %.3g core-s, or anything from %.3g to %.3g (95 %%): a "
                  "longer run, or several, tell more.",
                  ranks, what, price->gain, price->low, price->high);
}

/* What the others waited for, but came only once, or is the cores' doing, or may be little. */
static void note_aside(struct sca_analysis *c)
{
    for (uint32_t i = 0; i < c->asides.count; i++) {
        const struct sca_finding *each = c->asides.items[i];
        char ranks[SCA_PHRASE], place[SCA_PHRASE], what[2 * SCA_PHRASE];
        struct sca_report_cause where = {.vertex = each->vertex,
                                         .between = sca_finding_is_between(each),
                                         .after = sca_finding_reported_after(each),
                                         .before = each->interval.before};
        sca_phrase_ranks(ranks, &c->report->runs[c->last], each->ranks, each->nranks);
        ranks[0] = (char)toupper((unsigned char)ranks[0]);
        sca_phrase_cause(place, c->report, &where);
        phrase_aside(c, each, place, what);
        if (sca_finding_has(each, SCA_EVIDENCE_UNCERTAIN))
            note_uncertain(c, each, ranks, what);
        else if (sca_finding_has(each, SCA_EVIDENCE_SET_UP))
            note_set_up(c, each, place);
        else
            sca_notes_add(c, "%s %s. The run lost %.3g core-s to it, but %s.", ranks, what,
                          c->prices[each->number].gain, phrase_doubt(c, each));
    }
}

/* Waits that no cause is charged with. */
static double waits_left(const struct sca_analysis *c)
{
    double waits = c->accounts[c->last].waits;
    for (uint32_t i = 0; i < c->causes.count; i++)
        waits -= c->prices[c->causes.items[i]->number].cost;
    return waits;
}

/* Where messages alone are exchanged windows of the ranks do not begin together, and are not what
 * is replayed. If ranks wait for each other in each step, all may wait for what they show. */
static bool shows_moving(const struct sca_analysis *c)
{
    const struct sca_traces *traces = &c->traces[c->last];
    return !traces->recorded && traces->moving * c->measures[c->last].nranks >= SCA_LITTLE;
}

/* Calls are put in an order by totals, which other orders may fit as well. */
static void note_by_totals(struct sca_analysis *c)
{
    if (shows_moving(c))
        sca_notes_add(
            c,
            "No collective of all ranks brings them to the same step, so calls are put in an "
            "order by totals. Work that is on another rank each time is left out of that: where "
            "all wait for it, efficiencies are too high. Recorded steps show some%s.",
            c->measures[c->last].shared ? " (shared cores may make it)" : "");
    else if (!c->order_known && waits_left(c) >= SCA_LITTLE * c->accounts[c->last].base)
        sca_notes_add(c,
                      "Neither recorded steps nor totals tell which call came when: calls are "
                      "put in one order that fits. In another order ranks may wait less, or more. "
                      "SCALANA_RECORD=full records the order.");
}

static void note_replay(struct sca_analysis *c)
{
    note_by_totals(c);
    const struct sca_stage *stage = &c->stages[c->last];
    if (stage->lost > SCA_TRIFLE * c->measures[c->last].total)
        sca_notes_add(
            c,
            "%.0f %% of the computation could not be put in an order and is missing from the "
            "replay: costs and gains are too low by about as much.",
            100 * stage->lost / c->measures[c->last].total);
    if ((double)stage->forced > SCA_TRIFLE * (double)stage->events)
        sca_notes_add(
            c, "%.0f %% of the MPI calls found no partner in the replay: waits are uncertain.",
            100.0 * (double)stage->forced / (double)stage->events);
}

/* A fence is a collective; locks and what starts and ends an access is not. */
static bool is_unplayed(const char *function)
{
    return !strncmp(function, "MPI_Win_", strlen("MPI_Win_")) && sca_collective_shape(function) < 0;
}

/* Seconds in such calls, of all ranks; *most: the vertex with most of it. */
static double time_unplayed(const struct sca_analysis *c, uint32_t *most)
{
    const struct sca_measure *m = &c->measures[c->last];
    double all = 0, greatest = 0;
    for (uint32_t v = 0; v < c->ppg->nvertices; v++) {
        if (c->ppg->vertices[v].kind != SCA_MPI || !is_unplayed(c->ppg->vertices[v].name))
            continue;
        double seconds = sca_over_ranks_sum(m->run->mpi + (size_t)v * m->nranks, m->nranks);
        all += seconds;
        *most = seconds > greatest ? v : *most;
        greatest = fmax(greatest, seconds);
    }
    return all;
}

/* They are no edges of the replay: a rank that is late there is waited for where it next meets the
 * others, and a reader would look for the wait in the wrong place. */
static void note_one_sided(struct sca_analysis *c)
{
    const struct sca_measure *m = &c->measures[c->last];
    uint32_t most = 0;
    double seconds = time_unplayed(c, &most);
    char place[SCA_PHRASE];
    if (m->mpi > 0 && seconds > SCA_SOME * m->mpi)
        sca_notes_add(
            c,
            "%.0f %% of the time in MPI were calls on windows, most of it at %s. Waits there are "
            "not replayed, and no efficiency counts them: they appear where the ranks meet next, "
            "in MPI_Finalize at the latest. A rank that is always late is named all the same; "
            "that now one is late, now another, cannot be seen.",
            100 * seconds / m->mpi, sca_phrase_vertex(place, &c->report->vertices[most]));
}

/* Costs are charged by exact computation; a cause also has to be abnormal. What the two leave
 * between them is said, not hidden. */
static void note_unexplained(struct sca_analysis *c)
{
    double waits = c->costs[c->last].waits, open = c->costs[c->last].unexplained;
    if (waits > c->settings->min_share * c->accounts[c->last].base && open > SCA_LITTLE * waits)
        sca_notes_add(c, "%.0f %% of the replayed waits could not be charged to any computation.",
                      100 * open / waits);
}

static void note_grid(struct sca_analysis *c, const struct sca_report_topology *t)
{
    char dims[256] = "", periodic[256] = "";
    for (uint32_t d = 0; d < t->ndims; d++) {
        size_t used = strlen(dims), told = strlen(periodic);
        snprintf(dims + used, sizeof dims - used, "%s%u", d ? " x " : "", t->dims[d]);
        if (t->periodic[d])
            snprintf(periodic + told, sizeof periodic - told, "%s%u", told ? ", " : "", d);
    }
    sca_notes_add(c, "Ranks are named with their coordinates in the Cartesian topology of %s%s%s.",
                  dims, *periodic ? ", periodic in dimension " : "", periodic);
}

/* What the numbers behind a rank are. */
static void note_topology(struct sca_analysis *c)
{
    const struct sca_report_topology *t = &c->report->runs[c->last].topology;
    if (c->causes.count && t->ndims > 1)
        note_grid(c, t);
    else if (c->causes.count && t->nranks && !t->ndims)
        sca_notes_add(c,
                      "Ranks are named with how many neighbours they have in the program's graph "
                      "topology.");
}

/* Two ranks late for different reasons: whoever mends one sees nothing, and should know. */
static void note_hidden(struct sca_analysis *c)
{
    for (uint32_t i = 0; i < c->causes.count; i++) {
        const struct sca_finding *cause = c->causes.items[i];
        const struct sca_price *price = &c->prices[cause->number];
        if (price->alone < SCA_HALF * price->gain)
            sca_notes_add(
                c,
                "Cause %u is hidden behind another: its gain comes when both are mended, alone "
                "it saves %.3g core-s.",
                i + 1, price->alone);
    }
}

/* A line between two calls is known by samples alone. */
static void note_guessed(struct sca_analysis *c)
{
    for (uint32_t i = 0; i < c->causes.count; i++) {
        const struct sca_finding *cause = c->causes.items[i];
        if (sca_finding_is_interval(cause) || !cause->transform.factor ||
            cause->category > SCA_CAUSE_SERIAL ||
            sca_named_place_calls_mpi(c->ppg, c->ends, cause->vertex))
            continue;
        double samples = sca_measure_samples_at(&c->measures[c->last], c->ends, cause->vertices,
                                                cause->nvertices, cause->ranks, cause->nranks);
        if (samples < SCA_SEVERAL)
            sca_notes_add(
                c,
                "Cause %u: the time between MPI calls is exact, but that it is spent at this line "
                "rests on %.0f sample%s. Take more.",
                i + 1, samples, fabs(samples - 1) < 0.5 ? "" : "s");
    }
}

/* Of an interval: samples of this run tell no line. */
static void note_told_by_another(struct sca_analysis *c)
{
    for (uint32_t i = 0; i < c->causes.count; i++) {
        const struct sca_finding *cause = c->causes.items[i];
        const struct sca_evidence *told =
            sca_evidence_find(&cause->evidence, SCA_EVIDENCE_LINE_TOLD);
        if (told && sca_finding_is_interval(cause))
            sca_notes_add(
                c,
                "Cause %u: its time and ranks are exact. That it is at this line, the samples "
                "of the run on %u ranks say; those of this run are too few to prove it.",
                i + 1, c->measures[told->of].nranks);
    }
}

/* What sleeps, reads or writes has no samples meanwhile. */
static void note_off_cpu(struct sca_analysis *c)
{
    for (uint32_t i = 0; i < c->causes.count; i++) {
        const struct sca_finding *cause = c->causes.items[i];
        const struct sca_core_time *core = &cause->interval.core;
        char where[SCA_PHRASE], place[SCA_PHRASE];
        if (!sca_finding_is_interval(cause) || core->off < SCA_SOME * cause->excess)
            continue;
        where[0] = '\0';
        if (core->vertex != SCA_NONE)
            snprintf(where, sizeof where, " Of the %.3g s on the core, %.0f %% are at %s.",
                     core->on, 100 * core->there / core->on,
                     sca_phrase_vertex(place, &c->report->vertices[core->vertex]));
        sca_notes_add(
            c,
            "Cause %u: of its %.3g s, %.3g were spent off the core (asleep, in I/O, waiting for "
            "something else than MPI), where no sample tells the line.%s",
            i + 1, cause->excess, core->off, where);
    }
}

/* Of ranks that share cores, who is first is chance, and with it who waits in the replay. */
static void note_served_by_chance(struct sca_analysis *c)
{
    sca_notes_add(
        c,
        "Rank %u answers the other ranks one by one, in an order that changes. The replay "
        "keeps who came first and who did what, which on shared cores is chance: with a "
        "core for each rank they may wait less. Efficiencies, costs and gains are "
        "estimates.",
        c->server);
}

static void note_served(struct sca_analysis *c)
{
    if (c->server != SCA_NONE)
        note_served_by_chance(c);
    for (uint32_t i = 0; i < c->causes.count && c->server == SCA_NONE; i++) {
        const struct sca_finding *cause = c->causes.items[i];
        if (cause->category <= SCA_CAUSE_SERIAL &&
            sca_work_queue_find(c->space, &c->measures[c->last], c->ends, cause).server != SCA_NONE)
            sca_notes_add(
                c,
                "Cause %u is in work that seems to be handed out piece by piece. The replay "
                "keeps who did which piece, and in which order; once mended, other ranks "
                "would get other pieces. Its gain is an estimate.",
                i + 1);
    }
}

/* Where there is next to nothing to judge. */
static void note_short(struct sca_analysis *c)
{
    if (sca_causes_is_short(c))
        sca_notes_add(c,
                      "The run is short (%.2g s%s): what would save less than %.0f ms of it is not "
                      "reported, for any run loses that by chance.",
                      c->accounts[c->last].duration,
                      c->accounts[c->last].is_virtual ? ", as if each rank had a core" : "",
                      1e3 * SCA_BY_CHANCE);
}

void sca_notes_fill(struct sca_analysis *c)
{
    c->report->notes = sca_report_memory_take(c, MOST_NOTES, sizeof *c->report->notes);
    note_short(c);
    note_hidden(c);
    sca_notes_of_parts(c);
    note_guessed(c);
    note_told_by_another(c);
    note_off_cpu(c);
    note_served(c);
    note_once(c);
    note_aside(c);
    sca_notes_of_waited(c);
    sca_notes_of_disturbance(c);
    sca_notes_of_runs(c);
    note_replay(c);
    note_one_sided(c);
    note_unexplained(c);
    note_topology(c);
    sca_notes_of_scaling(c);
    for (uint32_t i = 0; i < c->ppg->nnotes; i++)
        sca_notes_add(c, "%s", c->ppg->notes[i]);
}
