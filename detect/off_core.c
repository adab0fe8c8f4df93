#include "off_core.h"

double sca_off_core(struct sca_room *room, const struct sca_measure *m, const bool *after)
{
    struct sca_opened *opened = sca_room_opened(room, m->run->profile);
    double seconds = 0;
    for (uint32_t r = 0; r < m->nranks; r++) {
        const struct sca_rank *rank = sca_rank_open(opened, r, SCA_OPEN_INTERVALS);
        for (uint32_t i = 0; i < rank->nintervals; i++)
            if (!after || after[rank->intervals[i].previous])
                seconds += (double)rank->intervals[i].blocked_ns * 1e-9;
    }
    return seconds;
}
