/*
 * What the user asked of scalana-live: its options table fills it.
 */
#ifndef SCA_LIVE_OPTIONS_H
#define SCA_LIVE_OPTIONS_H

#include "sca_options.h"

#include <stdbool.h>

struct sca_live_settings {
    bool once, json, openmetrics, watch;
    double interval_s;            /* 0: as usual */
    double fail_above;            /* percent; < 0: never */
    const char *snapshot;         /* a folder to make; NULL: none */
    const char *launcher, *hosts; /* of collectors; NULL: this host alone */
    unsigned long fanout;         /* 0: as usual */
    const char *collect, *token;  /* of a collector: whom it tells, and what both know */
};

extern const struct sca_command sca_live_command;

/* SCA_OK, or SCA_EINVAL: options that do not go together, or not with so many operands. */
int sca_live_settings_check(const struct sca_live_settings *settings, int operands);

#endif
