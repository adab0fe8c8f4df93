/*
 * How fast a rank is beside an interval: what it takes for its other intervals over what others
 * take for the same, by exact times. A slow core slows all that runs on it: so it is the quarter of
 * the rank's other work (by what others take for it) that speaks most against a slow core, or a
 * fast one, that tells; the rest may have more to do. Owned by struct sca_rank_pace until
 * sca_rank_pace_close().
 */
#ifndef SCA_DETECT_RANK_PACE_H
#define SCA_DETECT_RANK_PACE_H

#include <stddef.h>
#include <stdint.h>

struct sca_paced {
    double ratio, weight;
    uint32_t interval;
};

struct sca_rank_pace {
    struct sca_paced *sorted; /* by ratio */
    double *below;            /* weight of those before it */
    uint32_t *at;             /* per interval: where it stands */
    uint32_t n;
    double all; /* weight */
};

struct sca_beside {
    double ratio;   /* 1: as fast as others are */
    double seconds; /* that say so: what others take */
};

/* SCA_OK or SCA_ENOMEM. After that, too, it must be closed. */
int sca_rank_pace_open(struct sca_rank_pace *pace, uint32_t nintervals);
void sca_rank_pace_close(struct sca_rank_pace *pace);

/* A rank's: an interval each with the seconds that it and others take there, both above 0. */
void sca_rank_pace_clear(struct sca_rank_pace *pace);
void sca_rank_pace_add(struct sca_rank_pace *pace, uint32_t interval, double seconds, double usual);
void sca_rank_pace_sort(struct sca_rank_pace *pace);

/* Of an interval that was added. */
struct sca_beside sca_rank_pace_beside(const struct sca_rank_pace *pace, uint32_t interval);

#endif
