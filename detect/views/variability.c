/* What makes some of several runs on the same number of ranks slower: each place's part in how the
 * time of the runs differs, and its time in the fastest, the usual and the slowest of them. */
#include "views/figures.h"
#include "views/view.h"
#include "sca_error.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_CAUSES = 3 };

enum { PART, DIFFERENCE, FASTEST, USUAL, SLOWEST, SPREAD, RUNS, COLUMNS };

static const struct sca_column columns[COLUMNS] = {
    [PART] = {"part", "part", SCA_CELL_SHARE},
    [DIFFERENCE] = {"difference_s", "differs", SCA_CELL_SIGNED},
    [FASTEST] = {"fastest_s", "fastest", SCA_CELL_SECONDS},
    [USUAL] = {"usual_s", "usual", SCA_CELL_SECONDS},
    [SLOWEST] = {"slowest_s", "slowest", SCA_CELL_SECONDS},
    [SPREAD] = {"deviation_s", NULL, SCA_CELL_SECONDS},
    [RUNS] = {"runs_s", NULL, SCA_CELL_SERIES}, /* in the order of the report's runs */
};

struct repeated { /* runs first ... first + n - 1 of the graph */
    uint32_t first, n;
    double **own;  /* [run][vertex]: seconds of the mean rank */
    double *whole; /* per run */
    uint32_t fastest, usual, slowest;
};

struct place_time {
    const struct sca_source_place *place;
    double *seconds, part, deviation; /* seconds: per run */
};

/* The greatest number of ranks that more than one run is on; n is 1 if there is none. */
static void find_repeated(const struct sca_ppg *ppg, struct repeated *out)
{
    for (uint32_t end = ppg->nruns, first; end; end = first) {
        for (first = end - 1; first && ppg->runs[first - 1].nranks == ppg->runs[end - 1].nranks;)
            first--;
        *out = (struct repeated){.first = first, .n = end - first};
        if (out->n > 1)
            return;
    }
}

static void measure(const struct sca_view_input *in, struct repeated *r)
{
    r->own = sca_workspace_alloc(in->space, r->n, sizeof *r->own);
    r->whole = sca_workspace_alloc(in->space, r->n, sizeof *r->whole);
    for (uint32_t i = 0; i < r->n; i++) {
        struct sca_figures f;
        sca_figures_replayed(in->space, in->ppg, r->first + i, in->waits, &f);
        r->own[i] = f.own;
        r->whole[i] = f.total / f.run->nranks;
        for (uint32_t v = 0; v < in->ppg->nvertices; v++)
            f.own[v] /= f.run->nranks;
    }
}

static double mean_of(const double *values, uint32_t n)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += values[i];
    return sum / n;
}

/* The usual run is the one whose time is nearest to the mean, but for the two at the ends. */
static void find_three(struct repeated *r)
{
    double mean = mean_of(r->whole, r->n);
    for (uint32_t i = 1; i < r->n; i++) {
        r->fastest = r->whole[i] < r->whole[r->fastest] ? i : r->fastest;
        r->slowest = r->whole[i] > r->whole[r->slowest] ? i : r->slowest;
    }
    r->usual = SCA_NONE;
    for (uint32_t i = 0; i < r->n; i++)
        if (i != r->fastest && i != r->slowest &&
            (r->usual == SCA_NONE || fabs(r->whole[i] - mean) < fabs(r->whole[r->usual] - mean)))
            r->usual = i;
}

/* How much of what runs differ by is the place's: the slope of its time over that of the runs.
 * The parts of all places add up to one. */
static void fill_part(const struct repeated *r, struct place_time *p)
{
    double mean = mean_of(p->seconds, r->n), whole = mean_of(r->whole, r->n);
    double with = 0, square = 0, own = 0;
    for (uint32_t i = 0; i < r->n; i++) {
        with += (p->seconds[i] - mean) * (r->whole[i] - whole);
        square += (r->whole[i] - whole) * (r->whole[i] - whole);
        own += (p->seconds[i] - mean) * (p->seconds[i] - mean);
    }
    p->part = square > 0 ? with / square : (double)NAN;
    p->deviation = sqrt(own / (r->n - 1));
}

