/* Locks: from where threads had one to where others of their rank waited for it. */
#include "library/lock_edges.h"
#include "views/figures.h"
#include "views/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WAITED, SHARE, NRANKS, MOST, MOST_RANK, HELD, LOCK, COLUMNS };

static const struct sca_column columns[COLUMNS] = {
    [WAITED] = {"waiting_s", "waiting", SCA_CELL_SECONDS},
    [SHARE] = {"share", "share", SCA_CELL_SHARE},
    [NRANKS] = {"nranks", "ranks", SCA_CELL_COUNT},
    [MOST] = {"most_s", "most", SCA_CELL_SECONDS},
    [MOST_RANK] = {"most_rank", "rank", SCA_CELL_COUNT},
    [HELD] = {"held_at", "had at", SCA_CELL_TEXT},
    [LOCK] = {"lock", "lock", SCA_CELL_TEXT},
};

struct lock_row { /* of all ranks */
    uint32_t from, to, nranks, rank, most_rank;
    const char *lock; /* "": not known */
    double seconds, most;
    double rank_s; /* of `rank`, the last one */
};

static int by_contexts(const void *a, const void *b)
{
    const struct scalana_edge *x = a, *y = b;
    if (x->from_context != y->from_context)
        return x->from_context < y->from_context ? -1 : 1;
    if (x->to_context != y->to_context)
        return x->to_context < y->to_context ? -1 : 1;
    int order = strcmp(x->lock, y->lock);
    if (order)
        return order;
    return (x->to_location > y->to_location) - (x->to_location < y->to_location);
}

static int by_seconds(const void *a, const void *b)
{
    const struct lock_row *x = a, *y = b;
    if (x->seconds != y->seconds)
        return x->seconds < y->seconds ? 1 : -1;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return x->to != y->to ? (x->to > y->to) - (x->to < y->to) : strcmp(x->lock, y->lock);
}

static void add_edge(struct lock_row *row, const struct scalana_edge *e)
{
    if (!row->nranks || row->rank != e->to_location) {
        row->nranks++;
        row->rank = e->to_location;
        row->rank_s = 0;
    }
    row->seconds += e->seconds;
    row->rank_s += e->seconds;
    if (row->rank_s > row->most) {
        row->most = row->rank_s;
        row->most_rank = row->rank;
    }
}

static bool is_of(const struct lock_row *row, const struct scalana_edge *e)
{
    return row->from == e->from_context && row->to == e->to_context && !strcmp(row->lock, e->lock);
}

/* In the workspace. */
static struct lock_row *sum_up(const struct sca_view_input *in, struct sca_lock_edges *edges,
                               uint32_t *n)
{
    struct lock_row *rows = sca_workspace_alloc(in->space, edges->n, sizeof *rows);
    if (edges->n)
        qsort(edges->of, edges->n, sizeof *edges->of, by_contexts);
    *n = 0;
    for (uint32_t i = 0; i < edges->n; i++) {
        const struct scalana_edge *e = &edges->of[i];
        if (!*n || !is_of(&rows[*n - 1], e))
            rows[(*n)++] =
                (struct lock_row){.from = e->from_context, .to = e->to_context, .lock = e->lock};
        add_edge(&rows[*n - 1], e);
    }
    if (*n)
        qsort(rows, *n, sizeof *rows, by_seconds);
    return rows;
}

static void add_row(const struct sca_view_input *in, const struct lock_row *of, double total,
                    struct sca_table *out)
{
    struct sca_row *row = sca_table_row(out, &in->ppg->vertices[of->to]);
    row->cells[WAITED].number = of->seconds;
    row->cells[SHARE].number = total > 0 ? of->seconds / total : 0;
    row->cells[NRANKS].number = of->nranks;
    row->cells[MOST].number = of->most;
    row->cells[MOST_RANK].number = of->most_rank;
    row->cells[HELD].text = sca_table_place(out, &in->ppg->vertices[of->from]);
    row->cells[LOCK].text = of->lock;
}

/* ---- thread by thread ---- */

enum {
    THREAD_WAITED,
    TIMES_SHARE,
    ON_RANK,
    WAITER,
    HOLDER,
    THREAD_HELD,
    THREAD_LOCK,
    THREAD_COLUMNS
};

