/*
 * A program on libscalana: what takes the time in the runs given, what is to blame, what else was
 * found and why it is no cause, and who talks to whom.
 *
 *     cc causes.c $(pkg-config --cflags --libs scalana) -o causes
 *     ./causes scalana-cg-2p scalana-cg-4p scalana-cg-8p
 *
 * It is C11 and C++17.
 */
#include "scalana/scalana.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HOTTEST = 8, BUSIEST = 8, CHUNK = 256 };

struct ranked { /* a context, and what it is ranked by */
    uint32_t context;
    double seconds;
};

struct flow { /* messages between two contexts, over all pairs of ranks */
    uint32_t from, to;
    uint64_t messages, bytes;
};

static int by_seconds(const void *a, const void *b)
{
    double x = ((const struct ranked *)a)->seconds, y = ((const struct ranked *)b)->seconds;
    return (x < y) - (x > y);
}

static int by_contexts(const void *a, const void *b)
{
    const struct flow *x = (const struct flow *)a, *y = (const struct flow *)b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

static int by_bytes(const void *a, const void *b)
{
    uint64_t x = ((const struct flow *)a)->bytes, y = ((const struct flow *)b)->bytes;
    return (x < y) - (x > y);
}

static const char *base_name(const char *path)
{
    const char *name = path;
    for (const char *at = path; *at; at++)
        if (*at == '/')
            name = at + 1;
    return name;
}

/* "cg.c:109 loop in conj_grad" */
static void print_context(const scalana_runs *runs, uint32_t number)
{
    static const char *const kinds[] = {"program", "loop", "branch", "call", "MPI", "computation"};
    struct scalana_context c;
    if (scalana_graph_contexts(runs, number, 1, &c, sizeof c) != SCALANA_OK)
        return;
    const char *kind = c.kind < sizeof kinds / sizeof *kinds ? kinds[c.kind] : "?";
    printf("%s:%u %s%s%s in %s", *c.file ? base_name(c.file) : "?", c.line, kind,
           *c.name ? " " : "", c.name, *c.function ? c.function : "?");
}

/* Adds a metric's values over all locations to what each context has. */
static int add_metric(const scalana_runs *runs, uint32_t run, uint32_t nlocations, uint32_t metric,
                      struct ranked *contexts)
{
    uint32_t n = scalana_graph_count(runs);
    double *block = (double *)malloc((size_t)n * nlocations * sizeof *block);
    if (!block)
        return SCALANA_ENOMEM;
    int status =
        scalana_metric_values(runs, run, metric, SCALANA_EXCLUSIVE, 0, n, 0, nlocations, block);
    for (uint32_t c = 0; status == SCALANA_OK && c < n; c++)
        for (uint32_t l = 0; l < nlocations; l++)
            contexts[c].seconds += block[(size_t)c * nlocations + l];
    free(block);
    return status;
}

static int print_hottest(const scalana_runs *runs, uint32_t run, const struct scalana_run *about)
{
    uint32_t n = scalana_graph_count(runs);
    struct ranked *contexts = (struct ranked *)calloc(n, sizeof *contexts);
    if (!contexts)
        return SCALANA_ENOMEM;
    for (uint32_t c = 0; c < n; c++)
        contexts[c].context = c;
    int status = add_metric(runs, run, about->nlocations, SCALANA_METRIC_COMPUTATION, contexts);
    if (status == SCALANA_OK)
        status = add_metric(runs, run, about->nlocations, SCALANA_METRIC_MPI_TIME, contexts);
    if (status == SCALANA_OK)
        qsort(contexts, n, sizeof *contexts, by_seconds);
    printf("Hottest contexts of %u on %u ranks, core-seconds\n", n, about->ranks);
    for (uint32_t c = 0; status == SCALANA_OK && c < n && c < HOTTEST; c++) {
        printf("  %10.3f  ", contexts[c].seconds);
        print_context(runs, contexts[c].context);
        printf("\n");
    }
    free(contexts);
    return status;
}

static int print_cause(const scalana_report *report, uint32_t number)
{
    char text[512];
    struct scalana_cause cause;
    int status = scalana_report_causes(report, number, 1, &cause, sizeof cause);
    if (status == SCALANA_OK)
        status = scalana_cause_text(report, number, text, sizeof text, NULL);
    if (status != SCALANA_OK)
        return status;
    printf("  %s\n    cost %.9g core-s (%.0f %%), gain %.9g core-s (%.0f %%)\n", text,
           cause.cost_core_s, 100 * cause.cost_share, cause.gain_core_s, 100 * cause.gain_share);
    for (uint32_t i = 0; status == SCALANA_OK && i < cause.npath; i++) {
        struct scalana_step step;
        struct scalana_vertex vertex;
        status = scalana_cause_path(report, number, i, 1, &step, sizeof step);
        if (status == SCALANA_OK)
            status = scalana_report_vertices(report, step.vertex, 1, &vertex, sizeof vertex);
        if (status == SCALANA_OK)
            printf("    %-10s rank %u, %s:%u %s\n", step.via, step.rank, base_name(vertex.file),
                   vertex.line, vertex.name);
    }
    return status;
}

static int print_causes(const scalana_report *report)
{
    struct scalana_summary about;
    int status = scalana_report_get(report, &about, sizeof about);
    if (status == SCALANA_OK)
        printf("Causes: %u, %s scaling\n", about.ncauses, about.scaling_mode);
    for (uint32_t i = 0; status == SCALANA_OK && i < about.ncauses; i++)
        status = print_cause(report, i);
    return status;
}

/* What was found beside the causes, and what became of it. */
static int print_other_findings(const scalana_findings *findings)
{
    int status = SCALANA_OK;
    printf("Findings: %u\n", scalana_findings_count(findings));
    for (uint32_t i = 0; status == SCALANA_OK && i < scalana_findings_count(findings); i++) {
        struct scalana_finding f;
        status = scalana_findings_get(findings, i, 1, &f, sizeof f);
        if (status == SCALANA_OK && strcmp(f.outcome, "cause"))
            printf("  %u. %s  %s\n     %s\n", i + 1, f.category, f.where, f.why);
    }
    return status;
}

/* All communication edges, without what tells pairs of ranks apart; *out is for free(). */
static int collect_flows(scalana_edges *edges, struct flow **out, size_t *n)
{
    struct scalana_edge chunk[CHUNK];
    uint32_t got = 0;
    int status;
    while ((status = scalana_edges_next(edges, CHUNK, chunk, sizeof *chunk, &got)) == SCALANA_OK &&
           got) {
        struct flow *more = (struct flow *)realloc(*out, (*n + got) * sizeof **out);
        if (!more)
            return SCALANA_ENOMEM;
        *out = more;
        for (uint32_t i = 0; i < got; i++) {
            struct flow one = {chunk[i].from_context, chunk[i].to_context, chunk[i].messages,
                               chunk[i].bytes};
            more[(*n)++] = one;
        }
    }
    return status;
}

static size_t unite(struct flow *flows, size_t n)
{
    size_t kept = 0;
    if (n)
        qsort(flows, n, sizeof *flows, by_contexts);
    for (size_t i = 0; i < n; i++)
        if (kept && !by_contexts(&flows[kept - 1], &flows[i])) {
            flows[kept - 1].messages += flows[i].messages;
            flows[kept - 1].bytes += flows[i].bytes;
        } else {
            flows[kept++] = flows[i];
        }
    if (kept)
        qsort(flows, kept, sizeof *flows, by_bytes);
    return kept;
}

static int print_flows(const scalana_runs *runs, uint32_t run, uint32_t nlocations)
{
    scalana_edges *edges;
    struct flow *flows = NULL;
    size_t n = 0;
    int status = scalana_edges_open(runs, run, SCALANA_EDGE_COMMUNICATION, 0, nlocations, &edges);
    if (status != SCALANA_OK)
        return status;
    status = collect_flows(edges, &flows, &n);
    scalana_edges_close(edges);
    printf("Messages, from %zu edges: how many, bytes, from, to\n", n);
    n = unite(flows, n);
    for (size_t i = 0; status == SCALANA_OK && i < n && i < BUSIEST; i++) {
        printf("  %10llu %12llu  ", (unsigned long long)flows[i].messages,
               (unsigned long long)flows[i].bytes);
        print_context(runs, flows[i].from);
        printf(" -> ");
        print_context(runs, flows[i].to);
        printf("\n");
    }
    free(flows);
    return status;
}

static int show(scalana_runs *runs)
{
    uint32_t largest = scalana_runs_count(runs) - 1;
    struct scalana_run about;
    scalana_report *report = NULL;
    scalana_findings *findings = NULL;
    int status = scalana_runs_get(runs, largest, 1, &about, sizeof about);
    if (status == SCALANA_OK)
        status = print_hottest(runs, largest, &about);
    if (status == SCALANA_OK)
        status = scalana_findings_find(runs, NULL, &report, &findings);
    if (status == SCALANA_OK)
        status = print_causes(report);
    if (status == SCALANA_OK)
        status = print_other_findings(findings);
    if (status == SCALANA_OK)
        status = print_flows(runs, largest, about.nlocations);
    scalana_findings_free(findings);
    scalana_report_free(report);
    return status;
}

int main(int argc, char **argv)
{
    const char **directories = (const char **)calloc((size_t)argc, sizeof *directories);
    scalana_runs *runs = NULL;
    int status = directories ? SCALANA_OK : SCALANA_ENOMEM;
    for (int i = 1; directories && i < argc; i++)
        directories[i - 1] = argv[i];
    if (status == SCALANA_OK)
        status = scalana_runs_load(directories, (uint32_t)argc - 1, NULL, &runs);
    if (status == SCALANA_OK)
        status = show(runs);
    if (status != SCALANA_OK)
        fprintf(stderr, "causes: %s: %s\n", scalana_status_name(status), scalana_error_message());
    scalana_runs_free(runs);
    free(directories);
    return status == SCALANA_OK ? 0 : 1;
}
