/*
 * In how many kinds ranks fall by the peers of each call, seen in each of some ways. It is asked
 * which way gives the fewest: a set is given up once it has too many, and by its size alone, so
 * that the order of ranks changes nothing.
 */
#ifndef SCA_DETECT_PEER_KINDS_H
#define SCA_DETECT_PEER_KINDS_H

#include "base/workspace.h"

/* Ways to see a peer; of equally few kinds the first counts. */
enum sca_peer_way { SCA_BY_DISTANCE, SCA_BY_BITS, SCA_BY_NUMBER, SCA_BY_STEPS, SCA_PEER_WAYS };

struct sca_kinds_seen { /* hashes of a rank's peers; 0 stands for a free place */
    uint64_t *of;       /* [room], a power of 2 */
    uint32_t n, room;
    bool zero; /* a hash that is 0 was seen, too; n counts it */
    bool many; /* more than the bound: the set is gone */
};

struct sca_peer_kinds {
    struct sca_workspace *space;
    size_t ncalls;
    int nways;                                    /* the first of the ways */
    uint32_t most;                                /* kinds that are kept, the bound */
    struct sca_kinds_seen (*seen)[SCA_PEER_WAYS]; /* [call] */
};

/* Of the first `nways` ways. Memory is at most 32 bytes x `most` for each call and way, in
 * `space`. */
void sca_peer_kinds_begin(struct sca_workspace *space, size_t ncalls, int nways, uint32_t most,
                          struct sca_peer_kinds *out);
/* One rank's peers in a call, seen in that way, as a hash. Of more kinds than `limit` the set is
 * given up. */
void sca_peer_kinds_add(struct sca_peer_kinds *kinds, size_t call, enum sca_peer_way way,
                        uint64_t hash, uint32_t limit);
/* With how many kinds a way can still be chosen, once all ranks were added by distance. 0: that way
 * is the one. */
uint32_t sca_peer_kinds_limit(const struct sca_peer_kinds *kinds, size_t call);
/* The way with the fewest kinds, of those that any rank was added by; SCA_PEER_WAYS if every one
 * has too many to tell. */
enum sca_peer_way sca_peer_kinds_way(const struct sca_peer_kinds *kinds, size_t call);

#endif
