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
    bool without_windows; /* the first message is too large with them */
    double left;    /* bytes; below 0: more was sent than is allowed, and later looks pay for it */
    double windows; /* what recorded iterations took when they were packed last */
};

/* What the next look may have (enum sca_copy_layer). */
unsigned sca_allowance_layers(struct sca_allowance *a, uint32_t nranks);
/* The message has so many bytes. False: it is the first, and too large with recorded iterations.
 * It is to be made again, of nothing known, without these. */
bool sca_allowance_spend(struct sca_allowance *a, uint32_t nranks, unsigned layers, size_t bytes);

#endif
