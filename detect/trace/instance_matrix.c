#include "trace/instance_matrix.h"
#include "base/degrees.h"
#include "stats/median.h"

#include <string.h>

struct pair_instances {
    const struct sca_trace *trace;
    uint32_t previous, site;
    uint32_t *count; /* per rank */
};

static bool is_instance(const struct pair_instances *of, uint32_t rank, uint32_t event)
{
    struct sca_trace_event e = sca_trace_event_of(&of->trace->sequences[rank], event);
    return e.previous == of->previous && e.site == of->site;
}

/* A rank before that goes through the same calls, or this one. */
static uint32_t like_before(const struct sca_trace *trace, uint32_t rank)
{
    for (uint32_t r = rank; r > 0 && r + SCA_LIKE_BEFORE > rank; r--)
        if (trace->sequences[r - 1].sites == trace->sequences[rank].sites &&
            trace->sequences[r - 1].nevents == trace->sequences[rank].nevents)
            return r - 1;
    return rank;
}

static uint32_t count_rank(const struct pair_instances *of, uint32_t rank)
{
    uint32_t n = 0, like = like_before(of->trace, rank);
    if (like != rank)
        return of->count[like];
    for (uint32_t i = 0; i < of->trace->sequences[rank].nevents; i++)
        n += is_instance(of, rank, i);
    return n;
}

static void count_ranks(const struct pair_instances *of, struct sca_rows *out)
{
    uint32_t least = UINT32_MAX;
    for (uint32_t r = 0; r < out->nranks; r++) {
        uint32_t n = of->count[r] = count_rank(of, r);
        out->count = n > out->count ? n : out->count;
        least = n && n < least ? n : least;
    }
    out->alike = out->count && least >= SCA_NEARLY_ALL * out->count;
}

static void fill_rank(const struct pair_instances *of, uint32_t rank, struct sca_rows *out)
{
    const uint32_t *first = of->trace->first;
    uint32_t like = like_before(of->trace, rank), n = 0;
    if (like != rank)
        for (; n < of->count[rank]; n++) {
            const uint32_t *row = out->event + (size_t)n * out->nranks;
            out->event[(size_t)n * out->nranks + rank] = row[like] - first[like] + first[rank];
        }
    for (uint32_t i = 0; n < of->count[rank]; i++)
        if (is_instance(of, rank, i))
            out->event[(size_t)n++ * out->nranks + rank] = first[rank] + i;
}

void sca_instance_matrix_rows(struct sca_workspace *space, const struct sca_trace *trace,
                              uint32_t previous, uint32_t site, struct sca_rows *out)
{
    struct pair_instances of = {trace, previous, site,
                                sca_workspace_alloc(space, trace->nranks, sizeof *of.count)};
    *out = (struct sca_rows){.nranks = trace->nranks, .number = trace->number};
    count_ranks(&of, out);
    out->event = sca_workspace_alloc(space, (size_t)out->count * trace->nranks, sizeof *out->event);
    memset(out->event, 0xff, (size_t)out->count * trace->nranks * sizeof *out->event);
    for (uint32_t r = 0; r < trace->nranks && out->count; r++)
        fill_rank(&of, r, out);
}

/* The ranks' median of a row; `interval` is by event. */
double sca_instance_matrix_median(const struct sca_rows *in, uint32_t row, const double *interval,
                                  double *work)
{
    uint32_t n = 0;
    for (uint32_t r = 0; r < in->nranks; r++) {
        uint32_t event = in->event[(size_t)row * in->nranks + r];
        if (event != SCA_NO_EVENT)
            work[n++] = interval[event];
    }
    return sca_median(work, n);
}

double sca_instance_matrix_mean(const struct sca_rows *in, uint32_t row, const double *interval)
{
    uint32_t n = 0;
    double sum = 0;
    for (uint32_t r = 0; r < in->nranks; r++) {
        uint32_t event = in->event[(size_t)row * in->nranks + r];
        if (event != SCA_NO_EVENT) {
            sum += interval[event];
            n++;
        }
    }
    return n ? sum / n : 0;
}