static const struct sca_column of_threads[THREAD_COLUMNS] = {
    [THREAD_WAITED] = {"waiting_s", "waiting", SCA_CELL_SECONDS},
    [TIMES_SHARE] = {"share", "share", SCA_CELL_SHARE},
    [ON_RANK] = {"rank", "rank", SCA_CELL_COUNT},
    [WAITER] = {"thread", "thread", SCA_CELL_COUNT},
    [HOLDER] = {"for_thread", "for thread", SCA_CELL_COUNT},
    [THREAD_HELD] = {"held_at", "had at", SCA_CELL_TEXT},
    [THREAD_LOCK] = {"lock", "lock", SCA_CELL_TEXT},
};

static int by_length(const void *a, const void *b)
{
    const struct scalana_edge *x = a, *y = b;
    if (x->seconds != y->seconds)
        return x->seconds < y->seconds ? 1 : -1;
    return by_contexts(a, b);
}

static double number_of(uint32_t thread)
{
    return thread == SCALANA_NONE ? (double)NAN : thread;
}

static void add_edge_row(const struct sca_view_input *in, const struct scalana_edge *e,
                         double total, struct sca_table *out)
{
    struct sca_row *row = sca_table_row(out, &in->ppg->vertices[e->to_context]);
    row->cells[THREAD_WAITED].number = e->seconds;
    row->cells[TIMES_SHARE].number = total > 0 ? e->seconds / total : 0;
    row->cells[ON_RANK].number = e->to_location;
    row->cells[WAITER].number = number_of(e->to_thread);
    row->cells[HOLDER].number = number_of(e->from_thread);
    row->cells[THREAD_HELD].text = sca_table_place(out, &in->ppg->vertices[e->from_context]);
    row->cells[THREAD_LOCK].text = e->lock;
}

static void show_threads(const struct sca_view_input *in, struct sca_lock_edges *edges,
                         struct sca_table *out)
{
    double total = 0;
    bool unknown = false;
    out->columns = of_threads;
    out->ncolumns = THREAD_COLUMNS;
    if (edges->n)
        qsort(edges->of, edges->n, sizeof *edges->of, by_length);
    for (uint32_t i = 0; i < edges->n; i++) {
        total += edges->of[i].seconds;
        unknown |= edges->of[i].to_thread == SCALANA_NONE;
    }
    for (uint32_t i = 0; i < edges->n && !(in->top && i >= in->top); i++)
        add_edge_row(in, &edges->of[i], total, out);
    out->left_out = in->top && edges->n > in->top ? edges->n - in->top : 0;
    if (unknown)
        sca_table_note(out, "Of some waits the threads are not known. On shared cores threads "
                            "seldom meet at a lock; with a core for each they would wait.");
}

static void show_places(const struct sca_view_input *in, struct sca_lock_edges *edges,
                        struct sca_table *out)
{
    double total = 0;
    uint32_t n;
    out->columns = columns;
    out->ncolumns = COLUMNS;
    struct lock_row *rows = sum_up(in, edges, &n);
    for (uint32_t i = 0; i < n; i++)
        total += rows[i].seconds;
    for (uint32_t i = 0; i < n && !(in->top && i >= in->top); i++)
        add_row(in, &rows[i], total, out);
    out->left_out = in->top && n > in->top ? n - in->top : 0;
}

void sca_view_locks(const struct sca_view_input *in, struct sca_table *out)
{
    const struct sca_ppg_run *run = &in->ppg->runs[in->ppg->nruns - 1];
    struct sca_lock_edges edges;
    out->columns = columns;
    out->ncolumns = COLUMNS;
    out->status = sca_lock_edges_find(run, 0, run->nranks, &edges);
    if (out->status != SCALANA_OK)
        return;
    out->title = sca_table_text(out, "%s on %u ranks (%s): where threads wait for locks",
                                in->ppg->program, run->nranks, run->profile->directory);
    if (in->settings->by_thread)
        show_threads(in, &edges, out);
    else
        show_places(in, &edges, out);
    free(edges.of);
    if (!out->nrows)
        sca_table_note(out, "No thread was seen to wait for a lock that another one had.");
}
