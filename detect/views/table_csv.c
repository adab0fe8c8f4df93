/* A table as comma-separated values (RFC 4180): its columns have the names of the JSON, with the
 * unit behind them; several numbers in one cell have blanks between. */
#include "sca_psg.h"
#include "sca_replace.h"
#include "views/table.h"

#include <math.h>
#include <string.h>

static const char *unit_of(enum sca_cell_kind kind)
{
    switch (kind) {
    case SCA_CELL_SECONDS:
    case SCA_CELL_SIGNED:
        return " [s]";
    case SCA_CELL_SHARE:
    case SCA_CELL_CHANGE:
        return " [fraction]";
    default:
        return "";
    }
}

static void put_text(FILE *out, const char *text)
{
    if (!text[strcspn(text, ",\"\r\n")]) {
        fputs(text, out);
        return;
    }
    putc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            putc('"', out);
        putc(*text, out);
    }
    putc('"', out);
}

/* Nine significant digits, as in the JSON; nothing where there is no number. */
static void put_number(FILE *out, double number)
{
    if (isfinite(number))
        fprintf(out, "%.9g", number);
}

static void put_cell(FILE *out, const struct sca_column *column, const struct sca_cell *cell)
{
    putc(',', out);
    if (column->kind == SCA_CELL_TEXT)
        put_text(out, cell->text ? cell->text : "");
    else if (column->kind != SCA_CELL_SERIES)
        put_number(out, cell->number);
    for (uint32_t i = 0; column->kind == SCA_CELL_SERIES && i < cell->count; i++) {
        if (i)
            putc(' ', out);
        put_number(out, cell->series[i]);
    }
}

static void put_place(FILE *out, const struct sca_row *row)
{
    const struct sca_ppg_vertex *v = row->place;
    const char *texts[] = {v ? sca_psg_kind_name(v->kind) : "", v ? v->name : row->label,
                           v ? v->function : "", v ? v->file : ""};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        put_text(out, texts[i]);
        putc(',', out);
    }
    if (v && v->line)
        fprintf(out, "%u", v->line);
    fprintf(out, ",%u", row->depth);
}

static int put_table(FILE *out, const void *context)
{
    const struct sca_table *t = context;
    fputs("kind,name,function,file,line,depth", out);
    for (uint32_t c = 0; c < t->ncolumns; c++)
        if (*t->columns[c].key)
            fprintf(out, ",%s%s", t->columns[c].key, unit_of(t->columns[c].kind));
    fputs("\n", out);
    for (uint32_t r = 0; r < t->nrows; r++) {
        if (t->rows[r].heading)
            continue;
        put_place(out, &t->rows[r]);
        for (uint32_t c = 0; c < t->ncolumns; c++)
            if (*t->columns[c].key)
                put_cell(out, &t->columns[c], &t->rows[r].cells[c]);
        fputs("\n", out);
    }
    return 0;
}

int sca_table_write_csv(const struct sca_table *table, const char *path)
{
    return sca_replace_file(path, put_table, table);
}
