#include "export/labels.h"
#include "report/report_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct list {
    const struct sca_report *r;
    char **label;
};

static const char *what(const struct sca_report_vertex *v)
{
    bool named = !strcmp(v->kind, "mpi") || !strcmp(v->kind, "call");
    if (v->parent == v->id || !strcmp(v->kind, "root"))
        return v->function[0] ? v->function : v->name;
    if (named && v->name[0])
        return v->name;
    return strcmp(v->kind, "comp") ? v->kind : "code";
}

/* "MPI_Wait cg.c:36": valid UTF-8, controls are blanks. */
static char *make_label(const struct sca_report_vertex *v)
{
    const char *slash = strrchr(v->file, '/');
    char *raw = NULL;
    int length;
    if (v->line && v->file[0] && strcmp(v->kind, "root"))
        length = asprintf(&raw, "%s %s:%u", what(v), slash ? slash + 1 : v->file, v->line);
    else
        length = asprintf(&raw, "%s", what(v));
    if (length < 0)
        return NULL;
    char *label = sca_utf8_repair(raw);
    for (char *p = label; p && *p; p++)
        if ((unsigned char)*p < 0x20 || *p == 0x7f)
            *p = ' ';
    free(raw);
    return label;
}

static int by_parent_and_label(const void *a, const void *b, void *context)
{
    const struct list *list = context;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    uint32_t px = list->r->vertices[x].parent, py = list->r->vertices[y].parent;
    if (px != py)
        return px < py ? -1 : 1;
    int order = strcmp(list->label[x], list->label[y]);
    return order ? order : x < y ? -1 : x > y;
}

static bool add_number(char **label, unsigned number)
{
    char *longer = NULL;
    if (asprintf(&longer, "%s #%u", *label, number) < 0)
        return false;
    free(*label);
    *label = longer;
    return true;
}

static bool same(const struct list *list, uint32_t x, uint32_t y)
{
    return list->r->vertices[x].parent == list->r->vertices[y].parent &&
           !strcmp(list->label[x], list->label[y]);
}

/* The second of equal siblings is "... #2". Numbers are all known before any label changes. */
static bool tell_apart(struct list *list)
{
    uint32_t n = list->r->nvertices, *sorted = calloc(2 * (n + (size_t)1), sizeof *sorted);
    uint32_t *number = sorted + n + 1;
    bool good = sorted != NULL;
    for (uint32_t i = 0; i < n && good; i++)
        sorted[i] = i;
    if (good)
        qsort_r(sorted, n, sizeof *sorted, by_parent_and_label, list);
    for (uint32_t i = 0; i < n && good; i++)
        number[i] = i && same(list, sorted[i], sorted[i - 1]) ? number[i - 1] + 1 : 1;
    for (uint32_t i = 0; i < n && good; i++)
        good = number[i] == 1 || add_number(&list->label[sorted[i]], number[i]);
    free(sorted);
    return good;
}

char **sca_labels_make(const struct sca_report *report)
{
    struct list list = {report, calloc(report->nvertices + 1u, sizeof *list.label)};
    bool good = list.label != NULL;
    for (uint32_t i = 0; i < report->nvertices && good; i++)
        good = (list.label[i] = make_label(&report->vertices[i])) != NULL;
    if (good && tell_apart(&list))
        return list.label;
    sca_labels_free(list.label, report->nvertices);
    return NULL;
}

void sca_labels_free(char **labels, uint32_t n)
{
    for (uint32_t i = 0; labels && i < n; i++)
        free(labels[i]);
    free(labels);
}
