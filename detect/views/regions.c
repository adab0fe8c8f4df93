/* Parallel regions of OpenMP: how long each takes, and what of it its threads lose. */
#include "threads/regions.h"
#include "views/figures.h"
#include "views/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { KIND, TIME, SHARE, THREADS, NRANKS, MOST, MOST_RANK, UNEVEN, RATIO, LOCKS, TASKS, COLUMNS };

static const struct sca_column columns[COLUMNS] = {
    [KIND] = {"region", "region", SCA_CELL_TEXT},
    [TIME] = {"time_s", "time", SCA_CELL_SECONDS},
    [SHARE] = {"share", "share", SCA_CELL_SHARE},
    [THREADS] = {"nthreads", "threads", SCA_CELL_COUNT},
    [NRANKS] = {"nranks", "ranks", SCA_CELL_COUNT},
    [MOST] = {"most_s", "most", SCA_CELL_SECONDS},
    [MOST_RANK] = {"most_rank", "rank", SCA_CELL_COUNT},
    [UNEVEN] = {"uneven_s", "uneven", SCA_CELL_SECONDS},
    [RATIO] = {"ratio", "busiest", SCA_CELL_RATIO},
    [LOCKS] = {"locks_s", "locks", SCA_CELL_SECONDS},
    [TASKS] = {"tasks_s", "tasks", SCA_CELL_SECONDS},
};

struct region_row {  /* of all ranks; seconds that there are none of are NAN */
    uint32_t vertex; /* SCA_NONE: outside regions */
    const char *kind;
    bool of_tasks;
    uint32_t threads, nranks, most_rank;
    double seconds, most, rank_s;
    uint32_t rank; /* that rank_s is of: the last one */
    double uneven, locks, tasks;
};

static struct region_row new_row(uint32_t vertex, const char *kind)
{
    return (struct region_row){
        .vertex = vertex, .kind = kind, .rank = SCA_NONE, .most_rank = SCA_NONE, .tasks = NAN};
}

static void add_seconds(struct region_row *row, uint32_t rank, double seconds)
{
    row->nranks += row->rank != rank;
    row->rank_s = row->rank == rank ? row->rank_s + seconds : seconds;
    row->rank = rank;
    row->seconds += seconds;
    if (row->rank_s > row->most) {
        row->most = row->rank_s;
        row->most_rank = rank;
    }
}

/* Cells are in the order of their places, and of the ranks in each. */
static uint32_t add_regions(const struct sca_regions *regions, struct region_row *rows)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < regions->n; i++) {
        const struct sca_region_cell *cell = &regions->cells[i];
        const char *kind = cell->inner ? "inner" : "outer";
        if (!i || cell->vertex != cell[-1].vertex || cell->inner != cell[-1].inner)
            rows[n++] = new_row(cell->vertex, kind);
        struct region_row *row = &rows[n - 1];
        add_seconds(row, cell->rank, cell->seconds[SCA_REGION_ALL]);
        row->uneven += cell->seconds[SCA_REGION_UNEVEN];
        row->locks += cell->seconds[SCA_REGION_CONTENDED];
        row->threads = cell->threads > row->threads ? cell->threads : row->threads;
    }
    return n;
}

/* What a long task loses is uneven; of others it is what they depend on. */
static uint32_t add_tasks(const struct sca_regions *regions, struct region_row *rows)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < regions->nchains; i++) {
        const struct sca_chain_cell *cell = &regions->chains[i];
        if (!i || cell->vertex != cell[-1].vertex || cell->alone != cell[-1].alone) {
            rows[n] = new_row(cell->vertex, cell->alone ? "task" : "tasks");
            rows[n].of_tasks = true;
            rows[n].uneven = cell->alone ? 0 : NAN;
            rows[n].tasks = cell->alone ? NAN : 0;
            rows[n].locks = NAN;
            n++;
        }
        struct region_row *row = &rows[n - 1];
        add_seconds(row, cell->rank, cell->seconds);
        row->uneven += cell->seconds;
        row->tasks += cell->seconds;
        row->threads = cell->threads > row->threads ? cell->threads : row->threads;
    }
    return n;
}

