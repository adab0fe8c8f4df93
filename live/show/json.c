#include "show/json.h"
#include "show/heavy.h"
#include "show/hosts_told.h"
#include "tell/tell.h"
#include "sca_words.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>

enum { HEAVIEST = 20 };

static void add_number(cJSON *object, const char *name, double value)
{
    sca_must(cJSON_AddNumberToObject(object, name, value));
}

static void add_text(cJSON *object, const char *name, const char *text)
{
    sca_must(cJSON_AddStringToObject(object, name, text ? text : ""));
}

static void add_told(cJSON *object, const char *name, char *text)
{
    add_text(object, name, text);
    free(text);
}

static void add_ranks(cJSON *object, const uint32_t *ranks, uint32_t n)
{
    cJSON *list = sca_must(cJSON_AddArrayToObject(object, "ranks"));
    for (uint32_t i = 0; i < n; i++)
        cJSON_AddItemToArray(list, sca_must(cJSON_CreateNumber(ranks[i])));
}

static void add_context(cJSON *object, const char *name, const struct sca_look *look, uint32_t c)
{
    static const char *const kinds[] = {"root", "loop", "branch", "call", "mpi", "comp"};
    const struct scalana_context *at = &look->contexts[c];
    cJSON *place = sca_must(cJSON_AddObjectToObject(object, name));
    add_text(place, "kind", at->kind < 6 ? kinds[at->kind] : "other");
    add_text(place, "name", at->name);
    add_text(place, "function", at->function);
    add_text(place, "file", at->file);
    add_number(place, "line", at->line);
}

static void add_path(cJSON *object, const struct sca_look *look, uint32_t c)
{
    cJSON *path = sca_must(cJSON_AddArrayToObject(object, "call_path"));
    for (; c; c = look->contexts[c].parent)
        if (look->contexts[c].kind == SCALANA_CALL || look->contexts[c].kind == SCALANA_MPI) {
            cJSON *step = sca_must(cJSON_CreateObject());
            add_text(step, "name", look->contexts[c].name);
            add_told(step, "place", sca_tell_place(look, c));
            cJSON_InsertItemInArray(path, 0, step);
        }
}

static void add_awaited(cJSON *object, const struct sca_look *look, const struct sca_hangs *h,
                        uint32_t r)
{
    cJSON *ranks = sca_must(cJSON_AddArrayToObject(object, "waits_for"));
    for (uint32_t c = h->clauses.first[r]; c < h->clauses.first[r + 1]; c++)
        for (uint32_t i = 0; i < h->clauses.clause[c].n; i++)
            cJSON_AddItemToArray(ranks, sca_must(cJSON_CreateNumber(
                                            h->clauses.ranks[h->clauses.clause[c].first + i])));
    add_told(object, "waits_for_what", sca_tell_awaited(look, h, r));
}

static void add_rank(cJSON *list, const struct sca_look *look, const struct sca_hangs *h,
                     uint32_t r)
{
    const struct sca_rank_now *rank = &look->ranks[r];
    cJSON *row = sca_must(cJSON_CreateObject());
    cJSON_AddItemToArray(list, row);
    add_number(row, "rank", r);
    add_text(row, "state", sca_tell_state(look, h, r));
    add_number(row, "compute_s", rank->compute_s);
    add_number(row, "mpi_s", rank->mpi_s);
    cJSON_AddBoolToObject(row, "stuck", h->stuck[r]);
    if (!rank->known)
        return;
    add_number(row, "since_s", rank->since_s);
    add_told(row, "doing", sca_tell_doing(look, r));
    add_context(row, rank->doing == SCALANA_COMPUTES ? "after" : "in", look, rank->context);
    add_path(row, look, rank->context);
    if (rank->doing == SCALANA_COMPUTES && rank->sampled != SCALANA_NONE &&
        rank->sampled_s <= rank->since_s)
        add_context(row, "at", look, rank->sampled);
    if (rank->doing == SCALANA_IN_MPI_CALL || rank->doing == SCALANA_IN_FINALIZE)
        add_awaited(row, look, h, r);
    cJSON_AddBoolToObject(row, "polls", rank->polls);
}

static void add_hangs(cJSON *object, const struct sca_look *look, const struct sca_hangs *h)
{
    cJSON *alarms = sca_must(cJSON_AddArrayToObject(object, "alarms"));
    cJSON *waits = sca_must(cJSON_AddArrayToObject(object, "waits"));
    cJSON *cycle = sca_must(cJSON_AddArrayToObject(object, "deadlock_ranks"));
    cJSON *finals = sca_must(cJSON_AddArrayToObject(object, "awaited_ranks"));
    bool alarm;
    char *text;
    for (uint32_t i = 0; (text = sca_tell_hang(look, h, i, &alarm)); i++) {
        cJSON_AddItemToArray(alarm ? alarms : waits, sca_must(cJSON_CreateString(text)));
        free(text);
    }
    for (uint32_t i = 0; i < h->ncycle; i++)
        cJSON_AddItemToArray(cycle, sca_must(cJSON_CreateNumber(h->cycle[i])));
    for (uint32_t i = 0; i < h->nfinals; i++) {
        cJSON *row = sca_must(cJSON_CreateObject());
        cJSON_AddItemToArray(finals, row);
        add_number(row, "rank", h->finals[i].rank);
        add_number(row, "waiting", h->finals[i].nwaiting);
        add_number(row, "hops", h->finals[i].hops);
    }
}

