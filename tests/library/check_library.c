/*
 * What libscalana promises, checked on recorded runs by a program that knows its headers alone.
 *
 * check_library errors | graph RUN... | report FILE RUN...   C11 and C++17;
 * exit status 1: a fault
 */
#include "check.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool near_to(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fmax(1, fmax(fabs(a), fabs(b)));
}

static double *doubles(size_t n)
{
    double *values = (double *)calloc(n + 1, sizeof *values);
    CHECK(values);
    return values;
}

/* ---- errors that need no run ---- */

static void check_options(void)
{
    scalana_options *o = scalana_options_new();
    CHECK(o);
    for (uint32_t i = 0; scalana_options_name(i); i++)
        FAILS(scalana_options_set(o, scalana_options_name(i), "?"), SCALANA_EINVAL,
              scalana_options_name(i));
    FAILS(scalana_options_set(o, "colour", "1"), SCALANA_EINVAL, "colour");
    FAILS(scalana_options_set(o, "abnorm-thd", "0.5"), SCALANA_EINVAL, "abnorm-thd");
    FAILS(scalana_options_set(o, "merge", "rank"), SCALANA_EINVAL, "merge");
    FAILS(scalana_options_set(o, "work", "1,,2"), SCALANA_EINVAL, "work");
    FAILS(scalana_options_set(o, NULL, "1"), SCALANA_EINVAL, "NULL");
    FAILS(scalana_options_set(o, "work", NULL), SCALANA_EINVAL, "NULL");
    FAILS(scalana_options_set(NULL, "work", "1"), SCALANA_EINVAL, "NULL");
    CHECK(!scalana_options_set(o, "merge", "rank:3") && !scalana_options_set(o, "progress", "0"));
    CHECK(!scalana_options_set(o, "scaling", "weak") && !scalana_options_set(o, "work", "1,2"));
    const char *dirs[] = {"/nowhere/a", "/nowhere/b"};
    scalana_runs *runs;
    FAILS(scalana_runs_load(dirs, 2, o, &runs), SCALANA_EINVAL, "scaling");
    CHECK(!scalana_options_set(o, "scaling", "auto"));
    FAILS(scalana_runs_load(dirs, 1, o, &runs), SCALANA_EINVAL, "2 numbers for 1 run");
    scalana_options_free(o);
    scalana_options_free(NULL);
}

static void check_loading(void)
{
    const char *dirs[] = {"/nowhere/at-all", NULL};
    scalana_runs *runs = (scalana_runs *)dirs;
    scalana_report *report = (scalana_report *)dirs;
    FAILS(scalana_runs_load(dirs, 1, NULL, &runs), SCALANA_ENOTFOUND, "/nowhere/at-all");
    CHECK(!runs);
    FAILS(scalana_runs_load(dirs, 2, NULL, &runs), SCALANA_EINVAL, "NULL");
    FAILS(scalana_runs_load(dirs, 0, NULL, &runs), SCALANA_EINVAL, "no run");
    FAILS(scalana_runs_load(NULL, 1, NULL, &runs), SCALANA_EINVAL, "NULL");
    FAILS(scalana_runs_load(dirs, 1, NULL, NULL), SCALANA_EINVAL, "NULL");
    FAILS(scalana_report_read("/nowhere/at-all", &report), SCALANA_ENOTFOUND, "/nowhere/at-all");
    CHECK(!report);
    FAILS(scalana_report_read(NULL, &report), SCALANA_EINVAL, "NULL");
    FAILS(scalana_report_read("x", NULL), SCALANA_EINVAL, "NULL");
    FAILS(scalana_verdict_find(NULL, NULL, &report), SCALANA_EINVAL, "NULL");
    FAILS(scalana_report_write(NULL, "x"), SCALANA_EINVAL, "NULL");
    FAILS(scalana_findings_find(NULL, NULL, NULL, NULL), SCALANA_EINVAL, "NULL");
    scalana_runs_free(NULL);
    scalana_report_free(NULL);
    scalana_edges_close(NULL);
    scalana_findings_free(NULL);
}

