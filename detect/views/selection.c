#include "views/selection.h"
#include "sca_error.h"
#include "metrics/metric_values.h"
#include "sca_nearest.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 64 }; /* ranks at a time */

/* ---- the metric ---- */

int sca_selection_metric(const struct sca_selection *s, const char *option, const char *name,
                         const struct scalana_metric **out)
{
    char names[4096], meant[SCA_NEAREST_PHRASE];
    *out = sca_metric_catalogue_find(&s->catalogue, name);
    if (*out)
        return SCA_OK;
    struct sca_nearest nearest = sca_nearest_to(name, strlen(name));
    sca_nearest_try_all(&nearest, sca_metric_catalogue_names(&s->catalogue, names, sizeof names));
    sca_nearest_phrase(meant, &nearest, " Did you mean ", "?");
    return sca_fail(SCA_EINVAL, "--%s=%s: no metric of this run.%s It has %s", option, name, meant,
                    names);
}

/* ---- the contexts ---- */

static bool ends_in_file(const char *path, const char *name, size_t length)
{
    size_t all = strlen(path);
    return all >= length && !strncmp(path + all - length, name, length) &&
           (all == length || path[all - length - 1] == '/');
}

/* "cg.c:59" */
bool sca_selection_is_at_line(const struct sca_ppg_vertex *v, const char *wish)
{
    const char *colon = strrchr(wish, ':');
    char *end;
    if (!colon || !isdigit((unsigned char)colon[1]))
        return false;
    unsigned long line = strtoul(colon + 1, &end, 10);
    return !*end && line == v->line && ends_in_file(v->file, wish, (size_t)(colon - wish));
}

static bool is_number(const char *wish, uint32_t vertex)
{
    char *end;
    return isdigit((unsigned char)*wish) && strtoul(wish, &end, 10) == vertex && !*end;
}

/* A function is its calls; the program's first one is the root. */
static bool is_meant(const struct sca_ppg *ppg, uint32_t v, const char *wish)
{
    const struct sca_ppg_vertex *vertex = &ppg->vertices[v];
    const char *name = vertex->kind == SCA_ROOT ? vertex->function : vertex->name;
    return is_number(wish, v) || !strcmp(name, wish) || sca_selection_is_at_line(vertex, wish);
}

int sca_selection_roots(struct sca_workspace *space, const struct sca_ppg *ppg,
                        const uint32_t *ends, const char *root, uint32_t **roots, uint32_t *nroots)
{
    uint32_t nv = ppg->nvertices;
    *roots = sca_workspace_alloc(space, nv, sizeof **roots);
    *nroots = 0;
    for (uint32_t v = 0; v < nv; v++)
        if (root ? is_meant(ppg, v, root) : v == 0) {
            (*roots)[(*nroots)++] = v;
            v = ends[v] - 1;
        }
    if (*nroots)
        return SCA_OK;
    return sca_fail(SCA_EINVAL,
                    "--root=%s: no context of this run; expected FILE:LINE, the name of a function "
                    "or the number of a vertex (0 to %u)",
                    root, nv - 1);
}

/* ---- the ranks ---- */

/* "3" or "3-7", up to a comma or the end; NULL: it is neither. */
static const char *read_range(const char *text, uint32_t nranks, uint32_t range[2])
{
    char *end;
    for (int i = 0; i < 2; i++) {
        if (!isdigit((unsigned char)*text))
            return NULL;
        unsigned long number = strtoul(text, &end, 10);
        if (number >= nranks)
            return NULL;
        range[i] = (uint32_t)number;
        if (i == 0 && *end != '-')
            range[1] = range[0];
        if (i == 0 && *end != '-')
            break;
        text = end + (i == 0);
    }
    return range[1] < range[0] || (*end && *end != ',') ? NULL : end;
}

static int choose_ranks(const struct sca_view_input *in, struct sca_selection *s)
{
    uint32_t n = s->source.run->nranks, range[2] = {0, n - 1};
    bool *chosen = sca_workspace_alloc(in->space, n, sizeof *chosen);
    const char *at = in->settings->ranks ? in->settings->ranks : "";
    do {
        const char *end = *at ? read_range(at, n, range) : at;
        if (!end)
            return sca_fail(
                SCA_EINVAL,
                "--ranks=%s: expected ranks 0 to %u and ranges of them, separated by commas",
                in->settings->ranks, n - 1);
        for (uint32_t r = range[0]; r <= range[1]; r++)
            chosen[r] = true;
        at = end + (*end == ',');
    } while (*at);
    s->ranks = sca_workspace_alloc(in->space, n, sizeof *s->ranks);
    for (uint32_t r = 0; r < n; r++)
        if (chosen[r])
            s->ranks[s->nranks++] = r;
    return SCA_OK;
}

/* ---- all of it ---- */

int sca_selection_make(const struct sca_view_input *in, const struct sca_analysis *c,
                       struct sca_selection **out)
{
    struct sca_selection *s = sca_workspace_alloc(in->space, 1, sizeof *s);
    s->source = (struct sca_metric_source){in->ppg, c->measures[c->last].run, &c->replayed, 0};
    s->ends = c->ends;
    sca_metric_catalogue_make(s->source.run->profile, &c->replayed, "", &s->catalogue);
    *out = s;
    const char *metric = in->settings->metric;
    int status = metric ? sca_selection_metric(s, "metric", metric, &s->metric) : SCA_OK;
    if (status == SCA_OK)
        status = sca_selection_roots(in->space, in->ppg, c->ends, in->settings->root, &s->roots,
                                     &s->nroots);
    return status == SCA_OK ? choose_ranks(in, s) : status;
}

