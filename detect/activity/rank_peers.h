/* How many ranks each rank exchanges messages with, and which where it is one. */
#ifndef SCA_DETECT_RANK_PEERS_H
#define SCA_DETECT_RANK_PEERS_H

#include "activity/task_graph.h"

enum { SCA_MOST_DISTANCES = 64 };

struct sca_rank_peers {
    uint32_t *count;     /* [rank]: other ranks it sends to or receives from */
    uint32_t *only;      /* [rank]: the one, SCA_NONE where there are more or none */
    uint32_t ndistances; /* from ranks to their peers, round the world; more are left out */
    uint32_t distances[SCA_MOST_DISTANCES]; /* each once */
};

/* In `space`. */
void sca_rank_peers_find(struct sca_workspace *space, const struct sca_task_source *source,
                         struct sca_rank_peers *out);

#endif
