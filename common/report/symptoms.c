#include "sca_report.h"

#include <stdlib.h>
#include <string.h>

static bool is_same_place(const struct sca_report_vertex *a, const struct sca_report_vertex *b)
{
    return a->line == b->line && !strcmp(a->file, b->file) && !strcmp(a->kind, b->kind) &&
           !strcmp(a->name, b->name) && !strcmp(a->function, b->function);
}

static int longest_first(const void *left, const void *right)
{
    const struct sca_report_symptom *a = left, *b = right;
    if (a->wait_core_s != b->wait_core_s)
        return a->wait_core_s < b->wait_core_s ? 1 : -1;
    return a->vertex < b->vertex ? -1 : a->vertex > b->vertex;
}

struct sca_report_symptom *sca_report_cause_places(const struct sca_report *report,
                                                   const struct sca_report_cause *cause,
                                                   uint32_t *n)
{
    struct sca_report_symptom *places = calloc(cause->nsymptoms + 1ul, sizeof *places);
    *n = 0;
    for (uint32_t i = 0; places && i < cause->nsymptoms; i++) {
        const struct sca_report_symptom *s = &cause->symptoms[i];
        uint32_t k = 0;
        while (k < *n &&
               !is_same_place(&report->vertices[s->vertex], &report->vertices[places[k].vertex]))
            k++;
        if (k == *n)
            places[(*n)++].vertex = s->vertex;
        places[k].wait_core_s += s->wait_core_s;
    }
    if (places)
        qsort(places, *n, sizeof *places, longest_first);
    return places;
}
