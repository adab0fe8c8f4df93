#include "views/map.h"
#include "views/map_cell.h"
#include "text/lines.h"

#include <math.h>
#include <string.h>

enum { APART = 3, TALL = 64, NAME = 16 };

/* How the places of a map become signs on the page. */
struct drawing {
    FILE *out;
    const struct sca_map *map;
    bool colour, numbers;
    uint32_t beside;                /* maps in a row of the page */
    uint32_t down, across;          /* places that one sign stands for */
    uint32_t nlines, nsigns;        /* of a map */
    int label[SCA_MOST_DIMENSIONS]; /* widths of the rows' coordinates, */
    int names;                      /* and of the columns' names: all in front of the first map */
    struct sca_map_scale scales[SCA_MOST_LAYERS];
};

/* ---- sizes ---- */

static const char *short_name(char *buffer, const struct sca_topology *t, uint32_t dimension)
{
    sca_fold_name(buffer, t, dimension);
    buffer[NAME - 1] = '\0';
    return buffer;
}

static int digits_of(uint32_t number)
{
    return snprintf(NULL, 0, "%u", number);
}

static void measure_labels(struct drawing *d)
{
    const struct sca_fold *f = d->map->fold;
    char name[64];
    for (uint32_t i = 0; i < f->rows.n; i++) {
        int width = (int)strlen(short_name(name, f->topology, f->rows.dims[i]));
        int digits = digits_of(f->topology->dims[f->rows.dims[i]] - 1);
        d->label[i] = width > digits ? width : digits;
    }
    for (uint32_t i = 0; i < f->columns.n; i++) {
        int width = (int)strlen(short_name(name, f->topology, f->columns.dims[i]));
        int digits = f->wrapped ? digits_of(f->columns.length * f->rows.length) : 0;
        width = width > digits ? width : digits;
        d->names = width > d->names ? width : d->names;
    }
}

static int labels_width(const struct drawing *d)
{
    int width = d->names + 1;
    for (uint32_t i = 0; i < d->map->fold->rows.n; i++)
        width += d->label[i] + 1;
    return width;
}

static int width_of(const struct drawing *d, uint32_t layer)
{
    if (!d->numbers)
        return (int)d->nsigns;
    return (int)d->nsigns * (d->scales[layer].width + 2) - 1;
}

static int total_width(const struct drawing *d)
{
    int widest = 0, all = labels_width(d);
    for (uint32_t i = 0; i < d->map->nlayers; i++) {
        int width = width_of(d, i), title = (int)strlen(d->scales[i].title);
        width = width > title ? width : title;
        all += width + (i ? APART : 0);
        widest = width > widest ? width : widest;
    }
    return d->beside > 1 ? all : labels_width(d) + widest;
}

/* Whether it fits so. */
static bool fits(struct drawing *d, bool numbers, uint32_t beside)
{
    const struct sca_fold *f = d->map->fold;
    d->numbers = numbers;
    d->beside = beside;
    d->down = d->across = 1;
    d->nlines = f->rows.length;
    d->nsigns = f->columns.length;
    return total_width(d) <= SCA_COLUMNS && (!numbers || d->nlines <= TALL);
}

/* One sign for several places. */
static void shrink(struct drawing *d)
{
    const struct sca_fold *f = d->map->fold;
    uint32_t space = SCA_COLUMNS - 1;
    if (labels_width(d) < SCA_COLUMNS / 2)
        space -= (uint32_t)labels_width(d);
    d->across = (f->columns.length + space - 1) / space;
    d->down = (f->rows.length + TALL - 1) / TALL;
    d->nsigns = (f->columns.length + d->across - 1) / d->across;
    d->nlines = (f->rows.length + d->down - 1) / d->down;
}

static void choose(struct drawing *d)
{
    uint32_t all = d->map->nlayers;
    if (!fits(d, true, all) && !fits(d, true, 1) && !fits(d, false, all) && !fits(d, false, 1))
        shrink(d);
    else if (!d->numbers)
        shrink(d); /* the rows, if these are too many */
}

/* ---- signs ---- */

/* The place with most of it among those that one sign stands for; NAN: nobody is there. */
static double value_at(const struct drawing *d, uint32_t layer, uint32_t line, uint32_t sign)
{
    const struct sca_fold *f = d->map->fold;
    double most = (double)NAN;
    for (uint32_t r = line * d->down; r < (line + 1) * d->down && r < f->rows.length; r++)
        for (uint32_t c = sign * d->across; c < (sign + 1) * d->across && c < f->columns.length;
             c++) {
            uint32_t rank = f->ranks[(size_t)r * f->columns.length + c];
            double value = rank == SCA_NONE ? (double)NAN : d->map->layers[layer].by_rank[rank];
            if (!isnan(value) && (isnan(most) || fabs(value) > fabs(most)))
                most = value;
        }
    return most;
}

