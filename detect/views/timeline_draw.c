#include "sca_phrase.h"
#include "text/lines.h"
#include "views/timeline.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 66, OTHER = '*' };

static char letter_of(const struct sca_timelines *t, const struct sca_span *s)
{
    if (s->waits)
        return s->meets ? ':' : '.';
    for (uint32_t i = 0; i < t->nletters; i++)
        if (t->letters[i] == s->place)
            return (char)((s->critical ? 'A' : 'a') + i);
    return OTHER;
}

/* What fills most of the cell. */
static char cell_of(const struct sca_timelines *t, const struct sca_timeline *line, uint32_t rank,
                    double begin, double end)
{
    double most = 0;
    char cell = ' ';
    for (uint32_t i = line->first[rank]; i < line->first[rank + 1]; i++) {
        const struct sca_span *s = &line->spans[i];
        double part = fmin(end, s->end) - fmax(begin, s->begin);
        if (part > most) {
            most = part;
            cell = letter_of(t, s);
        }
    }
    return cell;
}

static void put_rank(FILE *out, const struct sca_timelines *t, const struct sca_timeline *line,
                     uint32_t rank)
{
    double step = line->end / WIDTH;
    fprintf(out, "%8u |", rank);
    for (int c = 0; c < WIDTH; c++)
        fputc(cell_of(t, line, rank, c * step, (c + 1) * step), out);
    fputs("|\n", out);
}

static void put_timeline(FILE *out, const struct sca_timelines *t, const struct sca_timeline *line,
                         bool colour)
{
    const struct sca_page page = {out, colour};
    uint32_t shown = line->nranks < SCA_TIMELINE_RANKS ? line->nranks : SCA_TIMELINE_RANKS;
    fputc('\n', out);
    sca_lines_page_wrap(&page, 0, 2, SCA_INK_BOLD, SCA_PHRASE, "%s", line->title);
    for (uint32_t i = 0; i < shown; i++)
        put_rank(out, t, line, (uint32_t)((uint64_t)i * line->nranks / shown));
}

static void put_legend(FILE *out, const struct sca_table *table, const struct sca_timelines *t,
                       bool colour)
{
    const struct sca_page page = {out, colour};
    fputc('\n', out);
    for (uint32_t i = 0; i < t->nletters; i++)
        sca_lines_page_wrap(
            &page, 2, 4, SCA_INK_PLAIN, 0, "%c %s", 'a' + (int)i,
            sca_table_place((struct sca_table *)table, &table->ppg->vertices[t->letters[i]]));
    sca_lines_page_wrap(&page, 2, 4, SCA_INK_DIM, SCA_PHRASE,
                        "Capitals: on the critical path. \".\" waits for a message, \":\" in a "
                        "collective. \"*\" other computation.");
}

void sca_timeline_draw(FILE *out, const struct sca_table *table, bool colour)
{
    const struct sca_timelines *t = table->drawing;
    for (uint32_t i = 0; i < t->count; i++)
        put_timeline(out, t, &t->of[i], colour);
    put_legend(out, table, t, colour);
}
