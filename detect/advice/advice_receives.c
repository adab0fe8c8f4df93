/* Senders that wait until a receive is posted: the replay knows how long. */
#include "advice/advice.h"
#include "replay/wait_state.h"

void sca_advice_receives(const struct sca_advice_input *in, struct sca_advices *out)
{
    const struct sca_ppg *ppg = in->c->ppg;
    for (uint32_t v = 0; v < ppg->nvertices; v++) {
        double waits = sca_advice_waits(in, v, SCA_WAIT_LATE_RECEIVER);
        if (waits < in->least)
            continue;
        double *by_rank = sca_workspace_alloc(in->c->space, in->run->nranks, sizeof *by_rank);
        for (uint32_t r = 0; r < in->run->nranks; r++) {
            const struct sca_rank *rank = sca_rank_open(in->opened, r, SCA_OPEN_PEERS);
            for (uint32_t i = 0; i < rank->npeers; i++)
                by_rank[r] += in->run->site_vertex[rank->peers[i].site] == v;
        }
        const struct sca_advice advice = {
            .kind = SCA_ADVICE_LATE_RECEIVE,
            .vertex = v,
            .gain = waits,
            .by_replay = true,
            .text = sca_advice_text(in,
                                    "At %s ranks wait until the receiver posts its receive. "
                                    "Post it before the computation (MPI_Irecv).",
                                    sca_advice_place(in, v))};
        sca_advice_add(in, out, &advice, by_rank);
    }
}
