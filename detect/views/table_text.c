/* A table as text of 80 columns: figures to the left, the place behind them. */
#include "text/lines.h"
#include "sca_error.h"
#include "sca_replace.h"
#include "views/table.h"
#include "sca_phrase.h"

#include <math.h>
#include <string.h>

enum { CELL = SCA_FIGURE, GAP = 2, MOST_INDENT = 24, LEAST_LABEL = 30, LEAST_BEHIND = 20 };

#define MOST_CHANGE 9.99 /* a change that is more reads "> 999 %" */

static void format_seconds(char text[CELL], double seconds, const char *sign)
{
    char number[32];
    snprintf(text, CELL, "%s%s", sign, sca_lines_seconds(number, seconds));
}

/* Three figures, thousands as letters. */
const char *sca_table_figure(char text[SCA_FIGURE], double number)
{
    static const char *const letters[] = {"", " k", " M", " G", " T", " P"};
    enum { MOST = sizeof letters / sizeof *letters - 1 };
    char figures[32];
    int thousands = 0;
    for (; fabs(number) >= 999.5 && thousands < MOST; thousands++)
        number /= 1000;
    bool whole = !thousands && number == floor(number);
    snprintf(figures, sizeof figures, "%.0f", number);
    snprintf(text, SCA_FIGURE, "%s%s", whole ? figures : sca_lines_seconds(figures, number),
             letters[thousands]);
    return text;
}

const char *sca_table_duration(struct sca_table *table, double seconds)
{
    static const char *const units[] = {"s", "ms", "us", "ns"};
    int unit = 0;
    char figure[SCA_FIGURE];
    if (isnan(seconds))
        return "n/a";
    for (; unit < 3 && seconds < 1 && seconds > 0; unit++)
        seconds *= 1000;
    return sca_table_text(table, "%s %s", sca_table_figure(figure, seconds), units[unit]);
}

static void format_cell(char text[CELL], const struct sca_column *column,
                        const struct sca_cell *cell)
{
    const char *sign = cell->number >= 0 ? "+" : "";
    if (column->kind == SCA_CELL_TEXT)
        snprintf(text, CELL, "%s", cell->text ? cell->text : "");
    else if (isnan(cell->number))
        snprintf(text, CELL, "-");
    else if (column->kind == SCA_CELL_SECONDS)
        format_seconds(text, cell->number, "");
    else if (column->kind == SCA_CELL_SIGNED)
        format_seconds(text, cell->number, sign);
    else if (column->kind == SCA_CELL_SHARE)
        snprintf(text, CELL, "%.1f %%", 100 * cell->number);
    else if (column->kind == SCA_CELL_CHANGE && cell->number > MOST_CHANGE)
        snprintf(text, CELL, "> %.0f %%", 100 * MOST_CHANGE);
    else if (column->kind == SCA_CELL_CHANGE)
        snprintf(text, CELL, "%s%.1f %%", sign, 100 * cell->number);
    else if (column->kind == SCA_CELL_NUMBER)
        sca_table_figure(text, cell->number);
    else if (column->kind == SCA_CELL_RATIO)
        snprintf(text, CELL, "%.2f", cell->number);
    else
        snprintf(text, CELL, "%.0f", cell->number);
}

static bool is_shown(const struct sca_column *column)
{
    return column->head && column->kind != SCA_CELL_SERIES;
}

static int width_of(const struct sca_table *t, uint32_t c)
{
    char text[CELL];
    size_t width = strlen(t->columns[c].head);
    for (uint32_t r = 0; r < t->nrows; r++) {
        format_cell(text, &t->columns[c], &t->rows[r].cells[c]);
        width = strlen(text) > width ? strlen(text) : width;
    }
    return (int)width;
}

/* The figures of a row, or the headings if there is none; returns their width. */
static int put_figures(const struct sca_page *page, const struct sca_table *t,
                       const struct sca_row *row, const int *widths)
{
    char text[CELL];
    int used = 0;
    for (uint32_t c = 0; c < t->ncolumns; c++) {
        if (!is_shown(&t->columns[c]))
            continue;
        if (row)
            format_cell(text, &t->columns[c], &row->cells[c]);
        used += fprintf(page->out, "%*s", GAP + widths[c], row ? text : t->columns[c].head);
    }
    return used + fprintf(page->out, "%*s", GAP, "");
}

