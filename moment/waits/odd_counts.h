/*
 * In a deadlock: a rank that has made a call more or less often than ranks that do the same. Ranks
 * that wait in one collective have made the same calls as often, if they make the same calls at
 * all; who has not come to it, and has to, has made none more often.
 */
#ifndef SCA_ODD_COUNTS_H
#define SCA_ODD_COUNTS_H

#include "waits/hangs.h"

struct sca_odd_count {
    uint32_t rank, context; /* who, and an MPI call in the program */
    double calls;           /* so many times, with the one it is in where that is too many */
    double usual;           /* of each of the others */
    uint32_t nusual;        /* how many these are, at least two */
};

/* The first of the ranks that wait for each other, and of its such calls the one made least often.
 * False: none, or not enough is known. */
bool sca_odd_counts_find(const struct sca_look *look, const struct sca_hangs *hangs,
                         struct sca_odd_count *out);

/* The same of counts, [context * look->nranks + rank], of calls that have ended (for tests). */
bool sca_odd_counts_among(const struct sca_look *look, const double *calls, uint32_t rank,
                          struct sca_odd_count *out);

#endif
