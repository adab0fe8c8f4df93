/*
 * What the user set through SCALANA_* in the environment. Read once, by sca_settings_read(),
 * inside MPI_Init; constant afterwards, so any thread and the sample handler may read it.
 * Strings point into the environment or are constants. A wrong value leaves the default in place
 * and its complaint in `warnings`, for rank 0 to print once.
 */
#ifndef SCA_PROF_SETTINGS_H
#define SCA_PROF_SETTINGS_H

#include <stdbool.h>

enum sca_log_level { SCA_LOG_QUIET, SCA_LOG_WARN, SCA_LOG_INFO, SCA_LOG_DEBUG };

struct sca_settings {
    bool enable;              /* SCALANA_ENABLE: 0 switches everything off */
    const char *output;       /* SCALANA_OUTPUT: run directory, NULL: named after the program */
    unsigned frequency;       /* SCALANA_FREQUENCY: samples per second of CPU time; 0: none */
    bool steady;              /* that was asked for: samples do not become rarer as they add up */
    const char *events;       /* SCALANA_EVENTS: PAPI names, commas between; "" for none */
    double budget;            /* SCALANA_BUDGET: most overhead, percent of CPU time */
    bool strict;              /* that was asked for */
    bool full;                /* SCALANA_RECORD=full: every iteration, with times; else a sample */
    bool series;              /* SCALANA_SERIES: what happens in each iteration is kept */
    unsigned keep;            /* SCALANA_KEEP: most KB of code and lines in the profile; 0: none */
    unsigned long snapshot_s; /* SCALANA_SNAPSHOT: seconds between two snapshots; 0: none */
    enum sca_log_level log;   /* SCALANA_LOG: quiet, warn, info (default), debug */
    char warnings[512];       /* lines, or "" */
};

extern struct sca_settings sca_settings;

void sca_settings_read(void);

#endif
