/*
 * Collectives that do not fit: members of a communicator whose collectives of the same number are
 * calls of different functions, or name different roots (MPI 4.1, section 6.1, forbids both).
 */
#ifndef SCA_MISMATCH_H
#define SCA_MISMATCH_H

#include "waits/clauses.h"

struct sca_mismatch {
    uint32_t group;
    uint32_t first, second;   /* a rank of either kind */
    uint32_t context;         /* what `second` called: it may be in another call by now */
    bool passed;              /* it is */
    uint32_t nfirst, nsecond; /* ranks of either kind that are in their call now */
    bool roots;               /* it is the root that differs */
    uint32_t root;            /* that `second` named; SCALANA_NONE: none, or not known */
};

struct sca_mismatches {
    uint32_t n;
    struct sca_mismatch *list; /* at most one for each rank */
};

/* Of calls that were entered at least so long ago. SCALANA_ENOMEM. */
int sca_mismatches_find(const struct sca_look *look, struct sca_clauses *clauses, double least_s,
                        struct sca_mismatches *out);
void sca_mismatches_free(struct sca_mismatches *mismatches);

#endif
