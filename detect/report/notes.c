#include "report/notes.h"
#include "base/degrees.h"
#include "findings/named_place.h"
#include "verdict/causes.h"
#include "report/report_memory.h"
#include "sca_phrase.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_NOTES = 64 };

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

static void note_grid(struct sca_analysis *c, const struct sca_report_topology *t)
{
    char dims[256] = "", periodic[256] = "";
    for (uint32_t d = 0; d < t->ndims; d++) {
        size_t used = strlen(dims), told = strlen(periodic);
        snprintf(dims + used, sizeof dims - used, "%s%u", d ? " x " : "", t->dims[d]);
        if (t->periodic[d])
            snprintf(periodic + told, sizeof periodic - told, "%s%u", told ? ", " : "", d);
    }
    sca_notes_add(c, "Ranks carry their coordinates in the Cartesian topology of %s%s%s.", dims,
                  *periodic ? ", periodic in dimension " : "", periodic);
}

/* What the numbers behind a rank are. */
static void note_topology(struct sca_analysis *c)
{
    const struct sca_report_topology *t = &c->report->runs[c->last].topology;
    if (c->causes.count && t->ndims > 1)
        note_grid(c, t);
    else if (c->causes.count && t->nranks && !t->ndims && strcmp(t->kind, "worlds"))
        sca_notes_add(c, "Ranks carry their number of neighbours in the program's graph topology.");
}

/* Two ranks late for different reasons: whoever mends one sees nothing, and should know. */
static void note_hidden(struct sca_analysis *c)
{
    for (uint32_t i = 0; i < c->causes.count; i++) {
        const struct sca_finding *cause = c->causes.items[i];
        const struct sca_price *price = &c->prices[cause->number];
        if (price->alone < SCA_HALF * price->gain)
            sca_notes_add(c,
                          "Cause %u is hidden behind another cause. Its gain needs both fixed; "
                          "alone it saves %.3g core-s.",
                          i + 1, price->alone);
    }
}

/* A line between two calls is known by samples alone. */
static void note_guessed(struct sca_analysis *c)
{
    for (uint32_t i = 0; i < c->causes.count; i++) {
        const struct sca_finding *cause = c->causes.items[i];
        if (sca_finding_is_interval(cause) || !cause->transform.factor ||
            cause->category > SCA_CAUSE_SERIAL || c->ppg->vertices[cause->vertex].blocks ||
            sca_named_place_calls_mpi(c->ppg, c->ends, cause->vertex))
            continue;
        double samples = sca_measure_samples_at(&c->measures[c->last], c->ends, cause->vertices,
                                                cause->nvertices, cause->ranks, cause->nranks);
        if (samples < SCA_SEVERAL)
            sca_notes_add(c,
                          "Cause %u: the time between MPI calls is exact, but the line rests on "
                          "%.0f sample%s. Take more samples.",
                          i + 1, samples, fabs(samples - 1) < 0.5 ? "" : "s");
    }
}

/* Of an interval: samples of this run tell no line. */
static void note_told_by_another(struct sca_analysis *c)
{
    for (uint32_t i = 0; i < c->causes.count; i++) {
        const struct sca_finding *cause = c->causes.items[i];
        const struct sca_evidence *told =
            sca_evidence_find(&cause->evidence, SCA_EVIDENCE_LINE_IDENTIFIED);
        if (told && sca_finding_is_interval(cause))
            sca_notes_add(c,
                          "Cause %u: its time and ranks are exact. The line comes from samples of "
                          "the %u-rank run; this run has too few samples.",
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
        if (!sca_finding_is_interval(cause) || core->off < SCA_SUBSTANTIAL * cause->excess)
            continue;
        where[0] = '\0';
        if (core->vertex != SCA_NONE)
            snprintf(where, sizeof where, " Of the %.3g s on the core, %.0f %% are at %s.",
                     core->on, 100 * core->there / core->on,
                     sca_phrase_vertex(place, &c->report->vertices[core->vertex]));
        sca_notes_add(c,
                      "Cause %u: of its %.3g s, %.3g s were off the core: asleep, in I/O, or "
                      "waiting outside MPI. Samples do not show the line there.%s",
                      i + 1, cause->excess, core->off, where);
    }
}

/* Where there is next to nothing to judge. */
static void note_short(struct sca_analysis *c)
{
    if (sca_causes_is_short(c))
        sca_notes_add(c,
                      "The run is short (%.2g s%s). Causes below %.0f ms are not reported, because "
                      "any run loses as much by chance.",
                      c->accounts[c->last].duration,
                      c->accounts[c->last].is_virtual ? ", assuming one core per rank" : "",
                      1e3 * SCA_BY_CHANCE);
}

void sca_notes_fill(struct sca_analysis *c)
{
    c->report->notes = sca_report_memory_take(c, MOST_NOTES, sizeof *c->report->notes);
    note_short(c);
    note_hidden(c);
    sca_notes_of_worlds(c);
    sca_notes_of_parts(c);
    note_guessed(c);
    sca_notes_of_uncertainty(c);
    note_told_by_another(c);
    note_off_cpu(c);
    sca_notes_of_served(c);
    sca_notes_of_findings(c);
    sca_notes_of_waited(c);
    sca_notes_of_standstill(c);
    sca_notes_of_leavers(c);
    sca_notes_of_disturbance(c);
    sca_notes_of_blocked(c);
    sca_notes_of_threads(c);
    sca_notes_of_runs(c);
    sca_notes_of_replay(c);
    note_topology(c);
    sca_notes_of_scaling(c);
    for (uint32_t i = 0; i < c->ppg->nnotes; i++)
        sca_notes_add(c, "%s", c->ppg->notes[i]);
}