static void put_line(const struct drawing *d, uint32_t layer, uint32_t line)
{
    for (uint32_t s = 0; s < d->nsigns; s++) {
        if (s && d->numbers)
            fputc(' ', d->out);
        sca_map_cell_put(d->out, &d->scales[layer], value_at(d, layer, line, s), d->numbers,
                         d->colour);
    }
}

/* ---- what stands around them ---- */

static void put_blanks(const struct drawing *d, int n)
{
    fprintf(d->out, "%*s", n > 0 ? n : 0, "");
}

static int column_of(const struct drawing *d, uint32_t layer)
{
    int title = (int)strlen(d->scales[layer].title), width = width_of(d, layer);
    return width > title ? width : title;
}

static void put_titles(const struct drawing *d, uint32_t first, uint32_t end)
{
    put_blanks(d, labels_width(d));
    for (uint32_t i = first; i < end; i++)
        fprintf(d->out, "%s%s%s%*s", d->colour ? "\033[1m" : "", d->scales[i].title,
                d->colour ? "\033[0m" : "",
                i + 1 < end ? column_of(d, i) - (int)strlen(d->scales[i].title) + APART : 0, "");
    fputc('\n', d->out);
}

/* The coordinates of the columns in one dimension, over each map. */
static void put_heads(const struct drawing *d, uint32_t dimension, uint32_t first, uint32_t end)
{
    const struct sca_fold *f = d->map->fold;
    for (uint32_t i = first; i < end; i++) {
        int width = d->scales[i].width;
        for (uint32_t s = 0; s < d->nsigns; s++)
            fprintf(d->out, "%*u%s", width,
                    f->wrapped ? s : sca_fold_coordinate(f, &f->columns, dimension, s),
                    s + 1 < d->nsigns ? "  " : "");
        if (i + 1 < end)
            put_blanks(d, column_of(d, i) - width_of(d, i) + 1 + APART);
    }
    fputc('\n', d->out);
}

static void put_row_names(const struct drawing *d, bool last)
{
    const struct sca_fold *f = d->map->fold;
    char name[64];
    for (uint32_t i = 0; i < f->rows.n; i++)
        fprintf(d->out, "%*s ", d->label[i],
                last ? short_name(name, f->topology, f->rows.dims[i]) : "");
}

static void put_all_heads(const struct drawing *d, uint32_t first, uint32_t end)
{
    const struct sca_fold *f = d->map->fold;
    uint32_t n = d->numbers ? f->columns.n : 0;
    char name[64];
    for (uint32_t i = 0; i < n; i++) {
        put_row_names(d, i + 1 == n);
        fprintf(d->out, "%*s ", d->names, short_name(name, f->topology, f->columns.dims[i]));
        put_heads(d, i, first, end);
    }
    if (!n && f->rows.n) {
        put_row_names(d, true);
        fputc('\n', d->out);
    }
}

static void put_labels(const struct drawing *d, uint32_t line)
{
    const struct sca_fold *f = d->map->fold;
    if (!d->numbers && labels_width(d) >= SCA_COLUMNS / 2)
        return;
    for (uint32_t i = 0; i < f->rows.n; i++)
        fprintf(d->out, "%*u ", d->label[i], sca_fold_coordinate(f, &f->rows, i, line * d->down));
    if (f->wrapped)
        fprintf(d->out, "%*u ", d->names, line * d->down * f->columns.length);
    else
        put_blanks(d, d->names + 1);
}

static void put_maps(const struct drawing *d, uint32_t first, uint32_t end)
{
    put_titles(d, first, end);
    put_all_heads(d, first, end);
    for (uint32_t line = 0; line < d->nlines; line++) {
        put_labels(d, line);
        for (uint32_t i = first; i < end; i++) {
            put_line(d, i, line);
            if (i + 1 < end)
                put_blanks(d, column_of(d, i) - width_of(d, i) + APART);
        }
        fputc('\n', d->out);
    }
}

static void put_legend(const struct sca_page *page, const struct drawing *d)
{
    sca_lines_page_wrap(page, 0, 2, SCA_INK_DIM, SCA_PHRASE,
                        "Signs are shares of a map's maximum: %s%s",
                        d->numbers ? "" : ". less than 1/6, ", SCA_MAP_SIGNS);
    if (d->down > 1 || d->across > 1)
        sca_lines_page_wrap(page, 0, 2, SCA_INK_DIM, SCA_PHRASE,
                            "Each sign is the maximum of up to %u x %u places.", d->down,
                            d->across);
}

void sca_map_draw(FILE *out, const struct sca_table *table, bool colour)
{
    const struct sca_page page = {out, colour};
    struct drawing d = {.out = out, .map = table->drawing, .colour = colour};
    for (uint32_t i = 0; i < d.map->nlayers; i++)
        sca_map_scale_make(&d.map->layers[i], d.map->fold, &d.scales[i]);
    measure_labels(&d);
    choose(&d);
    for (uint32_t i = 0; i < d.map->nlayers; i += d.beside) {
        fputc('\n', out);
        put_maps(&d, i, i + d.beside);
    }
    fputc('\n', out);
    put_legend(&page, &d);
}