/* Wrapped behind the figures; deep rows share the workspace that is left. */
static void put_label(const struct sca_page *page, int used, const struct sca_row *row)
{
    int indent = (int)(row->depth < MOST_INDENT ? row->depth : MOST_INDENT);
    int most = SCA_COLUMNS - used - LEAST_LABEL;
    char text[SCA_PHRASE];
    indent = indent > most ? (most > 0 ? most : 0) : indent;
    snprintf(text, sizeof text, "%s", row->label);
    size_t length = strlen(text), space = (size_t)(SCA_COLUMNS - 1 - used - indent);
    const char *at = text;
    for (int line = 0; line == 0 || *at; line++) {
        size_t cut = length;
        if (length > space)
            for (cut = space; cut > 0 && at[cut] != ' '; cut--)
                ;
        cut = cut ? cut : space;
        bool ink = page->colour && row->bold;
        fprintf(page->out, "%*s%s%.*s%s\n", line ? used + indent + 2 : indent, "",
                ink ? "\033[1m" : "", (int)cut, at, ink ? "\033[0m" : "");
        at += cut;
        at += strspn(at, " ");
        length = strlen(at);
        space -= line ? 0 : 2;
    }
}

/* Line by line. */
static void put_detail(const struct sca_page *page, const char *text)
{
    for (size_t length; *text; text += length + (text[length] == '\n')) {
        length = strcspn(text, "\n");
        sca_lines_page_wrap(page, 6, 8, SCA_INK_DIM, SCA_PHRASE, "%.*s", (int)length, text);
    }
}

/* Behind the figures, or above them where there is no room. */
static void put_row(const struct sca_page *page, const struct sca_table *t,
                    const struct sca_row *row, const int *widths, bool above)
{
    if (above) {
        fprintf(page->out, "%*s", GAP, "");
        put_label(page, GAP, row);
        put_figures(page, t, row, widths);
        fputc('\n', page->out);
    } else {
        put_label(page, put_figures(page, t, row, widths), row);
    }
    if (row->detail)
        put_detail(page, row->detail);
}

static bool has_no_room(const struct sca_table *t, const int *widths)
{
    int used = GAP;
    for (uint32_t c = 0; c < t->ncolumns; c++)
        used += is_shown(&t->columns[c]) ? GAP + widths[c] : 0;
    return used > SCA_COLUMNS - LEAST_BEHIND;
}

void sca_table_put_rows(FILE *out, const struct sca_table *t, bool colour)
{
    const struct sca_page text = {out, colour}, *page = &text;
    int widths[32] = {0};
    for (uint32_t c = 0; c < t->ncolumns; c++)
        widths[c] = is_shown(&t->columns[c]) ? width_of(t, c) : 0;
    bool above = has_no_room(t, widths);
    fputs(above ? "\n  where\n" : "\n", page->out);
    put_figures(page, t, NULL, widths);
    fputs(above ? "\n" : "where\n", page->out);
    for (uint32_t r = 0; r < t->nrows; r++) {
        const struct sca_row *row = &t->rows[r];
        if (row->interval)
            fputc('\n', page->out);
        if (row->heading) {
            sca_lines_page_wrap(page, GAP, GAP, SCA_INK_BOLD, SCA_PHRASE, "%s", row->label);
            continue;
        }
        put_row(page, t, row, widths, above);
    }
}

static int put_plain(FILE *out, const void *context)
{
    return sca_table_print(out, context, false);
}

int sca_table_write_text(const struct sca_table *table, const char *path)
{
    return sca_replace_file(path, put_plain, table);
}

int sca_table_print(FILE *out, const struct sca_table *t, bool colour)
{
    struct sca_page page = {out, colour};
    for (uint32_t r = 0; t->answer && r < t->answer->nrows; r++)
        if (*t->answer->rows[r].label)
            sca_lines_page_wrap(&page, 0, 2, t->answer->rows[r].bold ? SCA_INK_BOLD : SCA_INK_PLAIN,
                                SCA_PHRASE, "%s", t->answer->rows[r].label);
    if (t->answer)
        fputc('\n', out);
    sca_lines_page_wrap(&page, 0, 2, SCA_INK_BOLD, SCA_PHRASE, "%s", t->title);
    if (t->draw && t->drawing)
        t->draw(out, t, colour);
    else if (t->nrows)
        sca_table_put_rows(out, t, colour);
    if (t->left_out)
        fprintf(out, "\n%u more%s (--top=0 shows all).\n", t->left_out,
                t->left_what ? t->left_what : "");
    if (t->nnotes)
        sca_lines_page_heading(&page, "Notes");
    for (uint32_t i = 0; i < t->nnotes; i++)
        sca_lines_page_wrap(&page, 2, 4, SCA_INK_PLAIN, 0, "- %s", t->notes[i]);
    return fflush(out) || ferror(out) ? sca_fail(SCA_EIO, "standard output: cannot be written")
                                      : SCA_OK;
}
