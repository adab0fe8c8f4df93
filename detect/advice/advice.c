#include "advice/advice.h"
#include "base/compare.h"
#include "measure/transfer.h"
#include "sca_phrase.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CALLS = 1 << 24 }; /* ranks times call paths: 128 MB */

const char *sca_advice_text(const struct sca_advice_input *in, const char *format, ...)
{
    char text[SCA_PHRASE];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    size_t n = length < 0 ? 0 : (size_t)length < sizeof text ? (size_t)length : sizeof text - 1;
    char *copy = sca_workspace_alloc(in->c->space, n + 1, 1);
    for (size_t i = 0; i < n; i++)
        copy[i] = text[i];
    return copy;
}

const char *sca_advice_place(const struct sca_advice_input *in, uint32_t vertex)
{
    const struct sca_ppg_vertex *v = &in->c->ppg->vertices[vertex];
    const struct sca_report_vertex same = {.kind = sca_psg_kind_name(v->kind),
                                           .name = v->name,
                                           .function = v->function,
                                           .file = v->file,
                                           .line = v->line};
    char text[SCA_PHRASE];
    return sca_advice_text(in, "%s", sca_phrase_vertex(text, &same));
}

double sca_advice_waits(const struct sca_advice_input *in, uint32_t vertex, uint32_t wait_class)
{
    const struct sca_site_wait *sites =
        &in->c->costs[in->c->last].sites[(size_t)vertex * SCA_WAIT_CLASSES];
    double seconds = 0;
    for (uint32_t k = 0; k < SCA_WAIT_CLASSES; k++)
        if (k == wait_class || wait_class == SCA_WAIT_CLASSES)
            seconds += sites[k].seconds;
    return seconds;
}

void sca_advice_add(const struct sca_advice_input *in, struct sca_advices *out,
                    const struct sca_advice *advice, const double *by_rank)
{
    struct sca_workspace *space = in->c->space;
    if (!(advice->gain >= in->least))
        return;
    out->of = sca_workspace_grow(space, out->of, out->n, out->n + 1, sizeof *out->of);
    struct sca_advice *a = &out->of[out->n++];
    *a = *advice;
    a->nranks = 0;
    a->ranks = sca_workspace_alloc(space, in->run->nranks, sizeof *a->ranks);
    for (uint32_t r = 0; r < in->run->nranks; r++)
        if (by_rank[r] > 0)
            a->ranks[a->nranks++] = r;
}

/* ---- call paths of one call ---- */

static int by_line(const struct sca_ppg_vertex *x, const struct sca_ppg_vertex *y)
{
    SCA_ORDER(x->kind, y->kind);
    SCA_ORDER(x->line, y->line);
    int names = strcmp(x->file, y->file);
    names = names ? names : strcmp(x->name, y->name);
    return names ? names : strcmp(x->function, y->function);
}

static int by_place(const void *a, const void *b, void *vertices)
{
    const struct sca_ppg_vertex *all = vertices;
    uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
    int lines = by_line(&all[i], &all[k]);
    return lines ? lines : (i > k) - (i < k);
}

static uint32_t *find_places(struct sca_workspace *space, const struct sca_ppg *ppg)
{
    uint32_t n = ppg->nvertices, *place = sca_workspace_alloc(space, n, sizeof *place);
    uint32_t *order = sca_workspace_alloc(space, n, sizeof *order);
    for (uint32_t v = 0; v < n; v++)
        order[v] = v;
    if (n)
        qsort_r(order, n, sizeof *order, by_place, ppg->vertices);
    for (uint32_t i = 0, first = 0; i < n; i++) {
        if (by_line(&ppg->vertices[order[first]], &ppg->vertices[order[i]]))
            first = i;
        place[order[i]] = order[first];
    }
    return place;
}

static int by_gain(const void *a, const void *b)
{
    const struct sca_advice *x = a, *y = b;
    if (x->gain != y->gain)
        return x->gain > y->gain ? -1 : 1;
    return (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

void sca_advice_find(struct sca_analysis *c, struct sca_advices *out)
{
    const struct sca_measure *m = &c->measures[c->last];
    struct sca_advice_input in = {.c = c, .run = m->run};
    *out = (struct sca_advices){0};
    if ((uint64_t)m->nranks * m->run->profile->nsites > MOST_CALLS)
        return;
    in.place = find_places(c->space, m->ppg);
    in.opened = sca_workspace_opened(c->space, m->run->profile);
    in.least = c->settings->min_share * c->accounts[c->last].base;
    bool *all = sca_workspace_alloc(c->space, m->ppg->nvertices, sizeof *all);
    double *seconds = sca_workspace_alloc(c->space, m->nranks, sizeof *seconds);
    double *per_call = sca_workspace_alloc(c->space, (size_t)m->nranks * m->run->profile->nsites,
                                           sizeof *per_call);
    for (uint32_t v = 0; v < m->ppg->nvertices; v++)
        all[v] = true;
    sca_transfer_seconds(c->space, m, all, seconds, per_call);
    in.per_call = per_call;
    sca_advice_messages(&in, out);
    sca_advice_receives(&in, out);
    sca_advice_overlap(&in, out);
    sca_advice_volume(&in, out);
    sca_advice_workers(&in, out);
    if (out->n)
        qsort(out->of, out->n, sizeof *out->of, by_gain);
}
