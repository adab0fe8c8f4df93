/*
 * The report's figures in formats of other tools:
 *   extrap      Extra-P JSON lines: mean own seconds per rank of every vertex and run
 *   folded      stacks for flame graphs, own microseconds over all ranks of the largest run, or
 *               another metric: seconds as microseconds, all else as it is
 *   speedscope  one sampled profile per rank of the largest run, likewise
 *   hatchet     Hatchet literal: own and inclusive core-seconds and every metric of the largest run
 *   caliper     Caliper json-split: own seconds and every metric per rank of the largest run
 *   dot         Graphviz: the performance graph's part with the causes and their paths
 *   psg         Graphviz: the structure graph as it ran, with its times
 */
#ifndef SCA_DETECT_EXPORT_H
#define SCA_DETECT_EXPORT_H

#include "sca_report.h"

/* Is it FORMAT:FILE, with a format of the list? SCA_EINVAL with a message. */
int sca_export_check(const char *wish);
/* Can stacks show this metric of the report? SCA_EINVAL with a message: there is none of the name,
 * it is a ratio, or it is absent, or not told of each rank. NULL, their time: SCA_OK. */
int sca_export_check_metric(const struct sca_report *report, const char *metric);
/* Carries out a wish that was checked, with a metric that was (NULL: time). SCA_EIO, SCA_ENOMEM; an
 * earlier file then stays. */
int sca_export_write(const struct sca_report *report, const char *wish, const char *metric);

#endif
