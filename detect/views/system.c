/* The system tree of the largest run: machine, hosts, packages, cores, ranks, with metrics. */
#include "base/degrees.h"
#include "topology/ran_on.h"
#include "topology/system.h"
#include "views/layers.h"
#include "views/selection.h"
#include "views/looking.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEVEL, NRANKS, RANKS, CORES, CORE_WAIT, FIXED_COLUMNS };
enum level { MACHINE, HOST, PACKAGE, CORE, LOCATION, THREAD, LEVELS };

static const char *const levels[LEVELS] = {"machine", "host", "package", "core", "rank", "thread"};

static const struct sca_column fixed[FIXED_COLUMNS] = {
    [LEVEL] = {"level", NULL, SCA_CELL_TEXT},
    [NRANKS] = {"nranks", "ranks", SCA_CELL_COUNT},
    [RANKS] = {"ranks", NULL, SCA_CELL_SERIES},
    [CORES] = {"cores", NULL, SCA_CELL_TEXT},
    [CORE_WAIT] = {"core_wait_s", NULL, SCA_CELL_SECONDS},
};

enum { MANY = 16, BUSIEST = 4 }; /* threads of a rank */

struct system_rows {
    const struct sca_view_input *in;
    const struct sca_selection *s;
    struct sca_table *out;
    struct sca_system system;
    struct sca_layers layers;
    struct sca_threads threads;
    const double *by_thread[SCA_MOST_LAYERS]; /* NULL: threads have none of it */
    uint32_t *order, n;                       /* selected ranks, as numbers in the selection */
    enum level deepest;                       /* that is shown */
};

/* ---- cores ---- */

/* "0 (64 %), 1 (36 %)" */
static size_t put_cores(const struct sca_ran_on *of, char *text, size_t size)
{
    enum { SHOWN = 4 };
    size_t used = 0, at = 0;
    uint32_t core;
    double part;
    for (int i = 0; i < SHOWN && sca_ran_on_part(of, &at, &core, &part); i++)
        used += (size_t)snprintf(text + used, size - used, "%s%u (%.0f %%)", used ? ", " : "", core,
                                 100 * part);
    if (at < of->length && used)
        used += (size_t)snprintf(text + used, size - used, " ...");
    return used;
}

/* Where a rank's thread ran and what it waited; in text, if it waited for long. */
static void tell_cores(const struct system_rows *t, struct sca_row *row, uint32_t rank,
                       uint32_t thread)
{
    const struct sca_rank *r = &t->s->source.run->profile->ranks[rank];
    const struct sca_ran_on of = sca_ran_on_of(r, thread);
    char cores[160] = "";
    row->cells[CORES].text = sca_table_text(t->out, "%.*s", (int)of.length, of.cores);
    row->cells[CORE_WAIT].number = of.waited;
    if (of.waited < SCA_EQUAL_RANKS * 1e-9 * (double)r->wall_ns || of.waited <= 0)
        return;
    size_t used = put_cores(&of, cores, sizeof cores);
    row->detail = sca_table_text(t->out, "%s%s%swaited %.3g s for a core", used ? "on cores " : "",
                                 cores, used ? ", " : "", of.waited);
}

/* ---- one row ---- */

static const struct sca_location *at(const struct system_rows *t, uint32_t i)
{
    return &t->system.locations[t->s->ranks[t->order[i]]];
}

static struct sca_cell series(const struct system_rows *t, uint32_t first, uint32_t end)
{
    double *ranks = sca_workspace_alloc(t->in->space, end - first, sizeof *ranks);
    for (uint32_t i = first; i < end; i++)
        ranks[i - first] = t->s->ranks[t->order[i]];
    return (struct sca_cell){.series = ranks, .count = end - first};
}

/* NULL: it lies too deep. */
static struct sca_row *begin_row(struct system_rows *t, enum level level, uint32_t depth,
                                 uint32_t first, uint32_t end)
{
    if (level > t->deepest) {
        t->out->left_out++;
        return NULL;
    }
    struct sca_row *row = sca_table_row(t->out, NULL);
    row->depth = depth;
    row->cells[LEVEL].text = levels[level];
    row->cells[NRANKS].number = end - first;
    row->cells[RANKS] = series(t, first, end);
    row->cells[CORES].text = "";
    row->cells[CORE_WAIT].number = (double)NAN;
    return row;
}

static void add_row(struct system_rows *t, enum level level, uint32_t depth, uint32_t first,
                    uint32_t end, const char *label)
{
    struct sca_row *row = begin_row(t, level, depth, first, end);
    if (!row)
        return;
    row->label = label;
    if ((level == LOCATION || level == CORE) && end == first + 1 && t->threads.n < 2)
        tell_cores(t, row, t->s->ranks[t->order[first]], 0);
    for (uint32_t k = 0; k < t->layers.n; k++)
        row->cells[FIXED_COLUMNS + k].number =
            sca_selection_of_some(t->s, &t->layers.of[k], &t->order[first], end - first);
}

/* ---- threads ---- */

