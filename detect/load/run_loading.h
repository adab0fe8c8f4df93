/*
 * The runs to analyse, by rising number of ranks, then of threads, whatever order they were given
 * in. Several runs with the same number are repetitions. Worlds of one job are one run (worlds.h).
 */
#ifndef SCA_DETECT_RUN_LOADING_H
#define SCA_DETECT_RUN_LOADING_H

#include "graph/ppg.h"
#include "base/settings.h"
#include "sca_profile_each.h"

struct sca_runs {
    uint32_t count;
    struct sca_profile **profiles;
    struct sca_ppg *ppg;
};

/* Loads all or fails: SCA_E... of the first that cannot be read, or that does not belong. Of the
 * settings it takes the depth of loops and, where there are as many numbers as runs, their work. */
int sca_runs_load(char *const *directories, uint32_t count, const struct sca_settings *settings,
                  struct sca_runs *out);
/* One run, whose ranks are handed over one by one and have no tables then; for settings that are
 * `unmeasured`. out->ppg is NULL where what was handed over is not what sca_runs_load() makes of
 * it: clocks jumped, threads call MPI or take locks, or ranks wait past MPI. */
int sca_runs_load_each(char *directory, const struct sca_settings *settings,
                       const struct sca_rank_taker *taker, struct sca_runs *out);
void sca_runs_free(struct sca_runs *runs);

#endif
