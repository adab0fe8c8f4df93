/*
 * The options of an analysis, each from its text: one parser for the command line and for programs.
 * `context` is a struct sca_settings. SCA_EINVAL, with a message that does not name the option.
 */
#ifndef SCA_LIBRARY_OPTION_VALUES_H
#define SCA_LIBRARY_OPTION_VALUES_H

#include "base/settings.h"

int sca_option_values_abnorm_thd(void *context, const char *value);
int sca_option_values_min_share(void *context, const char *value);
int sca_option_values_cache(void *context, const char *value);
int sca_option_values_max_loop_depth(void *context, const char *value);
int sca_option_values_merge(void *context, const char *value);   /* of its choices, or rank:N */
int sca_option_values_scaling(void *context, const char *value); /* of its choices */
int sca_option_values_work(void *context, const char *value);

/* A number up to `most`. */
int sca_option_values_number(const char *value, unsigned long most, uint32_t *out);

/* What holds until something is set. */
struct sca_settings sca_option_values_defaults(void);

#endif
