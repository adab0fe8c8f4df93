/* The text of --view=series: a line of blocks per quantity.
 */
#include "stats/median.h"
#include "text/lines.h"
#include "views/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 52, LEVELS = 8 };

void sca_series_seconds(char text[SCA_FIGURE], double seconds)
{
    static const struct {
        double least, unit;
        const char *name;
    } units[] = {{1, 1, "s"}, {1e-3, 1e-3, "ms"}, {1e-6, 1e-6, "us"}, {0, 1e-9, "ns"}};
    int i = 0;
    while (seconds < units[i].least)
        i++;
    double figure = seconds / units[i].unit;
    snprintf(text, SCA_FIGURE, "%.*f %s",
             figure < 9.995   ? 2
             : figure < 99.95 ? 1
                              : 0,
             figure, units[i].name);
}

/* Blocks where the terminal says that it has them. */
static bool has_blocks(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (value && *value)
            return strstr(value, "UTF-8") || strstr(value, "utf8");
    }
    return false;
}

static void put_level(FILE *out, double part)
{
    static const char *const blocks[LEVELS] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    static const char *const letters[LEVELS] = {"_", ".", ":", "-", "=", "+", "*", "#"};
    int level = (int)(part * LEVELS);
    level = level < 0 ? 0 : level >= LEVELS ? LEVELS - 1 : level;
    fputs(has_blocks() ? blocks[level] : letters[level], out);
}

typedef double (*figure)(const struct sca_series_point *p);

static double own_median(const struct sca_series_point *p)
{
    return p->own.median / p->iterations;
}

static double own_max(const struct sca_series_point *p)
{
    return p->own.max / p->iterations;
}

static double mpi_median(const struct sca_series_point *p)
{
    return p->mpi.median / p->iterations;
}

static double off_max(const struct sca_series_point *p)
{
    return p->off_max / p->iterations;
}

static double memory(const struct sca_series_point *p)
{
    return 1024.0 * p->memory_kb;
}

/* The greatest of the points that a place on the line stands for: a rare one is seen. */
static double at_place(const struct sca_series_lines *l, figure of, int place, int width)
{
    uint32_t n = l->section->npoints;
    uint32_t first = (uint32_t)((uint64_t)n * (uint64_t)place / (uint64_t)width);
    uint32_t end = (uint32_t)((uint64_t)n * ((uint64_t)place + 1) / (uint64_t)width);
    double most = of(&l->points[first]);
    for (uint32_t i = first + 1; i < end; i++)
        most = fmax(most, of(&l->points[i]));
    return most;
}

static int width_of(const struct sca_series_lines *l)
{
    return l->section->npoints < WIDTH ? (int)l->section->npoints : WIDTH;
}

static double greatest(const struct sca_series_lines *l, figure of)
{
    double most = 0;
    for (uint32_t i = 0; i < l->section->npoints; i++)
        most = fmax(most, of(&l->points[i]));
    return most;
}

static void put_line(FILE *out, const struct sca_series_lines *l, const char *name, figure of,
                     double top)
{
    char text[SCA_FIGURE], bytes[SCA_FIGURE];
    fprintf(out, "  %-11s ", name);
    for (int i = 0; i < width_of(l); i++)
        put_level(out, top > 0 ? at_place(l, of, i, width_of(l)) / top : 0);
    sca_series_seconds(text, greatest(l, of));
    if (of == memory)
        snprintf(text, sizeof text, "%sB", sca_table_figure(bytes, greatest(l, of)));
    fprintf(out, "  %s\n", text);
}

/* Full height: but for one point in thirty, none is higher. */
static double height(const struct sca_series_lines *l, figure of)
{
    double values[SCA_SERIES_MARKS];
    uint32_t n = l->section->npoints;
    for (uint32_t i = 0; i < n; i++)
        values[i] = of(&l->points[i]);
    return sca_median_select(values, n, n - 1 - n / 30);
}

/* Both own times have one scale, over all runs of the screen. */
static double top_of(const struct sca_series_drawing *d)
{
    double top = 0;
    for (uint32_t i = 0; i < d->n; i++)
        top = fmax(top, height(&d->lines[i], own_max));
    return top;
}

static uint64_t first_of(const struct sca_series_point *p)
{
    return p->number - p->iterations + 1;
}

static void put_slowest(FILE *out, const struct sca_series_lines *l)
{
    uint32_t n = l->section->npoints, best = 0, most = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t same = 0;
        for (uint32_t k = 0; k < n; k++)
            same += l->points[k].slowest == l->points[i].slowest;
        if (same > most) {
            most = same;
            best = l->points[i].slowest;
        }
    }
    fprintf(out, "  %-11s rank %u in %.0f %% of the points\n", "slowest", best,
            100.0 * most / (n ? n : 1));
}

static void put_head(const struct sca_page *page, const struct sca_table *t,
                     const struct sca_series_drawing *d, const struct sca_series_lines *l)
{
    const struct sca_series_point *last = &l->points[l->section->npoints - 1];
    const char *run = d->nruns > 1 ? t->ppg->runs[l->run].profile->directory : "";
    uint32_t each = l->section->npoints > 1 ? l->points[1].iterations : last->iterations;
    sca_lines_page_wrap(page, 0, 2, SCA_INK_BOLD, 0, "%s%sIterations %llu to %llu", run,
                        *run ? ": " : "", (unsigned long long)first_of(l->points),
                        (unsigned long long)last->number);
    sca_lines_page_wrap(page, 2, 4, SCA_INK_DIM, SIZE_MAX,
                        "%u point%s of %u iteration%s; seconds %.3g to %.3g; %s",
                        l->section->npoints, l->section->npoints == 1 ? "" : "s", each,
                        each == 1 ? "" : "s", l->section->begin, last->end, l->loop);
}

static void put_loop(const struct sca_page *page, const struct sca_table *t,
                     const struct sca_series_drawing *d, const struct sca_series_lines *l)
{
    double top = top_of(d);
    fputc('\n', page->out);
    put_head(page, t, d, l);
    put_line(page->out, l, "own, median", own_median, top);
    put_line(page->out, l, "own, max", own_max, top);
    put_line(page->out, l, "in MPI", mpi_median, height(l, mpi_median));
    if (greatest(l, off_max) > 0)
        put_line(page->out, l, "off-CPU", off_max, greatest(l, off_max));
    put_line(page->out, l, "memory", memory, greatest(l, memory));
    put_slowest(page->out, l);
    sca_series_draw_clusters(page, l);
}

void sca_series_draw(FILE *out, const struct sca_table *table, bool colour)
{
    const struct sca_series_drawing *d = table->drawing;
    struct sca_page page = {out, colour};
    for (uint32_t i = 0; i < d->n; i++)
        put_loop(&page, table, d, &d->lines[i]);
    sca_series_draw_phases(out, d);
}
