/* Ranks as columns: bars of one vertex, and the heat map of many. */
#include "html/html_parts.h"
#include "sca_error.h"
#include "sca_phrase.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_COLUMNS = 128,
    MOST_ROWS = 32,
    LEVELS = 7,
    CELL = 14,

    HEAD = 18,
    MAP = 970
};

struct sca_html_columns sca_html_columns(const struct sca_html *h, uint32_t most)
{
    return (struct sca_html_columns){h->nranks < most ? h->nranks : most, h->nranks, h->run};
}

double sca_html_column_s(const struct sca_html_columns *c, const struct sca_report_vertex *v,
                         uint32_t column)
{
    double most = 0;
    for (uint32_t r = sca_html_first_rank(c, column); r < sca_html_first_rank(c, column + 1); r++)
        most = fmax(most, sca_html_rank_s(v, r));
    return most;
}

const char *sca_html_column_name(char *buffer, const struct sca_html_columns *c, uint32_t column)
{
    uint32_t first = sca_html_first_rank(c, column), end = sca_html_first_rank(c, column + 1);
    char place[SCA_PHRASE];
    if (end - first > 1)
        snprintf(buffer, SCA_PHRASE, "%u-%u", first, end - 1);
    else if (*sca_phrase_rank_place(place, c->run, first))
        snprintf(buffer, SCA_PHRASE, "%u %.200s", first, place);
    else
        snprintf(buffer, SCA_PHRASE, "%u", first);
    return buffer;
}

static bool is_blamed(const struct sca_html_columns *columns, const struct sca_report_cause *c,
                      uint32_t column)
{
    for (uint32_t i = 0; i < c->nranks; i++)
        if (c->ranks[i] >= sca_html_first_rank(columns, column) &&
            c->ranks[i] < sca_html_first_rank(columns, column + 1))
            return true;
    return false;
}

static void put_bar_table(const struct sca_html *h, const struct sca_html_columns *columns,
                          const struct sca_report_vertex *v)
{
    char name[SCA_PHRASE];
    fputs("<details><summary>Numbers</summary>", h->out);
    sca_html_table(h, "Seconds per rank", "Rank|#Seconds", false);
    for (uint32_t i = 0; i < columns->count; i++) {
        fprintf(h->out, "<tr><th scope=\"row\">%s</th>", sca_html_column_name(name, columns, i));
        sca_html_number(h, "%.4g", sca_html_column_s(columns, v, i));
        fputs("</tr>\n", h->out);
    }
    sca_html_table_end(h);
    fputs("</details>", h->out);
}

void sca_html_bars(const struct sca_html *h, const struct sca_report_cause *c, uint32_t id)
{
    struct sca_report_vertex own = h->r->vertices[c->vertex];
    const struct sca_report_vertex *v = &own;
    struct sca_html_columns columns = sca_html_columns(h, MOST_COLUMNS);
    double most = 0;
    if (c->nrank_s) {
        own.nranks = c->nrank_s;
        own.rank_s = c->rank_s;
    }
    for (uint32_t i = 0; i < columns.count; i++)
        most = fmax(most, sca_html_column_s(&columns, v, i));
    if (most <= 0)
        return;
    fprintf(h->out,
            "<figure><figcaption>Time of each rank%s in it (largest run, 0 to %.3g s; the blamed "
            "ranks are red)</figcaption><svg class=\"bars\" role=\"img\" "
            "aria-labelledby=\"t-bars-%u\" viewBox=\"0 0 %u 60\" preserveAspectRatio=\"none\">"
            "<title id=\"t-bars-%u\">Bars, one per rank from left to right</title>",
            columns.count < columns.nranks ? " group" : "", most, id, columns.count * 10, id);
    for (uint32_t i = 0; i < columns.count; i++) {
        double height = 58 * sca_html_column_s(&columns, v, i) / most;
        fprintf(h->out, "<rect class=\"%s\" x=\"%u\" y=\"%.1f\" width=\"8\" height=\"%.1f\"/>",
                is_blamed(&columns, c, i) ? "hot" : "cool", i * 10 + 1, 60 - height, height);
    }
    fputs("</svg>", h->out);
    put_bar_table(h, &columns, v);
    fputs("</figure>\n", h->out);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, uint32_t n)
{
    qsort(values, n, sizeof *values, by_value);
    return n ? (values[(n - 1) / 2] + values[n / 2]) / 2 : 0;
}

/* 0 far below the median .. 2 like it .. 6 far above; what is too short to matter counts as like
 * it. */
static int level(const struct sca_html *h, double seconds, double middle)
{
    static const double border[LEVELS - 1] = {0.5, 1 / 1.3, 1.3, 2, 4, 8};
    double wall = h->nranks ? h->base / h->nranks : 0;
    int n = 0;
    if (!(fabs(seconds - middle) > 0.001 * wall))
        return 2;
    while (n < LEVELS - 1 && seconds >= border[n] * middle)
        n++;
    return n;
}

/* All columns over the width of a desktop, unless they would be too narrow to see. */
static uint32_t cell_width(uint32_t columns)
{
    return columns && columns * 6 <= MAP ? MAP / columns : 6;
}

static void put_label(const struct sca_html *h, uint32_t vertex, uint32_t x, unsigned row)
{
    fprintf(h->out, "<text class=\"label\" x=\"%u\" y=\"%u\">", x - 6,
            HEAD + row * CELL + CELL - 4);
    sca_html_row_name(h, &h->r->vertices[vertex]);
    fputs("</text>", h->out);
}

