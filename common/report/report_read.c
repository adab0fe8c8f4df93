/*
 * Reading a report. Whatever the file holds, the outcome is a report whose indices are safe to
 * follow, or an error that names the field. Unknown fields are ignored, optional ones default.
 */
#include "sca_report.h"
#include "report/report_fields.h"
#include "report/report_metrics_json.h"
#include "report/report_behaviour.h"
#include "report/report_communication.h"
#include "report/report_contention.h"
#include "report/report_threads.h"
#include "report/report_series.h"
#include "report/report_timelines.h"
#include "report/report_topologies.h"
#include "report/report_meta.h"
#include "report/report_topology.h"
#include "sca_error.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { READ_BYTES = 1 << 16 };
static const size_t most_bytes = (size_t)1 << 30;

static uint32_t most_ranks(const struct sca_report *report)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < report->nruns; i++)
        if (report->runs[i].ranks > most)
            most = report->runs[i].ranks;
    return most;
}

static void read_account(struct sca_in *in, const cJSON *run, struct sca_report_account *a)
{
    const cJSON *o = sca_report_fields_get(in, run, "account", cJSON_Object);
    a->is_virtual = sca_report_fields_bool(in, o, "is_virtual", false);
    a->duration_s = sca_report_fields_double(in, o, "duration_s");
    a->base_core_s = sca_report_fields_double(in, o, "base_core_s");
    a->useful_core_s = sca_report_fields_double(in, o, "useful_core_s");
    a->extra_core_s = sca_report_fields_double(in, o, "extra_core_s");
    a->explained_core_s = sca_report_fields_double(in, o, "explained_core_s");
    a->unexplained_core_s = sca_report_fields_double(in, o, "unexplained_core_s");
    a->disturbed_core_s = sca_report_fields_double(in, o, "disturbed_core_s");
    a->other_world_core_s = sca_report_fields_double(in, o, "other_world_core_s");
    a->communication_core_s = sca_report_fields_double(in, o, "communication_core_s");
    a->blocked_core_s = sca_report_fields_double(in, o, "blocked_core_s");
    a->awaited_core_s = sca_report_fields_double(in, o, "awaited_core_s");
    a->queued_core_s = sca_report_fields_double(in, o, "queued_core_s");
    a->rest_core_s = sca_report_fields_double(in, o, "rest_core_s");
    a->tool_core_s = sca_report_fields_double(in, o, "tool_core_s");
}

static void read_host(struct sca_in *in, const cJSON *o, void *out, uint32_t index)
{
    struct sca_report_host *host = out;
    (void)index;
    host->name = sca_report_fields_string(in, o, "name", "");
    host->address = sca_report_fields_string(in, o, "address", "");
    host->ranks = sca_report_fields_ranks(in, o, UINT32_MAX, &host->nranks);
}

static void read_world(struct sca_in *in, const cJSON *o, void *out, uint32_t index)
{
    struct sca_report_world *world = out;
    (void)index;
    world->dir = sca_report_fields_string(in, o, "dir", "");
    world->first = sca_report_fields_u32(in, o, "first", 0);
    world->ranks = sca_report_fields_u32(in, o, "ranks", 0);
}

/* Ranks are below the run's, which the hosts stand in. */
static void check_hosts(struct sca_in *in, const struct sca_report_run *run)
{
    for (uint32_t h = 0; h < run->nhosts; h++)
        for (uint32_t i = 0; i < run->hosts[h].nranks; i++)
            if (run->hosts[h].ranks[i] >= run->ranks)
                sca_report_fields_fault(in, "hosts", "has a rank outside the run");
}

static void read_run(struct sca_in *in, const cJSON *o, void *out, uint32_t index)
{
    struct sca_report_run *run = out;
    (void)index;
    run->dir = sca_report_fields_string(in, o, "dir", "");
    run->ranks = sca_report_fields_u32(in, o, "ranks", 0);
    run->threads = sca_report_fields_u32(in, o, "threads", 0);
    run->work = sca_report_fields_double(in, o, "work");
    run->wall_s = sca_report_fields_double(in, o, "wall_s");
    run->useful_s = sca_report_fields_double(in, o, "useful_s");
    run->mpi_s = sca_report_fields_double(in, o, "mpi_s");
    run->wait_s = sca_report_fields_double(in, o, "wait_s");
    run->tool_s = sca_report_fields_double(in, o, "tool_s");
    run->complete = sca_report_fields_bool(in, o, "complete", true);
    run->oversubscribed = sca_report_fields_bool(in, o, "oversubscribed", false);
    run->noisy = sca_report_fields_bool(in, o, "noisy", false);
    run->noise = sca_report_fields_double(in, o, "noise");
    run->arguments = sca_report_fields_string(in, o, "arguments", "");
    run->directory = sca_report_fields_string(in, o, "directory", "");
    run->core_step_ns = sca_report_fields_double(in, o, "core_step_ns");
    read_account(in, o, &run->account);
    run->hosts =
        sca_report_fields_list(in, o, "hosts", sizeof *run->hosts, read_host, &run->nhosts);
    check_hosts(in, run);
    run->worlds =
        sca_report_fields_list(in, o, "worlds", sizeof *run->worlds, read_world, &run->nworlds);
    sca_report_topology_get(in, o, run);
    sca_report_meta_get(in, o, run);
}

