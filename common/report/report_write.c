/* Writing a report: build the JSON tree, then put it in place in one step. */
#include "sca_report.h"
#include "sca_replace.h"
#include "report/report_metrics_json.h"
#include "report/report_behaviour.h"
#include "report/report_communication.h"
#include "report/report_contention.h"
#include "report/report_threads.h"
#include "report/report_topologies.h"
#include "report/report_meta.h"
#include "report/report_series.h"
#include "report/report_topology.h"
#include "report/report_text.h"
#include "report/report_timelines.h"
#include "sca_error.h"
#include "sca_phrase.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Nine digits: more is noise in a measured second, and makes reports large and diffs restless. */
static double rounded(double value)
{
    char text[32];
    if (!isfinite(value))
        return value;
    snprintf(text, sizeof text, "%.9g", value);
    return strtod(text, NULL);
}

#define WRITTEN_PLAIN 1e9 /* "%.9g" gives smaller numbers no exponent */

/* Most numbers of a report: cJSON would look for the digits that it takes, several times over. */
static cJSON *make_number(double value)
{
    char text[32];
    if (!isfinite(value) || fabs(value) >= WRITTEN_PLAIN || value == trunc(value))
        return cJSON_CreateNumber(rounded(value));
    snprintf(text, sizeof text, "%.9g", value);
    return cJSON_CreateRaw(text);
}

static void put_number(cJSON *object, const char *name, double value)
{
    cJSON_AddItemToObject(object, name, make_number(value));
}

static void put_bool(cJSON *object, const char *name, bool value)
{
    cJSON_AddBoolToObject(object, name, value);
}

static cJSON *make_string(const char *text)
{
    if (!text)
        text = "";
    if (sca_utf8_valid(text))
        return cJSON_CreateString(text);
    char *repaired = sca_utf8_repair(text);
    cJSON *string = repaired ? cJSON_CreateString(repaired) : NULL;
    free(repaired);
    return string;
}

static void put_string(cJSON *object, const char *name, const char *text)
{
    cJSON_AddItemToObject(object, name, make_string(text));
}

static cJSON *add_object(cJSON *array)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddItemToArray(array, object);
    return object;
}

static void put_doubles(cJSON *object, const char *name, const double *values, uint32_t count)
{
    cJSON *array = cJSON_AddArrayToObject(object, name);
    for (uint32_t i = 0; i < count; i++)
        cJSON_AddItemToArray(array, make_number(values[i]));
}

static void put_ranks(cJSON *object, const uint32_t *ranks, uint32_t count)
{
    cJSON *array = cJSON_AddArrayToObject(object, "ranks");
    for (uint32_t i = 0; i < count; i++)
        cJSON_AddItemToArray(array, cJSON_CreateNumber(ranks[i]));
}

static void put_program(cJSON *root, const struct sca_report *r)
{
    cJSON *program = cJSON_AddObjectToObject(root, "program");
    put_string(program, "name", r->program);
    put_string(program, "path", r->path);
    put_string(program, "build_id", r->build_id);
}

static void put_account(cJSON *run, const struct sca_report_account *a)
{
    cJSON *o = cJSON_AddObjectToObject(run, "account");
    put_bool(o, "is_virtual", a->is_virtual);
    put_number(o, "duration_s", a->duration_s);
    put_number(o, "base_core_s", a->base_core_s);
    put_number(o, "useful_core_s", a->useful_core_s);
    put_number(o, "extra_core_s", a->extra_core_s);
    put_number(o, "explained_core_s", a->explained_core_s);
    put_number(o, "unexplained_core_s", a->unexplained_core_s);
    put_number(o, "disturbed_core_s", a->disturbed_core_s);
    put_number(o, "other_world_core_s", a->other_world_core_s);
    put_number(o, "communication_core_s", a->communication_core_s);
    put_number(o, "blocked_core_s", a->blocked_core_s);
    put_number(o, "awaited_core_s", a->awaited_core_s);
    if (a->queued_core_s > 0)
        put_number(o, "queued_core_s", a->queued_core_s);
    put_number(o, "rest_core_s", a->rest_core_s);
    put_number(o, "tool_core_s", a->tool_core_s);
}

