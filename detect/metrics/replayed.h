/*
 * What the replay of a run tells of each context and rank: waits by class, delay costs (Boehme,
 * Geimer, Wolf, Arnold, ICPP 2010) and the critical path (Boehme et al., IPDPS 2012; SC'12).
 * Seconds of the run, in virtual time: as if each rank had a core. Owned by the memory it was made
 * in; read-only once it is made.
 */
#ifndef SCA_DETECT_REPLAYED_H
#define SCA_DETECT_REPLAYED_H

#include "metrics/path_profile.h"
#include "replay/delay_cost.h"

struct sca_replayed {
    uint32_t nvertices, nranks;
    const double *of, *direct_of; /* as in struct sca_costs */
    struct sca_wait_rows waited;
    struct sca_path_profile path;
    bool shared;           /* ranks shared cores: the wall clock says nothing of waits */
    bool without_messages; /* these did not fit together: waits for them are not known */
};

/* Of the replays as they stand, whose waits `costs` are, in detail. Every process of the team
 * calls it. */
void sca_replayed_make(struct sca_workspace *space, const struct sca_stage *stage,
                       const struct sca_costs *costs, struct sca_replayed *out);

/* A copy that lives in `arena`. SCA_ENOMEM. */
int sca_replayed_copy(struct sca_arena *arena, const struct sca_replayed *from,
                      struct sca_replayed *out);

#endif