static void check_null(void)
{
    uint32_t n;
    double value;
    scalana_edges *edges;
    CHECK(!scalana_runs_count(NULL) && !scalana_graph_count(NULL) && !scalana_graph_notes(NULL));
    CHECK(!scalana_graph_note(NULL, 0) && !scalana_run_metadata(NULL, 0, "mpi"));
    CHECK(!scalana_report_note(NULL, 0));
    FAILS(scalana_runs_get(NULL, 0, 0, NULL, 0), SCALANA_EINVAL, "NULL");
    FAILS(scalana_run_locations(NULL, 0, 0, 0, NULL, 0), SCALANA_EINVAL, "NULL");
    FAILS(scalana_graph_contexts(NULL, 0, 0, NULL, 0), SCALANA_EINVAL, "NULL");
    FAILS(scalana_run_metrics(NULL, 0, 0, 0, NULL, 0), SCALANA_EINVAL, "NULL");
    FAILS(scalana_metric_find(NULL, 0, "samples", &n), SCALANA_EINVAL, "NULL");
    FAILS(scalana_runs_replay(NULL, NULL), SCALANA_EINVAL, "NULL");
    FAILS(scalana_report_metrics(NULL, 0, 0, NULL, 0), SCALANA_EINVAL, "NULL");
    FAILS(scalana_report_metric_rows(NULL, 0, 0, 0, NULL, 0), SCALANA_EINVAL, "NULL");
    FAILS(scalana_metric_values(NULL, 0, 0, SCALANA_EXCLUSIVE, 0, 1, 0, 1, &value), SCALANA_EINVAL,
          "NULL");
    FAILS(scalana_edges_open(NULL, 0, 3, 0, 1, &edges), SCALANA_EINVAL, "NULL");
    FAILS(scalana_edges_next(NULL, 1, NULL, 1, &n), SCALANA_EINVAL, "NULL");
    FAILS(scalana_run_groups(NULL, 0, 0, 0, NULL, 0), SCALANA_EINVAL, "NULL");
    FAILS(scalana_group_members(NULL, 0, 0, 0, NULL, &n), SCALANA_EINVAL, "NULL");
    CHECK(!scalana_findings_count(NULL));
    FAILS(scalana_findings_get(NULL, 0, 0, NULL, 0), SCALANA_EINVAL, "NULL");
    FAILS(scalana_finding_evidence(NULL, 0, 0, 0, NULL, 0), SCALANA_EINVAL, "NULL");
    FAILS(scalana_report_get(NULL, NULL, 0), SCALANA_EINVAL, "NULL");
    FAILS(scalana_report_runs(NULL, 0, 0, NULL, 0), SCALANA_EINVAL, "NULL");
    FAILS(scalana_report_hosts(NULL, 0, 0, 0, NULL, 0), SCALANA_EINVAL, "NULL");
    FAILS(scalana_report_topology(NULL, 0, NULL, 0), SCALANA_EINVAL, "NULL");
    FAILS(scalana_report_topologies(NULL, 0, 0, NULL, 0), SCALANA_EINVAL, "NULL");
    FAILS(scalana_report_places(NULL, 0, 0, NULL, 0), SCALANA_EINVAL, "NULL");
    FAILS(scalana_report_efficiencies(NULL, 0, 0, NULL, 0), SCALANA_EINVAL, "NULL");
    FAILS(scalana_report_vertices(NULL, 0, 0, NULL, 0), SCALANA_EINVAL, "NULL");
    FAILS(scalana_report_nonscalable(NULL, 0, 0, NULL, 0), SCALANA_EINVAL, "NULL");
    FAILS(scalana_report_projections(NULL, 0, 0, 0, NULL, 0), SCALANA_EINVAL, "NULL");
    FAILS(scalana_report_abnormal(NULL, 0, 0, NULL, 0), SCALANA_EINVAL, "NULL");
    FAILS(scalana_report_waits(NULL, 0, 0, NULL, 0), SCALANA_EINVAL, "NULL");
    FAILS(scalana_report_sources(NULL, 0, 0, NULL, 0), SCALANA_EINVAL, "NULL");
    FAILS(scalana_report_causes(NULL, 0, 0, NULL, 0), SCALANA_EINVAL, "NULL");
    FAILS(scalana_cause_symptoms(NULL, 0, 0, 0, NULL, 0), SCALANA_EINVAL, "NULL");
    FAILS(scalana_cause_path(NULL, 0, 0, 0, NULL, 0), SCALANA_EINVAL, "NULL");
    FAILS(scalana_report_paths(NULL, 0, 0, NULL, 0), SCALANA_EINVAL, "NULL");
    FAILS(scalana_path_steps(NULL, 0, 0, 0, NULL, 0), SCALANA_EINVAL, "NULL");
    FAILS(scalana_cause_text(NULL, 0, NULL, 0, NULL), SCALANA_EINVAL, "NULL");
}