static void put_hosts(cJSON *run, const struct sca_report_run *r)
{
    cJSON *array = cJSON_AddArrayToObject(run, "hosts");
    for (uint32_t i = 0; i < r->nhosts; i++) {
        cJSON *o = add_object(array);
        put_string(o, "name", r->hosts[i].name);
        put_string(o, "address", r->hosts[i].address);
        put_ranks(o, r->hosts[i].ranks, r->hosts[i].nranks);
    }
}

static void put_worlds(cJSON *run, const struct sca_report_run *r)
{
    cJSON *array = r->nworlds ? cJSON_AddArrayToObject(run, "worlds") : NULL;
    for (uint32_t i = 0; i < r->nworlds; i++) {
        cJSON *o = add_object(array);
        put_string(o, "dir", r->worlds[i].dir);
        put_number(o, "first", r->worlds[i].first);
        put_number(o, "ranks", r->worlds[i].ranks);
    }
}

/* How it was started, and on how fast a core. */
static void put_start(cJSON *o, const struct sca_report_run *run)
{
    put_string(o, "arguments", run->arguments ? run->arguments : "");
    put_string(o, "directory", run->directory ? run->directory : "");
    if (run->core_step_ns > 0)
        put_number(o, "core_step_ns", run->core_step_ns);
}

static void put_runs(cJSON *root, const struct sca_report *r)
{
    cJSON *array = cJSON_AddArrayToObject(root, "runs");
    for (uint32_t i = 0; i < r->nruns; i++) {
        const struct sca_report_run *run = &r->runs[i];
        cJSON *o = add_object(array);
        put_string(o, "dir", run->dir);
        put_number(o, "ranks", run->ranks);
        if (run->threads > 1)
            put_number(o, "threads", run->threads);
        if (run->work > 0)
            put_number(o, "work", run->work);
        put_number(o, "wall_s", run->wall_s);
        put_number(o, "useful_s", run->useful_s);
        put_number(o, "mpi_s", run->mpi_s);
        put_number(o, "wait_s", run->wait_s);
        put_number(o, "tool_s", run->tool_s);
        put_bool(o, "complete", run->complete);
        put_bool(o, "oversubscribed", run->oversubscribed);
        put_bool(o, "noisy", run->noisy);
        put_number(o, "noise", run->noise);
        put_start(o, run);
        put_account(o, &run->account);
        put_hosts(o, run);
        put_worlds(o, run);
        sca_report_topology_put(o, &run->topology);
        sca_report_meta_put(o, run);
    }
}

static void put_scaling(cJSON *root, const struct sca_report *r)
{
    cJSON *scaling = cJSON_AddObjectToObject(root, "scaling");
    put_string(scaling, "mode", r->scaling_mode);
    put_bool(scaling, "open", r->scaling_open);
    put_number(scaling, "loss_core_s", r->loss_core_s);
    put_number(scaling, "explained_share", r->explained_share);
    cJSON *array = cJSON_AddArrayToObject(scaling, "efficiency");
    for (uint32_t i = 0; i < r->nefficiency; i++) {
        const struct sca_report_efficiency *e = &r->efficiency[i];
        cJSON *o = add_object(array);
        put_number(o, "ranks", e->ranks);
        put_number(o, "parallel", e->parallel);
        put_number(o, "load_balance", e->load_balance);
        put_number(o, "communication", e->communication);
        put_number(o, "computation", e->computation);
        put_number(o, "serialisation", e->serialisation);
        put_number(o, "transfer", e->transfer);
        put_number(o, "global", e->global);
        put_number(o, "instructions", e->instructions);
        put_number(o, "ipc", e->ipc);
        put_number(o, "frequency", e->frequency);
        if (!isnan(e->load_balance_within)) {
            put_number(o, "load_balance_within", e->load_balance_within);
            put_number(o, "load_balance_between", e->load_balance_between);
        }
        if (isnan(e->hybrid))
            continue;
        put_number(o, "hybrid", e->hybrid);
        put_number(o, "openmp", e->openmp);
        put_number(o, "openmp_serialisation", e->openmp_serialisation);
        put_number(o, "openmp_load_balance", e->openmp_load_balance);
        put_number(o, "openmp_scheduling", e->openmp_scheduling);
    }
}