static void read_efficiency(struct sca_in *in, const cJSON *o, void *out, uint32_t index)
{
    struct sca_report_efficiency *e = out;
    (void)index;
    e->ranks = sca_report_fields_u32(in, o, "ranks", 0);
    e->parallel = sca_report_fields_double(in, o, "parallel");
    e->load_balance = sca_report_fields_double(in, o, "load_balance");
    e->communication = sca_report_fields_double(in, o, "communication");
    e->computation = sca_report_fields_double(in, o, "computation");
    e->serialisation = sca_report_fields_double(in, o, "serialisation");
    e->transfer = sca_report_fields_measured(in, o, "transfer");
    e->global = sca_report_fields_measured(in, o, "global");
    if (isnan(e->global)) /* older reports */
        e->global = e->parallel * e->computation;
    e->instructions = sca_report_fields_measured(in, o, "instructions");
    e->ipc = sca_report_fields_measured(in, o, "ipc");
    e->frequency = sca_report_fields_measured(in, o, "frequency");
    e->load_balance_within = sca_report_fields_measured(in, o, "load_balance_within");
    e->load_balance_between = sca_report_fields_measured(in, o, "load_balance_between");
    e->hybrid = sca_report_fields_measured(in, o, "hybrid");
    e->openmp = sca_report_fields_measured(in, o, "openmp");
    e->openmp_serialisation = sca_report_fields_measured(in, o, "openmp_serialisation");
    e->openmp_load_balance = sca_report_fields_measured(in, o, "openmp_load_balance");
    e->openmp_scheduling = sca_report_fields_measured(in, o, "openmp_scheduling");
}

static void read_vertex(struct sca_in *in, const cJSON *o, void *out, uint32_t index)
{
    struct sca_report_vertex *v = out;
    v->id = sca_report_fields_u32(in, o, "id", index);
    if (v->id != index)
        sca_report_fields_fault(in, "id", "is not its place in the list");
    v->kind = sca_report_fields_string(in, o, "kind", "comp");
    v->name = sca_report_fields_string(in, o, "name", "");
    v->function = sca_report_fields_string(in, o, "function", "");
    v->file = sca_report_fields_string(in, o, "file", "");
    v->line = sca_report_fields_u32(in, o, "line", 0);
    v->end_line = sca_report_fields_u32(in, o, "end_line", v->line);
    v->near = sca_report_fields_bool(in, o, "near", false);
    v->parent = sca_report_fields_u32(in, o, "parent", index);
    v->rank_s = sca_report_fields_doubles(in, o, "rank_s", &v->nranks);
    v->run_s = sca_report_fields_doubles(in, o, "run_s", &v->nruns);
    if (v->nruns && v->nruns != in->report->nruns)
        sca_report_fields_fault(in, "run_s", "has not one entry per run");
}

static void read_interval(struct sca_in *in, const cJSON *o, const char *name, double middle,
                          double out[2])
{
    uint32_t count;
    double *interval = sca_report_fields_doubles(in, o, name, &count);
    out[0] = count == 2 ? interval[0] : middle;
    out[1] = count == 2 ? interval[1] : middle;
}

static void read_projection(struct sca_in *in, const cJSON *o, void *out, uint32_t index)
{
    struct sca_report_projection *p = out;
    (void)index;
    p->ranks = sca_report_fields_u32(in, o, "ranks", 0);
    p->share = sca_report_fields_double(in, o, "share");
    read_interval(in, o, "share_ci", p->share, p->share_ci);
}

