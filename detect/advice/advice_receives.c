/* Senders that wait until a receive is posted: the replay knows how long. */
#include "advice/advice.h"
#include "replay/wait_state.h"

/* Who sends from there. */
static double *find_senders(const struct sca_advice_input *in, uint32_t place)
{
    double *by_rank = sca_workspace_alloc(in->c->space, in->run->nranks, sizeof *by_rank);
    for (uint32_t r = 0; r < in->run->nranks; r++) {
        const struct sca_rank *rank = sca_rank_open(in->opened, r, SCA_OPEN_PEERS);
        for (uint32_t i = 0; i < rank->npeers; i++) {
            uint32_t v = in->run->site_vertex[rank->peers[i].site];
            by_rank[r] += v != SCA_NONE && in->place[v] == place;
        }
    }
    return by_rank;
}

void sca_advice_receives(const struct sca_advice_input *in, struct sca_advices *out)
{
    uint32_t n = in->c->ppg->nvertices;
    double *waits = sca_workspace_alloc(in->c->space, n, sizeof *waits);
    for (uint32_t v = 0; v < n; v++)
        waits[in->place[v]] += sca_advice_waits(in, v, SCA_WAIT_LATE_RECEIVER);
    for (uint32_t v = 0; v < n; v++) {
        if (waits[v] < in->least)
            continue;
        const struct sca_advice advice = {
            .kind = SCA_ADVICE_LATE_RECEIVE,
            .vertex = v,
            .gain = waits[v],
            .by_replay = true,
            .text = sca_advice_text(in,
                                    "At %s ranks wait until the receiver posts its receive. "
                                    "Post it before the computation (MPI_Irecv).",
                                    sca_advice_place(in, v))};
        sca_advice_add(in, out, &advice, find_senders(in, v));
    }
}
