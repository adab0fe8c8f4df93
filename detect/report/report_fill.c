#include "report/report_fill.h"
#include "report/acts.h"
#include "report/cause_parts.h"
#include "base/degrees.h"
#include "report/report_memory.h"
#include "report/run_comparison.h"
#include "verdict/causes.h"
#include "report/fill_metrics.h"
#include "report/fill_models.h"
#include "report/code_inside.h"
#include "report/counter_grown.h"
#include "report/counter_reported.h"
#include "report/efficiency.h"
#include "report/hosts.h"
#include "report/locations.h"
#include "report/run_notes.h"
#include "report/behaviour.h"
#include "report/communication.h"
#include "report/contention.h"
#include "report/series.h"
#include "report/thread_times.h"
#include "report/timelines.h"
#include "report/topologies.h"
#include "report/uncertain.h"
#include "symbols/source_checksums.h"
#include "report/notes.h"
#include "report/warnings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SYMPTOMS = 16 };
#define LEAST_SYMPTOM 0.01 /* of the gain, or of the longest wait: what is less is left out */

static uint32_t *copy_ranks(struct sca_analysis *c, const uint32_t *ranks, uint32_t n)
{
    uint32_t *copy = sca_report_memory_take(c, n, sizeof *copy);
    memcpy(copy, ranks, n * sizeof *copy);
    return copy;
}

/* Computation of the smallest run, if it scaled ideally to this one. */
static double ideal_useful(const struct sca_analysis *c, uint32_t i)
{
    const struct sca_account *a = &c->accounts[i];
    double ideal = sca_comparable_total(&c->comparable, 0) / sca_run_comparison_work_scale(c, i);
    ideal *= 1 - sca_efficiency_blocked(&c->accounts[0]);
    if (c->growths.mode == SCA_SCALING_SINGLE)
        return a->useful;
    if (c->growths.mode == SCA_SCALING_WEAK)
        ideal *= (double)a->ranks / c->whole[0].nranks;
    return fmin(a->useful, ideal);
}

/* What is charged to causes is waited in replays without the scatter of single instances. What
 * these wait more is in no clock: the rest has it, with its sign. */
static void fill_account(struct sca_analysis *c, uint32_t i)
{
    const struct sca_account *a = &c->accounts[i];
    struct sca_report_account *to = &c->report->runs[i].account;
    double scatter = a->waits - c->costs[i].waits;
    to->is_virtual = a->is_virtual;
    to->duration_s = a->duration;
    to->base_core_s = a->base;
    to->extra_core_s = a->useful - ideal_useful(c, i);
    to->tool_core_s = fmin(a->tool, (a->useful - to->extra_core_s) / 2);
    to->useful_core_s = a->useful - to->extra_core_s - to->tool_core_s;
    to->blocked_core_s = a->blocked;
    to->awaited_core_s = a->awaited;
    to->queued_core_s = a->queued;
    to->unexplained_core_s = c->costs[i].unexplained;
    to->disturbed_core_s = fmax(0, scatter);
    to->explained_core_s = c->costs[i].waits - to->unexplained_core_s;
    to->other_world_core_s = a->other_world;
    to->communication_core_s = a->transfer_time;
    to->rest_core_s = a->rest + fmin(0, scatter);
}

static void fill_run(struct sca_analysis *c, uint32_t i)
{
    struct sca_report_run *run = &c->report->runs[i];
    const struct sca_measure *m = &c->measures[i];
    run->dir = sca_report_string(c->report, m->run->profile->directory);
    run->ranks = m->nranks;
    run->threads = m->run->threads;
    run->work = m->run->work;
    run->wall_s = m->wall;
    run->useful_s = m->total;
    run->mpi_s = m->mpi;
    run->wait_s = c->accounts[i].waits + c->accounts[i].other_world;
    run->tool_s = m->tool;
    run->complete = m->run->profile->complete;
    run->oversubscribed = m->oversubscribed;
    run->noise = fmax(m->noise_level, fabs(sca_run_comparison_deviation(c, i)));
    run->noisy = run->complete && fabs(sca_run_comparison_deviation(c, i)) > SCA_SUBSTANTIAL;
    fill_account(c, i);
    sca_hosts_fill(c, i);
    sca_topologies_fill(c, i);
    sca_run_notes_fill(c, i);
}

