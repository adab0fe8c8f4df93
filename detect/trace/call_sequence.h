/*
 * A shortened sequence that can be walked from end to end.
 *
 * What a rank's intervals count is a sequence: each call is left as often as it is come to, but for
 * the first and the last. Counts that are divided one by one are none any more: of a loop of three
 * rounds that are halved, the transitions in and back come out as 1 and 1, and the way from one
 * call to the next as 1, not 2, so that a walk ends there and loses the rest of the run. So the
 * counts are taken apart into rounds, the innermost loop's first, and rounds are divided.
 */
#ifndef SCA_DETECT_CALL_SEQUENCE_H
#define SCA_DETECT_CALL_SEQUENCE_H

#include "base/workspace.h"

struct sca_transition { /* from one call to the next */
    uint32_t from, to;  /* sites; a sequence begins at site 0 */
    uint64_t count;     /* how often the run went there, at least 1 */
    uint64_t quota;     /* the shortened sequence */
    uint64_t used;      /* for who walks it */
    bool onward; /* the last to be taken of a call's transitions: from it the end can be reached */
    double seconds; /* computation on all of them */
};

struct sca_transitions {
    struct sca_transition *list; /* by `from`, then the most frequent first */
    uint32_t n, nsites;
    uint32_t *first; /* by site, nsites + 1 of them */
};

/* Puts the list in order, and fills `first`, each quota and which transitions lead onward. Rounds
 * that would be gone less than once are gone once, as long as there are `spare` steps for them.
 * Other transitions have the quota 0, and so have those on no sequence from site 0, as of counts
 * that do not fit each other. */
void sca_call_sequence_shorten(struct sca_workspace *space, struct sca_transitions *transitions,
                               double factor, uint64_t spare);

#endif