static void add_thread(struct system_rows *t, uint32_t depth, uint32_t i, uint32_t thread)
{
    size_t at_thread = (size_t)t->s->ranks[t->order[i]] * t->threads.n + thread;
    struct sca_row *row = begin_row(t, THREAD, depth, i, i + 1);
    if (!row)
        return;
    row->label = sca_table_text(t->out, "thread %u", thread);
    tell_cores(t, row, t->s->ranks[t->order[i]], thread);
    for (uint32_t k = 0; k < t->layers.n; k++)
        row->cells[FIXED_COLUMNS + k].number =
            t->by_thread[k] ? t->by_thread[k][at_thread] : (double)NAN;
}

static bool has_any(const struct system_rows *t, uint32_t i, uint32_t thread)
{
    size_t at_thread = (size_t)t->s->ranks[t->order[i]] * t->threads.n + thread;
    bool any = false;
    for (uint32_t k = 0; k < t->layers.n; k++)
        any |= t->by_thread[k] && t->by_thread[k][at_thread] > 0;
    return any;
}

struct busy_thread {
    uint32_t thread;
    double seconds;
};

static int by_seconds(const void *a, const void *b)
{
    const struct busy_thread *x = a, *y = b;
    if (x->seconds != y->seconds)
        return x->seconds < y->seconds ? 1 : -1;
    return (x->thread > y->thread) - (x->thread < y->thread);
}

/* By the first layer that threads have. */
static double seconds_of(const struct system_rows *t, uint32_t i, uint32_t thread)
{
    size_t at_thread = (size_t)t->s->ranks[t->order[i]] * t->threads.n + thread;
    for (uint32_t k = 0; k < t->layers.n; k++)
        if (t->by_thread[k])
            return t->by_thread[k][at_thread];
    return 0;
}

static void add_quantile(struct system_rows *t, uint32_t depth, uint32_t i, const char *name,
                         const struct busy_thread *at, uint32_t n)
{
    uint32_t before = t->out->nrows;
    add_thread(t, depth, i, at->thread);
    if (t->out->nrows > before)
        t->out->rows[before].label =
            sca_table_text(t->out, "%s of %u threads: thread %u", name, n, at->thread);
}

/* Of very many the busiest, then the median and the least. */
static void add_some(struct system_rows *t, uint32_t depth, uint32_t i,
                     const struct busy_thread *of, uint32_t n)
{
    for (uint32_t k = 0; k < n && k < BUSIEST; k++)
        add_thread(t, depth, i, of[k].thread);
    add_quantile(t, depth, i, "median", &of[n / 2], n);
    add_quantile(t, depth, i, "least", &of[n - 1], n);
}

/* Those that samples fell on, where a rank has several. */
static void add_threads(struct system_rows *t, uint32_t depth, uint32_t i)
{
    struct busy_thread *of = sca_workspace_alloc(t->in->space, t->threads.n, sizeof *of);
    uint32_t n = 0;
    for (uint32_t thread = 0; thread < t->threads.n && t->threads.n > 1; thread++)
        if (has_any(t, i, thread))
            of[n++] = (struct busy_thread){thread, seconds_of(t, i, thread)};
    if (n > MANY) {
        qsort(of, n, sizeof *of, by_seconds);
        add_some(t, depth, i, of, n);
        return;
    }
    for (uint32_t k = 0; k < n; k++)
        add_thread(t, depth, i, of[k].thread);
}

static void load_threads(struct system_rows *t)
{
    sca_threads_find(t->in->space, t->s->source.run->profile, &t->threads);
    sca_layers_load(t->in->space, t->s,
                    t->threads.n > 1 ? SCA_LAYERS_OF_RANKS | SCA_LAYERS_OF_THREADS
                                     : SCA_LAYERS_OF_RANKS,
                    t->out, &t->layers);
    for (uint32_t k = 0; k < t->layers.n && t->threads.n > 1; k++)
        t->by_thread[k] =
            sca_layers_by_thread(t->in->space, t->s, t->layers.of[k].metric, &t->threads);
}

/* ---- levels ---- */

static bool is_same(const struct sca_location *a, const struct sca_location *b, enum level level)
{
    return a->host == b->host && (level < PACKAGE || a->package == b->package) &&
           (level < CORE || a->core == b->core);
}

static uint32_t end_of(const struct system_rows *t, uint32_t first, enum level level)
{
    uint32_t end = first + 1;
    while (end < t->n && is_same(at(t, first), at(t, end), level))
        end++;
    return end;
}

/* How it was bound, where that is not the same for all; a note says it then. */
static const char *rank_label(const struct system_rows *t, uint32_t i)
{
    uint32_t rank = t->s->ranks[t->order[i]], all = t->system.nranks;
    const struct sca_location *l = at(t, i);
    if (l->core >= 0 || t->system.unbound == all || t->system.unknown == all)
        return sca_table_text(t->out, "rank %u", rank);
    if (!strcmp(l->cores, "all"))
        return sca_table_text(t->out, "rank %u, not bound", rank);
    if (!*l->cores)
        return sca_table_text(t->out, "rank %u, binding unknown", rank);
    return sca_table_text(t->out, "rank %u, bound to cores %s", rank,
                          l->package >= 0 ? strchr(l->cores, ':') + 1 : l->cores);
}

