#include "base/degrees.h"
#include "report/notes.h"
#include "report/warnings.h"
#include "report/counters.h"
#include "sca_phrase.h"
#include "report/run_comparison.h"

#include <stdio.h>
#include <string.h>

/* Seconds since MPI_Init of a run whose processes are there; 0 of others. */
static double running(const struct sca_profile *profile)
{
    double longest = 0;
    for (uint32_t r = 0; r < profile->nranks; r++) {
        const struct sca_rank *rank = &profile->ranks[r];
        const struct sca_moment *m = rank->moment;
        bool alive = m && m->alive == SCA_ALIVE && m->now_ns > rank->init_ns;
        double s = alive ? (double)(m->now_ns - rank->init_ns) * 1e-9 : 0;
        longest = s > longest ? s : longest;
    }
    return longest;
}

static bool is_snapshot(const struct sca_profile *profile)
{
    for (uint32_t r = 0; r < profile->nranks; r++)
        if (profile->ranks[r].moment && profile->ranks[r].moment->state == SCA_SNAPSHOT)
            return true;
    return false;
}

static void note_since(struct sca_analysis *c, const struct sca_profile *profile)
{
    const char *snapshot = sca_profile_meta(profile, "since", "");
    if (*snapshot)
        sca_notes_add(c,
                      "Only what came after the snapshot %s is analysed; shortest and longest "
                      "times are those of the whole run.",
                      snapshot);
}

/* Who never came back from a computation; of several the one that went longest without a call. */
static void note_open_end(struct sca_analysis *c, const struct sca_profile *profile)
{
    uint32_t n = 0, longest = 0;
    uint64_t ns = 0;
    for (uint32_t r = 0; r < profile->nranks; r++) {
        const struct sca_moment *m = profile->ranks[r].moment;
        n += m && m->open_ns;
        if (m && m->open_ns > ns) {
            ns = m->open_ns;
            longest = r;
        }
    }
    if (!n)
        return;
    char others[48] = "";
    if (n > 1)
        snprintf(others, sizeof others, ", as did %u other%s", n - 1, n == 2 ? "" : "s");
    sca_notes_add(c, "%s broke off while rank %u computed: it had made no call for %.3g s%s. %s",
                  profile->directory, longest, 1e-9 * (double)ns, others,
                  profile->ranks[longest].moment->open_counts
                      ? "What samples show of it counts as computation that others wait for."
                      : "This is in the wall time, in no cause.");
}

static void note_complete(struct sca_analysis *c, const struct sca_profile *profile)
{
    uint32_t missing = 0, cut = 0;
    double so_far = profile->complete ? 0 : running(profile);
    note_since(c, profile);
    if (so_far > 0) {
        sca_notes_add(c,
                      "%s is running since %s, %.0f s so far. What was recorded until now is "
                      "analysed.",
                      profile->directory, sca_profile_meta(profile, "start", "its start"), so_far);
        return;
    }
    if (is_snapshot(profile)) {
        sca_notes_add(c, "%s is a snapshot: what was recorded until then is analysed.",
                      profile->directory);
        return;
    }
    for (uint32_t r = 0; r < profile->nranks; r++) {
        missing += !profile->ranks[r].present;
        cut += profile->ranks[r].present && !profile->ranks[r].complete;
    }
    if (profile->complete && !missing && !cut)
        return;
    char lost[48] = "";
    if (missing)
        snprintf(lost, sizeof lost, ", and %u left no data", missing);
    sca_notes_add(c,
                  "%s is incomplete: %u of %u ranks did not reach MPI_Finalize%s. The analysis "
                  "uses what was recorded until then.",
                  profile->directory, cut + missing, profile->nranks, lost);
    note_open_end(c, profile);
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

/* Then more of them help nobody; what is missing is told elsewhere (uncertain.h). */
static bool has_unreached(const struct sca_profile *profile)
{
    for (uint32_t r = 0; r < profile->nranks; r++)
        if (profile->ranks[r].unreached && *profile->ranks[r].unreached)
            return true;
    return false;
}

/* One sentence for all runs that have few. */
static void note_samples(struct sca_analysis *c)
{
    char few[512] = "";
    size_t used = 0;
    for (uint32_t i = 0; i < c->ppg->nruns; i++) {
        const struct sca_profile *profile = c->ppg->runs[i].profile;
        uint32_t present;
        uint64_t samples = count_samples(profile, &present);
        if (has_unreached(profile))
            continue;
        if (samples == 0)
            sca_notes_add(
                c,
                "%s has no samples of computation. Times between MPI calls are exact, but the "
                "lines between two calls are guesses. Run longer, or raise SCALANA_FREQUENCY.",
                profile->directory);
        else if (samples < SCA_MANY_SAMPLES * present && used < sizeof few)
            used += (size_t)snprintf(few + used, sizeof few - used, "%s%llu on %u ranks",
                                     used ? ", " : "", (unsigned long long)samples, present);
    }
    if (used)
        sca_notes_add(c,
                      "Few samples (%s): small differences between lines are not resolved. Run "
                      "longer, or raise SCALANA_FREQUENCY.",
                      few);
}

static void note_dropped(struct sca_analysis *c, const struct sca_profile *profile)
{
    uint64_t dropped = 0;
    for (uint32_t r = 0; r < profile->nranks; r++)
        dropped += profile->ranks[r].dropped;
    if (dropped)
        sca_notes_add(c, "%s: the runtime had no room for %llu records; totals may be too low.",
                      profile->directory, (unsigned long long)dropped);
}

static void note_absurd(struct sca_analysis *c, const struct sca_profile *profile)
{
    uint64_t absurd = 0;
    for (uint32_t r = 0; r < profile->nranks; r++)
        absurd += profile->ranks[r].absurd;
    if (absurd)
        sca_notes_add(c, "%s: a clock jumped. %llu %s left out, so totals may be too low.",
                      profile->directory, (unsigned long long)absurd,
                      absurd == 1 ? "time longer than the run was"
                                  : "times longer than the run were");
}

static bool is_repetition(const struct sca_analysis *c, uint32_t run)
{
    return run > 0 && c->measures[run].nranks == c->measures[run - 1].nranks;
}

static void note_left_out(struct sca_analysis *c)
{
    if (!c->measures[c->last].run->profile->complete && c->ppg->nruns > 1)
        sca_notes_add(c, "The largest run is incomplete. Scaling is not analysed, because an "
                         "aborted run computed less, not faster.");
    else if (c->nwhole < c->ppg->nruns)
        sca_notes_add(c, "The scaling models omit incomplete runs.");
}

static void note_shared_cores(struct sca_analysis *c)
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
    sca_notes_add(c,
                  "Ranks shared cores (runs on %s ranks), so measured waits are scheduling. "
                  "Computation is CPU time, and waits are replayed: durations, costs and shares "
                  "assume one core per rank. Differences between ranks below %.2fx may come from "
                  "the cores; they are listed as not confirmed. Where the slow ranks are those of "
                  "one core, this goes up to %.2gx.",
                  sizes, sca_abnormal_shared_limit(&c->measures[c->last]), SCA_SHARED_HARDWARE);
}

