/*
 * How many bytes a host may send: at first 1 KB for each rank, then 100 for each rank and look.
 * What ranks do, whom they wait for and new code places always go; the rest waits until it fits.
 */
#ifndef SCA_LIVE_ALLOWANCE_H
#define SCA_LIVE_ALLOWANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SCA_ALLOWANCE_FIRST = 1024, SCA_ALLOWANCE_LATER = 100 /* bytes for each rank */ };

struct sca_allowance {
    bool began;
    double left; /* bytes; below 0: more was sent than is allowed, and later looks pay for it */
};

/* What the next look may have (enum sca_copy_layer). */
unsigned sca_allowance_layers(struct sca_allowance *a, uint32_t nranks);
void sca_allowance_spend(struct sca_allowance *a, uint32_t nranks, size_t bytes);

#endif
