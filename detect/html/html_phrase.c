/* Vertices in words, and the page's index of them. */
#include "html/html_page.h"
#include "sca_error.h"
#include "sca_function_name.h"
#include "sca_phrase.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NO_BREAK "\xc2\xa0" /* between a number and its unit */

static bool is_named(const struct sca_report_vertex *v)
{
    return v->name[0] && (!strcmp(v->kind, "mpi") || !strcmp(v->kind, "call"));
}

const char *sca_html_place(char *buffer, const struct sca_report_vertex *v)
{
    const char *slash = strrchr(v->file, '/'), *file = slash ? slash + 1 : v->file;
    if (v->file[0] && v->line)
        snprintf(buffer, SCA_PHRASE, "%.200s:%u", file, v->line);
    else
        snprintf(buffer, SCA_PHRASE, "%.400s", v->function[0] ? v->function : v->name);
    return buffer;
}

const char *sca_html_function(char *buffer, const struct sca_report_vertex *v)
{
    return sca_function_name_written(buffer, v->function);
}

const char *sca_html_what(char *buffer, const struct sca_report_vertex *v)
{
    bool call = !strcmp(v->kind, "call") && strncmp(v->name, "OpenMP ", strlen("OpenMP "));
    if (call && sca_function_name_is_region(v->name))
        snprintf(buffer, SCA_PHRASE, "OpenMP region");
    else if (is_named(v))
        snprintf(buffer, SCA_PHRASE, "%s%.400s", call ? "call of " : "", v->name);
    else if (!strcmp(v->kind, "root"))
        snprintf(buffer, SCA_PHRASE, "%.400s", v->function[0] ? v->function : v->name);
    else
        snprintf(buffer, SCA_PHRASE, "%s", strcmp(v->kind, "comp") ? v->kind : "code");
    return buffer;
}

const char *sca_html_thing(char *buffer, const struct sca_report_vertex *v)
{
    char place[SCA_PHRASE], what[SCA_PHRASE];
    bool article = strcmp(v->kind, "mpi") && strcmp(v->kind, "root");
    snprintf(buffer, SCA_PHRASE, "%s%.480s at %.480s", article ? "the " : "",
             sca_html_what(what, v), sca_html_place(place, v));
    return buffer;
}

const char *sca_html_percent(char buffer[32], double share)
{
    double percent = isfinite(share) ? 100 * share : 0;
    snprintf(buffer, 32, fabs(percent) < 9.95 ? "%.1f" NO_BREAK "%%" : "%.0f" NO_BREAK "%%",
             percent);
    return buffer;
}

const struct sca_report_nonscalable *sca_html_growth(const struct sca_html *h, uint32_t vertex)
{
    for (uint32_t i = 0; i < h->r->nnonscalable; i++)
        if (h->r->nonscalable[i].vertex == vertex)
            return &h->r->nonscalable[i];
    return NULL;
}

struct timed {
    double seconds;
    uint32_t vertex;
};

static int longer_first(const void *a, const void *b)
{
    const struct timed *x = a, *y = b;
    if (x->seconds != y->seconds)
        return x->seconds < y->seconds ? 1 : -1;
    return x->vertex < y->vertex ? -1 : x->vertex > y->vertex;
}

static int set_times(struct sca_html *h)
{
    uint32_t n = h->r->nvertices;
    struct timed *timed = calloc(n + 1, sizeof *timed);
    if (!timed)
        return SCA_ENOMEM;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t rank = 0; rank < h->r->vertices[i].nranks; rank++)
            h->seconds[i] += h->r->vertices[i].rank_s[rank];
        if (h->waits &&
            !strcmp(h->r->vertices[i].kind, "mpi")) /* whether or not each rank's is known */
            h->seconds[i] = sca_report_vertex_s(h->r, i);
        timed[i] = (struct timed){isfinite(h->seconds[i]) ? h->seconds[i] : 0, i};
    }
    qsort(timed, n, sizeof *timed, longer_first);
    for (uint32_t i = 0; i < n; i++)
        h->by_time[i] = timed[i].vertex;
    free(timed);
    return SCA_OK;
}

static int set_index(struct sca_html *h)
{
    size_t n = h->r->nvertices + 1u;
    h->by_time = calloc(n, sizeof *h->by_time);
    h->seconds = calloc(n, sizeof *h->seconds);
    if (!h->by_time || !h->seconds || set_times(h))
        return sca_fail(SCA_ENOMEM, "out of memory for the HTML report");
    return sca_outline_open(&h->outline, h->r);
}

int sca_html_open(struct sca_html *h, const struct sca_report *report, FILE *out)
{
    static const struct sca_report_run none;
    *h = (struct sca_html){.out = out, .r = report, .run = &none};
    if (report->nruns)
        h->run = &report->runs[report->nruns - 1];
    h->nranks = h->run->ranks;
    h->base = h->run->ranks * h->run->wall_s;
    return sca_html_replay(h, report) == SCA_OK ? set_index(h) : SCA_ENOMEM;
}

void sca_html_close(struct sca_html *h)
{
    sca_outline_close(&h->outline);
    free(h->by_time);
    free(h->seconds);
    free(h->waits);
    free(h->replayed.vertices);
}
