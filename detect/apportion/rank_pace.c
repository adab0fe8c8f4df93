#include "apportion/rank_pace.h"
#include "sca_error.h"

#include <stdlib.h>

/* Of a rank's other work: when that goes as usual, its core is not to blame for the rest. */
#define QUARTILE 0.25

int sca_rank_pace_open(struct sca_rank_pace *pace, uint32_t nintervals)
{
    *pace = (struct sca_rank_pace){0};
    pace->sorted = calloc(nintervals + 1ul, sizeof *pace->sorted);
    pace->below = calloc(nintervals + 1ul, sizeof *pace->below);
    pace->at = calloc(nintervals + 1ul, sizeof *pace->at);
    return pace->sorted && pace->below && pace->at ? SCA_OK : SCA_ENOMEM;
}

void sca_rank_pace_close(struct sca_rank_pace *pace)
{
    free(pace->sorted);
    free(pace->below);
    free(pace->at);
}

void sca_rank_pace_clear(struct sca_rank_pace *pace)
{
    pace->n = 0;
    pace->all = 0;
}

void sca_rank_pace_add(struct sca_rank_pace *pace, uint32_t interval, double seconds, double usual)
{
    pace->sorted[pace->n++] = (struct sca_paced){seconds / usual, usual, interval};
    pace->all += usual;
}

static int by_ratio(const void *a, const void *b)
{
    const struct sca_paced *x = a, *y = b;
    if (x->ratio != y->ratio)
        return x->ratio < y->ratio ? -1 : 1;
    return (x->interval > y->interval) - (x->interval < y->interval);
}

void sca_rank_pace_sort(struct sca_rank_pace *pace)
{
    double below = 0;
    qsort(pace->sorted, pace->n, sizeof *pace->sorted, by_ratio);
    for (uint32_t i = 0; i < pace->n; i++) {
        pace->at[pace->sorted[i].interval] = i;
        pace->below[i] = below;
        below += pace->sorted[i].weight;
    }
}

/* Weight up to and with the one at i, but for the one at `without`. */
static double up_to(const struct sca_rank_pace *pace, uint32_t i, uint32_t without)
{
    double all = pace->below[i] + pace->sorted[i].weight;
    return i < without ? all : all - pace->sorted[without].weight;
}

/* Where so much of the others' weight is reached; there are two at least. */
static double quantile(const struct sca_rank_pace *pace, uint32_t without, double part)
{
    double others = pace->all - pace->sorted[without].weight;
    uint32_t low = 0, high = pace->n - 1;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (up_to(pace, middle, without) < part * others)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == without)
        low = low + 1 < pace->n ? low + 1 : low - 1;
    return pace->sorted[low].ratio;
}

/* Where an interval is slower than usual, what speaks for its core is how fast the others are that
 * are fast; where it is faster, the slow ones. */
struct sca_beside sca_rank_pace_beside(const struct sca_rank_pace *pace, uint32_t interval)
{
    uint32_t own = pace->at[interval];
    if (pace->n < 2)
        return (struct sca_beside){1, 0};
    double part = pace->sorted[own].ratio > 1 ? QUARTILE : 1 - QUARTILE;
    return (struct sca_beside){quantile(pace, own, part), pace->all - pace->sorted[own].weight};
}