static void note_busy(struct sca_analysis *c, const struct sca_measure *m)
{
    if (m->shared && !m->oversubscribed)
        sca_notes_add(c,
                      "The ranks of %s were on a core for only %.0f %% of the time: the machine "
                      "was busy, or the program sleeps. This run's waits and durations are "
                      "replayed, and its computation times may be too long.",
                      m->run->profile->directory, 100 * m->on_core);
}

/* Of the largest run. */
static void note_cores_had(struct sca_analysis *c, const struct sca_measure *m)
{
    if (m->oversubscribed && m->cores && m->had < SCA_MOST)
        sca_notes_add(
            c,
            "The ranks of %s had their %u cores for only %.0f %% of the time: the machine was "
            "busy, or the program sleeps. Other programs may slow some ranks more than others. A "
            "run on a quiet machine shows whether small differences come from the program.",
            m->run->profile->directory, m->cores, 100 * m->had);
}

/* Of each run, but once what several have in common. */
static void note_counters(struct sca_analysis *c)
{
    const char *before = "";
    char text[SCA_PHRASE];
    for (uint32_t i = c->ppg->nruns; i-- > 0;) {
        const struct sca_profile *profile = c->ppg->runs[i].profile;
        const char *absent = sca_profile_meta(profile, "metrics.absent", "");
        if (strcmp(absent, before) && *sca_counters_absent(text, profile))
            sca_notes_add(c, "%s", text);
        if (i == c->last && *sca_counters_estimated(text, profile))
            sca_notes_add(c, "%s", text);
        if (i == c->last && *sca_counters_timer(text, profile))
            sca_notes_add(c, "%s", text);
        before = absent;
    }
}

static void note_noisy(struct sca_analysis *c)
{
    for (uint32_t i = 0; i < c->ppg->nruns; i++)
        if (c->report->runs[i].noisy)
            sca_notes_add(c,
                          "%s computed %+.0f %% compared with the other runs on %u ranks: it was "
                          "disturbed, or the program's work varies.",
                          c->ppg->runs[i].profile->directory,
                          100 * sca_run_comparison_deviation(c, i), c->measures[i].nranks);
}

static void note_few_runs(struct sca_analysis *c)
{
    if (c->measures[0].nranks == c->measures[c->last].nranks && !c->comparable.by_threads)
        sca_notes_add(
            c, "All runs have the same number of ranks. Imbalance and waiting are analysed; work "
               "that does not shrink with more ranks is not visible. Run on other sizes too.");
}

/* A user who lets a program run for a minute must not read that nothing scales. */
static void note_timed(struct sca_analysis *c)
{
    char list[192] = "";
    for (uint32_t i = 0; c->comparable.timed && i < c->nwhole; i++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%.0f on %u", used ? ", " : "",
                 c->comparable.steps[i], c->whole[i].nranks);
    }
    if (list[0] && sca_warnings_other_arguments(c->report))
        sca_notes_add(
            c,
            "The runs had different arguments, and different amounts of work: collectives "
            "per rank were %s ranks. Scaling is analysed per iteration; a change in the "
            "number of iterations is not.",
            list);
    else if (list[0])
        sca_notes_add(c,
                      "The runs did different amounts of work: collectives per rank were %s ranks. "
                      "The program seems to stop after a fixed time. Scaling is analysed per "
                      "iteration; a change in the number of iterations is not.",
                      list);
}

void sca_notes_of_runs(struct sca_analysis *c)
{
    for (uint32_t i = 0; i < c->ppg->nruns; i++) {
        note_complete(c, c->ppg->runs[i].profile);
        note_dropped(c, c->ppg->runs[i].profile);
        note_absurd(c, c->ppg->runs[i].profile);
        note_busy(c, &c->measures[i]);
    }
    note_left_out(c);
    note_noisy(c);
    note_samples(c);
    note_shared_cores(c);
    note_cores_had(c, &c->measures[c->last]);
    note_few_runs(c);
    note_counters(c);
    note_timed(c);
}
