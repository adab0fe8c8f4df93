/* The sentences of the verdict that rest on thresholds. */
#include "sca_phrase.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ACCEPTABLE 0.8  /* parallel efficiency, by POP */
#define MOST_OF    0.8  /* of all waiting: it is at that line */
#define SOME_OF    20.0 /* times less than the delayed ranks have: so little is none */

static const struct sca_report_run *largest(const struct sca_report *report)
{
    static const struct sca_report_run none;
    return report->nruns ? &report->runs[report->nruns - 1] : &none;
}

static bool has_one_other(const struct sca_report *report, const struct sca_report_cause *c)
{
    return largest(report)->ranks - c->nranks == 1;
}

/* Half of the ranks may have none of a place, and others some all the same. */
static bool some_have_it(const struct sca_report *report, const struct sca_report_cause *c)
{
    const struct sca_report_vertex *v = &report->vertices[c->vertex];
    const double *seconds = c->nrank_s ? c->rank_s : v->rank_s;
    uint32_t n = c->nrank_s ? c->nrank_s : v->nranks;
    double own = 0, most = 0;
    for (uint32_t r = 0, i = 0; r < n; r++)
        if (i < c->nranks && c->ranks[i] == r) {
            own += seconds[r] / c->nranks;
            i++;
        } else {
            most = fmax(most, seconds[r]);
        }
    return most * SOME_OF > own;
}

static bool has_ratio(const struct sca_report_cause *c)
{
    return c->ratio > 0 && isfinite(c->ratio);
}

const char *sca_report_cause_others(const struct sca_report *report,
                                    const struct sca_report_cause *c)
{
    bool serial = !strcmp(c->category, "serial");
    if (c->others && *c->others)
        return c->others;
    if (!strcmp(c->category, "nonscalable") || !strcmp(c->category, "communication"))
        return "";
    if (serial && c->nranks > 1)
        return "in-turn";
    if (!serial && has_ratio(c))
        return "less";
    return !has_one_other(report, c) && some_have_it(report, c) ? "some" : "none";
}

#define FAR_MORE 10 /* times as much: how many more they are says nothing */

bool sca_phrase_is_of_threads(const struct sca_report_cause *c)
{
    return c->others && (!strcmp(c->others, "threads") || !strcmp(c->others, "one-thread") ||
                         !strcmp(c->others, "lock") || !strcmp(c->others, "cores"));
}

static bool is_at_task(const struct sca_report *report, const struct sca_report_cause *c)
{
    return c->vertex < report->nvertices &&
           !strcmp(report->vertices[c->vertex].name, "OpenMP task");
}

const char *sca_phrase_others(char *buffer, const struct sca_report *report,
                              const struct sca_report_cause *c)
{
    const char *others = sca_report_cause_others(report, c);
    const char *these = c->nranks == 1 ? "this rank" : "these ranks";
    buffer[0] = '\0';
    if (!strcmp(others, "in-turn"))
        snprintf(buffer, SCA_PHRASE, "serialised, one rank at a time");
    else if (!strcmp(others, "lock"))
        snprintf(buffer, SCA_PHRASE, "threads of a rank wait for each other");
    else if (!strcmp(others, "cores"))
        snprintf(buffer, SCA_PHRASE, "bound to cores that they share, while others are idle");
    else if (!strcmp(others, "threads"))
        snprintf(buffer, SCA_PHRASE, "the busiest thread takes %.1fx the mean", c->ratio);
    else if (!strcmp(others, "one-thread"))
        snprintf(buffer, SCA_PHRASE,
                 is_at_task(report, c) ? "tasks that depend on each other, by one thread of %.0f"
                                       : "done by one thread of %.0f",
                 c->ratio);
    else if (!strcmp(others, "some"))
        snprintf(buffer, SCA_PHRASE, "on %s and few others", these);
    else if (!strcmp(others, "none"))
        snprintf(buffer, SCA_PHRASE, "only on %s", these);
    /* older reports: what all ranks have more of rotates */
    bool rotates = c->moves || (c->nranks > 1 && c->nranks == largest(report)->ranks);
    if (rotates && !strcmp(others, "less") && c->ratio >= FAR_MORE)
        snprintf(buffer, SCA_PHRASE, "rotating: the other ranks have hardly any at the time");
    else if (!strcmp(others, "less") && has_ratio(c))
        snprintf(buffer, SCA_PHRASE, "%s%.1fx the other rank%s", rotates ? "rotating, " : "",
                 c->ratio, has_one_other(report, c) ? "" : "s");
    return buffer;
}