static const char *name_vertex(struct sca_analysis *c, const struct sca_ppg_vertex *v)
{
    char text[512];
    const char *slash = strrchr(v->file, '/'), *file = slash ? slash + 1 : v->file;
    if (v->name[0])
        return sca_report_string(c->report, v->name);
    if (v->kind == SCA_ROOT)
        return sca_report_string(c->report, v->function);
    if (v->line || !*file)
        snprintf(text, sizeof text, "%s at %s%s:%u", sca_psg_kind_name(v->kind),
                 v->near ? "near " : "", file, v->line);
    else
        snprintf(text, sizeof text, "%s at %s", sca_psg_kind_name(v->kind), file);
    return sca_report_string(c->report, text);
}

/* Time per vertex: computation with all below, or time in the call for MPI vertices. */
static double vertex_seconds(const struct sca_measure *m, uint32_t v, uint32_t r)
{
    bool mpi = m->ppg->vertices[v].kind == SCA_MPI;
    return (mpi ? m->run->mpi : m->inclusive)[(size_t)v * m->nranks + r];
}

static void fill_vertex(struct sca_analysis *c, uint32_t v)
{
    const struct sca_ppg_vertex *from = &c->ppg->vertices[v];
    struct sca_report_vertex *to = &c->report->vertices[v];
    to->id = v;
    to->kind = sca_report_string(c->report, sca_psg_kind_name(from->kind));
    to->name = name_vertex(c, from);
    to->function = sca_report_string(c->report, from->function);
    to->file = sca_report_string(c->report, from->file);
    to->line = from->line;
    to->end_line = from->end_line;
    to->near = from->near;
    to->parent = from->parent;
    to->nranks = c->measures[c->last].nranks;
    to->rank_s = sca_report_memory_take(c, to->nranks, sizeof *to->rank_s);
    for (uint32_t r = 0; r < to->nranks; r++)
        to->rank_s[r] = vertex_seconds(&c->measures[c->last], v, r);
    to->nruns = c->ppg->nruns;
    to->run_s = sca_report_memory_take(c, to->nruns, sizeof *to->run_s);
    for (uint32_t i = 0; i < to->nruns; i++)
        for (uint32_t r = 0; r < c->measures[i].nranks; r++)
            to->run_s[i] += vertex_seconds(&c->measures[i], v, r);
}

static void fill_tables(struct sca_analysis *c)
{
    struct sca_report *report = c->report;
    report->nruns = report->nefficiency = c->ppg->nruns;
    report->runs = sca_report_memory_take(c, report->nruns, sizeof *report->runs);
    report->efficiency = sca_report_memory_take(c, report->nruns, sizeof *report->efficiency);
    report->nvertices = c->ppg->nvertices;
    report->vertices = sca_report_memory_take(c, report->nvertices, sizeof *report->vertices);
    for (uint32_t i = 0; i < report->nruns; i++) {
        fill_run(c, i);
        sca_efficiency_fill(c, i);
    }
    for (uint32_t v = 0; v < report->nvertices; v++)
        fill_vertex(c, v);
}

/* As AbnormThd asks. */
static void fill_abnormal(struct sca_analysis *c)
{
    struct sca_report *report = c->report;
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->ppg->nruns; i++)
        n += c->abnormals[i].count;
    report->abnormal = sca_report_memory_take(c, n, sizeof *report->abnormal);
    for (uint32_t i = c->ppg->nruns; i-- > 0;)
        for (uint32_t k = 0; k < c->abnormals[i].count; k++) {
            const struct sca_abnormal *a = &c->abnormals[i].items[k];
            if (a->ratio > 0 && a->ratio < c->settings->abnorm_thd)
                continue;
            report->abnormal[report->nabnormal++] =
                (struct sca_report_abnormal){a->vertex, c->measures[i].nranks,
                                             a->nranks, copy_ranks(c, a->ranks, a->nranks),
                                             a->ratio,  a->excess};
        }
}

