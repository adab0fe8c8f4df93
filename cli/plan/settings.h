/*
 * What `scalana run` was asked for. Texts point into argv; lists own what they hold.
 */
#ifndef SCA_CLI_SETTINGS_H
#define SCA_CLI_SETTINGS_H

#include "sca_options.h"
#include "sca_words.h"

enum { SCA_RUN_MOST_SIZES = 64, SCA_RUN_MOST_THREADS = 16, SCA_RUN_MOST_AGAIN = 100 };

struct sca_run_settings {
    unsigned sizes[SCA_RUN_MOST_SIZES], nsizes;       /* 0: to be chosen */
    const char *ranks;                                /* --ranks as it was given; NULL: not */
    unsigned threads[SCA_RUN_MOST_THREADS], nthreads; /* of each rank; 0: as the environment says */
    const char *threads_told;                         /* --threads as it was given; NULL: not */
    unsigned long again;
    const char *launcher, *output, *work, *fail_above; /* NULL: not given */
    const char *job, *ci;
    struct sca_words meta; /* KEY=VALUE */
    char **command;        /* the program and its arguments */
};

extern const struct sca_command sca_run_command;

/* What cannot go together, or does not fit: SCA_OK, or SCA_EINVAL with a message. */
int sca_run_settings_check(const struct sca_run_settings *settings);

#endif