static void check_errors(void)
{
    check_options();
    check_loading();
    check_null();
    CHECK(*scalana_version() && !strcmp(scalana_status_name(SCALANA_ENOTFOUND), "not found"));
    CHECK(!strcmp(scalana_status_name(77), "unknown status"));
    CHECK(!strcmp(scalana_status_name(-77), "unknown status"));
}

/* ---- the graph ---- */

static struct scalana_context context_of(const scalana_runs *runs, uint32_t number)
{
    struct scalana_context c;
    CHECK(!scalana_graph_contexts(runs, number, 1, &c, sizeof c));
    return c;
}

/* Preorder, whole subtrees, and names. */
static void check_contexts(const scalana_runs *runs)
{
    uint32_t n = scalana_graph_count(runs);
    struct scalana_context *all = (struct scalana_context *)calloc(n, sizeof *all);
    CHECK(all && !scalana_graph_contexts(runs, 0, n, all, sizeof *all));
    CHECK(all[0].kind == SCALANA_ROOT && all[0].parent == 0 && all[0].end == n);
    for (uint32_t c = 1; c < n; c++) {
        struct scalana_context one = context_of(runs, c);
        CHECK(!memcmp(&one, &all[c], sizeof one));
        CHECK(all[c].parent < c && all[c].end > c && all[c].end <= all[all[c].parent].end);
        CHECK(all[c].name && all[c].function && all[c].file && all[c].kind != SCALANA_ROOT);
        CHECK(all[c].kind != SCALANA_MPI || !strncmp(all[c].name, "MPI_", 4));
    }
    free(all);
    FAILS(scalana_graph_contexts(runs, n, 1, NULL, 8), SCALANA_EINVAL, "contexts");
    FAILS(scalana_graph_contexts(runs, 1, NO, NULL, 8), SCALANA_EINVAL, "contexts");
    FAILS(scalana_graph_contexts(runs, 0, 1, NULL, 8), SCALANA_EINVAL, "NULL");
    CHECK(!scalana_graph_contexts(runs, n, 0, NULL, 0));
    CHECK(!scalana_graph_note(runs, scalana_graph_notes(runs)));
}

/* Rows of an older and of a newer program. */
static void check_sizes(const scalana_runs *runs)
{
    struct {
        struct scalana_context known;
        uint64_t later;
    } newer[2];
    uint32_t parents[3] = {77, 77, 77};
    memset(newer, 0xff, sizeof newer);
    CHECK(!scalana_graph_contexts(runs, 1, 2, &newer[0].known, sizeof newer[0]));
    CHECK(!newer[0].later && !newer[1].later);
    CHECK(newer[1].known.parent == context_of(runs, 2).parent);
    CHECK(!scalana_graph_contexts(runs, 1, 2, (struct scalana_context *)(void *)parents,
                                  sizeof *parents));
    CHECK(parents[0] == newer[0].known.parent && parents[1] == newer[1].known.parent);
    CHECK(parents[2] == 77);
    FAILS(scalana_graph_contexts(runs, 0, 1, &newer[0].known, 0), SCALANA_EINVAL, "size");
}

static void check_block(const scalana_runs *runs, uint32_t run, uint32_t metric, const double *all,
                        const double *inclusive, uint32_t nl)
{
    uint32_t n = scalana_graph_count(runs), first = n / 3, count = n - n / 2 - first / 2;
    uint32_t left = nl / 2, width = nl - left;
    double *part = doubles((size_t)count * width);
    for (int values = SCALANA_EXCLUSIVE; values <= SCALANA_INCLUSIVE; values++) {
        const double *whole = values == SCALANA_EXCLUSIVE ? all : inclusive;
        CHECK(!scalana_metric_values(runs, run, metric, (enum scalana_values)values, first, count,
                                     left, width, part));
        for (uint32_t c = 0; c < count; c++)
            for (uint32_t l = 0; l < width; l++)
                CHECK(near_to(part[c * width + l], whole[(first + c) * nl + left + l]));
    }
    free(part);
}