static void put_least_gain(cJSON *root, const struct sca_report *r)
{
    const struct sca_report_least *least = &r->least_gain;
    if (least->known) {
        cJSON *o = cJSON_AddObjectToObject(root, "least_gain");
        put_number(o, "share", least->share);
        put_number(o, "core_s", least->core_s);
        put_number(o, "min_share", least->min_share);
        put_bool(o, "shared_cores", least->shared_cores);
        put_bool(o, "short_run", least->short_run);
    }
    put_bool(root, "set_aside", r->set_aside);
}

static void put_vertices(cJSON *root, const struct sca_report *r, const bool *with_ranks)
{
    cJSON *array = cJSON_AddArrayToObject(root, "vertices");
    for (uint32_t i = 0; i < r->nvertices; i++) {
        const struct sca_report_vertex *v = &r->vertices[i];
        cJSON *o = add_object(array);
        put_number(o, "id", i);
        put_string(o, "kind", v->kind);
        put_string(o, "name", v->name);
        put_string(o, "function", v->function);
        put_string(o, "file", v->file);
        put_number(o, "line", v->line);
        put_number(o, "end_line", v->end_line);
        if (v->near)
            cJSON_AddTrueToObject(o, "near");
        if (v->parent == i)
            cJSON_AddNullToObject(o, "parent"); /* a root */
        else
            put_number(o, "parent", v->parent);
        put_doubles(o, "rank_s", v->rank_s, with_ranks[i] ? v->nranks : 0);
        put_doubles(o, "run_s", v->run_s, v->nruns);
    }
}

static void put_projections(cJSON *vertex, const struct sca_report_nonscalable *n)
{
    cJSON *array = cJSON_AddArrayToObject(vertex, "projections");
    for (uint32_t i = 0; i < n->nprojections; i++) {
        cJSON *o = add_object(array);
        put_number(o, "ranks", n->projections[i].ranks);
        put_number(o, "share", n->projections[i].share);
        put_doubles(o, "share_ci", n->projections[i].share_ci, 2);
    }
}

static void put_nonscalable(cJSON *root, const struct sca_report *r)
{
    cJSON *array = cJSON_AddArrayToObject(root, "nonscalable");
    for (uint32_t i = 0; i < r->nnonscalable; i++) {
        const struct sca_report_nonscalable *n = &r->nonscalable[i];
        cJSON *o = add_object(array);
        put_number(o, "vertex", n->vertex);
        put_number(o, "slope", n->slope);
        put_doubles(o, "slope_ci", n->slope_ci, 2);
        put_number(o, "r2", n->r2);
        put_number(o, "share", n->share);
        put_number(o, "loss_core_s", n->loss_core_s);
        put_number(o, "expected_slope", n->expected_slope);
        put_projections(o, n);
    }
}

static void put_abnormal(cJSON *root, const struct sca_report *r)
{
    cJSON *array = cJSON_AddArrayToObject(root, "abnormal");
    for (uint32_t i = 0; i < r->nabnormal; i++) {
        const struct sca_report_abnormal *a = &r->abnormal[i];
        cJSON *o = add_object(array);
        put_number(o, "vertex", a->vertex);
        put_number(o, "ranks_of_run", a->ranks_of_run);
        put_ranks(o, a->ranks, a->nranks);
        put_number(o, "ratio", a->ratio);
        put_number(o, "excess_core_s", a->excess_core_s);
    }
}

static void put_steps(cJSON *to, const char *name, const struct sca_report_step *steps, uint32_t n)
{
    cJSON *path = cJSON_AddArrayToObject(to, name);
    for (uint32_t i = 0; i < n; i++) {
        cJSON *o = add_object(path);
        put_number(o, "vertex", steps[i].vertex);
        put_number(o, "rank", steps[i].rank);
        put_string(o, "via", steps[i].via);
    }
}

static void put_chain(cJSON *cause, const struct sca_report_cause *c)
{
    cJSON *symptoms = cJSON_AddArrayToObject(cause, "symptoms");
    for (uint32_t i = 0; i < c->nsymptoms; i++) {
        cJSON *o = add_object(symptoms);
        put_number(o, "vertex", c->symptoms[i].vertex);
        put_number(o, "wait_core_s", c->symptoms[i].wait_core_s);
    }
    put_steps(cause, "path", c->path, c->npath);
}

