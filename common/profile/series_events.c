#include "profile/series_events.h"
#include "profile/series_code.h"
#include "profile/spread.h"
#include "sca_series.h"

#include <math.h>

/* ---- a rank's, on their way ---- */

void sca_mark_events_put(struct sca_writer *w, const struct sca_mark_events *list, uint32_t n,
                         uint32_t nmetrics)
{
    const struct sca_mark_events none = {0}, *before = &none;
    sca_wire_put_varint(w, list ? nmetrics : 0);
    for (uint32_t i = 0; list && nmetrics && i < n; i++) {
        sca_wire_put_varint(w, list[i].read != 0);
        for (uint32_t k = 0; list[i].read && k < nmetrics; k++)
            sca_wire_put_svarint(w, (int64_t)(list[i].total[k] - before->total[k]));
        before = list[i].read ? &list[i] : before;
    }
}

uint32_t sca_mark_events_get(struct sca_reader *r, struct sca_mark_events *list, uint32_t n)
{
    const struct sca_mark_events none = {0}, *before = &none;
    uint64_t nmetrics = sca_wire_get_varint(r);
    if (nmetrics > SCA_MAX_METRICS)
        r->failed = true;
    for (uint32_t i = 0; nmetrics && i < n && !r->failed; i++) {
        list[i] = (struct sca_mark_events){.read = sca_wire_get_varint(r)};
        for (uint32_t k = 0; list[i].read && k < nmetrics; k++)
            list[i].total[k] = before->total[k] + (uint64_t)sca_wire_get_svarint(r);
        before = list[i].read ? &list[i] : before;
    }
    return r->failed ? 0 : (uint32_t)nmetrics;
}

/* ---- over ranks ---- */

bool sca_events_sum_begin(struct sca_events_sum *sum, uint32_t nmetrics, size_t cells,
                          void *(*map)(void *context, size_t bytes), void *context)
{
    *sum = (struct sca_events_sum){.nmetrics = nmetrics};
    for (uint32_t k = 0; k < nmetrics; k++)
        if (!(sum->of[k] = map(context, cells * sizeof *sum->of[k])))
            return false;
    return true;
}

void sca_events_sum_take(struct sca_events_sum *sum, size_t cell, const struct sca_mark_events *a,
                         const struct sca_mark_events *b)
{
    bool known = a && b && a->read && b->read;
    for (uint32_t k = 0; k < sum->nmetrics; k++)
        sum->of[k][cell] =
            known && b->total[k] >= a->total[k] ? (float)(b->total[k] - a->total[k]) : NAN;
}

/* 0: not known on all of the ranks. */
static int64_t code_of(const float *values, uint32_t nranks, bool most)
{
    double mean = sca_spread_mean(values, nranks);
    if (isnan(mean))
        return 0;
    return 1 + sca_series_code(most ? values[sca_spread_greatest(values, nranks)] : mean);
}

void sca_events_sum_put(const struct sca_events_sum *sum, const size_t *cells, uint32_t npoints,
                        uint32_t nranks, struct sca_writer *w)
{
    sca_wire_put_varint(w, sum->nmetrics);
    for (uint32_t column = 0; column < 2 * sum->nmetrics; column++) {
        int64_t before = 0;
        for (uint32_t i = 0; i < npoints; i++) {
            int64_t code = code_of(sum->of[column / 2] + cells[i], nranks, column % 2);
            sca_wire_put_svarint(w, code - before);
            before = code;
        }
    }
}

/* ---- read ---- */

static double next(struct sca_reader *r, int64_t *before)
{
    *before = (int64_t)((uint64_t)*before + (uint64_t)sca_wire_get_svarint(r));
    return *before > 0 ? sca_series_decode(*before - 1) : (double)NAN;
}

void sca_events_read(struct sca_reader *r, struct sca_series *series)
{
    uint64_t n = sca_wire_get_varint(r);
    if (n > SCA_MAX_METRICS)
        r->failed = true;
    for (uint32_t column = 0; column < 2 * n && !r->failed; column++) {
        int64_t before = 0;
        for (uint32_t i = 0; i < series->npoints; i++) {
            struct sca_series_events *to = &series->points[i].events[column / 2];
            *(column % 2 ? &to->max : &to->mean) = next(r, &before);
        }
    }
    series->nmetrics = r->failed ? 0 : (uint32_t)n;
}