const char *sca_phrase_gain_ci(char *buffer, const struct sca_report_cause *c)
{
    enum { FIGURES = 32 };
    char low[FIGURES], high[FIGURES];
    const char *format = c->gain_ci[1] < 999.5 ? "%.3g" : "%.0f";
    snprintf(low, sizeof low, format, c->gain_ci[0]);
    snprintf(high, sizeof high, format, c->gain_ci[1]);
    bool known = c->gain_ci[0] < c->gain_core_s || c->gain_ci[1] > c->gain_core_s;
    buffer[0] = '\0';
    if (known && strcmp(low, high))
        snprintf(buffer, SCA_PHRASE, "%s to %s", low, high);
    return buffer;
}

/* "rank 4's work here is removed", "ranks 1, 2 took as long here as the other ranks". */
static void phrase_alike(char *buffer, const struct sca_report *report,
                         const struct sca_report_cause *c)
{
    char ranks[SCA_PHRASE];
    sca_phrase_ranks(ranks, largest(report), c->ranks, c->nranks);
    bool named = c->nranks == 1 && !strchr(ranks, '('); /* without coordinates behind it */
    if (strcmp(sca_report_cause_others(report, c), "less"))
        snprintf(buffer, SCA_PHRASE,
                 named ? "%.900s's work here is removed" : "the work of %.900s here is removed",
                 ranks);
    else
        snprintf(buffer, SCA_PHRASE, "%.900s took as long here as the other rank%s", ranks,
                 has_one_other(report, c) ? "" : "s");
}

/* "; 13.5 core-s if all 8 ranks shared the work", or if its ranks took as long as the others. */
static void add_other_way(char *buffer, const struct sca_report *report,
                          const struct sca_report_cause *c)
{
    size_t n = strlen(buffer);
    if (c->gain_shared_core_s > 0 && n)
        snprintf(buffer + n, SCA_PHRASE - n, "; %.3g core-s if all %u ranks shared the work",
                 c->gain_shared_core_s, largest(report)->ranks);
    if (c->gain_alike_core_s > 0 && n) {
        char alike[SCA_PHRASE];
        phrase_alike(alike, report, c);
        snprintf(buffer + n, SCA_PHRASE - n, "; %.3g core-s if %.900s", c->gain_alike_core_s,
                 alike);
    }
}

const char *sca_phrase_saved_if(char *buffer, const struct sca_report *report,
                                const struct sca_report_cause *c)
{
    static const char *const said[][2] = {
        {"shared", "all ranks took the same time here"},
        {"usual", "its long instances took the baseline time"},
        {"at-once", "all ranks ran it at the same time"},
        {"ideal", "it scaled ideally"},
        {"even-threads", "all threads of a rank took the same time here"},
        {"all-threads", "all threads of a rank shared it"},
        {"no-lock", "no thread waited for the lock"},
        {"free-cores", "these ranks used the idle cores (launcher options --bind-to, --cpu-bind)"},
        {"transfer", "transfers took no longer than on the fewest ranks"},
    };
    buffer[0] = '\0';
    if (!c->saved_if)
        return buffer;
    if (!strcmp(c->saved_if, "alike"))
        phrase_alike(buffer, report, c);
    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        if (!strcmp(c->saved_if, said[i][0]))
            snprintf(buffer, SCA_PHRASE, "%s", said[i][1]);
    add_other_way(buffer, report, c);
    return buffer;
}

const char *sca_phrase_chain(const struct sca_report *report, const struct sca_report_cause *c)
{
    return c->nranks && c->nranks == largest(report)->ranks
               ? "Why ranks wait for it, symptom first"
               : "How it reaches the others, symptom first";
}

/* Of what did not end nobody knows that it is good. */
static bool has_ended(const struct sca_report *report)
{
    return !report->nruns || report->runs[report->nruns - 1].complete;
}

/* Nothing can be found in what was recorded. */
static bool is_too_short(const struct sca_report *report)
{
    const struct sca_report_least *least = &report->least_gain;
    return least->known && least->short_run && least->share >= 1;
}