static void add_ranks(struct system_rows *t, uint32_t depth, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++) {
        add_row(t, LOCATION, depth, i, i + 1, rank_label(t, i));
        add_threads(t, depth + 1, i);
    }
}

/* A core with one rank is told in one row. */
static void add_cores(struct system_rows *t, uint32_t depth, uint32_t first, uint32_t end)
{
    for (uint32_t i = first, next; i < end; i = next) {
        int32_t core = at(t, i)->core;
        next = end_of(t, i, CORE);
        if (core < 0) {
            add_ranks(t, depth, i, next);
        } else if (next == i + 1) {
            add_row(t, CORE, depth, i, next,
                    sca_table_text(t->out, "core %d: %s", core, rank_label(t, i)));
            add_threads(t, depth + 1, i);
        } else {
            add_row(t, CORE, depth, i, next, sca_table_text(t->out, "core %d", core));
            add_ranks(t, depth + 1, i, next);
        }
    }
}

static void add_packages(struct system_rows *t, uint32_t depth, uint32_t first, uint32_t end)
{
    for (uint32_t i = first, next; i < end; i = next) {
        int32_t package = at(t, i)->package;
        next = end_of(t, i, PACKAGE);
        if (package < 0) {
            add_ranks(t, depth, i, next);
            continue;
        }
        add_row(t, PACKAGE, depth, i, next, sca_table_text(t->out, "package %d", package));
        add_cores(t, depth + 1, i, next);
    }
}

static void add_hosts(struct system_rows *t)
{
    const struct sca_profile *p = t->s->source.run->profile;
    for (uint32_t i = 0, next; i < t->n; i = next) {
        const struct sca_rank *lowest = &p->ranks[t->system.lowest[at(t, i)->host]];
        next = end_of(t, i, HOST);
        add_row(t, HOST, 1, i, next,
                sca_table_text(t->out, "host %s%s%s%s", lowest->host, *lowest->address ? " (" : "",
                               lowest->address, *lowest->address ? ")" : ""));
        add_packages(t, 2, i, next);
    }
}

static void add_all(struct system_rows *t)
{
    t->out->nrows = t->out->left_out = 0;
    add_row(t, MACHINE, 0, 0, t->n,
            t->system.nhosts == 1
                ? "machine, of one host"
                : sca_table_text(t->out, "machine, of %u hosts", t->system.nhosts));
    add_hosts(t);
}

/* As deep as there is room for: to the hosts at least. */
static void add_what_fits(struct system_rows *t)
{
    for (t->deepest = THREAD; t->deepest >= HOST; t->deepest--) {
        add_all(t);
        if (!t->in->top || t->out->nrows <= t->in->top)
            break;
    }
    if (t->deepest < HOST) {
        t->out->left_out += t->out->nrows - t->in->top;
        t->out->nrows = t->in->top;
    }
}

/* ---- all of it ---- */

/* Selected ranks in the order of the hardware. */
static void put_in_order(struct system_rows *t)
{
    uint32_t *all = sca_workspace_alloc(t->in->space, t->system.nranks, sizeof *all);
    uint32_t *number = sca_workspace_alloc(t->in->space, t->system.nranks, sizeof *number);
    uint32_t n = sca_system_order(t->in->space, &t->system, all);
    t->order = sca_workspace_alloc(t->in->space, n, sizeof *t->order);
    for (uint32_t i = 0; i < t->s->nranks; i++)
        number[t->s->ranks[i]] = i + 1;
    for (uint32_t i = 0; i < n; i++)
        if (number[all[i]])
            t->order[t->n++] = number[all[i]] - 1;
}

static void note_bindings(const struct system_rows *t)
{
    const struct sca_system *s = &t->system;
    if (s->unknown == s->nranks)
        sca_table_note(t->out, "The run does not record the ranks' binding to cores: an older "
                               "release recorded it, or the kernel hides it.");
    else if (s->unbound == s->nranks)
        sca_table_note(t->out,
                       "No rank was bound to a core or a package. Launcher options for binding: "
                       "--bind-to and --map-by (Open MPI), -bind-to (MPICH), --cpu-bind (Slurm).");
}

static void show(const struct sca_view_input *in, const struct sca_analysis *c,
                 struct sca_table *out)
{
    struct sca_selection *s;
    out->status = sca_selection_make(in, c, &s);
    if (out->status != SCALANA_OK)
        return;
    struct system_rows t = {.in = in, .s = s, .out = out};
    sca_system_make(in->space, s->source.run->profile, &t.system);
    load_threads(&t);
    sca_layers_columns(&t.layers, fixed, FIXED_COLUMNS, out);
    put_in_order(&t);
    out->title = sca_table_text(out, "%s on %u ranks%s%s: the system%s", in->ppg->program,
                                s->source.run->nranks, in->settings->root ? ", of " : "",
                                in->settings->root ? in->settings->root : "",
                                s->metric ? "" : " (core-seconds)");
    if (t.n)
        add_what_fits(&t);
    note_bindings(&t);
}

void sca_view_system(const struct sca_view_input *in, struct sca_table *out)
{
    sca_looking_at(in, show, out);
}