static void put_paths(cJSON *root, const struct sca_report *r)
{
    cJSON *array = cJSON_AddArrayToObject(root, "paths");
    for (uint32_t i = 0; i < r->npaths; i++) {
        const struct sca_report_path *p = &r->paths[i];
        cJSON *o = add_object(array);
        put_string(o, "start", p->start);
        put_number(o, "wait_s", p->wait_s);
        if (p->to_cause)
            put_number(o, "cause", p->cause);
        put_steps(o, "steps", p->steps, p->nsteps);
    }
    put_number(root, "paths_left_out", r->npaths_left_out);
}

static void put_between(cJSON *cause, const struct sca_report_cause *c)
{
    if (!c->between)
        return;
    cJSON *o = cJSON_AddObjectToObject(cause, "between");
    put_number(o, "after", c->after);
    put_number(o, "before", c->before);
}

static void put_counter(cJSON *cause, const struct sca_report_cause *c)
{
    if (c->counter_each <= 0)
        return;
    cJSON *o = cJSON_AddObjectToObject(cause, "counter");
    put_string(o, "name", c->counter);
    put_number(o, "each", c->counter_each);
    if (!c->counter_fewest) {
        put_number(o, "others_each", c->counter_others_each);
        return;
    }
    put_number(o, "fewest", c->counter_fewest);
    put_number(o, "fewest_each", c->counter_fewest_each);
    put_number(o, "expected_each", c->counter_expected_each);
}

static void put_inside(cJSON *cause, const struct sca_report_cause *c)
{
    if (c->at_site)
        put_number(cause, "site", c->site);
    put_counter(cause, c);
    if (c->inner_share <= 0)
        return;
    cJSON *o = cJSON_AddObjectToObject(cause, "inner");
    put_string(o, "function", c->inner_function);
    put_string(o, "file", c->inner_file);
    put_number(o, "line", c->inner_line);
    put_number(o, "share", c->inner_share);
    put_bool(o, "inlined", c->inner_inlined);
    put_bool(o, "foreign", c->inner_foreign);
}

static void put_parts(cJSON *cause, const struct sca_report_cause *c)
{
    cJSON *parts = c->nparts ? cJSON_AddArrayToObject(cause, "parts") : NULL;
    for (uint32_t i = 0; i < c->nparts; i++) {
        cJSON *o = add_object(parts);
        put_number(o, "vertex", c->parts[i].vertex);
        put_number(o, "excess_core_s", c->parts[i].excess_core_s);
        put_number(o, "share", c->parts[i].share);
    }
}

static void put_doubt(cJSON *o, const struct sca_report_cause *c)
{
    bool confirmed = !c->doubt || !*c->doubt;
    put_bool(o, "confirmed", confirmed);
    if (confirmed)
        return;
    put_string(o, "doubt", c->doubt);
    put_number(o, "note", c->note);
}

static void put_causes(cJSON *root, const char *name, const struct sca_report_cause *causes,
                       uint32_t n)
{
    cJSON *array = cJSON_AddArrayToObject(root, name);
    for (uint32_t i = 0; i < n; i++) {
        const struct sca_report_cause *c = &causes[i];
        cJSON *o = add_object(array);
        put_number(o, "vertex", c->vertex);
        put_string(o, "category", c->category);
        put_ranks(o, c->ranks, c->nranks);
        put_number(o, "cost_core_s", c->cost_core_s);
        put_number(o, "cost_share", c->cost_share);
        put_number(o, "gain_core_s", c->gain_core_s);
        put_number(o, "gain_share", c->gain_share);
        put_doubles(o, "gain_ci_core_s", c->gain_ci, 2);
        put_string(o, "saved_if", c->saved_if);
        put_number(o, "call_paths", c->ncall_paths);
        if (c->uncertain_path && *c->uncertain_path)
            put_string(o, "uncertain_path", c->uncertain_path);
        if (c->moves)
            put_bool(o, "moves", true);
        if (c->gain_shared_core_s > 0)
            put_number(o, "gain_shared_core_s", c->gain_shared_core_s);
        if (c->gain_alike_core_s > 0)
            put_number(o, "gain_alike_core_s", c->gain_alike_core_s);
        put_number(o, "direct_core_s", c->direct_core_s);
        put_number(o, "indirect_core_s", c->indirect_core_s);
        put_number(o, "ratio", c->ratio);
        put_string(o, "others", c->others);
        if (c->acts && *c->acts)
            put_string(o, "acts", c->acts);
        put_inside(o, c);
        put_between(o, c);
        put_parts(o, c);
        if (c->nrank_s)
            put_doubles(o, "rank_s", c->rank_s, c->nrank_s);
        put_chain(o, c);
        put_doubt(o, c);
    }
}

