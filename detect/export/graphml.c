#include "export/graphml.h"
#include "activity/shape_flows.h"
#include "report/report_text.h"
#include "sca_error.h"
#include "sca_phrase.h"
#include "sca_replace.h"
#include "sca_report.h"

#include <math.h>
#include <stdlib.h>

struct drawing_graphml {
    FILE *out;
    struct sca_workspace *space;
    const struct sca_ppg *ppg;
    struct sca_task_source source;
    struct sca_rank_shapes shapes;
    struct sca_task_graph **graphs; /* [shape] */
    struct sca_shape_flows flows;
};

/* ---- text ---- */

static void put_escaped(FILE *out, const char *text)
{
    char *repaired = sca_utf8_repair(text);
    for (const char *p = repaired ? repaired : "?"; *p; p++)
        if (*p == '&' || *p == '<' || *p == '>' || *p == '"')
            fprintf(out, "&#%d;", *p);
        else
            fputc((unsigned char)*p < 0x20 ? ' ' : *p, out);
    free(repaired);
}

static void put_text(FILE *out, const char *key, const char *text)
{
    fprintf(out, "<data key=\"%s\">", key);
    put_escaped(out, text);
    fputs("</data>", out);
}

/* What is not known has no datum. */
static void put_number(FILE *out, const char *key, double number)
{
    if (!isnan(number))
        fprintf(out, "<data key=\"%s\">%.9g</data>", key, number);
}

