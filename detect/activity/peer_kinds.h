/*
 * In how many kinds ranks fall by the peers of each call, seen in each of some ways. A leaf is a
 * block of ranks; leaves and what they became unite along a tree. A set of kinds is a union, and is
 * given up by its size alone: order and shape of the tree change nothing.
 */
#ifndef SCA_DETECT_PEER_KINDS_H
#define SCA_DETECT_PEER_KINDS_H

#include "base/workspace.h"

/* Ways to see a peer; of equally few kinds the first counts. */
enum sca_peer_way { SCA_BY_DISTANCE, SCA_BY_BITS, SCA_BY_NUMBER, SCA_PEER_WAYS };

struct sca_kinds_seen { /* hashes of a rank's peers; 0 stands for a free place */
    uint64_t *of;       /* [room], a power of 2 */
    uint32_t n, room;
    bool zero; /* a hash that is 0 was seen, too; n counts it */
    bool many; /* more than the bound: the set is gone */
};

struct sca_peer_kinds {
    struct sca_workspace *space;
    size_t ncalls;
    uint32_t most;                                /* kinds that are kept, the bound */
    struct sca_kinds_seen (*seen)[SCA_PEER_WAYS]; /* [call] */
};

/* Memory is at most 32 bytes x `most` for each call and way, in `space`. */
void sca_peer_kinds_begin(struct sca_workspace *space, size_t ncalls, uint32_t most,
                          struct sca_peer_kinds *out);
/* One rank's peers in a call, as hashes. */
void sca_peer_kinds_add(struct sca_peer_kinds *kinds, size_t call,
                        const uint64_t seen[SCA_PEER_WAYS]);
/* Both have the same calls and bound. */
void sca_peer_kinds_unite(struct sca_peer_kinds *to, const struct sca_peer_kinds *from);
/* The way with the fewest kinds; SCA_PEER_WAYS if every one has too many to tell. */
enum sca_peer_way sca_peer_kinds_way(const struct sca_peer_kinds *kinds, size_t call);

#endif
