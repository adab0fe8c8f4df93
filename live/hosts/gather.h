/*
 * The front: starts collectors, takes their connections, and asks all of them at each look. What
 * they say lies in a run directory on this host (mirror.h).
 *
 * Collectors form a tree, of SCA_GATHER_FANOUT below each. Who is above others and ends loses its
 * own ranks alone: the others come back to the front. It listens until all ranks are known, and
 * again for a while when a collector is lost. One thread.
 */
#ifndef SCA_LIVE_GATHER_H
#define SCA_LIVE_GATHER_H

#include "hosts/host.h"

#include <stdbool.h>

enum { SCA_GATHER_FANOUT = 16, SCA_GATHER_MOST_FANOUT = 32 };

struct sca_gather_plan {
    const char *run;      /* as collectors find it: an absolute path */
    const char *launcher; /* launch.h */
    const char *hosts;    /* or NULL */
    uint32_t fanout;      /* 1 to SCA_GATHER_MOST_FANOUT; 0: SCA_GATHER_FANOUT */
};

struct sca_gather;

/* Starts collectors and waits until all ranks are known, or nobody else comes. NULL with a
 * message. */
struct sca_gather *sca_gather_begin(const struct sca_gather_plan *plan);
/* One look at all of them, for a report with series; *took_s: what lies between the first and the
 * last answer, at most. SCA_EIO: nobody is there any more. */
int sca_gather_look(struct sca_gather *g, bool series, double *took_s);
/* Where the states lie. */
const char *sca_gather_directory(const struct sca_gather *g);
/* The hosts, those that were lost among them. */
const struct sca_host *sca_gather_hosts(const struct sca_gather *g, uint32_t *n);
/* The number of the last look. */
uint64_t sca_gather_asked(const struct sca_gather *g);
/* Of how many ranks no collector tells, and what the launcher said last, in memory of the caller's;
 * NULL: of none. */
char *sca_gather_missing(const struct sca_gather *g);
/* Who was refused last, and why; "" if nobody was. */
const char *sca_gather_refused(const struct sca_gather *g);
/* Tells the collectors to end, and waits for the launcher. NULL is nothing to end. */
void sca_gather_end(struct sca_gather *g);

#endif
