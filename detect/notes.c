#include "notes.h"
#include "counters.h"
#include "fill.h"
#include "off_core.h"
#include "sca_phrase.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_NOTES = 64, FEW_SAMPLES = 50, FEW_FOR_A_LINE = 5 };

#define UNSURE        0.2  /* so much of the work speaks against the scaling that was recognised */
#define MUCH_TOLD     0.5  /* of the work: enough to doubt what its sum says */
#define MUCH_OFF_CORE 0.3  /* of the time between calls */
#define MUCH_LOST     0.05 /* part of the computation or of the calls that a sentence must mention */

static void note(struct sca_case *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void note(struct sca_case *c, const char *format, ...)
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

static void note_complete(struct sca_case *c, const struct sca_profile *profile)
{
    uint32_t missing = 0, cut = 0;
    for (uint32_t r = 0; r < profile->nranks; r++) {
        missing += !profile->ranks[r].present;
        cut += profile->ranks[r].present && !profile->ranks[r].complete;
    }
    if (profile->complete && !missing && !cut)
        return;
    note(c,
         "%s is incomplete: %u of %u ranks did not reach MPI_Finalize, of %u nothing is left. "
         "What was recorded until then is analysed.",
         profile->directory, cut + missing, profile->nranks, missing);
}

/* Samples of computation, and how many ranks are there to have some. */
static uint64_t count_samples(const struct sca_profile *profile, uint32_t *present)
{
    uint64_t samples = 0;
    *present = 0;
    for (uint32_t r = 0; r < profile->nranks; r++) {
        *present += profile->ranks[r].present;
        samples += profile->ranks[r].samples - profile->ranks[r].samples_in_mpi;
    }
    return samples;
}

/* One sentence for all runs that have few. */
static void note_samples(struct sca_case *c)
{
    char few[512] = "";
    size_t used = 0;
    for (uint32_t i = 0; i < c->ppg->nruns; i++) {
        const struct sca_profile *profile = c->ppg->runs[i].profile;
        uint32_t present;
        uint64_t samples = count_samples(profile, &present);
        if (samples == 0)
            note(c,
                 "%s has no samples of computation: times between MPI calls are exact, but "
                 "which of the lines between two calls took them is a guess. Run longer, or "
                 "raise SCALANA_FREQUENCY.",
                 profile->directory);
        else if (samples < (uint64_t)FEW_SAMPLES * present && used < sizeof few)
            used += (size_t)snprintf(few + used, sizeof few - used, "%s%llu on %u ranks",
                                     used ? ", " : "", (unsigned long long)samples, present);
    }
    if (used)
        note(c,
             "Few samples (%s): small differences between lines are not told apart. Run longer, "
             "or raise SCALANA_FREQUENCY.",
             few);
}

static void note_dropped(struct sca_case *c, const struct sca_profile *profile)
{
    uint64_t dropped = 0;
    for (uint32_t r = 0; r < profile->nranks; r++)
        dropped += profile->ranks[r].dropped;
    if (dropped)
        note(c, "%s: the runtime had no room for %llu records; totals may be too low.",
             profile->directory, (unsigned long long)dropped);
}

static void note_absurd(struct sca_case *c, const struct sca_profile *profile)
{
    uint64_t absurd = 0;
    for (uint32_t r = 0; r < profile->nranks; r++)
        absurd += profile->ranks[r].absurd;
    if (absurd)
        note(c,
             "%s: %llu %s longer than the run: a clock jumped. Without, its totals may be too low.",
             profile->directory, (unsigned long long)absurd,
             absurd == 1 ? "time left out that was" : "times left out that were");
}

static bool is_repetition(const struct sca_case *c, uint32_t run)
{
    return run > 0 && c->measures[run].nranks == c->measures[run - 1].nranks;
}

static void note_left_out(struct sca_case *c)
{
    if (!c->measures[c->last].run->profile->complete && c->ppg->nruns > 1)
        note(c, "The largest run is incomplete: how computation and communication scale is not "
                "judged, for an aborted run computed less, not faster.");
    else if (c->nwhole < c->ppg->nruns)
        note(c, "Incomplete runs are left out of the models of scaling.");
}

static void note_shared_cores(struct sca_case *c)
{
    char sizes[128] = "";
    for (uint32_t i = 0; i < c->ppg->nruns; i++) {
        size_t used = strlen(sizes);
        if (c->measures[i].oversubscribed && !is_repetition(c, i))
            snprintf(sizes + used, sizeof sizes - used, "%s%u", used ? ", " : "",
                     c->measures[i].nranks);
    }
    if (!sizes[0])
        return;
    note(c,
         "Ranks shared cores (runs on %s ranks): their wall-clock waits are scheduling. "
         "Computation is CPU time and waits are replayed, so durations, costs and shares are "
         "as if each rank had a core; differences between ranks under %.2fx are put down to "
         "the cores.",
         sizes, (1 + c->measures[c->last].noise_level) * c->settings->abnorm_thd);
}

static void note_busy(struct sca_case *c, const struct sca_measure *m)
{
    if (m->shared && !m->oversubscribed)
        note(c,
             "The ranks of %s were on a core for %.0f %% of the time only: the machine was "
             "busy, or the program sleeps. Waits and durations of this run are replayed, and "
             "its times of computation may be too long.",
             m->run->profile->directory, 100 * m->on_core);
}

static void note_replay(struct sca_case *c)
{
    const struct sca_stage *stage = &c->stages[c->last];
    if (stage->lost > MUCH_LOST * c->measures[c->last].total)
        note(c,
             "%.0f %% of the computation could not be put in an order and is missing from the "
             "replay: costs and gains are too low by about as much.",
             100 * stage->lost / c->measures[c->last].total);
    if ((double)stage->forced > MUCH_LOST * (double)stage->steps)
        note(c, "%.0f %% of the MPI calls found no partner in the replay: waits are uncertain.",
             100.0 * (double)stage->forced / (double)stage->steps);
}

/* Costs are charged by exact computation; a cause also has to be abnormal. What the two leave
 * between them is said, not hidden. */
static void note_unexplained(struct sca_case *c)
{
    double waits = c->costs[c->last].waits, open = c->costs[c->last].unexplained;
    if (waits > 0.01 * c->accounts[c->last].base && open > 0.1 * waits)
        note(c, "%.0f %% of the replayed waits could not be charged to any computation.",
             100 * open / waits);
}

/* Of each run, but once what several have in common. */
static void note_counters(struct sca_case *c)
{
    const char *before = "";
    char text[SCA_PHRASE];
    for (uint32_t i = c->ppg->nruns; i-- > 0;) {
        const struct sca_profile *profile = c->ppg->runs[i].profile;
        const char *absent = sca_profile_meta(profile, "metrics.absent", "");
        if (strcmp(absent, before) && *sca_counters_absent(text, profile))
            note(c, "%s", text);
        if (i == c->last && *sca_counters_estimated(text, profile))
            note(c, "%s", text);
        if (i == c->last && *sca_counters_timer(text, profile))
            note(c, "%s", text);
        before = absent;
    }
}

static void note_grid(struct sca_case *c, const struct sca_report_topology *t)
{
    char dims[256] = "", periodic[256] = "";
    for (uint32_t d = 0; d < t->ndims; d++) {
        size_t used = strlen(dims), told = strlen(periodic);
        snprintf(dims + used, sizeof dims - used, "%s%u", d ? " x " : "", t->dims[d]);
        if (t->periodic[d])
            snprintf(periodic + told, sizeof periodic - told, "%s%u", told ? ", " : "", d);
    }
    note(c, "Ranks are named with their coordinates in the Cartesian topology of %s%s%s.", dims,
         *periodic ? ", periodic in dimension " : "", periodic);
}

/* What the numbers behind a rank are. */
static void note_topology(struct sca_case *c)
{
    const struct sca_report_topology *t = &c->report->runs[c->last].topology;
    if (c->ncauses && t->ndims > 1)
        note_grid(c, t);
    else if (c->ncauses && t->nranks && !t->ndims)
        note(c, "Ranks are named with how many neighbours they have in the program's graph "
                "topology.");
}

/* Two ranks late for different reasons: whoever mends one sees nothing, and should know. */
static void note_hidden(struct sca_case *c)
{
    for (uint32_t i = 0; i < c->ncauses; i++) {
        const struct sca_candidate *cause = &c->candidates.items[i];
        if (cause->alone < 0.5 * cause->gain)
            note(c,
                 "Cause %u is hidden behind another: its gain comes when both are mended, alone "
                 "it saves %.3g core-s.",
                 i + 1, cause->alone);
    }
}

static bool is_part_of(const struct sca_case *c, const struct sca_candidate *cause, uint32_t v)
{
    for (uint32_t i = 0; i < cause->nvertices; i++)
        if (v >= cause->vertices[i] && v < c->ends[cause->vertices[i]])
            return true;
    return false;
}

/* Of its ranks, in the run it was found in. */
static double samples_of(const struct sca_case *c, const struct sca_candidate *cause)
{
    const struct sca_ppg_run *run = &c->ppg->runs[c->last];
    size_t nsites = run->profile->nsites;
    double samples = 0;
    for (uint32_t k = 0; k < cause->nranks; k++) {
        const uint32_t *first = &run->first_share[cause->ranks[k] * nsites];
        for (uint32_t i = first[0]; i < first[nsites]; i++)
            if (is_part_of(c, cause, run->shares[i].vertex))
                samples += (double)run->shares[i].samples;
    }
    return samples;
}

/* A line between two calls is known by samples alone. */
static void note_guessed(struct sca_case *c)
{
    for (uint32_t i = 0; i < c->ncauses; i++) {
        const struct sca_candidate *cause = &c->candidates.items[i];
        if (cause->between || !cause->factor || cause->category > SCA_CAUSE_SERIAL ||
            sca_calls_mpi(c->ppg, c->ends, cause->vertex))
            continue;
        double samples = samples_of(c, cause);
        if (samples < FEW_FOR_A_LINE)
            note(c,
                 "Cause %u: the time between MPI calls is exact, but that it is spent at this line "
                 "rests on %.0f sample%s. Take more.",
                 i + 1, samples, fabs(samples - 1) < 0.5 ? "" : "s");
    }
}

static void note_noisy(struct sca_case *c)
{
    for (uint32_t i = 0; i < c->ppg->nruns; i++)
        if (c->report->runs[i].noisy)
            note(c,
                 "%s took %+.0f %% computation compared with the other runs on %u ranks: it was "
                 "disturbed, or the program does not always do the same.",
                 c->ppg->runs[i].profile->directory, 100 * sca_deviation(c, i),
                 c->measures[i].nranks);
}

static void note_few_runs(struct sca_case *c)
{
    if (c->measures[0].nranks == c->measures[c->last].nranks)
        note(c, "One number of ranks only: imbalance and waiting are analysed, but work that does "
                "not shrink with more ranks cannot be seen. Run on other sizes too.");
}

static void note_off_core(struct sca_case *c)
{
    const struct sca_measure *m = &c->measures[c->last];
    double part = m->total > 0 ? sca_off_core(c->room, m, NULL) / m->total : 0;
    if (m->shared && part > MUCH_OFF_CORE)
        note(c,
             "%.0f %% of the time between MPI calls was spent off the core: asleep, in I/O, or "
             "until threads of the rank's own were done. Where these shared cores, too, the "
             "scheduler's part of it cannot be told apart, and costs and gains are uncertain.",
             100 * part);
}

/* A user who lets a program run for a minute must not read that nothing scales. */
static void note_timed(struct sca_case *c)
{
    char list[192] = "";
    for (uint32_t i = 0; c->comparable.timed && i < c->nwhole; i++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%.0f on %u", used ? ", " : "",
                 c->comparable.steps[i], c->whole[i].nranks);
    }
    if (list[0])
        note(c,
             "The runs did not do the same work: each rank made a different number of collectives "
             "(%s ranks), so the program seems to stop by time. Scaling is judged per step; "
             "whether more steps are needed on more ranks is not.",
             list);
}