static int by_wait(const void *a, const void *b)
{
    double x = ((const struct sca_report_symptom *)a)->wait_core_s;
    double y = ((const struct sca_report_symptom *)b)->wait_core_s;
    return (x < y) - (x > y);
}

/* The waits it causes, longest first, without those that do not matter. */
static void fill_symptoms(struct sca_analysis *c, const double *waits, struct sca_report_cause *to)
{
    double most = to->gain_core_s;
    uint32_t n = 0;
    for (uint32_t v = 0; v < c->ppg->nvertices; v++)
        most = fmax(most, waits[v]);
    struct sca_report_symptom *all = sca_workspace_alloc(c->space, c->ppg->nvertices, sizeof *all);
    for (uint32_t v = 0; v < c->ppg->nvertices; v++)
        if (waits[v] > LEAST_SYMPTOM * most)
            all[n++] = (struct sca_report_symptom){v, waits[v]};
    sca_workspace_put_in_order(c->space, all, n, sizeof *all, by_wait);
    to->nsymptoms = n < MOST_SYMPTOMS ? n : MOST_SYMPTOMS;
    to->symptoms = sca_report_memory_take(c, to->nsymptoms, sizeof *to->symptoms);
    memcpy(to->symptoms, all, to->nsymptoms * sizeof *all);
}

static bool ends_in(const struct sca_analysis *c, const struct sca_chain_step *last, uint32_t cause)
{
    const struct sca_finding *of = c->causes.items[cause];
    bool inside = false, on = false;
    for (uint32_t k = 0; k < of->nvertices; k++)
        inside |= last->vertex >= of->vertices[k] && last->vertex < c->ends[of->vertices[k]];
    for (uint32_t k = 0; k < of->nranks; k++)
        on |= of->ranks[k] == last->rank;
    return (inside || of->vertex == last->vertex) && on;
}

static void fill_steps(struct sca_analysis *c, const struct sca_chain *chain, uint32_t *n,
                       struct sca_report_step **steps)
{
    *n = chain->count;
    *steps = sca_report_memory_take(c, chain->count, sizeof **steps);
    for (uint32_t i = 0; i < chain->count; i++)
        (*steps)[i] = (struct sca_report_step){chain->steps[i].vertex, chain->steps[i].rank,
                                               sca_report_string(c->report, chain->steps[i].via)};
}

static void fill_paths(struct sca_analysis *c)
{
    struct sca_report *report = c->report;
    report->npaths = c->paths.count;
    report->npaths_left_out = c->paths.left_out;
    report->paths = sca_report_memory_take(c, report->npaths, sizeof *report->paths);
    for (uint32_t i = 0; i < report->npaths; i++) {
        const struct sca_path *from = &c->paths.items[i];
        struct sca_report_path *to = &report->paths[i];
        to->start = sca_all_paths_start(from->start);
        to->wait_s = from->waited;
        fill_steps(c, &from->chain, &to->nsteps, &to->steps);
        for (uint32_t k = 0; k < c->causes.count && !to->to_cause && from->chain.count; k++) {
            to->to_cause = ends_in(c, &from->chain.steps[from->chain.count - 1], k);
            to->cause = k;
        }
    }
}

/* What the ratio compares. */
static double cause_seconds(const struct sca_analysis *c, const struct sca_finding *cause,
                            uint32_t r)
{
    const struct sca_measure *m = &c->measures[c->last];
    double seconds = 0;
    for (uint32_t k = 0, end = 0; k < cause->nvertices; k++)
        if (cause->vertices[k] >= end || c->ends[cause->vertices[k]] > end) {
            seconds += vertex_seconds(m, cause->vertices[k], r);
            end = c->ends[cause->vertices[k]];
        }
    return seconds;
}

