/*
 * What ranks wait for, as clauses: a rank goes on once every one of its clauses has a rank that
 * goes on. This is the AND-OR wait-for graph of Hilbrich, de Supinski, Schulz and Mueller ("A graph
 * based approach for MPI deadlock detection", ICS 2009), made of what is known of each call, of
 * messages under way and of collectives that are complete. What is not known makes a rank one that
 * may go on: nobody is said to hang who may not.
 */
#ifndef SCA_CLAUSES_H
#define SCA_CLAUSES_H

#include "look/seen.h"

struct sca_clause {
    uint32_t rank;                     /* that waits */
    uint32_t first, n;                 /* one of these, in sca_clauses.ranks, is enough */
    const struct scalana_awaited *why; /* NULL: for MPI_Finalize */
    bool other;                        /* what they have sent is not what is awaited */
};

enum sca_standing {
    SCA_MOVES,   /* computes, or has not been in its call for long */
    SCA_WAITS,   /* for what its clauses say */
    SCA_MAY_WAIT /* in a call for long, nobody knows for whom */
};

struct sca_clauses {
    uint32_t nranks;
    enum sca_standing *standing; /* [rank] */
    uint32_t *first;             /* [rank + 1]: its clauses */
    uint32_t n;
    struct sca_clause *clause; /* by rank */
    uint32_t nnamed;
    uint32_t *ranks;
    struct sca_members *groups; /* of the run's groups that are asked for */
    uint32_t ngroups;
};

/* Calls that were entered `least_s` ago or later are not waited in. SCALANA_ENOMEM. */
int sca_clauses_make(const struct sca_look *look, double least_s, struct sca_clauses *out);
void sca_clauses_free(struct sca_clauses *clauses);

/* What `rank` awaits of a collective on the group of `like`, or NULL. */
const struct scalana_awaited *sca_clauses_same_group(const struct sca_look *look, uint32_t rank,
                                                     const struct scalana_awaited *like);

#endif