static void read_nonscalable(struct sca_in *in, const cJSON *o, void *out, uint32_t index)
{
    struct sca_report_nonscalable *n = out;
    (void)index;
    n->vertex = sca_report_fields_index(in, o, "vertex", in->report->nvertices);
    n->slope = sca_report_fields_double(in, o, "slope");
    read_interval(in, o, "slope_ci", n->slope, n->slope_ci);
    n->r2 = sca_report_fields_double(in, o, "r2");
    n->share = sca_report_fields_double(in, o, "share");
    n->loss_core_s = sca_report_fields_double(in, o, "loss_core_s");
    n->expected_slope = sca_report_fields_double(in, o, "expected_slope");
    n->projections = sca_report_fields_list(in, o, "projections", sizeof *n->projections,
                                            read_projection, &n->nprojections);
}

static void read_source(struct sca_in *in, const cJSON *o, void *out, uint32_t index)
{
    struct sca_report_source *s = out;
    (void)index;
    s->file = sca_report_fields_string(in, o, "file", "");
    s->md5 = sca_report_fields_string(in, o, "md5", "");
}

static void read_abnormal(struct sca_in *in, const cJSON *o, void *out, uint32_t index)
{
    struct sca_report_abnormal *a = out;
    (void)index;
    a->vertex = sca_report_fields_index(in, o, "vertex", in->report->nvertices);
    a->ranks_of_run = sca_report_fields_u32(in, o, "ranks_of_run", most_ranks(in->report));
    a->ranks = sca_report_fields_ranks(in, o, a->ranks_of_run, &a->nranks);
    a->ratio = sca_report_fields_double(in, o, "ratio");
    a->excess_core_s = sca_report_fields_double(in, o, "excess_core_s");
}

static void read_part(struct sca_in *in, const cJSON *o, void *out, uint32_t index)
{
    struct sca_report_part *part = out;
    (void)index;
    part->vertex = sca_report_fields_index(in, o, "vertex", in->report->nvertices);
    part->excess_core_s = sca_report_fields_double(in, o, "excess_core_s");
    part->share = sca_report_fields_double(in, o, "share");
}

static void read_symptom(struct sca_in *in, const cJSON *o, void *out, uint32_t index)
{
    struct sca_report_symptom *symptom = out;
    (void)index;
    symptom->vertex = sca_report_fields_index(in, o, "vertex", in->report->nvertices);
    symptom->wait_core_s = sca_report_fields_double(in, o, "wait_core_s");
}

static void read_step(struct sca_in *in, const cJSON *o, void *out, uint32_t index)
{
    struct sca_report_step *step = out;
    (void)index;
    step->vertex = sca_report_fields_index(in, o, "vertex", in->report->nvertices);
    step->rank = sca_report_fields_index(in, o, "rank", most_ranks(in->report));
    step->via = sca_report_fields_string(in, o, "via", "");
}

static void read_between(struct sca_in *in, const cJSON *o, struct sca_report_cause *c)
{
    const cJSON *between = cJSON_GetObjectItemCaseSensitive(o, "between");
    c->between = between != NULL;
    if (!between)
        return;
    c->after = sca_report_fields_index(in, between, "after", in->report->nvertices);
    c->before = sca_report_fields_index(in, between, "before", in->report->nvertices);
}

static void read_counter(struct sca_in *in, const cJSON *o, struct sca_report_cause *c)
{
    const cJSON *counter = sca_report_fields_get(in, o, "counter", cJSON_Object);
    c->counter = counter ? sca_report_fields_string(in, counter, "name", "") : "";
    if (!counter)
        return;
    c->counter_each = sca_report_fields_double(in, counter, "each");
    c->counter_others_each = sca_report_fields_double(in, counter, "others_each");
    c->counter_fewest = sca_report_fields_u32(in, counter, "fewest", 0);
    c->counter_fewest_each = sca_report_fields_double(in, counter, "fewest_each");
    c->counter_expected_each = sca_report_fields_double(in, counter, "expected_each");
}

static void read_inside(struct sca_in *in, const cJSON *o, struct sca_report_cause *c)
{
    const cJSON *inner = sca_report_fields_get(in, o, "inner", cJSON_Object);
    c->at_site = cJSON_GetObjectItemCaseSensitive(o, "site") != NULL;
    c->site = c->at_site ? sca_report_fields_index(in, o, "site", in->report->nvertices) : 0;
    c->inner_function = inner ? sca_report_fields_string(in, inner, "function", "") : "";
    c->inner_file = inner ? sca_report_fields_string(in, inner, "file", "") : "";
    read_counter(in, o, c);
    if (!inner)
        return;
    c->inner_line = sca_report_fields_u32(in, inner, "line", 0);
    c->inner_share = sca_report_fields_double(in, inner, "share");
    c->inner_inlined = sca_report_fields_bool(in, inner, "inlined", false);
    c->inner_foreign = sca_report_fields_bool(in, inner, "foreign", false);
}

