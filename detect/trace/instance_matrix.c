#include "trace/instance_matrix.h"
#include "base/degrees.h"
#include "stats/median.h"

#include <string.h>

static uint32_t count_rank(const struct sca_event_sequence *sequence, uint32_t previous,
                           uint32_t site)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < sequence->nevents; i++)
        n += sequence->sites[i] == previous && sequence->sites[i + 1] == site;
    return n;
}

void sca_instance_matrix_rows(struct sca_workspace *space, const struct sca_trace *trace,
                              uint32_t previous, uint32_t site, struct sca_rows *out)
{
    uint32_t least = UINT32_MAX;
    *out = (struct sca_rows){.nranks = trace->nranks, .number = trace->number};
    for (uint32_t r = 0; r < trace->nranks; r++) {
        uint32_t n = count_rank(&trace->sequences[r], previous, site);
        out->count = n > out->count ? n : out->count;
        least = n && n < least ? n : least;
    }
    out->alike = out->count && least >= SCA_NEARLY_ALL * out->count;
    out->event = sca_workspace_alloc(space, (size_t)out->count * trace->nranks, sizeof *out->event);
    memset(out->event, 0xff, (size_t)out->count * trace->nranks * sizeof *out->event);
    for (uint32_t r = 0; r < trace->nranks; r++)
        for (uint32_t i = 0, k = 0; i < trace->sequences[r].nevents; i++) {
            struct sca_trace_event s = sca_trace_event_of(&trace->sequences[r], i);
            if (s.previous == previous && s.site == site)
                out->event[(size_t)k++ * trace->nranks + r] = trace->first[r] + i;
        }
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
