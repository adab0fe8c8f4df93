/*
 * The runs to analyse, by rising number of ranks, then of threads, whatever order they were given
 * in. Several runs with the same number are repetitions. Worlds of one job are one run (worlds.h).
 */
#ifndef SCA_DETECT_RUN_LOADING_H
#define SCA_DETECT_RUN_LOADING_H

#include "graph/ppg.h"
#include "base/settings.h"

struct sca_runs {
    uint32_t count;
    struct sca_profile **profiles;
    struct sca_ppg *ppg;
};

/* Loads all or fails: SCA_E... of the first that cannot be read, or that does not belong. Of the
 * settings it takes the depth of loops and, where there are as many numbers as runs, their work. */
int sca_runs_load(char *const *directories, uint32_t count, const struct sca_settings *settings,
                  struct sca_runs *out);
void sca_runs_free(struct sca_runs *runs);

#endif