static void fill_ranks(struct sca_analysis *c, const struct sca_finding *from,
                       struct sca_report_cause *to)
{
    if (!sca_finding_is_between(from) && from->nvertices < 2)
        return;
    to->nrank_s = c->measures[c->last].nranks;
    to->rank_s = sca_report_memory_take(c, to->nrank_s, sizeof *to->rank_s);
    struct sca_interval_bounds bounds = sca_finding_bounds(from);
    const double *between =
        sca_finding_is_between(from)
            ? sca_interval_bounds_measure(c->space, &c->measures[c->last], &bounds).seconds
            : NULL;
    for (uint32_t r = 0; r < to->nrank_s; r++)
        to->rank_s[r] = between ? between[r] : cause_seconds(c, from, r);
}

static void fill_counter(struct sca_analysis *c, const struct sca_finding *from,
                         struct sca_report_cause *to)
{
    struct sca_counter_reported told = sca_counter_reported_of(c, from);
    to->counter = told.name ? sca_report_string(c->report, told.name) : "";
    to->counter_each = told.each;
    to->counter_others_each = told.others_each;
}

static void fill_counter_grown(struct sca_analysis *c, const struct sca_finding *from,
                               struct sca_report_cause *to)
{
    struct sca_counter_grown grown = sca_counter_grown_of(c, from);
    if (!grown.name)
        return;
    to->counter = sca_report_string(c->report, grown.name);
    to->counter_each = grown.each;
    to->counter_fewest = grown.fewest;
    to->counter_fewest_each = grown.fewest_each;
    to->counter_expected_each = grown.expected_each;
}

/* What is called at the cause's own line says no more than that. */
static bool is_its_call(const struct sca_ppg_vertex *cause, const struct sca_inner *inner)
{
    return inner->foreign && cause->kind == SCA_CALL && inner->line == cause->line &&
           !strcmp(inner->function, cause->name);
}

/* Code without a loop of its own goes over many lines; where one call in it has most, that is its
 * line. */
static void place_at_call(struct sca_analysis *c, const struct sca_finding *from,
                          const struct sca_report_cause *to)
{
    struct sca_report_vertex *v = &c->report->vertices[from->vertex];
    if (c->ppg->vertices[from->vertex].kind == SCA_COMP && to->inner_foreign &&
        to->inner_share >= SCA_HALF && to->inner_line && !strcmp(v->file, to->inner_file))
        v->line = v->end_line = to->inner_line;
}

static void fill_inside(struct sca_analysis *c, const struct sca_finding *from,
                        struct sca_report_cause *to)
{
    uint32_t site = sca_code_inside_site(c, from),
             inner = sca_code_inside_most(c, from, &to->inner_share);
    to->at_site = site != SCA_NONE;
    to->site = to->at_site ? site : 0;
    to->inner_function = to->inner_file = "";
    const struct sca_inner *f = &c->ppg->inners.items[inner];
    if (!inner || is_its_call(&c->ppg->vertices[from->vertex], f)) {
        to->inner_share = 0;
        return;
    }
    to->inner_function = sca_report_string(c->report, f->function);
    to->inner_file = sca_report_string(c->report, f->file);
    to->inner_line = f->line;
    to->inner_inlined = f->inlined;
    to->inner_foreign = f->foreign;
    place_at_call(c, from, to);
}

