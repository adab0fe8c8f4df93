/*
 * What the user asked of scalana-live: its options table fills it.
 */
#ifndef SCA_LIVE_OPTIONS_H
#define SCA_LIVE_OPTIONS_H

#include "sca_options.h"

#include <stdbool.h>

struct sca_live_settings {
    bool once, json, openmetrics, watch;
    double interval_s;    /* 0: as usual */
    double fail_above;    /* percent; < 0: never */
    const char *snapshot; /* a folder to make; NULL: none */
};

extern const struct sca_command sca_live_command;

/* SCA_OK, or SCA_EINVAL: options that do not go together. */
int sca_live_settings_check(const struct sca_live_settings *settings);

#endif