/* Of a ratio contexts are no sums; what is signed may be below 0. */
static double check_metric(const scalana_runs *runs, uint32_t run, uint32_t metric, uint32_t nl)
{
    bool is_signed = metric == SCALANA_METRIC_COMPLETION || metric == SCALANA_METRIC_TRANSFER;
    uint32_t n = scalana_graph_count(runs);
    double total = 0, top = 0, *all = doubles((size_t)n * nl), *sum = doubles((size_t)n * nl);
    CHECK(!scalana_metric_values(runs, run, metric, SCALANA_EXCLUSIVE, 0, n, 0, nl, all));
    CHECK(!scalana_metric_values(runs, run, metric, SCALANA_INCLUSIVE, 0, n, 0, nl, sum));
    for (uint32_t l = 0; l < nl; l++)
        top += sum[l];
    for (uint32_t c = 0; c < n; c++) {
        struct scalana_context context = context_of(runs, c);
        for (uint32_t l = 0; l < nl; l++) {
            double below = 0;
            for (uint32_t d = c; d < context.end; d++)
                below += all[d * nl + l];
            CHECK((is_signed || all[c * nl + l] >= -1e-12) && near_to(sum[c * nl + l], below));
            total += all[c * nl + l];
        }
    }
    CHECK(near_to(total, top));
    check_block(runs, run, metric, all, sum, nl);
    free(all);
    free(sum);
    return total;
}

/* What the contexts have is what the locations had. */
static void check_metrics(const scalana_runs *runs, uint32_t run, const struct scalana_run *about)
{
    struct scalana_location *at = (struct scalana_location *)calloc(about->nlocations, sizeof *at);
    double mpi_s = 0, calls = 0, samples = 0, cpu_s = 0;
    CHECK(at && !scalana_run_locations(runs, run, 0, about->nlocations, at, sizeof *at));
    for (uint32_t l = 0; l < about->nlocations; l++) {
        CHECK(at[l].rank == l && at[l].present && at[l].complete && at[l].wall_s > 0);
        CHECK(at[l].cores && (at[l].core < 0 || at[l].package >= 0));
        mpi_s += at[l].mpi_s;
        calls += (double)at[l].mpi_calls;
        samples += (double)at[l].samples;
        cpu_s += at[l].cpu_s;
    }
    free(at);
    for (uint32_t m = 0; m < about->nmetrics; m++) {
        struct scalana_metric metric;
        uint32_t id;
        CHECK(!scalana_run_metrics(runs, run, m, 1, &metric, sizeof metric));
        CHECK(!scalana_metric_find(runs, run, metric.name, &id) && id == metric.id);
        CHECK(*metric.title && *metric.unit && *metric.meaning);
        if (*metric.absent) {
            double value;
            FAILS(scalana_metric_values(runs, run, id, SCALANA_EXCLUSIVE, 0, 1, 0, 1, &value),
                  SCALANA_ENOTFOUND, metric.absent);
            continue;
        }
        if (metric.of != NO)
            continue;
        double total = check_metric(runs, run, metric.id, about->nlocations);
        CHECK(metric.id != SCALANA_METRIC_MPI_TIME || fabs(total - mpi_s) <= 0.02 * mpi_s);
        CHECK(metric.id != SCALANA_METRIC_MPI_CALLS || total == calls);
        CHECK(metric.id != SCALANA_METRIC_SAMPLES || (total <= samples && total > 0.5 * samples));
        CHECK(metric.id != SCALANA_METRIC_COMPUTATION || (total > 0 && total < 1.1 * cpu_s));
    }
}

