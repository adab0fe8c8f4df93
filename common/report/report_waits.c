#include "sca_phrase.h"
#include "sca_report.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_COMPARED = 100, /* call paths of a line that are looked through, the longest waits */
    SLIGHT = 20          /* one in so many parts of a line's wait is not worth a row */
};

struct row {
    const struct sca_report_vertex *vertex;
    struct sca_report_wait wait;
};

static int by_place_and_class(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    const struct sca_report_vertex *v = x->vertex, *w = y->vertex;
    if (v->line != w->line)
        return v->line < w->line ? -1 : 1;
    int order = strcmp(v->file, w->file);
    if (!order)
        order = strcmp(v->function, w->function);
    if (!order)
        order = strcmp(v->name, w->name);
    return order ? order : strcmp(x->wait.wait_class, y->wait.wait_class);
}

static int by_row(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    int order = by_place_and_class(a, b);
    return order ? order : (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

static int by_wait(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    double p = x->wait.wait_core_s, q = y->wait.wait_core_s;
    return p != q ? (p < q ? 1 : -1) : by_place_and_class(a, b);
}

/* Equal rows stand together; that of the longest wait gives the vertex. */
static uint32_t merge(struct row *rows, uint32_t n)
{
    uint32_t kept = 0;
    double longest = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (!kept || by_place_and_class(&rows[kept - 1], &rows[i])) {
            longest = rows[i].wait.wait_core_s;
            rows[kept++] = rows[i];
            continue;
        }
        struct sca_report_wait *to = &rows[kept - 1].wait;
        if (rows[i].wait.wait_core_s > longest) {
            longest = rows[i].wait.wait_core_s;
            to->vertex = rows[i].wait.vertex;
        }
        to->count += rows[i].wait.count;
        to->wait_core_s += rows[i].wait.wait_core_s;
        to->direct_core_s += rows[i].wait.direct_core_s;
        to->indirect_core_s += rows[i].wait.indirect_core_s;
    }
    return kept;
}

uint32_t sca_report_waits_by_place(const struct sca_report *report, struct sca_report_wait *out,
                                   uint32_t most)
{
    struct row *rows = calloc((size_t)report->nwaits + 1, sizeof *rows);
    if (!rows)
        return 0;
    for (uint32_t i = 0; i < report->nwaits; i++)
        rows[i] = (struct row){&report->vertices[report->waits[i].vertex], report->waits[i]};
    qsort(rows, report->nwaits, sizeof *rows, by_row);
    uint32_t n = merge(rows, report->nwaits);
    qsort(rows, n, sizeof *rows, by_wait);
    n = n < most ? n : most;
    for (uint32_t i = 0; i < n; i++)
        out[i] = rows[i].wait;
    free(rows);
    return n;
}

static bool reads_alike(const struct sca_report *report, uint32_t a, uint32_t b)
{
    char x[SCA_PHRASE], y[SCA_PHRASE];
    return !strcmp(sca_phrase_calling_path(x, report, a, UINT32_MAX),
                   sca_phrase_calling_path(y, report, b, UINT32_MAX));
}

static int longest_first(const void *a, const void *b)
{
    const struct sca_report_symptom *x = a, *y = b;
    if (x->wait_core_s != y->wait_core_s)
        return x->wait_core_s < y->wait_core_s ? 1 : -1;
    return (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

/* The vertices behind a row, longest wait first. */
static uint32_t behind(const struct sca_report *report, const struct sca_report_wait *row,
                       struct sca_report_symptom *out)
{
    struct row like = {&report->vertices[row->vertex], *row};
    uint32_t n = 0;
    for (uint32_t i = 0; i < report->nwaits; i++) {
        const struct sca_report_wait *w = &report->waits[i];
        struct row each = {&report->vertices[w->vertex], *w};
        if (!by_place_and_class(&like, &each))
            out[n++] = (struct sca_report_symptom){w->vertex, w->wait_core_s};
    }
    if (n)
        qsort(out, n, sizeof *out, longest_first);
    return n;
}

static uint32_t merge_alike(const struct sca_report *report, struct sca_report_symptom *paths,
                            uint32_t n)
{
    uint32_t kept = 0, k;
    for (uint32_t i = 0; i < n; i++) {
        const struct sca_report_symptom each = paths[i];
        for (k = 0; k < kept && !reads_alike(report, paths[k].vertex, each.vertex);)
            k++;
        if (k == kept)
            paths[kept++] = each;
        else
            paths[k].wait_core_s += each.wait_core_s;
    }
    if (kept)
        qsort(paths, kept, sizeof *paths, longest_first);
    return kept;
}

uint32_t sca_report_wait_paths(const struct sca_report *report, const struct sca_report_wait *row,
                               struct sca_report_symptom *out, uint32_t most)
{
    struct sca_report_symptom *paths = calloc((size_t)report->nwaits + 1, sizeof *paths);
    if (!paths)
        return 0;
    uint32_t n = behind(report, row, paths), k = 0;
    n = merge_alike(report, paths, n < MOST_COMPARED ? n : MOST_COMPARED);
    for (; k < n && k < most && (!k || paths[k].wait_core_s * SLIGHT > row->wait_core_s); k++)
        out[k] = paths[k];
    free(paths);
    return k;
}

bool sca_report_is_replayed(const struct sca_report *r)
{
    return r->nruns && r->runs[r->nruns - 1].account.is_virtual;
}

double sca_report_vertex_s(const struct sca_report *r, uint32_t vertex)
{
    const struct sca_report_vertex *v = &r->vertices[vertex];
    double waited = 0;
    if (!sca_report_is_replayed(r) || strcmp(v->kind, "mpi") != 0)
        return v->nruns ? v->run_s[v->nruns - 1] : 0;
    for (uint32_t i = 0; i < r->nwaits; i++)
        if (r->waits[i].vertex == vertex)
            waited += r->waits[i].wait_core_s;
    return waited;
}