/* One path for each level: neighbouring cells of a level are one segment. */
static void put_cells(const struct sca_html *h, uint32_t x, unsigned row, const double *values,
                      uint32_t n, double middle)
{
    uint32_t wide = cell_width(n);
    for (int wanted = 0; wanted < LEVELS; wanted++) {
        bool open = false;
        for (uint32_t i = 0; i < n;) {
            uint32_t end = i + 1;
            bool is = level(h, values[i], middle) == wanted;
            while (is && end < n && level(h, values[end], middle) == wanted)
                end++;
            if (is) {
                fprintf(h->out, "%sM%u %uh%uv%dh-%uz", open ? "" : "<path d=\"", x + i * wide,
                        HEAD + row * CELL, (end - i) * wide - 1, CELL - 1, (end - i) * wide - 1);
                open = true;
            }
            i = end;
        }
        if (open)
            fprintf(h->out, "\" class=\"h%d\"/>", wanted);
    }
}

static void put_map(const struct sca_html *h, const struct sca_html_columns *columns,
                    const uint32_t *rows, uint32_t nrows, double *values, double *sorted)
{
    uint32_t wide = cell_width(columns->count);
    uint32_t x = sca_html_row_room(h, rows, nrows), width = x + columns->count * wide + 10,
             height = HEAD + nrows * CELL + 4;
    fprintf(h->out,
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Heat map\">"
            "<svg role=\"img\" aria-labelledby=\"t-heat\" width=\"%u\" height=\"%u\" "
            "viewBox=\"0 0 %u %u\"><title id=\"t-heat\">Heat map: a row for each vertex, a column "
            "for each rank</title>",
            width, height, width, height);
    for (uint32_t i = 0; i < columns->count; i += columns->count > 16 ? 8 : 1)
        fprintf(h->out, "<text class=\"tick\" x=\"%u\" y=\"%d\">%u</text>", x + i * wide + wide / 2,
                HEAD - 5, sca_html_first_rank(columns, i));
    for (uint32_t k = 0; k < nrows; k++) {
        for (uint32_t i = 0; i < columns->count; i++)
            sorted[i] = values[i] = sca_html_column_s(columns, &h->r->vertices[rows[k]], i);
        put_label(h, rows[k], x, k);
        put_cells(h, x, k, values, columns->count, median(sorted, columns->count));
    }
    fputs("</svg></div>\n", h->out);
}

static void put_legend(const struct sca_html *h)
{
    static const char *const names[LEVELS] = {
        "under half",         "under 1/1.3",        "like the median",   "1.3\xc3\x97 and more",
        "2\xc3\x97 and more", "4\xc3\x97 and more", "8\xc3\x97 and more"};
    fputs("<ul class=\"legend\" aria-label=\"Colours: time to the row\xe2\x80\x99s median\">",
          h->out);
    for (int i = 0; i < LEVELS; i++)
        fprintf(h->out, "<li><span class=\"key h%d\"></span>%s</li>", i, names[i]);
    fputs("</ul>\n", h->out);
}

static void put_numbers(const struct sca_html *h, const struct sca_html_columns *columns,
                        const uint32_t *rows, uint32_t nrows)
{
    char text[SCA_PHRASE], name[SCA_PHRASE];
    fputs("<details><summary>Numbers</summary><div class=\"scroll\" tabindex=\"0\" role=\"region\" "
          "aria-label=\"Seconds per vertex and rank\"><table><caption>Seconds per vertex and rank"
          "</caption><thead><tr><th scope=\"col\">Vertex</th>",
          h->out);
    for (uint32_t i = 0; i < columns->count; i++)
        fprintf(h->out, "<th scope=\"col\" class=\"n\">%s</th>",
                sca_html_column_name(name, columns, i));
    fputs("</tr></thead><tbody>\n", h->out);
    for (uint32_t k = 0; k < nrows; k++) {
        const struct sca_report_vertex *v = &h->r->vertices[rows[k]];
        fputs("<tr><th scope=\"row\">", h->out);
        sca_html_short(h, sca_html_place(text, v), 60);
        fputs(" ", h->out);
        sca_html_short(h, sca_html_what(text, v), 60);
        fputs("</th>", h->out);
        for (uint32_t i = 0; i < columns->count; i++)
            fprintf(h->out, "<td>%.3g</td>", sca_html_column_s(columns, v, i));
        fputs("</tr>\n", h->out);
    }
    sca_html_table_end(h);
    fputs("</details>\n", h->out);
}

int sca_html_heat(const struct sca_html *h)
{
    struct sca_html_columns columns = sca_html_columns(h, MOST_COLUMNS);
    uint32_t nrows;
    uint32_t *rows = sca_html_rows(h, MOST_ROWS, &nrows);
    double *values = calloc(2 * (size_t)columns.count + 1, sizeof *values);
    int status = rows && values ? SCA_OK : sca_fail(SCA_ENOMEM, "out of memory for the heat map");
    if (status == SCA_OK) {
        fprintf(h->out,
                "<section id=\"heat\" aria-labelledby=\"h-heat\"><h2 id=\"h-heat\">Vertices and "
                "ranks</h2>\n<figure><figcaption>%u of %u vertices in program order, all ranks of "
                "the largest run%s; colour: time in ratio to the row\xe2\x80\x99s median%s"
                "</figcaption>\n",
                nrows, h->r->nvertices,
                columns.count < columns.nranks ? " in groups, the longest of each" : "",
                h->waits ? "; of MPI calls, replayed waits" : "");
        put_legend(h);
        put_map(h, &columns, rows, nrows, values, values + columns.count);
        put_numbers(h, &columns, rows, nrows);
        fputs("</figure></section>\n", h->out);
    }
    free(rows);
    free(values);
    return status;
}
