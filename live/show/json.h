/*
 * A look for programs: `scalana-live/1` as JSON (doc/FORMATS.md), and OpenMetrics 1.0 as a site's
 * monitoring reads it. To standard output; `before` is an earlier look, or NULL.
 */
#ifndef SCA_LIVE_JSON_H
#define SCA_LIVE_JSON_H

#include "hosts/gather.h"
#include "waits/hangs.h"

/* SCALANA_EIO: it could not be written. */
int sca_json_print(const char *directory, const struct sca_look *look,
                   const struct sca_hangs *hangs, const struct sca_gather *gather);
int sca_openmetrics_print(const struct sca_look *look, const struct sca_hangs *hangs);

#endif
