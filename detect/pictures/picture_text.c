#include "pictures/picture_text.h"
#include "report/report_text.h"

#include <math.h>
#include <stdlib.h>

static void put_escaped(FILE *out, const char *text, void (*put)(FILE *out, char c))
{
    char *repaired = sca_utf8_valid(text) ? NULL : sca_utf8_repair(text);
    for (const char *p = repaired ? repaired : sca_utf8_valid(text) ? text : "?"; *p; p++)
        put(out, (unsigned char)*p < 0x20 ? ' ' : *p);
    free(repaired);
}

static void put_xml(FILE *out, char c)
{
    if (c == '&' || c == '<' || c == '>' || c == '"')
        fprintf(out, "&#%d;", c);
    else
        fputc(c, out);
}

static void put_dot(FILE *out, char c)
{
    if (c == '"' || c == '\\')
        fputc('\\', out);
    fputc(c, out);
}

void sca_picture_put_xml(FILE *out, const char *text)
{
    put_escaped(out, text, put_xml);
}

void sca_picture_put_dot(FILE *out, const char *text)
{
    put_escaped(out, text, put_dot);
}

const char *sca_picture_percent(char out[16], double share)
{
    out[0] = 0;
    if (share >= 0.0995)
        snprintf(out, 16, "%.0f %%", 100 * share);
    else if (share >= 0.001)
        snprintf(out, 16, "%.1f %%", 100 * share);
    else if (share > 0)
        snprintf(out, 16, "under 0.1 %%");
    return out;
}

const char *sca_picture_number(char out[16], double number)
{
    snprintf(out, 16, number < 1e7 ? "%.0f" : "%.3g", number);
    return out;
}

/* What is not known is not said. */
static void put_figure(FILE *out, const char *name, double number)
{
    if (!isnan(number))
        fprintf(out, "%s: %.4g\n", name, number);
}

void sca_picture_describe_node(FILE *out, const struct sca_picture_node *n)
{
    char text[16];
    sca_picture_put_xml(out, n->label);
    fprintf(out, "\n%s\n", n->activity);
    put_figure(out, "times", n->count);
    put_figure(out, "iterations", n->iterations);
    put_figure(out, "bytes", n->bytes);
    put_figure(out, "core-seconds", n->seconds);
    if (n->share > 0)
        fprintf(out, "of the time: %s\n", sca_picture_percent(text, n->share));
    put_figure(out, "shortest s", n->shortest);
    put_figure(out, "longest s", n->longest);
    put_figure(out, "sd s", n->deviation);
    if (n->abnormal)
        fputs("abnormal: longer than on other ranks\n", out);
}

void sca_picture_describe_edge(FILE *out, const struct sca_picture *p,
                               const struct sca_picture_edge *e)
{
    char text[16];
    fprintf(out, "%s: ", sca_picture_link_name(e->kind));
    sca_picture_put_xml(out, p->nodes[e->from].label);
    fputs(" to ", out);
    sca_picture_put_xml(out, p->nodes[e->to].label);
    fputc('\n', out);
    put_figure(out, "times", e->count);
    if (e->pairs > 1)
        fprintf(out, "pairs of ranks: %u\n", e->pairs);
    put_figure(out, "bytes", e->bytes);
    put_figure(out, "core-seconds", e->seconds);
    if (e->share > 0)
        fprintf(out, "of the time: %s\n", sca_picture_percent(text, e->share));
    put_figure(out, "shortest s", e->shortest);
    put_figure(out, "longest s", e->longest);
    put_figure(out, "sd s", e->deviation);
    if (*e->known)
        fprintf(out, "number: %s\n", e->known);
}
