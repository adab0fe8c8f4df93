#include "views/table.h"
#include "base/shared_cores.h"
#include "text/lines.h"
#include "sca_phrase.h"
#include "sca_report.h"

#include <stdarg.h>
#include <string.h>

const char *sca_table_place(struct sca_table *t, const struct sca_ppg_vertex *v)
{
    struct sca_workspace *space = t->space;
    char text[SCA_PHRASE];
    const struct sca_report_vertex same = {.kind = sca_psg_kind_name(v->kind),
                                           .name = v->name,
                                           .function = v->function,
                                           .file = v->file,
                                           .line = v->line};
    if (v->kind == SCA_ROOT)
        return v->function;
    sca_phrase_vertex(text, &same);
    const char *copy = sca_arena_string(&space->arena, text);
    if (!copy)
        longjmp(*space->out_of_memory, 1);
    return copy;
}

struct sca_row *sca_table_row(struct sca_table *t, const struct sca_ppg_vertex *place)
{
    if (t->nrows == t->capacity) {
        t->capacity = t->capacity ? 2 * t->capacity : 32;
        t->rows = sca_workspace_grow(t->space, t->rows, t->nrows, t->capacity, sizeof *t->rows);
    }
    struct sca_row *row = &t->rows[t->nrows++];
    *row = (struct sca_row){.place = place, .label = place ? sca_table_place(t, place) : ""};
    row->cells = sca_workspace_alloc(t->space, t->ncolumns, sizeof *row->cells);
    return row;
}

static const char *format_text(struct sca_workspace *space, const char *format, va_list args)
{
    char text[2 * SCA_PHRASE];
    vsnprintf(text, sizeof text, format, args);
    const char *copy = sca_arena_string(&space->arena, text);
    if (!copy)
        longjmp(*space->out_of_memory, 1);
    return copy;
}

const char *sca_table_text(struct sca_table *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = format_text(t->space, format, args);
    va_end(args);
    return text;
}

bool sca_view_shares_cores(const struct sca_ppg_run *run)
{
    return sca_shares_cores(run->profile);
}

bool sca_view_may_share_cores(const struct sca_ppg_run *run)
{
    return sca_may_share_cores(run->profile);
}

void sca_table_note(struct sca_table *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = format_text(t->space, format, args);
    va_end(args);
    if (t->nnotes == t->notes_capacity) {
        t->notes_capacity = t->notes_capacity ? 2 * t->notes_capacity : 4;
        t->notes =
            sca_workspace_grow(t->space, t->notes, t->nnotes, t->notes_capacity, sizeof *t->notes);
    }
    t->notes[t->nnotes++] = text;
}