static void load(struct sca_workspace *space, const struct sca_selection *s, uint32_t id,
                 double *out[2])
{
    const struct scalana_metric *metric = sca_metric_catalogue_get(&s->catalogue, id);
    uint32_t nv = s->source.ppg->nvertices, all = s->source.run->nranks;
    const struct sca_metric_range whole = {0, nv, 0, all}, chosen = {0, nv, 0, s->nranks};
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    double *values = sca_workspace_alloc(&scratch, (size_t)nv * all, sizeof *values);
    if (sca_metric_values(&s->source, s->ends, metric, false, &whole, values) < 0)
        longjmp(*space->out_of_memory, 1);
    for (int inclusive = 0; inclusive < 2; inclusive++) {
        out[inclusive] = sca_workspace_alloc(space, (size_t)nv * s->nranks, sizeof(double));
        for (uint32_t v = 0; v < nv; v++)
            for (uint32_t i = 0; i < s->nranks; i++)
                out[inclusive][(size_t)v * s->nranks + i] = values[(size_t)v * all + s->ranks[i]];
    }
    sca_metric_values_add_up(s->source.ppg, &chosen, out[1]);
    sca_workspace_free(&scratch);
}

void sca_selection_load(struct sca_workspace *space, const struct sca_selection *s,
                        const struct scalana_metric *metric, struct sca_selected *out)
{
    *out = (struct sca_selected){.metric = metric};
    load(space, s, sca_metric_is_ratio(metric) ? metric->of : metric->id, out->of);
    if (sca_metric_is_ratio(metric))
        load(space, s, metric->per, out->per);
}

static double divided(const struct scalana_metric *metric, double of, double per)
{
    if (!sca_metric_is_ratio(metric))
        return of;
    return per > 0 ? of / per * metric->scale : (double)NAN;
}

double sca_selection_value(const struct sca_selection *s, const struct sca_selected *m,
                           uint32_t vertex, bool inclusive, uint32_t i)
{
    size_t at = (size_t)vertex * s->nranks + i;
    return divided(m->metric, m->of[inclusive][at], m->per[inclusive] ? m->per[inclusive][at] : 1);
}

double sca_selection_whole(const struct sca_selection *s, const struct sca_selected *m,
                           uint32_t vertex, bool inclusive)
{
    double of = 0, per = 0;
    for (uint32_t i = 0; i < s->nranks; i++) {
        size_t at = (size_t)vertex * s->nranks + i;
        of += m->of[inclusive][at];
        per += m->per[inclusive] ? m->per[inclusive][at] : 0;
    }
    return divided(m->metric, of, per);
}

/* ---- sums over the contexts ---- */

static double sum_at(const struct sca_selection *s, const double *values, uint32_t width,
                     uint32_t column)
{
    double sum = 0;
    for (uint32_t k = 0; k < s->nroots; k++)
        for (uint32_t v = s->roots[k]; v < s->ends[s->roots[k]]; v++)
            sum += values[(size_t)v * width + column];
    return sum;
}

static double *sum_ranks(struct sca_workspace *space, const struct sca_selection *s, uint32_t id)
{
    const struct scalana_metric *metric = sca_metric_catalogue_get(&s->catalogue, id);
    uint32_t nv = s->source.ppg->nvertices, all = s->source.run->nranks, done = 0;
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    double *values = sca_workspace_alloc(&scratch, (size_t)nv * WIDTH, sizeof *values);
    double *sums = sca_workspace_alloc(space, s->nranks, sizeof *sums);
    for (uint32_t left = 0; left < all && done < s->nranks; left += WIDTH) {
        uint32_t width = all - left < WIDTH ? all - left : WIDTH;
        const struct sca_metric_range block = {0, nv, left, width};
        if (s->ranks[done] >= left + width)
            continue;
        if (sca_metric_values(&s->source, s->ends, metric, false, &block, values) < 0)
            longjmp(*space->out_of_memory, 1);
        for (; done < s->nranks && s->ranks[done] < left + width; done++)
            sums[done] = sum_at(s, values, width, s->ranks[done] - left);
    }
    sca_workspace_free(&scratch);
    return sums;
}

void sca_selection_sum(struct sca_workspace *space, const struct sca_selection *s,
                       const struct scalana_metric *metric, struct sca_selected_ranks *out)
{
    bool ratio = sca_metric_is_ratio(metric);
    *out = (struct sca_selected_ranks){.metric = metric};
    out->of = sum_ranks(space, s, ratio ? metric->of : metric->id);
    out->per = ratio ? sum_ranks(space, s, metric->per) : NULL;
}

double sca_selection_of_some(const struct sca_selection *s, const struct sca_selected_ranks *sums,
                             const uint32_t *some, uint32_t n)
{
    double of = 0, per = 0;
    for (uint32_t i = 0; i < (some ? n : s->nranks); i++) {
        of += sums->of[some ? some[i] : i];
        per += sums->per ? sums->per[some ? some[i] : i] : 0;
    }
    return divided(sums->metric, of, per);
}
