/* The phases that the program names, in the text of --view=series. */
#include "sca_part.h"
#include "views/series.h"

#include <string.h>

enum { NAME_WIDTH = 16, INDENT = 2 };

static int depth_of(const struct sca_series *s, uint32_t i)
{
    int depth = 0;
    while (s->phases[i].parent != SCA_NONE) {
        i = s->phases[i].parent;
        depth++;
    }
    return depth;
}

static void put_phase(FILE *out, const struct sca_series_phase_lines *l, uint32_t i)
{
    const struct sca_series_phase *p = &l->series->phases[i];
    char span[SCA_FIGURE], own[SCA_FIGURE], mpi[SCA_FIGURE];
    int indent = INDENT * depth_of(l->series, i), width = NAME_WIDTH - indent;
    sca_series_seconds(span, p->span);
    sca_series_seconds(own, p->own.mean);
    sca_series_seconds(mpi, p->mpi.mean);
    fprintf(out, "  %*s%-*s %5llu %8s %8s %8s", indent, "", width > 0 ? width : 0, p->name,
            (unsigned long long)p->count, span, own, mpi);
    struct sca_part_efficiency e = sca_phase_efficiency(l->recorded, i, l->shared);
    sca_series_put_share(out, e.parallel);
    sca_series_put_share(out, e.load_balance);
    sca_series_put_share(out, e.serialisation);
    sca_series_put_share(out, e.transfer);
    fputc('\n', out);
}

/* Each with those within it below it. */
static void put_below(FILE *out, const struct sca_series_phase_lines *l, uint32_t parent)
{
    for (uint32_t i = 0; i < l->series->nphases; i++)
        if (l->series->phases[i].parent == parent) {
            put_phase(out, l, i);
            put_below(out, l, i);
        }
}

void sca_series_draw_phases(FILE *out, const struct sca_series_drawing *d)
{
    for (uint32_t k = 0; k < d->nphased; k++) {
        fputs("\nPhases that the program names", out);
        if (d->nruns > 1)
            fprintf(out, ", run %u", d->phases[k].run);
        fprintf(out, "\n  %-*s %5s %8s %8s %8s %8s %8s %8s %8s\n", NAME_WIDTH, "phase", "times",
                "took", "own", "in MPI", "parallel", "balance", "serial.", "transfer");
        put_below(out, &d->phases[k], SCA_NONE);
    }
}
