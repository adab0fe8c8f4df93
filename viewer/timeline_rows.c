#include "timeline_rows.h"

#include <math.h>
#include <stdlib.h>

/* ---- letters ---- */

static void add_play(const struct sca_report_play *play, double *seconds,
                     struct sca_timeline_letters *out)
{
    for (uint32_t i = 0; i < play->nspans; i++) {
        const struct sca_report_span *s = &play->spans[i];
        if (s->kind == SCA_TIMELINE_COMPUTES)
            seconds[s->vertex] += s->end - s->begin;
        else
            out->waits[s->kind < SCA_TIMELINE_KINDS ? s->kind : 0] = true;
    }
}

/* Takes the place with most of those that are left. */
static bool take(struct sca_timeline_letters *out, double *seconds, uint32_t nvertices)
{
    uint32_t most = 0;
    for (uint32_t v = 1; v < nvertices; v++)
        if (seconds[v] > seconds[most])
            most = v;
    if (!nvertices || !(seconds[most] > 0))
        return false;
    out->vertex[out->n] = most;
    out->seconds[out->n++] = seconds[most];
    seconds[most] = 0;
    return true;
}

void sca_timeline_rows_letters(const struct sca_report *report, struct sca_timeline_letters *out)
{
    double *seconds = calloc(report->nvertices + 1ul, sizeof *seconds);
    *out = (struct sca_timeline_letters){0};
    for (uint32_t i = 0; seconds && i < report->timelines->count; i++)
        add_play(&report->timelines->of[i].measured, seconds, out);
    while (seconds && out->n < SCA_TIMELINE_LETTERS && take(out, seconds, report->nvertices))
        continue;
    free(seconds);
}

char sca_timeline_rows_sign(uint32_t kind)
{
    static const char signs[] = "?.,'^_:|;~-=+"; /* in the order of the wait classes */
    return kind < sizeof signs - 1 ? signs[kind] : signs[0];
}

static char letter_of(const struct sca_timeline_letters *letters, const struct sca_report_span *s)
{
    if (s->kind != SCA_TIMELINE_COMPUTES)
        return sca_timeline_rows_sign(s->kind);
    for (uint32_t i = 0; i < letters->n; i++)
        if (letters->vertex[i] == s->vertex)
            return (char)((s->critical ? 'A' : 'a') + (int)i);
    return SCA_TIMELINE_OTHER;
}

/* ---- rows ---- */

/* Spans come by row: the first of a row, or of the first one behind it. */
static uint32_t first_of(const struct sca_report_play *play, uint32_t row)
{
    uint32_t low = 0, high = play->nspans;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (play->spans[middle].row < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The part of the columns that a span fills, at most all. */
static int column_at(struct sca_timeline_part part, double seconds)
{
    double column = (seconds - part.begin) / (part.end - part.begin) * part.columns;
    return (int)fmin(fmax(floor(column), 0), part.columns - 1);
}

void sca_timeline_rows_draw(struct sca_lines *lines, const struct sca_report_play *play,
                            uint32_t row, const struct sca_timeline_letters *letters,
                            struct sca_timeline_part part)
{
    double step = (part.end - part.begin) / part.columns;
    double *most = calloc((size_t)part.columns, sizeof *most);
    char *cells = calloc((size_t)part.columns + 1, 1);
    for (int c = 0; cells && c < part.columns; c++)
        cells[c] = ' ';
    for (uint32_t i = first_of(play, row); most && cells && step > 0 && i < play->nspans; i++) {
        const struct sca_report_span *s = &play->spans[i];
        if (s->row != row)
            break;
        if (s->end < part.begin || s->begin >= part.end)
            continue;
        for (int c = column_at(part, s->begin); c <= column_at(part, s->end); c++) {
            double begin = part.begin + c * step;
            double filled = fmin(begin + step, s->end) - fmax(begin, s->begin);
            if (filled > most[c]) {
                most[c] = filled;
                cells[c] = letter_of(letters, s);
            }
        }
    }
    sca_lines_add(lines, "%s", cells ? cells : "");
    free(cells);
    free(most);
}

const struct sca_report_span *sca_timeline_rows_at(const struct sca_report_play *play, uint32_t row,
                                                   double seconds)
{
    const struct sca_report_span *found = NULL;
    for (uint32_t i = first_of(play, row); i < play->nspans && play->spans[i].row == row; i++)
        if (!found || play->spans[i].begin <= seconds)
            found = &play->spans[i];
    return found;
}

const struct sca_report_span *sca_timeline_rows_beside(const struct sca_report_play *play,
                                                       uint32_t row, double seconds, int direction)
{
    const struct sca_report_span *now = sca_timeline_rows_at(play, row, seconds);
    const struct sca_report_span *next = now ? now + direction : NULL;
    bool there = next && next >= play->spans && next < play->spans + play->nspans;
    return there && next->row == row ? next : NULL;
}
