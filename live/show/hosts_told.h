/*
 * What is known of a job's hosts, in words, as lines of the page, and as JSON.
 */
#ifndef SCA_LIVE_HOSTS_TOLD_H
#define SCA_LIVE_HOSTS_TOLD_H

#include "hosts/gather.h"
#include "show/page.h"

#include <cjson/cJSON.h>

void sca_hosts_page(const struct sca_gather *gather, struct sca_page *page);
/* The member "hosts". */
void sca_hosts_json(const struct sca_gather *gather, cJSON *object);
/* Of the first host that is lost, or that has something to say, one sentence of the caller's; NULL:
 * all is well. */
char *sca_hosts_trouble(const struct sca_gather *gather);

#endif