/* Returns the member it is of: they come one after the other. */
static uint32_t check_collective(const scalana_runs *runs, uint32_t run,
                                 const struct scalana_edge *edge, uint32_t member)
{
    struct scalana_group group;
    uint32_t among[64], n, found = 0;
    CHECK(edge->from_context == NO && isnan(edge->late_s) && edge->messages && !edge->seconds);
    CHECK(edge->to_location >= member && edge->to_location <= member + 1);
    CHECK(context_of(runs, edge->to_context).kind == SCALANA_MPI);
    CHECK(!scalana_run_groups(runs, run, edge->group, 1, &group, sizeof group));
    CHECK(!scalana_group_members(runs, run, edge->group, 64, among, &n) && n == group.size);
    for (uint32_t i = 0; i < n; i++) {
        CHECK(!i || among[i] > among[i - 1]);
        found += among[i] == edge->to_location || among[i] == edge->from_location;
    }
    CHECK(found == 1u + (edge->from_location != NO && edge->from_location != edge->to_location));
    return edge->to_location;
}

static void check_groups(const scalana_runs *runs, uint32_t run, uint32_t n, uint32_t nl)
{
    struct scalana_group group;
    uint32_t member;
    CHECK(!scalana_run_groups(runs, run, 0, 1, &group, sizeof group));
    CHECK(!strcmp(group.kind, "MPI_COMM_WORLD") && group.size == nl);
    FAILS(scalana_run_groups(runs, run, n, 1, &group, sizeof group), SCALANA_EINVAL, "groups");
    FAILS(scalana_group_members(runs, run, n, 0, NULL, &n), SCALANA_EINVAL, "group");
    FAILS(scalana_group_members(runs, run, 0, 1, NULL, &n), SCALANA_EINVAL, "NULL");
    CHECK(!scalana_group_members(runs, run, 0, 0, NULL, &n) && n == nl);
    CHECK(!scalana_group_members(runs, run, 0, 1, &member, NULL) && !member);
}

static void check_edges(const scalana_runs *runs, uint32_t run, uint32_t nl)
{
    struct scalana_edge edge, wide[7];
    scalana_edges *one_by_one, *many;
    uint32_t n, got, control = 0, messages = 0, receiver = 0, member = 0;
    CHECK(!scalana_edges_open(runs, run, 7, 0, nl, &one_by_one));
    CHECK(!scalana_edges_open(runs, run, 7, 0, nl, &many));
    while (!scalana_edges_next(many, 7, wide, sizeof *wide, &n) && n)
        for (uint32_t i = 0; i < n; i++) {
            CHECK(!scalana_edges_next(one_by_one, 1, &edge, sizeof edge, &got) && got == 1);
            CHECK(edge.to_context == wide[i].to_context && edge.messages == wide[i].messages);
            if (edge.kind == SCALANA_EDGE_COLLECTIVE) {
                member = check_collective(runs, run, &edge, member);
                continue;
            }
            CHECK(edge.from_context < scalana_graph_count(runs) && edge.group == NO);
            if (edge.kind == SCALANA_EDGE_CONTROL) {
                CHECK(++control == edge.to_context && edge.to_location == NO && !messages);
                CHECK(context_of(runs, edge.to_context).parent == edge.from_context);
                continue;
            }
            CHECK(edge.kind == SCALANA_EDGE_COMMUNICATION && edge.messages && !member);
            messages++;
            CHECK(edge.from_location < nl && edge.to_location < nl && edge.to_location >= receiver);
            CHECK(context_of(runs, edge.to_context).kind == SCALANA_MPI);
            CHECK(edge.bytes >= edge.messages); /* of the programs checked here */
            receiver = edge.to_location;
        }
    CHECK(!scalana_edges_next(one_by_one, 1, &edge, sizeof edge, &got) && !got);
    CHECK(control + 1 == scalana_graph_count(runs) && member == nl - 1);
    scalana_edges_close(one_by_one);
    scalana_edges_close(many);
    FAILS(scalana_edges_open(runs, run, 16, 0, nl, &many), SCALANA_EINVAL, "kinds");
    FAILS(scalana_edges_open(runs, run, 3, 1, nl, &many), SCALANA_EINVAL, "locations");
    CHECK(!scalana_edges_open(runs, run, 2, 0, nl, &many));
    FAILS(scalana_edges_next(many, 0, wide, sizeof *wide, &n), SCALANA_EINVAL, "room");
    FAILS(scalana_edges_next(many, 1, NULL, sizeof *wide, &n), SCALANA_EINVAL, "NULL");
    scalana_edges_close(many);
}

