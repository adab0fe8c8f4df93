/* A table as JSON: {"schema": "scalana-view/1", "view", "title", "program", "runs", "rows",
 * "notes"}. A row holds its place and every column by its key. */
#include "report/report_text.h"
#include "sca_error.h"
#include "sca_psg.h"
#include "views/table.h"

#include "sca_replace.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static cJSON *text_of(const char *text)
{
    char *repaired = sca_utf8_repair(text);
    cJSON *json = cJSON_CreateString(repaired ? repaired : "?");
    free(repaired);
    return json;
}

/* Nine significant digits, as in the report. */
static cJSON *number_of(double value)
{
    char text[32];
    if (!isfinite(value))
        return cJSON_CreateNull();
    snprintf(text, sizeof text, "%.9g", value);
    return cJSON_CreateRaw(text);
}

static cJSON *series_of(const struct sca_cell *cell)
{
    cJSON *array = cJSON_CreateArray();
    for (uint32_t i = 0; i < cell->count; i++)
        cJSON_AddItemToArray(array, number_of(cell->series[i]));
    return array;
}

static void put_place(cJSON *row, const struct sca_ppg_vertex *v)
{
    cJSON_AddItemToObject(row, "kind", text_of(sca_psg_kind_name(v->kind)));
    cJSON_AddItemToObject(row, "name", text_of(v->name));
    cJSON_AddItemToObject(row, "function", text_of(v->function));
    cJSON_AddItemToObject(row, "file", text_of(v->file));
    cJSON_AddItemToObject(row, "line", number_of(v->line));
}

static cJSON *row_of(const struct sca_table *t, const struct sca_row *from)
{
    cJSON *row = cJSON_CreateObject();
    if (from->place)
        put_place(row, from->place);
    else
        cJSON_AddItemToObject(row, "name", text_of(from->label));
    cJSON_AddItemToObject(row, "depth", number_of(from->depth));
    for (uint32_t c = 0; c < t->ncolumns; c++) {
        const struct sca_column *column = &t->columns[c];
        const struct sca_cell *cell = &from->cells[c];
        if (!*column->key)
            continue;
        cJSON *value = column->kind == SCA_CELL_SERIES ? series_of(cell)
                       : column->kind == SCA_CELL_TEXT ? text_of(cell->text ? cell->text : "")
                                                       : number_of(cell->number);
        cJSON_AddItemToObject(row, column->key, value);
    }
    return row;
}

static void put_program(cJSON *root, const struct sca_ppg *ppg)
{
    cJSON *program = cJSON_AddObjectToObject(root, "program");
    cJSON_AddItemToObject(program, "name", text_of(ppg->program));
    cJSON_AddItemToObject(program, "path", text_of(ppg->path));
    cJSON_AddItemToObject(program, "build_id", text_of(ppg->build_id));
    cJSON *runs = cJSON_AddArrayToObject(root, "runs");
    for (uint32_t i = 0; i < ppg->nruns; i++) {
        cJSON *run = cJSON_CreateObject();
        cJSON_AddItemToObject(run, "dir", text_of(ppg->runs[i].profile->directory));
        cJSON_AddItemToObject(run, "ranks", number_of(ppg->runs[i].nranks));
        cJSON_AddItemToArray(runs, run);
    }
}

static void put_rows(cJSON *rows, const struct sca_table *t)
{
    for (uint32_t i = 0; i < t->nrows; i++)
        if (!t->rows[i].heading)
            cJSON_AddItemToArray(rows, row_of(t, &t->rows[i]));
}

static char *render(const struct sca_table *t)
{
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "schema", "scalana-view/1");
    cJSON_AddItemToObject(root, "view", text_of(t->view));
    cJSON_AddItemToObject(root, "title", text_of(t->title));
    if (t->ppg)
        put_program(root, t->ppg);
    if (t->answer)
        put_rows(cJSON_AddArrayToObject(root, "answer"), t->answer);
    put_rows(cJSON_AddArrayToObject(root, "rows"), t);
    cJSON *notes = cJSON_AddArrayToObject(root, "notes");
    for (uint32_t i = 0; i < t->nnotes; i++)
        cJSON_AddItemToArray(notes, text_of(t->notes[i]));
    char *text = root ? cJSON_Print(root) : NULL;
    cJSON_Delete(root);
    return text;
}

static int put_text(FILE *out, const void *text)
{
    fputs(text, out);
    fputc('\n', out);
    return SCA_OK;
}

int sca_table_write(const struct sca_table *t, const char *path)
{
    char *text = render(t);
    if (!text)
        return sca_fail(SCA_ENOMEM, "out of memory writing %s", path);
    int status = sca_replace_file(path, put_text, text);
    free(text);
    return status;
}
