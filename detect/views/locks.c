/* Locks: from where threads had one to where others of their rank waited for it. */
#include "graph/same_place.h"
#include "library/lock_edges.h"
#include "views/call_names.h"
#include "views/figures.h"
#include "views/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WAITED, SHARE, NRANKS, MOST, MOST_RANK, NPATHS, HELD, LOCK, COLUMNS };

static const struct sca_column columns[COLUMNS] = {
    [WAITED] = {"waiting_s", "waiting", SCA_CELL_SECONDS},
    [SHARE] = {"share", "share", SCA_CELL_SHARE},
    [NRANKS] = {"nranks", "ranks", SCA_CELL_COUNT},
    [MOST] = {"most_s", "most", SCA_CELL_SECONDS},
    [MOST_RANK] = {"most_rank", "rank", SCA_CELL_COUNT},
    [NPATHS] = {"ncall_paths", NULL, SCA_CELL_COUNT},
    [HELD] = {"held_at", "had at", SCA_CELL_TEXT},
    [LOCK] = {"lock", "lock", SCA_CELL_TEXT},
};

enum { MOST_PATHS_TOLD = 4 };

struct lock_row {      /* of all ranks and call paths */
    uint32_t from, to; /* of the path that takes longest */
    uint32_t nranks, rank, most_rank, npaths;
    const char *lock; /* "": not known */
    const char *paths;
    double seconds, most;
    double rank_s; /* of `rank`, the last one */
};

struct lock_path { /* of a row */
    uint32_t from, to;
    double seconds;
};

static int rising(uint32_t x, uint32_t y)
{
    return (x > y) - (x < y);
}

/* Places stand for their vertices. */
static int by_places(const void *a, const void *b, void *places)
{
    const struct scalana_edge *x = a, *y = b;
    const uint32_t *place = places;
    int order = rising(place[x->from_context], place[y->from_context]);
    if (!order)
        order = rising(place[x->to_context], place[y->to_context]);
    if (!order)
        order = strcmp(x->lock, y->lock);
    return order ? order : rising(x->to_location, y->to_location);
}

static bool is_same_row(const struct scalana_edge *a, const struct scalana_edge *b,
                        const uint32_t *place)
{
    return place[a->from_context] == place[b->from_context] &&
           place[a->to_context] == place[b->to_context] && !strcmp(a->lock, b->lock);
}

static int by_contexts(const void *a, const void *b)
{
    const struct scalana_edge *x = a, *y = b;
    int order = rising(x->from_context, y->from_context);
    if (!order)
        order = rising(x->to_context, y->to_context);
    if (!order)
        order = strcmp(x->lock, y->lock);
    return order ? order : rising(x->to_location, y->to_location);
}

static int by_seconds(const void *a, const void *b)
{
    const struct lock_row *x = a, *y = b;
    if (x->seconds != y->seconds)
        return x->seconds < y->seconds ? 1 : -1;
    int order = rising(x->from, y->from);
    if (!order)
        order = rising(x->to, y->to);
    return order ? order : strcmp(x->lock, y->lock);
}

static int longest_path(const void *a, const void *b)
{
    const struct lock_path *x = a, *y = b;
    if (x->seconds != y->seconds)
        return x->seconds < y->seconds ? 1 : -1;
    return x->from != y->from ? rising(x->from, y->from) : rising(x->to, y->to);
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

/* The call paths of a row's edges, the longest first, in the workspace. */
static struct lock_path *paths_of(struct sca_workspace *space, struct scalana_edge *edges,
                                  uint32_t nedges, uint32_t *n)
{
    struct lock_path *paths = sca_workspace_alloc(space, nedges, sizeof *paths);
    qsort(edges, nedges, sizeof *edges, by_contexts);
    *n = 0;
    for (uint32_t i = 0; i < nedges; i++) {
        const struct scalana_edge *e = &edges[i];
        if (!*n || paths[*n - 1].from != e->from_context || paths[*n - 1].to != e->to_context)
            paths[(*n)++] = (struct lock_path){e->from_context, e->to_context, 0};
        paths[*n - 1].seconds += e->seconds;
    }
    qsort(paths, *n, sizeof *paths, longest_path);
    return paths;
}

/* One a line: how long, where the waiting threads come from and where who had it. */
static const char *tell_paths(struct sca_table *out, const struct sca_ppg *ppg,
                              const struct lock_path *paths, uint32_t n)
{
    const char *text = sca_table_text(out, "%u call paths:", n);
    for (uint32_t i = 0; i < n && i < MOST_PATHS_TOLD; i++)
        text = sca_table_text(
            out, "%s\n%s: waited in %s; had in %s", text, sca_table_duration(out, paths[i].seconds),
            sca_call_path(out, ppg, paths[i].to), sca_call_path(out, ppg, paths[i].from));
    return n > MOST_PATHS_TOLD ? sca_table_text(out, "%s\nand %u more", text, n - MOST_PATHS_TOLD)
                               : text;
}

static void fill_row(const struct sca_view_input *in, struct scalana_edge *edges, uint32_t n,
                     struct sca_table *out, struct lock_row *row)
{
    *row = (struct lock_row){.lock = edges[0].lock};
    for (uint32_t i = 0; i < n; i++)
        add_edge(row, &edges[i]);
    const struct lock_path *paths = paths_of(in->space, edges, n, &row->npaths);
    row->from = paths[0].from;
    row->to = paths[0].to;
    row->paths = row->npaths > 1 ? tell_paths(out, in->ppg, paths, row->npaths) : NULL;
}

/* In the workspace. */
static struct lock_row *sum_up(const struct sca_view_input *in, struct sca_lock_edges *edges,
                               struct sca_table *out, uint32_t *n)
{
    struct lock_row *rows = sca_workspace_alloc(in->space, edges->n, sizeof *rows);
    uint32_t *place = sca_same_place_find(in->space, in->ppg);
    if (edges->n)
        qsort_r(edges->of, edges->n, sizeof *edges->of, by_places, place);
    *n = 0;
    for (uint32_t i = 0, end; i < edges->n; i = end) {
        for (end = i + 1; end < edges->n; end++)
            if (!is_same_row(&edges->of[i], &edges->of[end], place))
                break;
        fill_row(in, &edges->of[i], end - i, out, &rows[(*n)++]);
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
    row->cells[NPATHS].number = of->npaths;
    row->cells[HELD].text = sca_table_place(out, &in->ppg->vertices[of->from]);
    row->cells[LOCK].text = of->lock;
    row->detail = of->paths;
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
    struct lock_row *rows = sum_up(in, edges, out, &n);
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