static void check_ranges(const scalana_runs *runs)
{
    uint32_t id, nruns = scalana_runs_count(runs);
    double value;
    FAILS(scalana_metric_find(runs, 0, "heat", &id), SCALANA_ENOTFOUND, "heat");
    FAILS(scalana_metric_values(runs, 0, 63, SCALANA_EXCLUSIVE, 0, 1, 0, 1, &value), SCALANA_EINVAL,
          "metric");
    FAILS(scalana_metric_values(runs, 0, NO, SCALANA_EXCLUSIVE, 0, 1, 0, 1, &value), SCALANA_EINVAL,
          "metric");
    FAILS(scalana_metric_values(runs, nruns, 0, SCALANA_EXCLUSIVE, 0, 1, 0, 1, &value),
          SCALANA_EINVAL, "run");
    FAILS(scalana_metric_values(runs, 0, 0, SCALANA_INCLUSIVE, 0, NO, 0, 1, &value), SCALANA_EINVAL,
          "contexts");
    FAILS(scalana_metric_values(runs, 0, 0, SCALANA_EXCLUSIVE, 0, 1, 1, NO, &value), SCALANA_EINVAL,
          "locations");
    FAILS(scalana_metric_values(runs, 0, 0, SCALANA_EXCLUSIVE, 0, 1, 0, 1, NULL), SCALANA_EINVAL,
          "NULL");
    FAILS(scalana_run_locations(runs, 0, NO, 1, NULL, 8), SCALANA_EINVAL, "locations");
    CHECK(scalana_run_metadata(runs, 0, "program") && !scalana_run_metadata(runs, 0, "no such"));
    CHECK(!scalana_run_metadata(runs, NO, "program") && !scalana_run_metadata(runs, 0, NULL));
}

static double total_of(const scalana_runs *runs, uint32_t run, uint32_t metric, uint32_t nl)
{
    double total = 0, *top = doubles(nl);
    CHECK(!scalana_metric_values(runs, run, metric, SCALANA_INCLUSIVE, 0, 1, 0, nl, top));
    for (uint32_t l = 0; l < nl; l++)
        total += top[l];
    free(top);
    return total;
}

static bool is_part(double part, double whole)
{
    return fabs(part - whole) <= 1e-3 * fabs(whole) + 1e-9;
}

/* The rows of a report are the values of the graph. */
static void check_rows(const scalana_runs *runs, uint32_t run, const scalana_report *report,
                       uint32_t nl)
{
    struct scalana_summary about;
    CHECK(!scalana_report_get(report, &about, sizeof about) && about.nmetrics > 20);
    for (uint32_t m = 0; m < about.nmetrics; m++) {
        struct scalana_report_metric metric;
        double sum = 0;
        uint32_t id;
        CHECK(!scalana_report_metrics(report, m, 1, &metric, sizeof metric));
        CHECK(!scalana_metric_find(runs, run, metric.name, &id));
        for (uint32_t i = 0; i < metric.nrows; i++) {
            struct scalana_metric_row row;
            double listed = 0;
            CHECK(!scalana_report_metric_rows(report, m, i, 1, &row, sizeof row));
            CHECK(row.vertex < about.nvertices && row.complete && row.nvalues);
            for (uint32_t k = 0; k < row.nvalues; k++)
                listed += row.values[k];
            CHECK(is_part(row.same ? listed * nl : listed, row.sum));
            sum += row.sum;
        }
        CHECK(*metric.absent || metric.of != NO || is_part(sum, total_of(runs, run, id, nl)));
    }
}

/* What the replay tells adds up to the account of the report. */
static void check_replay(scalana_runs *runs)
{
    uint32_t run = scalana_runs_count(runs) - 1;
    struct scalana_report_run account;
    struct scalana_run about;
    scalana_report *report;
    CHECK(!scalana_runs_replay(runs, NULL) && !scalana_runs_replay(runs, NULL));
    CHECK(!scalana_runs_get(runs, run, 1, &about, sizeof about));
    CHECK(!scalana_verdict_find(runs, NULL, &report));
    CHECK(!scalana_report_runs(report, run, 1, &account, sizeof account));
    uint32_t nl = about.nlocations;
    check_metrics(runs, run, &about);
    check_rows(runs, run, report, nl);
    CHECK(is_part(total_of(runs, run, SCALANA_METRIC_COMPUTATION, nl),
                  account.useful_core_s + account.extra_core_s + account.tool_core_s +
                      account.blocked_core_s));
    CHECK(is_part(total_of(runs, run, SCALANA_METRIC_WAITING, nl),
                  account.explained_core_s + account.unexplained_core_s));
    CHECK(is_part(total_of(runs, run, SCALANA_METRIC_DELAY_COST, nl), account.explained_core_s));
    CHECK(total_of(runs, run, SCALANA_METRIC_CRITICAL_PATH, nl) > 0);
    scalana_report_free(report);
}

