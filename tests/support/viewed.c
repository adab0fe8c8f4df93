#include "viewed.h"
#include "sca_error.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 80 };

static jmp_buf out_of_memory; /* nobody jumps there: a test that runs out of memory has failed */

void viewed_begin(struct viewed *v)
{
    *v = (struct viewed){.program = program_new(),
                         .settings = program_settings,
                         .space = {.out_of_memory = &out_of_memory}};
}

void viewed_run(struct viewed *v, uint32_t nranks, double work, double extra, uint32_t slow,
                double most)
{
    double works[nranks], extras[nranks];
    program_fill(works, nranks, work);
    program_fill(extras, nranks, extra);
    extras[slow] = most;
    program_run(&v->program, nranks, works, extras);
}

int viewed_show(struct viewed *v, void (*view)(const struct sca_view_input *, struct sca_table *),
                const char *name, uint32_t top)
{
    const struct sca_view_input in = {
        &v->space, model_graph(v->program.model), &v->settings, top, NULL, NULL};
    v->table = (struct sca_table){.space = &v->space, .ppg = in.ppg, .view = name};
    view(&in, &v->table);
    ck_assert_ptr_eq(v->space.out_of_memory, &out_of_memory);
    return v->table.status;
}

const struct sca_cell *viewed_cell(const struct viewed *v, uint32_t row, const char *key)
{
    ck_assert_uint_lt(row, v->table.nrows);
    for (uint32_t c = 0; c < v->table.ncolumns; c++)
        if (!strcmp(v->table.columns[c].key, key))
            return &v->table.rows[row].cells[c];
    ck_abort_msg("no column %s", key);
}

uint32_t viewed_row(const struct viewed *v, uint32_t vertex)
{
    for (uint32_t i = 0; i < v->table.nrows; i++)
        if (v->table.rows[i].place == &v->table.ppg->vertices[vertex])
            return i;
    ck_abort_msg("vertex %u has no row", vertex);
}

char *viewed_text(const struct viewed *v)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    ck_assert_int_eq(sca_table_print(out, &v->table, false), SCA_OK);
    fclose(out);
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
        ck_assert_uint_le(strcspn(line, "\n"), COLUMNS);
    return text;
}

void viewed_has_text(const struct viewed *v, const char *part)
{
    char *text = viewed_text(v);
    ck_assert_msg(strstr(text, part) != NULL, "%s\n--- in ---\n%s", part, text);
    free(text);
}

void viewed_end(struct viewed *v)
{
    sca_workspace_free(&v->space);
    model_free(v->program.model);
}
