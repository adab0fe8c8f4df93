#include "measure/thread_work.h"
#include "base/degrees.h"

double sca_thread_work(const struct sca_measure *m)
{
    double seconds = 0;
    for (uint32_t v = 0; v < m->ppg->nvertices; v++)
        seconds += m->run->sampled[v];
    return seconds;
}

bool sca_thread_work_is_shared_out(const struct sca_measure *m)
{
    return sca_thread_work(m) >= (1 + SCA_QUARTER) * m->total;
}
