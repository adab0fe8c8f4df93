/* The explorer's contexts, runs and causes. */
#include "html/html_explorer.h"
#include "sca_error.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 4, DIGITS = 6 };

/* The strings of all vertices, each once. */
struct strings {
    const char **all; /* [COLUMNS * vertices], vertex after vertex */
    uint32_t *order;  /* places in all[], sorted by text */
    uint32_t *number; /* of each in all[] */
    size_t n;
};

static int by_text(const void *a, const void *b, void *all)
{
    const char *const *texts = all;
    return strcmp(texts[*(const uint32_t *)a], texts[*(const uint32_t *)b]);
}

static int open_strings(struct strings *s, const struct sca_report *r)
{
    s->n = COLUMNS * (size_t)r->nvertices;
    s->all = calloc(s->n + 1, sizeof *s->all);
    s->order = calloc(s->n + 1, sizeof *s->order);
    s->number = calloc(s->n + 1, sizeof *s->number);
    if (!s->all || !s->order || !s->number)
        return sca_fail(SCA_ENOMEM, "out of memory for %u vertices", r->nvertices);
    for (uint32_t v = 0; v < r->nvertices; v++) {
        const struct sca_report_vertex *from = &r->vertices[v];
        const char *texts[COLUMNS] = {from->kind, from->name, from->function, from->file};
        memcpy(&s->all[COLUMNS * (size_t)v], texts, sizeof texts);
    }
    for (size_t i = 0; i < s->n; i++)
        s->order[i] = (uint32_t)i;
    qsort_r(s->order, s->n, sizeof *s->order, by_text, (void *)s->all);
    return SCA_OK;
}

static void put_strings(const struct sca_html *h, struct strings *s)
{
    uint32_t used = 0;
    fputs(",\n\"text\":[", h->out);
    for (size_t i = 0; i < s->n; i++) {
        if (!i || strcmp(s->all[s->order[i]], s->all[s->order[i - 1]])) {
            fputs(used++ ? "," : "", h->out);
            sca_html_json_text(h, s->all[s->order[i]]);
        }
        s->number[s->order[i]] = used - 1;
    }
    putc(']', h->out);
}

static void put_vertices(const struct sca_html *h, const struct strings *s)
{
    static const char *const names[COLUMNS] = {"kind", "name", "function", "file"};
    const struct sca_report *r = h->r;
    for (int column = 0; column < COLUMNS; column++) {
        fprintf(h->out, ",\n\"%s\":[", names[column]);
        for (uint32_t v = 0; v < r->nvertices; v++)
            fprintf(h->out, "%s%u", v ? "," : "", s->number[COLUMNS * (size_t)v + (size_t)column]);
        putc(']', h->out);
    }
    fputs(",\n\"line\":[", h->out);
    for (uint32_t v = 0; v < r->nvertices; v++)
        fprintf(h->out, "%s%u", v ? "," : "", r->vertices[v].line);
    fputs("],\n\"parent\":[", h->out);
    for (uint32_t v = 0; v < r->nvertices; v++)
        fprintf(h->out, "%s%d", v ? "," : "",
                r->vertices[v].parent == v ? -1 : (int)r->vertices[v].parent);
    putc(']', h->out);
}

static void put_runs(const struct sca_html *h)
{
    const struct sca_report *r = h->r;
    fputs(",\"runs\":[", h->out);
    for (uint32_t i = 0; i < r->nruns; i++) {
        fprintf(h->out, "%s[%u,", i ? "," : "", r->runs[i].ranks);
        sca_html_json_text(h, r->runs[i].dir);
        putc(']', h->out);
    }
    fputs("],\n\"own\":[", h->out);
    for (uint32_t i = 0; i < r->nruns; i++) {
        fputs(i ? ",\n[" : "[", h->out);
        for (uint32_t v = 0; v < r->nvertices; v++) {
            fputs(v ? "," : "", h->out);
            sca_html_json_number(h, sca_outline_run_s(&h->outline, v, i), DIGITS);
        }
        putc(']', h->out);
    }
    putc(']', h->out);
}

static void put_causes(const struct sca_html *h)
{
    fputs(",\n\"causes\":[", h->out);
    for (uint32_t i = 0; i < h->r->ncauses; i++) {
        fprintf(h->out, "%s[%u,", i ? "," : "", h->r->causes[i].vertex);
        sca_html_json_ranks(h, h->r->causes[i].ranks, h->r->causes[i].nranks);
        putc(']', h->out);
    }
    putc(']', h->out);
}

static void put_lacks(const struct sca_html *h)
{
    const struct sca_report *r = h->r;
    bool some = false;
    fputs(",\"lacks\":[", h->out);
    if (!r->nmetrics) {
        fputs("\"metrics: only computation and time in MPI are shown\"", h->out);
        some = true;
    }
    if (!h->run->nhosts)
        fprintf(h->out, "%s\"hosts: ranks are not grouped\"", some ? "," : "");
    putc(']', h->out);
}

int sca_html_explorer_data(const struct sca_html *h)
{
    struct strings strings = {0};
    int status = open_strings(&strings, h->r);
    if (status == SCA_OK) {
        fprintf(h->out, "{\"ranks\":%u", h->nranks);
        put_lacks(h);
        put_runs(h);
        sca_html_explorer_places(h);
        put_strings(h, &strings);
        put_vertices(h, &strings);
        put_causes(h);
        fputs(",\n\"metrics\":[", h->out);
        status = sca_html_explorer_metrics(h);
        fputs("]}", h->out);
    }
    free(strings.all);
    free(strings.order);
    free(strings.number);
    return status;
}