static void put_waits(cJSON *root, const struct sca_report *r)
{
    char path[SCA_PHRASE];
    cJSON *array = cJSON_AddArrayToObject(root, "waits");
    for (uint32_t i = 0; i < r->nwaits; i++) {
        const struct sca_report_wait *w = &r->waits[i];
        cJSON *o = add_object(array);
        put_number(o, "vertex", w->vertex);
        put_string(o, "call_path", sca_phrase_calling_path(path, r, w->vertex, UINT32_MAX));
        put_string(o, "class", w->wait_class);
        put_number(o, "count", w->count);
        put_number(o, "wait_core_s", w->wait_core_s);
        put_number(o, "direct_core_s", w->direct_core_s);
        put_number(o, "indirect_core_s", w->indirect_core_s);
    }
}

static void put_sources(cJSON *root, const struct sca_report *r)
{
    cJSON *array = cJSON_AddArrayToObject(root, "sources");
    for (uint32_t i = 0; i < r->nsources; i++) {
        cJSON *o = add_object(array);
        cJSON_AddItemToObject(o, "file", make_string(r->sources[i].file));
        cJSON_AddItemToObject(o, "md5", make_string(r->sources[i].md5));
    }
}

static void put_warnings(cJSON *root, const struct sca_report *r)
{
    cJSON *array = cJSON_AddArrayToObject(root, "warnings");
    for (uint32_t i = 0; i < r->nwarnings; i++)
        cJSON_AddItemToArray(array, make_string(r->warnings[i]));
}

static void put_notes(cJSON *root, const struct sca_report *r)
{
    cJSON *array = cJSON_AddArrayToObject(root, "notes");
    for (uint32_t i = 0; i < r->nnotes; i++)
        cJSON_AddItemToArray(array, make_string(r->notes[i]));
}

/* The report as text that free() releases, or NULL. */
static char *render(const struct sca_report *r)
{
    bool *with_ranks = sca_report_ranks_choose(r);
    cJSON *root = with_ranks ? cJSON_CreateObject() : NULL;
    if (!root) {
        free(with_ranks);
        return NULL;
    }
    put_string(root, "schema", SCA_REPORT_SCHEMA);
    put_program(root, r);
    put_runs(root, r);
    sca_report_topologies_put(root, r, make_string);
    sca_report_communication_put(root, r);
    sca_report_contention_put(root, r);
    sca_report_threads_put(root, r);
    sca_report_series_put(root, r, make_number);
    sca_report_behaviour_put(root, r, make_number, make_string);
    sca_report_timelines_put(root, r, make_number);
    put_scaling(root, r);
    put_least_gain(root, r);
    put_causes(root, "root_causes", r->causes, r->ncauses);
    put_causes(root, "unconfirmed_causes", r->causes + r->ncauses, r->nunconfirmed);
    put_paths(root, r);
    put_nonscalable(root, r);
    put_abnormal(root, r);
    put_waits(root, r);
    put_sources(root, r);
    put_warnings(root, r);
    put_notes(root, r);
    put_vertices(root, r, with_ranks);
    bool good = sca_report_metrics_put(root, r, make_number) == SCA_OK;
    char *text = good ? cJSON_Print(root) : NULL;
    cJSON_Delete(root);
    free(with_ranks);
    return text;
}

/* What cannot be written is seen by who asked for it, at the stream. */
static int put_text(FILE *out, const void *text)
{
    fputs(text, out);
    fputc('\n', out);
    return SCA_OK;
}

int sca_report_write(const struct sca_report *report, const char *path)
{
    char *text = render(report);
    if (!text)
        return sca_fail(SCA_ENOMEM, "out of memory writing %s", path);
    int status = sca_replace_file(path, put_text, text);
    free(text);
    return status;
}
