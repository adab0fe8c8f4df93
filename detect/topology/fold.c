#include "topology/fold.h"
#include "topology/fold_wish.h"
#include "sca_error.h"

#include <math.h>
#include <string.h>

enum { MOST_PLACES = 1 << 24, NARROW = 64, SHORT_LINE = 4 };

/* ---- by default ---- */

static double places_of(const struct sca_topology *t, const uint32_t *dims, uint32_t n)
{
    double places = 1;
    for (uint32_t i = 0; i < n; i++)
        places *= t->dims[dims[i]];
    return places;
}

/* Where a list of dimensions is cut, so that rows and columns differ least; rather more rows. */
static uint32_t cut_of(const struct sca_topology *t, const uint32_t *dims, uint32_t n)
{
    uint32_t best = n;
    double least = INFINITY;
    for (uint32_t cut = n - 1; cut >= 1; cut--) {
        double ratio = places_of(t, dims, cut) / places_of(t, dims + cut, n - cut);
        double off = ratio < 1 ? 1 / ratio : ratio;
        if (off < least) {
            least = off;
            best = cut;
        }
    }
    return best;
}

static void put(struct sca_fold_axis *axis, const uint32_t *dims, uint32_t n)
{
    axis->n = n;
    memcpy(axis->dims, dims, n * sizeof *dims);
}

static void choose_axes(struct sca_fold *f)
{
    const struct sca_topology *t = f->topology;
    uint32_t dims[SCA_MOST_DIMENSIONS], n = 0;
    for (uint32_t d = 0; d < t->ndims; d++)
        if (f->fixed[d] < 0 && t->dims[d] > 1)
            dims[n++] = d;
    f->wrapped = n == 1;
    uint32_t cut = n > 1 ? cut_of(t, dims, n) : 0;
    put(&f->rows, dims, cut);
    put(&f->columns, dims + cut, n - cut);
}

/* ---- places ---- */

static uint32_t line_of(uint32_t places)
{
    uint32_t line = SHORT_LINE;
    if (places > NARROW)
        while ((uint64_t)line * line < places && line < NARROW)
            line *= 2;
    return places < line ? places : line;
}

static int measure(struct sca_fold *f)
{
    const struct sca_topology *t = f->topology;
    double rows = places_of(t, f->rows.dims, f->rows.n);
    double columns = places_of(t, f->columns.dims, f->columns.n);
    if (rows * columns > MOST_PLACES)
        return sca_fail(
            SCA_EINVAL,
            "topology %s: %.0f x %.0f places are too many for a map; --slice shows a part", t->name,
            rows, columns);
    f->rows.length = (uint32_t)rows;
    f->columns.length = (uint32_t)columns;
    if (f->wrapped) {
        uint32_t line = line_of((uint32_t)columns);
        f->rows.length = ((uint32_t)columns + line - 1) / line;
        f->columns.length = line;
    }
    return SCA_OK;
}

static uint32_t along(const struct sca_topology *t, const struct sca_fold_axis *axis,
                      const int32_t *place)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < axis->n; i++)
        at = at * t->dims[axis->dims[i]] + (uint32_t)place[axis->dims[i]];
    return at;
}

static bool is_in_slice(const struct sca_fold *f, const int32_t *place)
{
    for (uint32_t d = 0; d < f->topology->ndims; d++)
        if (f->fixed[d] >= 0 && f->fixed[d] != place[d])
            return false;
    return true;
}

static void place_ranks(struct sca_fold *f)
{
    const struct sca_topology *t = f->topology;
    size_t places = (size_t)f->rows.length * f->columns.length;
    for (size_t i = 0; i < places; i++)
        f->ranks[i] = SCA_NONE;
    for (uint32_t r = 0; r < t->nranks; r++) {
        const int32_t *place = sca_topology_place(t, r);
        if (!place || !is_in_slice(f, place))
            continue;
        uint32_t column = along(t, &f->columns, place);
        size_t row = f->wrapped ? 0 : along(t, &f->rows, place);
        f->ranks[f->wrapped ? column : row * f->columns.length + column] = r;
        f->shown++;
    }
}

int sca_fold_make(struct sca_workspace *space, const struct sca_topology *t, const char *fold,
                  const char *slice, struct sca_fold *out)
{
    *out = (struct sca_fold){.topology = t};
    for (uint32_t d = 0; d < t->ndims; d++)
        out->fixed[d] = -1;
    int status = slice ? sca_fold_wish_slice(slice, out) : SCA_OK;
    if (status == SCA_OK && fold)
        status = sca_fold_wish_axes(fold, out);
    else if (status == SCA_OK)
        choose_axes(out);
    if (status == SCA_OK)
        status = measure(out);
    if (status != SCA_OK)
        return status;
    out->ranks = sca_workspace_alloc(space, (size_t)out->rows.length * out->columns.length,
                                     sizeof *out->ranks);
    place_ranks(out);
    return SCA_OK;
}