/* What its transform makes of it (finding.h). */
static const char *saved_if(const struct sca_finding *from)
{
    if (from->category == SCA_CAUSE_NONSCALABLE)
        return "ideal";
    if (from->category == SCA_CAUSE_COMMUNICATION)
        return "transfer";
    if (from->category == SCA_CAUSE_BINDING)
        return "free-cores";
    if (sca_finding_is_of_threads(from))
        return from->category == SCA_CAUSE_CONTENTION   ? "no-lock"
               : from->category == SCA_CAUSE_ONE_THREAD ? "all-threads"
                                                        : "even-threads";
    if (sca_finding_rotates(from))
        return from->transform.rotating->smoothed ? "shared" : "usual";
    if (from->category == SCA_CAUSE_SERIAL && from->nranks > 1)
        return "at-once";
    return from->transform.alike ? "shared" : "alike";
}

/* Of a rank's threads: how they share it. */
static const char *of_threads(const struct sca_finding *from)
{
    return !sca_finding_is_of_threads(from)         ? ""
           : from->category == SCA_CAUSE_BINDING    ? "cores"
           : from->category == SCA_CAUSE_CONTENTION ? "lock"
           : from->category == SCA_CAUSE_ONE_THREAD ? "one-thread"
                                                    : "threads";
}

/* What mending it in the other way saves, if that is much less or more. */
static void fill_otherwise(const struct sca_price *price, bool alike, struct sca_report_cause *to)
{
    if (price->otherwise < (1 - SCA_SUBSTANTIAL) * price->gain && !alike)
        to->gain_shared_core_s = price->otherwise;
    if (price->otherwise > (1 + SCA_SUBSTANTIAL) * price->gain && alike)
        to->gain_alike_core_s = price->otherwise;
}

static void fill_acts(struct sca_analysis *c, const struct sca_finding *from,
                      struct sca_report_cause *to)
{
    char words[SCA_PATTERN_WORDS];
    to->acts = sca_report_string(c->report, sca_acts_of(c, from, words));
}

static void fill_parts(struct sca_analysis *c, const struct sca_finding *from,
                       struct sca_report_cause *to)
{
    struct sca_cause_part parts[SCA_MOST_PARTS];
    double all;
    to->nparts = sca_cause_parts_find(c, from, parts, &all);
    to->parts = sca_report_memory_take(c, to->nparts, sizeof *to->parts);
    for (uint32_t i = 0; i < to->nparts; i++)
        to->parts[i] =
            (struct sca_report_part){parts[i].vertex, parts[i].excess, parts[i].excess / all};
}

static void fill_cause(struct sca_analysis *c, const struct sca_finding *from,
                       struct sca_report_cause *to)
{
    const struct sca_price *price = &c->prices[from->number];
    double base = c->accounts[c->last].base;
    to->vertex = from->vertex;
    to->category = sca_report_string(c->report, sca_finding_category_name(from->category));
    to->nranks = from->nranks;
    to->ranks = copy_ranks(c, from->ranks, from->nranks);
    to->cost_core_s = price->cost;
    to->cost_share = price->cost / base;
    to->gain_core_s = price->gain;
    to->gain_share = price->gain / base;
    to->gain_ci[0] = price->low;
    to->gain_ci[1] = fmin(price->high, base);
    to->saved_if = saved_if(from);
    to->moves = sca_finding_rotates(from);
    to->ncall_paths = from->nvertices;
    fill_otherwise(price, from->transform.alike, to);
    to->direct_core_s = price->direct;
    to->indirect_core_s = price->indirect;
    to->ratio = from->ratio;
    to->between = sca_finding_is_between(from);
    to->after = sca_finding_reported_after(from);
    to->before = from->interval.before;
    fill_parts(c, from, to);
    fill_inside(c, from, to);
    fill_counter(c, from, to);
    fill_counter_grown(c, from, to);
    fill_acts(c, from, to);
    fill_ranks(c, from, to);
    to->others = of_threads(from);
    to->others = sca_report_cause_others(c->report, to);
}