static struct place_time time_of(const struct sca_view_input *in, const struct repeated *r,
                                 const struct sca_source_place *place)
{
    struct place_time p = {.place = place};
    p.seconds = sca_workspace_alloc(in->space, r->n, sizeof *p.seconds);
    for (uint32_t i = 0; i < r->n; i++)
        for (uint32_t k = 0; k < place->count; k++)
            p.seconds[i] += r->own[i][place->vertices[k]];
    fill_part(r, &p);
    return p;
}

/* Those that make slow runs slow first, then what differs without that. */
static int by_part(const void *a, const void *b)
{
    const struct place_time *x = a, *y = b;
    if (x->part != y->part && !isnan(x->part) && !isnan(y->part))
        return x->part < y->part ? 1 : -1;
    if (x->deviation != y->deviation)
        return x->deviation < y->deviation ? 1 : -1;
    return (x->place > y->place) - (x->place < y->place);
}

static void fill(const struct repeated *r, double *seconds, double part, double deviation,
                 struct sca_row *row)
{
    struct sca_cell *c = row->cells;
    c[PART].number = part;
    c[DIFFERENCE].number = seconds[r->slowest] - seconds[r->fastest];
    c[FASTEST].number = seconds[r->fastest];
    c[USUAL].number = r->usual == SCA_NONE ? (double)NAN : seconds[r->usual];
    c[SLOWEST].number = seconds[r->slowest];
    c[SPREAD].number = deviation;
    c[RUNS] = (struct sca_cell){.series = seconds, .count = r->n};
}

static void add_places(const struct sca_view_input *in, const struct repeated *r,
                       struct sca_table *out)
{
    uint32_t n = 0, used = 0;
    struct sca_source_place *places = sca_figures_places_of(in->space, in->ppg, &n);
    struct place_time *times = sca_workspace_alloc(in->space, n, sizeof *times);
    for (uint32_t i = 0; i < n; i++) {
        times[used] = time_of(in, r, &places[i]);
        used += mean_of(times[used].seconds, r->n) > 0;
    }
    if (used)
        qsort(times, used, sizeof *times, by_part);
    for (uint32_t i = 0; i < used; i++) {
        const struct place_time *p = &times[i];
        if (in->top && i >= in->top) {
            out->left_out++;
            continue;
        }
        struct sca_row *row = sca_table_row(out, &in->ppg->vertices[p->place->vertices[0]]);
        row->bold = i < MOST_CAUSES && p->part > 0;
        fill(r, p->seconds, p->part, p->deviation, row);
    }
}

static void add_whole(const struct repeated *r, struct sca_table *out)
{
    double mean = mean_of(r->whole, r->n), square = 0;
    struct sca_row *row = sca_table_row(out, NULL);
    for (uint32_t i = 0; i < r->n; i++)
        square += (r->whole[i] - mean) * (r->whole[i] - mean);
    row->label = "the whole run";
    row->bold = true;
    fill(r, r->whole, square > 0 ? 1 : (double)NAN, sqrt(square / (r->n - 1)), row);
}

static void note_runs(const struct sca_view_input *in, const struct repeated *r,
                      struct sca_table *out)
{
    const struct sca_ppg_run *runs = in->ppg->runs + r->first;
    sca_table_note(out, "Fastest is %s, slowest %s.", runs[r->fastest].profile->directory,
                   runs[r->slowest].profile->directory);
    if (r->usual != SCA_NONE)
        sca_table_note(out, "Typical is %s, nearest to the mean.",
                       runs[r->usual].profile->directory);
    sca_table_note(out,
                   "part: rise of a place's time per second of the run, over all %u runs; the "
                   "parts add up to 1. Times are those of the mean rank, MPI included.",
                   r->n);
}

void sca_view_variability(const struct sca_view_input *in, struct sca_table *out)
{
    struct repeated r;
    find_repeated(in->ppg, &r);
    out->columns = columns;
    out->ncolumns = COLUMNS;
    if (r.n < 2) {
        out->status = sca_fail(SCA_EINVAL, "--view=variability compares runs on the same number of "
                                           "ranks; no two of these runs are");
        return;
    }
    measure(in, &r);
    find_three(&r);
    out->title = sca_table_text(out, "%s, %u runs on %u ranks: which places make slow runs slow",
                                in->ppg->program, r.n, in->ppg->runs[r.first].nranks);
    add_whole(&r, out);
    add_places(in, &r, out);
    note_runs(in, &r, out);
}