static void add_heavy(cJSON *object, const struct sca_look *look)
{
    struct sca_heavy heavy[HEAVIEST];
    uint32_t n = sca_heavy_find(look, NULL, heavy, HEAVIEST);
    cJSON *list = sca_must(cJSON_AddArrayToObject(object, "heaviest"));
    for (uint32_t i = 0; i < n; i++) {
        cJSON *row = sca_must(cJSON_CreateObject());
        cJSON_AddItemToArray(list, row);
        add_context(row, "context", look, heavy[i].context);
        add_number(row, "core_s", heavy[i].core_s);
    }
}

static void add_cause(cJSON *list, const struct sca_look *look, uint32_t i)
{
    struct scalana_cause cause;
    struct scalana_vertex at;
    char text[1024];
    cJSON *row = sca_must(cJSON_CreateObject());
    cJSON_AddItemToArray(list, row);
    if (scalana_report_causes(look->report, i, 1, &cause, sizeof cause) ||
        scalana_report_vertices(look->report, cause.vertex, 1, &at, sizeof at) ||
        scalana_cause_text(look->report, i, text, sizeof text, NULL))
        return;
    add_text(row, "text", text);
    add_text(row, "category", cause.category);
    add_text(row, "file", at.file);
    add_number(row, "line", at.line);
    add_number(row, "gain_share", cause.gain_share);
    add_number(row, "gain_core_s", cause.gain_core_s);
    add_number(row, "gain_low_core_s", cause.gain_low_core_s);
    add_number(row, "gain_high_core_s", cause.gain_high_core_s);
    add_ranks(row, cause.ranks, cause.nranks);
}

static void add_causes(cJSON *object, const struct sca_look *look)
{
    struct scalana_summary summary;
    cJSON *list = sca_must(cJSON_AddArrayToObject(object, "causes"));
    if (!look->report || scalana_report_get(look->report, &summary, sizeof summary))
        return;
    for (uint32_t i = 0; i < summary.ncauses; i++)
        add_cause(list, look, i);
}

static void add_class(cJSON *list, const struct sca_look *look, uint32_t i)
{
    struct scalana_class k;
    cJSON *row = sca_must(cJSON_CreateObject());
    cJSON_AddItemToArray(list, row);
    if (scalana_report_classes(look->report, i, 1, &k, sizeof k))
        return;
    add_text(row, "role", k.role);
    add_number(row, "graph", k.graph);
    add_ranks(row, k.ranks, k.nranks);
    add_number(row, "computation_s", k.computation_s);
    add_number(row, "min_computation_s", k.min_computation_s);
    add_number(row, "max_computation_s", k.max_computation_s);
    add_number(row, "mpi_s", k.mpi_s);
    add_number(row, "mpi_calls", k.mpi_calls);
}

static void add_classes(cJSON *object, const struct sca_look *look)
{
    struct scalana_summary summary;
    cJSON *list = sca_must(cJSON_AddArrayToObject(object, "classes"));
    if (!look->report || scalana_report_get(look->report, &summary, sizeof summary))
        return;
    for (uint32_t i = 0; i < summary.nclasses; i++)
        add_class(list, look, i);
}

static void add_run(cJSON *object, const char *directory, const struct sca_look *look)
{
    static const char *const states[] = {"over", "running", "broken-off", "unknown", "snapshot"};
    add_text(object, "schema", "scalana-live/1");
    add_text(object, "directory", directory);
    add_text(object, "program", scalana_run_metadata(look->runs, 0, "program"));
    add_text(object, "state", look->run.state < 5 ? states[look->run.state] : "unknown");
    add_told(object, "state_in_words", sca_tell_run(look));
    add_text(object, "start", scalana_run_metadata(look->runs, 0, "start"));
    add_number(object, "running_s", look->duration_s);
    add_number(object, "ranks", look->nranks);
    add_number(object, "look_s", look->took_s);
}

static void add_figures(cJSON *object, const struct sca_look *look)
{
    cJSON *efficiency = sca_must(cJSON_AddObjectToObject(object, "efficiency"));
    add_number(efficiency, "parallel", look->efficiency.parallel);
    add_number(efficiency, "load_balance", look->efficiency.load_balance);
    add_number(efficiency, "communication", look->efficiency.communication);
    if (look->loop == SCALANA_NONE)
        return;
    add_context(object, "main_loop", look, look->loop);
    add_number(object, "iterations", look->iterations);
    cJSON_AddBoolToObject(object, "iterations_at_least", look->at_least);
    add_number(object, "iterations_per_s", sca_heavy_rate(look, NULL));
}

int sca_json_print(const char *directory, const struct sca_look *look,
                   const struct sca_hangs *hangs, const struct sca_gather *gather)
{
    cJSON *object = sca_must(cJSON_CreateObject());
    add_run(object, directory, look);
    add_figures(object, look);
    add_hangs(object, look, hangs);
    add_causes(object, look);
    add_classes(object, look);
    add_heavy(object, look);
    cJSON *list = sca_must(cJSON_AddArrayToObject(object, "rank"));
    for (uint32_t r = 0; r < look->nranks; r++)
        add_rank(list, look, hangs, r);
    if (gather)
        sca_hosts_json(gather, object);
    char *text = sca_must(cJSON_Print(object));
    bool failed = puts(text) < 0 || fflush(stdout);
    free(text);
    cJSON_Delete(object);
    return failed ? SCALANA_EIO : SCALANA_OK;
}
