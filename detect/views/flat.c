/* Flat profile: own time of every place in the source, whatever calls it. */
#include "views/figures.h"
#include "views/view.h"

#include <stdlib.h>

enum { CORE_S, SHARE, SUM, SAMPLES, CALLS, COLUMNS };

static const struct sca_column columns[COLUMNS] = {
    [CORE_S] = {"core_s", "core-s", SCA_CELL_SECONDS},
    [SHARE] = {"share", "share", SCA_CELL_SHARE},
    [SUM] = {"cumulative_share", "sum", SCA_CELL_SHARE},
    [SAMPLES] = {"samples", "samples", SCA_CELL_COUNT},
    [CALLS] = {"calls", "calls", SCA_CELL_COUNT},
};

struct flat_entry {
    uint32_t vertex;
    double seconds, samples, calls;
};

static int by_seconds(const void *a, const void *b)
{
    const struct flat_entry *x = a, *y = b;
    if (x->seconds != y->seconds)
        return x->seconds < y->seconds ? 1 : -1;
    return (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

static struct flat_entry count(const struct sca_figures *f, const struct sca_source_place *place)
{
    struct flat_entry e = {.vertex = place->vertices[0]};
    for (uint32_t i = 0; i < place->count; i++) {
        e.seconds += f->own[place->vertices[i]];
        e.samples += f->run->samples[place->vertices[i]];
        e.calls += (double)f->run->calls[place->vertices[i]];
    }
    return e;
}

void sca_view_flat(const struct sca_view_input *in, struct sca_table *out)
{
    struct sca_figures f;
    uint32_t n = 0, used = 0;
    double sum = 0;
    struct sca_source_place *places = sca_figures_places_of(in->space, in->ppg, &n);
    struct flat_entry *entries = sca_workspace_alloc(in->space, n, sizeof *entries);
    sca_figures_replayed(in->space, in->ppg, in->ppg->nruns - 1, in->waits, &f);
    for (uint32_t i = 0; i < n; i++) {
        entries[used] = count(&f, &places[i]);
        used += entries[used].seconds > 0 || entries[used].calls > 0;
    }
    qsort(entries, used, sizeof *entries, by_seconds);
    out->columns = columns;
    out->ncolumns = COLUMNS;
    out->title = sca_table_text(out, "%s on %u ranks (%s): flat profile, own time of each place",
                                in->ppg->program, f.run->nranks, f.run->profile->directory);
    for (uint32_t i = 0; i < used; i++) {
        const struct flat_entry *e = &entries[i];
        sum += e->seconds;
        if (in->top && i >= in->top) {
            out->left_out++;
            continue;
        }
        struct sca_row *row = sca_table_row(out, &in->ppg->vertices[e->vertex]);
        row->cells[CORE_S].number = e->seconds;
        row->cells[SHARE].number = f.total > 0 ? e->seconds / f.total : 0;
        row->cells[SUM].number = f.total > 0 ? sum / f.total : 0;
        row->cells[SAMPLES].number = e->samples;
        row->cells[CALLS].number = e->calls;
    }
}
