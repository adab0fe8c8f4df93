#include "judging.h"

void judging_begin(struct judging *g, const double *seconds, double sample)
{
    *g = (struct judging){.ppg.nvertices = 10, .m = {.nranks = JUDGED, .npresent = JUDGED}};
    g->m.ppg = &g->ppg;
    g->m.absent = g->absent;
    g->j = (struct sca_judging){.m = &g->m,
                                .seconds = g->seconds,
                                .variance = g->variance,
                                .around = {.seconds = g->around, .core = g->core},
                                .threshold = 1,
                                .limit = 1,
                                .usual = 10};
    for (uint32_t r = 0; r < JUDGED; r++) {
        g->seconds[r] = seconds[r];
        g->variance[r] = sample * seconds[r];
    }
}

void judging_lose(struct judging *g, uint32_t rank)
{
    g->absent[rank] = true;
    g->m.npresent--;
}
