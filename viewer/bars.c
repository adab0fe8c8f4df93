/* One bar per rank: who takes longer, at a glance. */
#include "panes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return a < b ? -1 : a > b;
}

static double median(const double *values, uint32_t count)
{
    double *sorted = malloc(count * sizeof *sorted), middle = 0;
    if (!sorted)
        return 0;
    memcpy(sorted, values, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, ascending);
    middle = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
    free(sorted);
    return middle;
}

static bool is_blamed(const struct sca_model *model, uint32_t vertex, uint32_t rank)
{
    uint32_t i = model->cause[vertex];
    if (i == SCA_NO_VERTEX)
        return false;
    const struct sca_report_cause *c = &model->report->causes[i];
    for (uint32_t k = 0; k < c->nranks && c->nranks < model->report->vertices[vertex].nranks; k++)
        if (c->ranks[k] == rank)
            return true;
    return false;
}

static void bar(struct sca_lines *lines, double value, double most, int room)
{
    int filled = most > 0 && value > 0 ? (int)lround(value / most * room) : 0;
    if (filled > room)
        filled = room;
    sca_lines_repeat(lines, sca_glyphs()->bar, filled);
    sca_lines_repeat(lines, sca_glyphs()->track, room - filled);
}

void sca_bars_pane(struct sca_pane *pane, const struct sca_model *model, uint32_t vertex, int width)
{
    const struct sca_report_vertex *v = &model->report->vertices[vertex];
    char low[16], mid[16], high[16];
    double least = INFINITY, most = 0, middle = v->nranks ? median(v->rank_s, v->nranks) : 0;
    if (!v->nranks) {
        sca_lines_say(&pane->lines, SCA_WARNING,
                      "The report has no time per rank for this vertex.");
        return;
    }
    for (uint32_t i = 0; i < v->nranks; i++) {
        least = fmin(least, v->rank_s[i]);
        most = fmax(most, v->rank_s[i]);
    }
    sca_lines_say(&pane->lines, SCA_HEADER, "%s of each rank: least %s, median %s, most %s",
                  strcmp(v->kind, "mpi") ? "Computation" : "Time in MPI", sca_seconds(least, low),
                  sca_seconds(middle, mid), sca_seconds(most, high));
    pane->fixed = 1;
    for (uint32_t i = 0; i < v->nranks; i++) {
        bool blamed = is_blamed(model, vertex, i);
        sca_lines_begin(&pane->lines, blamed ? SCA_MARKED : SCA_PLAIN, SCA_NO_VERTEX);
        sca_lines_add(&pane->lines, "%s%6u ", blamed ? sca_glyphs()->mark : " ", i);
        bar(&pane->lines, v->rank_s[i], most, width - 28 > 8 ? width - 28 : 8);
        sca_lines_add(&pane->lines, " %8s", sca_seconds(v->rank_s[i], low));
        if (middle > 0)
            sca_lines_add(&pane->lines, "  %.2f%s", v->rank_s[i] / middle, sca_glyphs()->times);
    }
}