static void read_cause(struct sca_in *in, const cJSON *o, void *out, uint32_t index)
{
    struct sca_report_cause *c = out;
    (void)index;
    c->vertex = sca_report_fields_index(in, o, "vertex", in->report->nvertices);
    c->category = sca_report_fields_string(in, o, "category", "");
    c->ranks = sca_report_fields_ranks(in, o, most_ranks(in->report), &c->nranks);
    c->cost_core_s = sca_report_fields_double(in, o, "cost_core_s");
    c->cost_share = sca_report_fields_double(in, o, "cost_share");
    c->gain_core_s = sca_report_fields_double(in, o, "gain_core_s");
    c->gain_share = sca_report_fields_double(in, o, "gain_share");
    read_interval(in, o, "gain_ci_core_s", c->gain_core_s, c->gain_ci);
    c->direct_core_s = sca_report_fields_double(in, o, "direct_core_s");
    c->indirect_core_s = sca_report_fields_double(in, o, "indirect_core_s");
    c->ratio = sca_report_fields_double(in, o, "ratio");
    c->others = sca_report_fields_string(in, o, "others", "");
    c->acts = sca_report_fields_string(in, o, "acts", "");
    c->saved_if = sca_report_fields_string(in, o, "saved_if", "");
    c->ncall_paths = sca_report_fields_u32(in, o, "call_paths", 0);
    c->uncertain_path = sca_report_fields_string(in, o, "uncertain_path", "");
    c->moves = sca_report_fields_bool(in, o, "moves", false);
    c->gain_shared_core_s = sca_report_fields_double(in, o, "gain_shared_core_s");
    c->gain_alike_core_s = sca_report_fields_double(in, o, "gain_alike_core_s");
    read_inside(in, o, c);
    read_between(in, o, c);
    c->rank_s = sca_report_fields_doubles(in, o, "rank_s", &c->nrank_s);
    c->parts = sca_report_fields_list(in, o, "parts", sizeof *c->parts, read_part, &c->nparts);
    c->symptoms =
        sca_report_fields_list(in, o, "symptoms", sizeof *c->symptoms, read_symptom, &c->nsymptoms);
    c->path = sca_report_fields_list(in, o, "path", sizeof *c->path, read_step, &c->npath);
    c->doubt = sca_report_fields_string(in, o, "doubt", "");
    c->note = sca_report_fields_u32(in, o, "note", UINT32_MAX);
}

/* Confirmed ones first; those in doubt stand behind them. */
static void read_causes(struct sca_in *in, const cJSON *root)
{
    struct sca_report *r = in->report;
    uint32_t n = 0;
    r->causes =
        sca_report_fields_list(in, root, "root_causes", sizeof *r->causes, read_cause, &r->ncauses);
    struct sca_report_cause *more =
        sca_report_fields_list(in, root, "unconfirmed_causes", sizeof *more, read_cause, &n);
    if (!n || !more || in->status)
        return;
    struct sca_report_cause *all = sca_report_alloc(r, (r->ncauses + (size_t)n) * sizeof *all);
    if (!all)
        return; /* without memory: the reader says so */
    if (r->ncauses)
        memcpy(all, r->causes, r->ncauses * sizeof *all);
    memcpy(all + r->ncauses, more, n * sizeof *all);
    r->causes = all;
    r->nunconfirmed = n;
}

static void read_path(struct sca_in *in, const cJSON *o, void *out, uint32_t index)
{
    struct sca_report_path *p = out;
    (void)index;
    p->start = sca_report_fields_string(in, o, "start", "");
    p->wait_s = sca_report_fields_double(in, o, "wait_s");
    p->to_cause = cJSON_GetObjectItemCaseSensitive(o, "cause") != NULL;
    p->cause = p->to_cause ? sca_report_fields_index(in, o, "cause", in->report->ncauses) : 0;
    p->steps = sca_report_fields_list(in, o, "steps", sizeof *p->steps, read_step, &p->nsteps);
}

