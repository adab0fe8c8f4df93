/*
 * On which cores threads ran, and what they waited for one, as the runtime wrote it down (metadata
 * core.use, core.threads, core.free: doc/FORMATS.md). Texts are the profile's.
 */
#ifndef SCA_DETECT_RAN_ON_H
#define SCA_DETECT_RAN_ON_H

#include "sca_profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sca_ran_on {
    uint32_t thread;   /* 0: the first */
    double cpu;        /* seconds; of the first what samples of the others leave of the rank's */
    double waited;     /* for a core, seconds; 0: hardly, or unknown */
    const char *cores; /* "0:635 1:365": thousandths of its CPU time on each; `length` bytes, 0:
                          unknown */
    size_t length;
};

/* Of the first thread; `next` is where the others are told. */
struct sca_ran_on sca_ran_on_first(const struct sca_rank *rank, const char **next);
/* The next of the others; false: there is no more, or it is not of that form. */
bool sca_ran_on_next(const struct sca_rank *rank, const char **next, struct sca_ran_on *out);
/* Of one thread; all 0 if nothing is known of it. */
struct sca_ran_on sca_ran_on_of(const struct sca_rank *rank, uint32_t thread);

/* The part that a core had, 0 to 1, and where the next begins; false: there is no more. */
bool sca_ran_on_part(const struct sca_ran_on *of, size_t *at, uint32_t *core, double *part);

/* Cores that the rank's launcher might use and the rank might not: how many of them were idle, on
 * average. */
double sca_ran_on_free_cores(const struct sca_rank *rank);

#endif