static void put_keys(FILE *out)
{
    static const struct {
        const char *name, *of, *type;
    } keys[] = {
        {"label", "node", "string"},      {"class", "node", "int"},   {"ranks", "node", "string"},
        {"activity", "node", "string"},   {"file", "node", "string"}, {"line", "node", "int"},
        {"iterations", "node", "double"}, {"kind", "edge", "string"}, {"known", "edge", "string"},
        {"pairs", "edge", "int"},         {"count", "all", "double"}, {"bytes", "all", "double"},
        {"seconds", "all", "double"},     {"share", "all", "double"}, {"colour", "all", "string"}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        fprintf(out, "<key id=\"%s\" for=\"%s\" attr.name=\"%s\" attr.type=\"%s\"/>\n",
                keys[i].name, keys[i].of, keys[i].name, keys[i].type);
}

/* ---- a class ---- */

/* Blue, green, yellow, red: nothing, to all of the time. */
static void put_colour(FILE *out, double share)
{
    double hue = 4 * (1 - sqrt(fmin(fmax(share, 0), 1))), part = hue - floor(hue);
    int sector = (int)hue, up = (int)lround(255 * part), down = 255 - up;
    int red = sector == 0 ? 255 : sector == 1 ? down : 0;
    int green = sector == 0 ? up : sector < 3 ? 255 : down;
    int blue = sector == 2 ? up : sector >= 3 ? 255 : 0;
    fprintf(out, "<data key=\"colour\">#%02x%02x%02x</data>", red, green, sector == 4 ? 0 : blue);
}

static void put_times(const struct drawing_graphml *d, const struct sca_task_graph *g,
                      const struct sca_task_times *t)
{
    double share = g->seconds > 0 ? t->seconds / g->seconds : (double)NAN;
    put_number(d->out, "seconds", t->seconds);
    put_number(d->out, "share", share);
    if (!isnan(share))
        put_colour(d->out, share);
}

static void put_place(const struct drawing_graphml *d, const struct sca_ppg_vertex *v)
{
    char text[SCA_PHRASE];
    const struct sca_report_vertex same = {.kind = sca_psg_kind_name(v->kind),
                                           .name = v->name,
                                           .function = v->function,
                                           .file = v->file,
                                           .line = v->line};
    put_text(d->out, "label", sca_phrase_vertex(text, &same));
    put_text(d->out, "file", v->file);
    put_number(d->out, "line", v->line);
}

static void put_node(const struct drawing_graphml *d, uint32_t shape, uint32_t i, const char *ranks)
{
    static const char *const activities[] = {"start",      "call",      "local call",
                                             "loop entry", "loop exit", "end"};
    const struct sca_task_graph *g = d->graphs[shape];
    const struct sca_task_node *n = &g->nodes[i];
    fprintf(d->out, "<node id=\"c%u.n%u\">", shape + 1, i);
    put_text(d->out, "activity", activities[n->kind]);
    put_number(d->out, "class", shape + 1);
    put_text(d->out, "ranks", ranks);
    if (n->vertex == SCA_NONE)
        put_text(d->out, "label", "start");
    else
        put_place(d, &d->ppg->vertices[n->vertex]);
    put_number(d->out, "count", n->kind == SCA_TASK_START ? g->nranks : n->times.count);
    put_number(d->out, "iterations", n->iterations);
    if (n->kind == SCA_TASK_CALL || n->kind == SCA_TASK_LOCAL || n->kind == SCA_TASK_END) {
        put_number(d->out, "bytes", n->bytes);
        put_times(d, g, &n->times);
    }
    fputs("</node>\n", d->out);
}

static void put_edge(const struct drawing_graphml *d, uint32_t shape, const struct sca_task_edge *e)
{
    static const char *const kinds[] = {"computation", "control", "completion"};
    fprintf(d->out, "<edge source=\"c%u.n%u\" target=\"c%u.n%u\">", shape + 1, e->from, shape + 1,
            e->to);
    put_text(d->out, "kind", kinds[e->kind]);
    put_number(d->out, "count", e->times.count);
    if (e->kind == SCA_TASK_COMPUTES)
        put_times(d, d->graphs[shape], &e->times);
    fputs("</edge>\n", d->out);
}

static void put_class(const struct drawing_graphml *d, uint32_t shape)
{
    uint32_t n = 0, *ranks = sca_workspace_alloc(d->space, d->shapes.members[shape], sizeof *ranks);
    char text[SCA_PHRASE];
    for (uint32_t r = 0; r < d->source.run->nranks; r++)
        if (d->shapes.of[r] == shape)
            ranks[n++] = r;
    sca_phrase_numbers(text, ranks, n);
    for (uint32_t i = 0; i < d->graphs[shape]->nnodes; i++)
        put_node(d, shape, i, text);
}

/* ---- messages ---- */

static void put_flow(const struct drawing_graphml *d, const struct sca_shape_flow *f)
{
    static const char *const known[] = {"exact", "by totals", "seen"};
    const struct sca_task_message *m = &f->sum;
    if (m->send == SCA_NONE || m->receive == SCA_NONE)
        return; /* an edge has two ends */
    fprintf(d->out, "<edge source=\"c%u.n%u\" target=\"c%u.n%u\">", f->from + 1,
            d->graphs[f->from]->call_node[m->send], f->to + 1,
            d->graphs[f->to]->call_node[m->receive]);
    put_text(d->out, "kind", "message");
    put_text(d->out, "known", known[m->known]);
    put_number(d->out, "pairs", f->pairs);
    put_number(d->out, "count", m->messages);
    put_number(d->out, "bytes", m->bytes);
    fputs("</edge>\n", d->out);
}

/* ---- all ---- */

static void make(struct drawing_graphml *d)
{
    sca_rank_shapes_find(d->space, &d->source, &d->shapes);
    d->graphs = sca_workspace_alloc(d->space, d->shapes.n, sizeof(struct sca_task_graph *));
    for (uint32_t i = 0; i < d->shapes.n; i++)
        d->graphs[i] = sca_task_graph_begin(d->space, &d->source);
    for (uint32_t r = 0; r < d->source.run->nranks; r++)
        if (d->shapes.of[r] != SCA_NONE)
            sca_task_graph_add(d->graphs[d->shapes.of[r]], &d->source, r);
    for (uint32_t i = 0; i < d->shapes.n; i++)
        sca_task_graph_finish(d->graphs[i]);
    sca_shape_flows_find(d->space, &d->source, &d->shapes, &d->flows);
}

static int put_all(FILE *out, const void *context)
{
    struct drawing_graphml d = *(const struct drawing_graphml *)context;
    d.out = out;
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
          "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n",
          out);
    put_keys(out);
    fputs("<graph edgedefault=\"directed\">\n", out);
    for (uint32_t i = 0; i < d.shapes.n; i++)
        put_class(&d, i);
    for (uint32_t i = 0; i < d.shapes.n; i++)
        for (uint32_t e = 0; e < d.graphs[i]->nedges; e++)
            put_edge(&d, i, &d.graphs[i]->edges[e]);
    for (size_t i = 0; i < d.flows.count; i++)
        put_flow(&d, &d.flows.of[i]);
    fputs("</graph>\n</graphml>\n", out);
    return SCA_OK;
}

/* Alone in its function: locals of a caller of setjmp are lost when it returns twice. */
static int write_guarded(struct drawing_graphml *d, const char *path)
{
    jmp_buf out_of_memory;
    d->space->out_of_memory = &out_of_memory;
    if (setjmp(out_of_memory))
        return sca_fail(SCA_ENOMEM, "out of memory");
    uint32_t *ends = sca_workspace_alloc(d->space, d->ppg->nvertices, sizeof *ends);
    sca_ppg_ends(d->ppg, ends);
    d->source = (struct sca_task_source){
        d->ppg, d->source.run, NULL, sca_workspace_opened(d->space, d->source.run->profile), ends};
    make(d);
    return sca_replace_file(path, put_all, d);
}

int sca_graphml_write(const struct sca_ppg *ppg, const char *path)
{
    struct sca_workspace space = {0};
    struct drawing_graphml d = {
        .space = &space, .ppg = ppg, .source = {.run = &ppg->runs[ppg->nruns - 1]}};
    int status = write_guarded(&d, path);
    sca_workspace_free(&space);
    return status;
}