/* Causes, and behind them what was found and is not confirmed. */
static void fill_causes(struct sca_analysis *c)
{
    struct sca_report *report = c->report;
    uint32_t n = c->causes.count;
    report->causes = sca_report_memory_take(c, n + c->noted.count, sizeof *report->causes);
    report->ncauses = n;
    for (uint32_t i = 0; i < n; i++) {
        fill_cause(c, c->causes.items[i], &report->causes[i]);
        fill_symptoms(c, c->symptoms[i], &report->causes[i]);
        if (c->causes.items[i]->category != SCA_CAUSE_BINDING) /* it is at no place */
            fill_steps(c, &c->chains[i], &report->causes[i].npath, &report->causes[i].path);
    }
    for (uint32_t i = 0; i < c->noted.count; i++) {
        struct sca_report_cause *to = &report->causes[n + report->nunconfirmed];
        if (!*sca_notes_doubt(c, c->noted.items[i]))
            continue;
        fill_cause(c, c->noted.items[i], to);
        to->doubt = sca_report_string(report, sca_notes_doubt(c, c->noted.items[i]));
        to->note = UINT32_MAX;
        report->nunconfirmed++;
    }
}

/* Which of the two the work that is told is nearer to. */
static enum sca_scaling told_mode(const struct sca_analysis *c)
{
    return sca_fill_models_work_exponent(c) < SCA_HALF ? SCA_SCALING_STRONG : SCA_SCALING_WEAK;
}

/* All that the largest run lost: what was not computation, and computation beyond ideal scaling.
 * Explained is what computation was charged with, and the growth of named vertices. */
static void fill_scaling(struct sca_analysis *c)
{
    static const char *const modes[] = {"auto", "strong", "weak", "single"};
    enum sca_scaling mode = c->comparable.told ? told_mode(c) : c->growths.mode;
    const struct sca_account *a = &c->accounts[c->last];
    const struct sca_costs *costs = &c->costs[c->last];
    double explained = costs->waits - costs->unexplained, grown = 0;
    for (uint32_t i = 0; i < c->causes.count; i++)
        if (c->causes.items[i]->category == SCA_CAUSE_NONSCALABLE)
            grown += c->prices[c->causes.items[i]->number].cost;
    c->report->scaling_mode = modes[mode];
    c->report->scaling_open = c->growths.open;
    c->report->loss_core_s = a->base - a->useful + c->growths.useful_loss;
    explained += fmin(grown, c->growths.useful_loss);
    c->report->explained_share =
        c->report->loss_core_s > 0 ? fmin(1, explained / c->report->loss_core_s) : 1;
}

static void fill_least_gain(struct sca_analysis *c)
{
    double share = sca_causes_least_share(c);
    c->report->least_gain = (struct sca_report_least){.known = true,
                                                      .share = share,
                                                      .core_s = share * c->accounts[c->last].base,
                                                      .min_share = c->settings->min_share,
                                                      .shared_cores = c->measures[c->last].shared,
                                                      .short_run = sca_causes_is_short(c)};
    c->report->set_aside = c->noted.count > 0;
}

void sca_report_fill(struct sca_analysis *c)
{
    struct sca_report *report = c->report;
    report->program = sca_report_string(report, c->ppg->program);
    report->path = sca_report_string(report, c->ppg->path);
    report->build_id = sca_report_string(report, c->ppg->build_id);
    fill_tables(c);
    sca_fill_models(c);
    fill_abnormal(c);
    sca_fill_models_waits(c);
    fill_causes(c);
    sca_uncertain_fill(c);
    fill_paths(c);
    fill_scaling(c);
    fill_least_gain(c);
    sca_locations_fill(c);
    sca_topologies_report(c);
    sca_series_fill(c);
    if (!c->settings->text_only) {
        sca_fill_metrics(c);
        sca_thread_times_fill(c);
        sca_communication_fill(c);
        sca_contention_fill(c);
    }
    sca_behaviour_fill(c);
    if (sca_settings_want_timelines(c->settings))
        sca_timelines_fill(c);
    sca_warnings_fill(c);
    sca_notes_fill(c);
    sca_source_checksums_fill(report, c->ppg->runs[c->last].profile, c->settings->symfs);
}
