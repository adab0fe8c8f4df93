#include "timeline/window_efficiency.h"

#include <math.h>

static double computation_of(const struct sca_replay *replay, uint32_t rank)
{
    double seconds = 0;
    for (uint32_t i = 0; i < replay->trace->sequences[rank].nevents; i++)
        seconds += replay->interval[sca_replay_at(replay, rank, i)];
    return seconds;
}

struct sca_window_efficiency sca_window_efficiency_of(const struct sca_replay *replay)
{
    double all = 0, most = 0;
    for (uint32_t r = 0; r < replay->trace->nranks; r++) {
        double seconds = computation_of(replay, r);
        all += seconds;
        most = fmax(most, seconds);
    }
    if (most <= 0 || replay->end <= 0)
        return (struct sca_window_efficiency){(double)NAN, (double)NAN};
    return (struct sca_window_efficiency){all / replay->trace->nranks / most, most / replay->end};
}