/* What ranks compute, each thread with a core of its own. */
static double *rank_seconds(const struct sca_view_input *in, const struct sca_ppg_run *run)
{
    double *of = sca_workspace_alloc(in->space, run->nranks, sizeof *of);
    for (uint32_t v = 0; v < in->ppg->nvertices; v++)
        for (uint32_t r = 0; r < run->nranks; r++) {
            size_t at = (size_t)v * run->nranks + r;
            of[r] += run->comp[at] - run->blocked[at];
        }
    return of;
}

/* By one thread of each rank: what is left of its time. */
static struct region_row outside(const struct sca_regions *regions, const double *of_rank,
                                 uint32_t nranks)
{
    struct region_row row = new_row(SCA_NONE, "outside");
    row.threads = 1;
    row.uneven = row.locks = NAN;
    for (uint32_t r = 0; r < nranks; r++) {
        double left = of_rank[r];
        for (uint32_t i = 0; i < regions->n; i++)
            if (regions->cells[i].rank == r && !regions->cells[i].inner)
                left -= regions->cells[i].seconds[SCA_REGION_ALL];
        add_seconds(&row, r, fmax(0, left));
    }
    return row;
}

static int by_seconds(const void *a, const void *b)
{
    const struct region_row *x = a, *y = b;
    if (x->seconds != y->seconds)
        return x->seconds < y->seconds ? 1 : -1;
    return (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

static void show_row(const struct sca_view_input *in, const struct region_row *of, double total,
                     struct sca_table *out)
{
    bool has_place = of->vertex != SCA_NONE;
    struct sca_row *row = sca_table_row(out, has_place ? &in->ppg->vertices[of->vertex] : NULL);
    double even = of->seconds - of->uneven - of->locks;
    if (!has_place)
        row->label = "outside regions";
    row->cells[KIND].text = of->kind;
    row->cells[TIME].number = of->of_tasks ? NAN : of->seconds;
    row->cells[SHARE].number = of->of_tasks || total <= 0 ? NAN : of->seconds / total;
    row->cells[THREADS].number = of->threads;
    row->cells[NRANKS].number = of->nranks;
    row->cells[MOST].number = of->most;
    row->cells[MOST_RANK].number = of->most_rank == SCA_NONE ? NAN : of->most_rank;
    row->cells[UNEVEN].number = of->uneven;
    row->cells[RATIO].number = even > 0 && !of->of_tasks ? (even + of->uneven) / even : NAN;
    row->cells[LOCKS].number = of->locks;
    row->cells[TASKS].number = of->tasks;
}

static void show(const struct sca_view_input *in, const struct sca_ppg_run *run,
                 const struct sca_regions *regions, struct sca_table *out)
{
    struct region_row *rows =
        sca_workspace_alloc(in->space, regions->n + regions->nchains + 1ul, sizeof *rows);
    const double *of_rank = rank_seconds(in, run);
    double total = 0;
    uint32_t n = add_regions(regions, rows);
    n += add_tasks(regions, rows + n);
    rows[n++] = outside(regions, of_rank, run->nranks);
    qsort(rows, n, sizeof *rows, by_seconds);
    for (uint32_t r = 0; r < run->nranks; r++)
        total += of_rank[r];
    for (uint32_t i = 0; i < n && !(in->top && i >= in->top); i++)
        show_row(in, &rows[i], total, out);
    out->left_out = in->top && n > in->top ? n - in->top : 0;
}

void sca_view_regions(const struct sca_view_input *in, struct sca_table *out)
{
    const struct sca_ppg_run *run = &in->ppg->runs[in->ppg->nruns - 1];
    struct sca_regions regions;
    out->columns = columns;
    out->ncolumns = COLUMNS;
    out->title = sca_table_text(out, "%s on %u ranks (%s): parallel regions of OpenMP",
                                in->ppg->program, run->nranks, run->profile->directory);
    sca_regions_read(in->space, in->ppg, run, &regions);
    if (!regions.n) {
        sca_table_note(out, "No rank has a parallel region of OpenMP that was followed.");
        return;
    }
    show(in, run, &regions, out);
    sca_table_note(out, "Times are of all ranks, as if each thread had a core. The column busiest "
                        "has how many times the mean the busiest thread takes. The others have "
                        "what the region takes beyond even threads (uneven), for locks, and "
                        "because tasks depend on each other (tasks).");
}
