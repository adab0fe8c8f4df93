/*
 * How long each call and each computation took, as a rank's image has it and as readers see it
 * (struct sca_durations, sca_profile.h). Encoding allocates nothing; the runtime uses it inside
 * Finalize. Any thread.
 */
#ifndef SCA_DURATIONS_H
#define SCA_DURATIONS_H

#include "base/region.h"
#include "profile/tables.h"
#include "sca_profile.h"

/* One section of an image, of the records of one table; nothing where nothing is known. Of more
 * ranks it has only those that take that part of the rank's time, and of yet more fewer digits. */
enum { SCA_DURATIONS_ALL_RANKS = 8, SCA_DURATIONS_LEAST_PART = 64, SCA_DURATIONS_EXACT_RANKS = 32 };
void sca_durations_encode(struct sca_writer *out, const struct sca_tables *tables,
                          enum sca_timed timed);

/* Those of both tables, in the region: SCA_OK and *n, 0 where they are not known. Sites are the
 * rank's own. SCA_EFORMAT, SCA_ENOMEM. */
int sca_durations_read(struct sca_region *region, const struct sca_tables *tables,
                       struct sca_durations **out, uint32_t *n);

/* Inner seams: a variance (ns^2) as a number: its exponent, and so many bits behind. */
uint64_t sca_durations_code(double variance, unsigned bits);
double sca_durations_decoded(uint64_t code, unsigned bits);

#endif
