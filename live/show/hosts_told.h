/*
 * What is known of a job's hosts, in words and as JSON.
 */
#ifndef SCA_LIVE_HOSTS_TOLD_H
#define SCA_LIVE_HOSTS_TOLD_H

#include "hosts/gather.h"

#include <cjson/cJSON.h>

struct sca_hosts_sum {
    uint32_t n, answer;              /* hosts, and those that answered the last look */
    double first_bytes, later_bytes; /* for each rank: at first, and at each look after it */
    double series_bytes;             /* for each rank, at the last snapshot; 0: there was none */
};

struct sca_hosts_sum sca_hosts_sum(const struct sca_gather *gather);
/* Of the n-th host, where it is lost or has something to say: a sentence of the caller's; NULL: all
 * is well. */
char *sca_hosts_sentence(const struct sca_gather *gather, uint32_t n);
/* The first such sentence, or of what ranks nobody tells, or NULL. */
char *sca_hosts_trouble(const struct sca_gather *gather);
/* The members "hosts", "missing" and "refused". */
void sca_hosts_json(const struct sca_gather *gather, cJSON *object);

#endif
