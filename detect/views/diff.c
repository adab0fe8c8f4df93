#include "views/diff.h"
#include "base/degrees.h"

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

static void add(struct sca_table *t, const struct change *c, bool one_build)
{
    struct sca_row *row = sca_table_row(t, shown(c));
    bool on_both = c->after && c->before;
    /* In one build a place that has no sample is there all the same. */
    if (!on_both && !one_build)
        row->label = sca_table_text(t, "%s (%s)", row->label, c->after ? "new" : "gone");
    else if (on_both && c->before->line != c->after->line)
        row->label = sca_table_text(t, "%s (was line %u)", row->label, c->before->line);
    fill(row, c->before_s, c->after_s, c->before ? c->before->line : (double)NAN);
}

static double sum_of_places(const struct sca_diff_side *side)
{
    double sum = 0;
    for (uint32_t v = 0; v < side->nvertices; v++)
        sum += side->own[v];
    return sum;
}

static double total(const struct sca_diff_side *side)
{
    return side->core_s > 0 ? side->core_s : sum_of_places(side);
}

static void add_named(struct sca_table *out, const char *name, double before, double after)
{
    if (before == 0 && after == 0)
        return;
    sca_table_row(out, NULL)->label = name;
    fill(&out->rows[out->nrows - 1], before, after, (double)NAN);
}

/* What no place has, so that the rows add up to the whole program. */
static void add_rest(const struct sca_diff_side *before, const struct sca_diff_side *after,
                     struct sca_table *out)
{
    bool chance = before->replayed != NULL;
    double chance_before = chance ? before->by_chance : 0;
    double chance_after = chance ? after->by_chance : 0;
    add_named(out, "(waiting, by chance on shared cores)", chance_before, chance_after);
    if (before->core_s > 0 && after->core_s > 0)
        add_named(out, "(rest: transfer, recording, error of measurement)",
                  total(before) - sum_of_places(before) - chance_before,
                  total(after) - sum_of_places(after) - chance_after);
}

static void add_notes(const struct sca_diff_side *before, const struct sca_diff_side *after,
                      struct sca_table *out)
{
    sca_table_note(
        out, "Core-seconds are ranks x duration: time in which ranks wait for others counts.");
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
            "Ranks shared cores, or the machine was busy. The times of MPI calls are replayed "
            "waits, assuming one core per rank. On this basis the program took %.3g s before, "
            "%.3g s after.",
            before->virtual_wall, after->virtual_wall);
    else if (before->shared || after->shared)
        sca_table_note(out, SCA_VIEW_SHARED);
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

/* The greatest changes; all others are one row. */

static void add_places(const struct change *changes, uint32_t n, uint32_t top, bool one_build,
                       struct sca_table *out)
{
    double before = 0, after = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (changes[i].before_s <= 0 && changes[i].after_s <= 0)
            continue;
        bool seen = changes[i].before_s >= SCA_SHOWN_S || changes[i].after_s >= SCA_SHOWN_S;
        if (!top || (seen && out->nrows <= top)) {
            add(out, &changes[i], one_build);
            continue;
        }
        out->left_out++;
        before += changes[i].before_s;
        after += changes[i].after_s;
    }
    if (out->left_out)
        add_named(
            out,
            sca_table_text(out, "(%u other place%s)", out->left_out, out->left_out == 1 ? "" : "s"),
            before, after);
}

static bool is_one_build(const struct sca_diff_side *before, const struct sca_diff_side *after)
{
    return before->report && after->report && before->report->build_id[0] &&
           !strcmp(before->report->build_id, after->report->build_id);
}

void sca_diff_view(struct sca_diff_side *before, struct sca_diff_side *after, uint32_t top,
                   struct sca_table *out)
{
    uint32_t n = 0;
    double slower = sca_diff_slower(before, after);
    prefer_replayed(before, after);
    sca_diff_divide(after, slower);
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
    add_places(changes, n, top, is_one_build(before, after), out);
    add_rest(before, after, out);
    out->answer = sca_diff_answer(before, after, out->space);
    add_notes(before, after, out);
    if (slower != 1)
        sca_table_note(out,
                       "The cores after are %.2f times as %s as before, by a benchmark at the end "
                       "of each run. All times after are %s by that.",
                       slower > 1 ? slower : 1 / slower, slower > 1 ? "slow" : "fast",
                       slower > 1 ? "divided" : "multiplied");
}
