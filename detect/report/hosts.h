/*
 * Which ranks of a run shared a host: into the report, and in words.
 */
#ifndef SCA_DETECT_HOSTS_H
#define SCA_DETECT_HOSTS_H

#include "verdict/analysis.h"

void sca_hosts_fill(struct sca_analysis *c, uint32_t run);
/* "4 ranks on 2 hosts: a (10.0.0.1) 0, 1; b (10.0.0.2) 2, 3"; "" when there is but one. The buffer
 * has SCA_PHRASE bytes. */
const char *sca_hosts_phrase(char *buffer, const struct sca_report_run *run);
/* " (on b)", " (all of b)": the host that has all these ranks; "" if there is none, or no other. */
const char *sca_hosts_phrase_of_rank(char *buffer, const struct sca_report_run *run,
                                     const uint32_t *ranks, uint32_t n);

#endif