/* A fixed problem with work that is not divided, or a growing one with some that is? */
static void note_scaling(struct sca_case *c)
{
    double divided = c->growths.divided;
    bool strong = c->growths.mode == SCA_SCALING_STRONG;
    if (c->growths.mode == SCA_SCALING_SINGLE || c->settings->scaling != SCA_SCALING_AUTO ||
        c->growths.told < MUCH_TOLD || (strong ? 1 - divided : divided) < UNSURE)
        return;
    note(
        c,
        "Whether the problem grows with the ranks is not certain: %.0f %% of the computation of "
        "the smallest run is divided among more ranks, the rest is not. It is taken to %s scaling; "
        "if that is wrong, say --scaling=%s.",
        100 * divided, strong ? "stay the same, strong" : "grow, weak", strong ? "weak" : "strong");
}

void sca_notes_fill(struct sca_case *c)
{
    c->report->notes = sca_report_take(c, MOST_NOTES, sizeof *c->report->notes);
    for (uint32_t i = 0; i < c->ppg->nruns; i++) {
        note_complete(c, c->ppg->runs[i].profile);
        note_dropped(c, c->ppg->runs[i].profile);
        note_absurd(c, c->ppg->runs[i].profile);
        note_busy(c, &c->measures[i]);
    }
    note_left_out(c);
    note_noisy(c);
    note_samples(c);
    note_hidden(c);
    note_guessed(c);
    note_shared_cores(c);
    note_replay(c);
    note_unexplained(c);
    note_few_runs(c);
    note_counters(c);
    note_topology(c);
    note_off_core(c);
    note_timed(c);
    note_scaling(c);
    for (uint32_t i = 0; i < c->ppg->nnotes; i++)
        note(c, "%s", c->ppg->notes[i]);
}
