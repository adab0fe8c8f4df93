#include "views/diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BEFORE, AFTER, CHANGE, PERCENT, OLD_LINE, COLUMNS };

static const struct sca_column columns[COLUMNS] = {
    [BEFORE] = {"before_core_s", "before", SCA_CELL_SECONDS},
    [AFTER] = {"after_core_s", "after", SCA_CELL_SECONDS},
    [CHANGE] = {"change_core_s", "change", SCA_CELL_SIGNED},
    [PERCENT] = {"change", "", SCA_CELL_CHANGE},
    [OLD_LINE] = {"before_line", NULL, SCA_CELL_COUNT},
};

/* ---- which vertex became which ---- */

struct matching {
    const struct sca_diff_side *before, *after;
    uint32_t *to, *from;                /* SCA_NONE: not matched */
    uint32_t *next_before, *next_after; /* the next sibling, SCA_NONE ends */
    uint32_t *first_before, *first_after;
};

static bool same_thing(const struct sca_ppg_vertex *a, const struct sca_ppg_vertex *b)
{
    return a->kind == b->kind && !strcmp(a->name, b->name) && !strcmp(a->function, b->function);
}

enum likeness { SAME_LINE, SAME_EXTENT, SAME_THING };

static bool is_like(const struct sca_ppg_vertex *a, const struct sca_ppg_vertex *b,
                    enum likeness likeness)
{
    if (!same_thing(a, b))
        return false;
    return likeness == SAME_LINE     ? a->line == b->line
           : likeness == SAME_EXTENT ? a->end_line - a->line == b->end_line - b->line
                                     : true;
}

/* Whether siblings that are matched already stand on different sides of the two: an edit moves
 * lines, but seldom past each other. */
static bool crosses(const struct matching *m, uint32_t x, uint32_t y)
{
    const struct sca_ppg_vertex *before = m->before->vertices, *after = m->after->vertices;
    for (uint32_t z = m->first_before[before[x].parent]; z != SCA_NONE; z = m->next_before[z]) {
        if (m->to[z] == SCA_NONE || strcmp(before[z].function, before[x].function) != 0)
            continue;
        uint32_t there = after[m->to[z]].line;
        if ((before[z].line < before[x].line && there > after[y].line) ||
            (before[z].line > before[x].line && there < after[y].line))
            return true;
    }
    return false;
}

static void match_children(struct matching *m, uint32_t a, uint32_t b, enum likeness likeness)
{
    for (uint32_t x = m->first_before[a]; x != SCA_NONE; x = m->next_before[x])
        for (uint32_t y = m->first_after[b]; y != SCA_NONE && m->to[x] == SCA_NONE;
             y = m->next_after[y])
            if (m->from[y] == SCA_NONE &&
                is_like(&m->before->vertices[x], &m->after->vertices[y], likeness) &&
                (likeness == SAME_LINE || !crosses(m, x, y))) {
                m->to[x] = y;
                m->from[y] = x;
            }
}

static uint32_t *chain(struct sca_workspace *space, const struct sca_diff_side *side,
                       uint32_t **first)
{
    uint32_t *next = sca_workspace_alloc(space, side->nvertices, sizeof *next);
    *first = sca_workspace_alloc(space, side->nvertices, sizeof **first);
    memset(*first, 0xff, side->nvertices * sizeof **first);
    for (uint32_t v = side->nvertices; v-- > 0;) {
        uint32_t parent = side->vertices[v].parent;
        if (parent == v)
            continue;
        next[v] = (*first)[parent];
        (*first)[parent] = v;
    }
    return next;
}

uint32_t *sca_diff_match(struct sca_workspace *space, const struct sca_diff_side *before,
                         const struct sca_diff_side *after)
{
    struct matching m = {.before = before, .after = after};
    m.to = sca_workspace_alloc(space, before->nvertices, sizeof *m.to);
    m.from = sca_workspace_alloc(space, after->nvertices, sizeof *m.from);
    memset(m.to, 0xff, before->nvertices * sizeof *m.to);
    memset(m.from, 0xff, after->nvertices * sizeof *m.from);
    m.next_before = chain(space, before, &m.first_before);
    m.next_after = chain(space, after, &m.first_after);
    m.to[0] = m.from[0] = 0;
    for (uint32_t v = 0; v < before->nvertices; v++)
        if (m.to[v] != SCA_NONE)
            for (enum likeness likeness = SAME_LINE; likeness <= SAME_THING; likeness++)
                match_children(&m, v, m.to[v], likeness);
    return m.to;
}

/* ---- what changed ---- */

struct change { /* of a place; NULL: not there */
    const struct sca_ppg_vertex *before, *after;
    double before_s, after_s;
};

static const struct sca_ppg_vertex *shown(const struct change *c)
{
    return c->after ? c->after : c->before;
}

static int by_place(const void *a, const void *b)
{
    const struct change *x = a, *y = b;
    const struct sca_ppg_vertex *v = shown(x), *w = shown(y);
    int order = strcmp(v->function, w->function);
    order = order ? order : strcmp(v->file, w->file);
    order = order ? order : (v->line > w->line) - (v->line < w->line);
    order = order ? order : (v->kind > w->kind) - (v->kind < w->kind);
    order = order ? order : strcmp(v->name, w->name);
    return order ? order : !x->before + 2 * !x->after - !y->before - 2 * !y->after;
}

static int by_size(const void *a, const void *b)
{
    const struct change *x = a, *y = b;
    double p = fabs(x->after_s - x->before_s), q = fabs(y->after_s - y->before_s);
    return p != q ? (p < q ? 1 : -1) : by_place(a, b);
}

