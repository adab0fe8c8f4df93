/*
 * The small process that `scalana live --launcher` starts on each host of a job: it reads the parts
 * of the ranks there, sends what is new to whoever is above it, and passes on what comes from
 * below. It ends when the front does, or says so, and writes nothing.
 */
#ifndef SCA_LIVE_COLLECTOR_H
#define SCA_LIVE_COLLECTOR_H

#include "net/token.h"

struct sca_collector_plan {
    const char *run;   /* the run directory on this host */
    const char *front; /* addresses (net/address.h) */
    const struct sca_token *token;
};

/* SCA_OK: it was told to end, or the front has ended. SCA_EIO, SCA_ENOMEM with a message. */
int sca_collector_run(const struct sca_collector_plan *plan);

#endif