static void read_wait(struct sca_in *in, const cJSON *o, void *out, uint32_t index)
{
    struct sca_report_wait *w = out;
    (void)index;
    w->vertex = sca_report_fields_index(in, o, "vertex", in->report->nvertices);
    w->wait_class = sca_report_fields_string(in, o, "class", "");
    w->count = sca_report_fields_double(in, o, "count");
    w->wait_core_s = sca_report_fields_double(in, o, "wait_core_s");
    w->direct_core_s = sca_report_fields_double(in, o, "direct_core_s");
    w->indirect_core_s = sca_report_fields_double(in, o, "indirect_core_s");
}

static void read_head(struct sca_in *in, const cJSON *root)
{
    struct sca_report *r = in->report;
    const cJSON *program = sca_report_fields_get(in, root, "program", cJSON_Object);
    const cJSON *scaling = sca_report_fields_get(in, root, "scaling", cJSON_Object);
    r->program = sca_report_fields_string(in, program, "name", "");
    r->path = sca_report_fields_string(in, program, "path", "");
    r->build_id = sca_report_fields_string(in, program, "build_id", "");
    r->scaling_mode = sca_report_fields_string(in, scaling, "mode", "single");
    r->scaling_open = sca_report_fields_bool(in, scaling, "open", false);
    r->loss_core_s = sca_report_fields_double(in, scaling, "loss_core_s");
    r->explained_share = sca_report_fields_double(in, scaling, "explained_share");
    r->efficiency = sca_report_fields_list(in, scaling, "efficiency", sizeof *r->efficiency,
                                           read_efficiency, &r->nefficiency);
}

/* Climbs from each vertex to a root or to one already known to reach one; whoever climbs longer
 * than there are vertices goes round in circles. */
static void check_parents(struct sca_in *in)
{
    const struct sca_report *r = in->report;
    unsigned char *rooted = calloc(r->nvertices ? r->nvertices : 1, 1);
    if (!rooted)
        in->status = sca_fail(SCA_ENOMEM, "out of memory reading %s", in->file);
    for (uint32_t i = 0; rooted && i < r->nvertices && !in->status; i++) {
        uint32_t v = i, steps = 0;
        for (; !rooted[v] && r->vertices[v].parent != v && steps <= r->nvertices; steps++) {
            v = r->vertices[v].parent;
            if (v >= r->nvertices) {
                sca_report_fields_fault(in, "vertices", "has a parent that does not exist");
                break;
            }
        }
        if (steps > r->nvertices)
            sca_report_fields_fault(in, "vertices", "has a vertex that is its own ancestor");
        for (v = i; !in->status && !rooted[v]; v = r->vertices[v].parent)
            rooted[v] = 1;
    }
    free(rooted);
}

static void read_least_gain(struct sca_in *in, const cJSON *root)
{
    struct sca_report_least *least = &in->report->least_gain;
    const cJSON *o = sca_report_fields_get(in, root, "least_gain", cJSON_Object);
    least->known = o != NULL;
    least->share = sca_report_fields_double(in, o, "share");
    least->core_s = sca_report_fields_double(in, o, "core_s");
    least->min_share = sca_report_fields_double(in, o, "min_share");
    least->shared_cores = sca_report_fields_bool(in, o, "shared_cores", false);
    least->short_run = sca_report_fields_bool(in, o, "short_run", false);
    in->report->set_aside = sca_report_fields_bool(in, root, "set_aside", false);
}

static void read_body(struct sca_in *in, const cJSON *root)
{
    static const char *const required[] = {"program", "runs", "vertices", "root_causes"};
    struct sca_report *r = in->report;
    for (size_t i = 0; i < sizeof required / sizeof *required; i++)
        if (!cJSON_GetObjectItemCaseSensitive(root, required[i]))
            sca_report_fields_fault(in, required[i], "is missing");
    r->runs = sca_report_fields_list(in, root, "runs", sizeof *r->runs, read_run, &r->nruns);
    sca_report_topologies_get(in, root, r);
    sca_report_communication_get(in, root, r);
    read_head(in, root);
    read_least_gain(in, root);
    r->vertices = sca_report_fields_list(in, root, "vertices", sizeof *r->vertices, read_vertex,
                                         &r->nvertices);
    if (!in->status)
        check_parents(in);
    sca_report_contention_get(in, root, r);
    sca_report_threads_get(in, root, r);
    r->nonscalable = sca_report_fields_list(in, root, "nonscalable", sizeof *r->nonscalable,
                                            read_nonscalable, &r->nnonscalable);
    r->abnormal = sca_report_fields_list(in, root, "abnormal", sizeof *r->abnormal, read_abnormal,
                                         &r->nabnormal);
    read_causes(in, root);
    sca_report_series_get(in, root, r);
    sca_report_behaviour_get(in, root, r);
    sca_report_timelines_get(in, root, r);
    r->paths = sca_report_fields_list(in, root, "paths", sizeof *r->paths, read_path, &r->npaths);
    r->npaths_left_out = sca_report_fields_u32(in, root, "paths_left_out", 0);
    r->waits = sca_report_fields_list(in, root, "waits", sizeof *r->waits, read_wait, &r->nwaits);
    r->sources =
        sca_report_fields_list(in, root, "sources", sizeof *r->sources, read_source, &r->nsources);
    r->notes = sca_report_fields_strings(in, root, "notes", &r->nnotes);
    r->warnings = sca_report_fields_strings(in, root, "warnings", &r->nwarnings);
    sca_report_metrics_get(in, root);
}