const char *sca_phrase_least_gain(char *buffer, const struct sca_report *report)
{
    const struct sca_report_least *least = &report->least_gain;
    double run = largest(report)->account.duration_s;
    buffer[0] = '\0';
    if (is_too_short(report) && !has_ended(report))
        snprintf(buffer, SCA_PHRASE, "in what was recorded, which is too short to identify one");
    else if (is_too_short(report))
        snprintf(buffer, SCA_PHRASE, "in a run of %.3g ms, which is too short to identify one",
                 1e3 * run);
    else if (least->known && least->short_run)
        snprintf(buffer, SCA_PHRASE, "that would save %.3g ms of the run's %.3g ms",
                 1e3 * least->share * run, 1e3 * run);
    else if (least->known)
        snprintf(buffer, SCA_PHRASE, "above %.3g %% of ranks x wall", 100 * least->share);
    return buffer;
}

/* The line that has most of so much waiting; NULL: none has. */
static const struct sca_report_vertex *waits_mostly_at(const struct sca_report *report,
                                                       double waits)
{
    struct sca_report_wait longest;
    bool any = sca_report_waits_by_place(report, &longest, 1);
    return any && longest.wait_core_s > MOST_OF * waits ? &report->vertices[longest.vertex] : NULL;
}

/* What took most of the time that was no computation. */
static const char *greatest_loss(char *buffer, const struct sca_report *report)
{
    const struct sca_report_account *a = &largest(report)->account;
    double waits =
        a->explained_core_s + a->unexplained_core_s + a->other_world_core_s + a->disturbed_core_s;
    const struct sca_report_vertex *at = waits_mostly_at(report, waits);
    char place[SCA_PHRASE];
    if (a->awaited_core_s > fmax(fmax(waits, a->blocked_core_s), a->rest_core_s))
        return "mostly waiting outside MPI for other ranks (see the notes)";
    if (a->blocked_core_s > fmax(waits, a->rest_core_s))
        return "mostly blocked outside MPI, asleep or waiting for another event (see the notes)";
    if (waits < a->rest_core_s)
        return "mostly transfer and scheduling, inside MPI";
    if (report->set_aside)
        return "mostly waiting (see the notes)";
    if (2 * a->disturbed_core_s > waits)
        return "mostly waiting, attributed to shared cores (see the notes)";
    if (!at)
        return "mostly waiting, spread over many lines";
    snprintf(buffer, SCA_PHRASE, "mostly waiting, at %.400s", sca_phrase_vertex(place, at));
    return buffer;
}

static void phrase_loss(char *buffer, size_t size, const struct sca_report *report,
                        const struct sca_report_efficiency *e)
{
    char loss[SCA_PHRASE];
    buffer[0] = '\0';
    if (e->parallel < ACCEPTABLE)
        snprintf(buffer, size, " That is low: %.560s.", greatest_loss(loss, report));
    else if (e->computation < ACCEPTABLE)
        snprintf(buffer, size,
                 " Computation is %.2fx that of ideal scaling, and no place is certain to be the "
                 "reason.",
                 1 / e->computation);
}

bool sca_phrase_no_cause(char *buffer, const struct sca_report *report)
{
    char least[SCA_PHRASE], loss[600];
    const char *before = *sca_phrase_least_gain(least, report) ? " " : "";
    const char *found = report->set_aside ? "is certain" : "found";
    const char *beside = report->nunconfirmed ? " Possible causes are listed as not confirmed."
                         : report->set_aside  ? " The notes list possible causes."
                                              : "";
    if (!report->nefficiency || (is_too_short(report) && !has_ended(report))) {
        snprintf(buffer, SCA_PHRASE, "No cause of scaling loss %s%s%.200s.%s", found, before, least,
                 beside);
        return has_ended(report);
    }
    const struct sca_report_efficiency *e = &report->efficiency[report->nefficiency - 1];
    phrase_loss(loss, sizeof loss, report, e);
    snprintf(buffer, SCA_PHRASE,
             "No cause of scaling loss %s%s%.200s.%s On %u rank%s parallel efficiency is %.2f "
             "(load balance %.2f, communication %.2f).%s",
             found, before, least, beside, e->ranks, e->ranks == 1 ? "" : "s", e->parallel,
             e->load_balance, e->communication, loss);
    return !*loss && has_ended(report);
}