static uint32_t merge_places(struct sca_workspace *space, struct change *changes, uint32_t n)
{
    uint32_t kept = 0;
    sca_workspace_put_in_order(space, changes, n, sizeof *changes, by_place);
    for (uint32_t i = 0; i < n; i++)
        if (kept && !by_place(&changes[kept - 1], &changes[i])) {
            changes[kept - 1].before_s += changes[i].before_s;
            changes[kept - 1].after_s += changes[i].after_s;
        } else {
            changes[kept++] = changes[i];
        }
    sca_workspace_put_in_order(space, changes, kept, sizeof *changes, by_size);
    return kept;
}

static struct change *collect(struct sca_workspace *space, const struct sca_diff_side *before,
                              const struct sca_diff_side *after, uint32_t *n)
{
    const uint32_t *to = sca_diff_match(space, before, after);
    struct change *all =
        sca_workspace_alloc(space, (size_t)before->nvertices + after->nvertices, sizeof *all);
    bool *seen = sca_workspace_alloc(space, after->nvertices, sizeof *seen);
    *n = 0;
    for (uint32_t v = 0; v < before->nvertices; v++) {
        struct change *c = &all[(*n)++];
        *c = (struct change){.before = &before->vertices[v], .before_s = before->own[v]};
        if (to[v] == SCA_NONE)
            continue;
        c->after = &after->vertices[to[v]];
        c->after_s = after->own[to[v]];
        seen[to[v]] = true;
    }
    for (uint32_t v = 0; v < after->nvertices; v++)
        if (!seen[v])
            all[(*n)++] = (struct change){.after = &after->vertices[v], .after_s = after->own[v]};
    *n = merge_places(space, all, *n);
    return all;
}

static void fill(struct sca_row *row, double before, double after, double old_line)
{
    row->cells[BEFORE].number = before;
    row->cells[AFTER].number = after;
    row->cells[CHANGE].number = after - before;
    row->cells[PERCENT].number = before > 0 ? (after - before) / before : (double)NAN;
    row->cells[OLD_LINE].number = old_line;
}

static void add(struct sca_table *t, const struct change *c)
{
    struct sca_row *row = sca_table_row(t, shown(c));
    if (!c->after)
        row->label = sca_table_text(t, "%s (gone)", row->label);
    else if (!c->before)
        row->label = sca_table_text(t, "%s (new)", row->label);
    else if (c->before->line != c->after->line)
        row->label = sca_table_text(t, "%s (was line %u)", row->label, c->before->line);
    fill(row, c->before_s, c->after_s, c->before ? c->before->line : (double)NAN);
}

static double total(const struct sca_diff_side *side)
{
    double sum = 0;
    if (side->replayed)
        return side->replayed_total;
    for (uint32_t v = 0; v < side->nvertices; v++)
        sum += side->own[v];
    return sum;
}

static void add_notes(const struct sca_diff_side *before, const struct sca_diff_side *after,
                      struct sca_table *out)
{
    sca_table_note(out, "Before: %s, %u ranks, %.3g s. After: %s, %u ranks, %.3g s.", before->name,
                   before->ranks, before->wall, after->name, after->ranks, after->wall);
    if (before->ranks != after->ranks)
        sca_table_note(out, "The runs have different numbers of ranks. The comparison uses "
                            "core-seconds of all ranks.");
    if (strcmp(before->program, after->program))
        sca_table_note(out, "The programs have different names: \"%s\" and \"%s\".",
                       before->program, after->program);
    if (before->replayed && after->replayed)
        sca_table_note(
            out,
            "Ranks shared cores. The times of MPI calls are replayed waits, assuming one core per "
            "rank. On this basis the program took %.3g s before, %.3g s after.",
            before->virtual_wall, after->virtual_wall);
    else if (before->shared || after->shared) {
        sca_table_note(out, SCA_VIEW_SHARED);
        sca_table_note(
            out,
            "Compare two reports (scalana-detect -o) for times that assume one core per rank.");
    }
}

/* Where ranks shared cores, and both sides know how it would be without. */
static void prefer_replayed(struct sca_diff_side *before, struct sca_diff_side *after)
{
    bool both = before->replayed && after->replayed && (before->shared || after->shared);
    if (!both)
        before->replayed = after->replayed = NULL;
    if (both) {
        before->own = before->replayed;
        after->own = after->replayed;
    }
}

void sca_diff_view(struct sca_diff_side *before, struct sca_diff_side *after, uint32_t top,
                   struct sca_table *out)
{
    uint32_t n = 0;
    prefer_replayed(before, after);
    struct change *changes = collect(out->space, before, after, &n);
    out->columns = columns;
    out->ncolumns = COLUMNS;
    out->title =
        sca_table_text(out,
                       "%s: own time of each place before and after, core-s%s, "
                       "greatest change first",
                       after->program, before->replayed ? ", assuming one core per rank" : "");
    struct sca_row *row = sca_table_row(out, NULL);
    bool crowded = !before->replayed && (before->shared || after->shared);
    row->label = crowded ? "the whole program, measured on shared cores" : "the whole program";
    row->bold = true;
    fill(row, total(before), total(after), (double)NAN);
    for (uint32_t i = 0; i < n; i++) {
        if (changes[i].before_s <= 0 && changes[i].after_s <= 0)
            continue;
        if (top && out->nrows > top)
            out->left_out++;
        else
            add(out, &changes[i]);
    }
    add_notes(before, after, out);
}