static void check_graph(char **dirs, int n)
{
    scalana_runs *runs = load(dirs, n);
    check_contexts(runs);
    check_sizes(runs);
    check_ranges(runs);
    for (uint32_t run = 0; run < (uint32_t)n; run++) {
        struct scalana_run about;
        CHECK(!scalana_runs_get(runs, run, 1, &about, sizeof about));
        CHECK(about.ranks == about.nlocations && about.complete && about.wall_s > 0);
        check_metrics(runs, run, &about);
        check_edges(runs, run, about.nlocations);
        check_groups(runs, run, about.ngroups, about.nlocations);
    }
    check_replay(runs);
    scalana_runs_free(runs);
}

/* ---- the report ---- */

static void check_cause(const scalana_report *report, uint32_t i)
{
    struct scalana_cause cause;
    struct scalana_step step;
    struct scalana_symptom symptom;
    char text[256], little[8];
    size_t length, same;
    CHECK(!scalana_report_causes(report, i, 1, &cause, sizeof cause));
    CHECK(!scalana_cause_text(report, i, text, sizeof text, &length) && length == strlen(text));
    CHECK(!scalana_cause_text(report, i, little, sizeof little, &same) && same == length);
    CHECK(strlen(little) == 7 && !strncmp(text, little, 7));
    CHECK(!scalana_cause_text(report, i, NULL, 0, &same) && same == length);
    FAILS(scalana_cause_text(report, i, NULL, 9, &same), SCALANA_EINVAL, "NULL");
    CHECK(!strncmp(text, cause.category, strlen(cause.category)) && cause.gain_core_s > 0);
    for (uint32_t s = 0; s < cause.npath; s++)
        CHECK(!scalana_cause_path(report, i, s, 1, &step, sizeof step) && step.via);
    for (uint32_t s = 0; s < cause.nsymptoms; s++)
        CHECK(!scalana_cause_symptoms(report, i, s, 1, &symptom, sizeof symptom));
    FAILS(scalana_cause_path(report, i, cause.npath, 1, &step, sizeof step), SCALANA_EINVAL,
          "steps");
    FAILS(scalana_cause_symptoms(report, i, cause.nsymptoms, 1, &symptom, sizeof symptom),
          SCALANA_EINVAL, "symptoms");
}

#define LIST(function, rows, type)                                                                 \
    do {                                                                                           \
        struct type row;                                                                           \
        for (uint32_t i = 0; i < (rows); i++)                                                      \
            CHECK(!function(report, i, 1, &row, sizeof row));                                      \
        FAILS(function(report, (rows), 1, &row, sizeof row), SCALANA_EINVAL, "there are");         \
    } while (0)

static void check_runs_of(const scalana_report *report, uint32_t nruns)
{
    for (uint32_t r = 0; r < nruns; r++) {
        struct scalana_report_run run;
        struct scalana_host host;
        struct scalana_topology topology;
        CHECK(!scalana_report_runs(report, r, 1, &run, sizeof run));
        double parts = run.useful_core_s + run.extra_core_s + run.explained_core_s +
                       run.unexplained_core_s + run.disturbed_core_s + run.communication_core_s +
                       run.rest_core_s + run.tool_core_s + run.blocked_core_s + run.awaited_core_s +
                       run.queued_core_s;
        CHECK(fabs(run.base_core_s - parts) <= 1e-7 * run.base_core_s); /* nine digits in files */
        for (uint32_t h = 0; h < run.nhosts; h++)
            CHECK(!scalana_report_hosts(report, r, h, 1, &host, sizeof host) && host.nranks);
        CHECK(!scalana_report_topology(report, r, &topology, sizeof topology) && topology.kind);
    }
}