static int check_schema(const char *file, const cJSON *root)
{
    static const char stem[] = "scalana-report/";
    const cJSON *schema = cJSON_GetObjectItemCaseSensitive(root, "schema");
    if (!cJSON_IsString(schema) || strncmp(schema->valuestring, stem, sizeof stem - 1))
        return sca_fail(SCA_EFORMAT,
                        SCA_NOT_A_REPORT "it has no \"schema\": \"" SCA_REPORT_SCHEMA "\"", file);
    const char *version = schema->valuestring + sizeof stem - 1;
    char *end;
    long number = strtol(version, &end, 10);
    if (end == version || *end || number < 1)
        return sca_fail(SCA_EFORMAT, SCA_NOT_A_REPORT "unknown schema version", file);
    if (number > 1)
        return sca_fail(SCA_EVERSION,
                        "%s: written by a newer ScalAna (report format %ld, this one reads 1)",
                        file, number);
    return SCA_OK;
}

static int parse(const char *file, const char *text, struct sca_report *report)
{
    const char *stop = text;
    struct sca_in in = {.file = file, .report = report};
    cJSON *root = cJSON_ParseWithOpts(text, &stop, 1);
    if (!root)
        return sca_fail(SCA_EFORMAT, SCA_NOT_A_REPORT "%s at byte %zu", file,
                        *stop ? "not valid JSON" : "it ends too early", (size_t)(stop - text));
    int status = check_schema(file, root);
    if (!status) {
        read_body(&in, root);
        status = in.status;
    }
    cJSON_Delete(root);
    return status;
}

/* The whole stream as one string. JSON holds no NUL, so one means it is something else. */
static int slurp(FILE *stream, const char *file, char **out)
{
    char *text = NULL;
    size_t length = 0, got;
    do {
        char *larger = length < most_bytes ? realloc(text, length + READ_BYTES + 1) : NULL;
        if (!larger) {
            free(text);
            return sca_fail(SCA_ENOMEM, "%s: too large to read", file);
        }
        text = larger;
        got = fread(text + length, 1, READ_BYTES, stream);
        if (memchr(text + length, '\0', got)) {
            free(text);
            return sca_fail(SCA_EFORMAT, SCA_NOT_A_REPORT "it holds binary data", file);
        }
        length += got;
    } while (got == READ_BYTES);
    text[length] = '\0';
    *out = text;
    return SCA_OK;
}

static int load(const char *path, char **text)
{
    if (!strcmp(path, "-"))
        return slurp(stdin, "standard input", text);
    FILE *stream = fopen(path, "re");
    if (!stream)
        return sca_fail(errno == ENOENT ? SCA_ENOTFOUND : SCA_EIO, "cannot read %s: %s", path,
                        strerror(errno));
    int status = slurp(stream, path, text);
    if (!status && ferror(stream)) {
        free(*text);
        status = sca_fail(SCA_EIO, "cannot read %s: %s%s", path, strerror(errno),
                          errno == EISDIR ? " (scalana-detect makes a report from a run directory)"
                                          : "");
    }
    fclose(stream);
    return status;
}

int sca_report_read(const char *path, struct sca_report **out)
{
    char *text = NULL;
    int status = load(path, &text);
    *out = NULL;
    if (status)
        return status;
    struct sca_report *report = sca_report_new();
    if (!report)
        status = sca_fail(SCA_ENOMEM, "out of memory reading %s", path);
    else
        status = parse(!strcmp(path, "-") ? "standard input" : path, text, report);
    free(text);
    if (status)
        sca_report_free(report);
    else
        *out = report;
    return status;
}
