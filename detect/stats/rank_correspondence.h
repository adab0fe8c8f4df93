/*
 * Which ranks of one run correspond to which of another on more or fewer ranks: a defect that moves
 * with the number of ranks is on the last one, or halfway, in each.
 */
#ifndef SCA_DETECT_RANK_CORRESPONDENCE_H
#define SCA_DETECT_RANK_CORRESPONDENCE_H

#include <stdint.h>

/* How many of the `n` ranks, of a run on nranks, have one among the `nothers` of a run on
 * nranks_of_others. */
uint32_t sca_rank_correspondence_count(const uint32_t *ranks, uint32_t n, uint32_t nranks,
                                       const uint32_t *others, uint32_t nothers,
                                       uint32_t nranks_of_others);

enum sca_rank_manner {
    SCA_SAME_NUMBER,
    SCA_FROM_BOTH_ENDS, /* of the upper half as many from the end */
    SCA_SAME_PART,      /* of the way */
    SCA_RANK_MANNERS
};

/* Those of a run on nothers that correspond to the `n` ranks, which ascend, in that manner: written
 * to out, [n], ascending, each once. Returns how many; 0 if the manner is another's on so many
 * ranks.
 */
uint32_t sca_rank_correspondence_list(const uint32_t *ranks, uint32_t n, uint32_t nranks,
                                      uint32_t nothers, enum sca_rank_manner manner, uint32_t *out);

#endif