/* Every rank has a place in the hardware, on the host that has it. */
static void check_places(const scalana_report *report, const struct scalana_summary *s)
{
    struct scalana_report_topology system;
    struct scalana_report_place place;
    struct scalana_report_run run;
    CHECK(s->ntopologies);
    CHECK(!scalana_report_topologies(report, s->ntopologies - 1, 1, &system, sizeof system));
    CHECK(!scalana_report_runs(report, s->nruns - 1, 1, &run, sizeof run));
    CHECK(!strcmp(system.kind, "system") && system.nlocations == run.ranks);
    CHECK(!strcmp(system.dimension_names[0], "host") && system.dims[0] == run.nhosts);
    for (uint32_t r = 0; r < s->nplaces; r++) {
        CHECK(!scalana_report_places(report, r, 1, &place, sizeof place));
        CHECK(place.host == (uint32_t)system.coordinates[(size_t)r * system.ndims]);
        CHECK(place.cores && place.core >= -1 && !place.nthreads && !place.thread_s);
    }
}

static void check_lists(const scalana_report *report)
{
    struct scalana_summary s;
    CHECK(!scalana_report_get(report, &s, sizeof s) && s.nruns && s.nvertices);
    LIST(scalana_report_runs, s.nruns, scalana_report_run);
    LIST(scalana_report_efficiencies, s.nefficiencies, scalana_efficiency);
    LIST(scalana_report_vertices, s.nvertices, scalana_vertex);
    LIST(scalana_report_nonscalable, s.nnonscalable, scalana_nonscalable);
    LIST(scalana_report_abnormal, s.nabnormal, scalana_abnormal);
    LIST(scalana_report_waits, s.nwaits, scalana_wait);
    LIST(scalana_report_sources, s.nsources, scalana_source);
    LIST(scalana_report_causes, s.ncauses, scalana_cause);
    LIST(scalana_report_unconfirmed, s.nunconfirmed, scalana_cause);
    LIST(scalana_report_topologies, s.ntopologies, scalana_report_topology);
    LIST(scalana_report_classes, s.nclasses, scalana_class);
    LIST(scalana_report_leavers, s.nleavers, scalana_leaver);
    LIST(scalana_report_advice, s.nadvice, scalana_advice);
    LIST(scalana_report_places, s.nplaces, scalana_report_place);
    check_places(report, &s);
    check_runs_of(report, s.nruns);
    for (uint32_t i = 0; i < s.nnotes; i++)
        CHECK(scalana_report_note(report, i));
    CHECK(!scalana_report_note(report, s.nnotes));
    for (uint32_t i = 0; i < s.nwarnings; i++)
        CHECK(scalana_report_warning(report, i));
    CHECK(!scalana_report_warning(report, s.nwarnings));
    for (uint32_t i = 0; i < s.ncauses; i++)
        check_cause(report, i);
}

/* Twice the same, written twice, and the same again when it is read. */
static void check_report(const char *path, char **dirs, int n)
{
    char second[1024];
    scalana_runs *runs = load(dirs, n);
    scalana_report *report, *again;
    snprintf(second, sizeof second, "%s.2", path);
    CHECK(!scalana_verdict_find(runs, NULL, &again) && !scalana_verdict_find(runs, NULL, &report));
    scalana_runs_free(runs);
    check_lists(report);
    CHECK(!scalana_report_write(report, path) && !scalana_report_write(again, second));
    FAILS(scalana_report_write(report, "/nowhere/at/all"), SCALANA_EIO, "/nowhere/at/all");
    scalana_report_free(report);
    scalana_report_free(again);
    CHECK(!scalana_report_read(path, &report));
    check_lists(report);
    snprintf(second, sizeof second, "%s.3", path);
    CHECK(!scalana_report_write(report, second));
    scalana_report_free(report);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    setlocale(LC_ALL, ""); /* perhaps one whose numbers have commas */
    if (!strcmp(what, "errors"))
        check_errors();
    else if (!strcmp(what, "graph"))
        check_graph(argv + 2, argc - 2);
    else if (!strcmp(what, "report") && argc > 3)
        check_report(argv[2], argv + 3, argc - 3);
    else
        return 2;
    return 0;
}
