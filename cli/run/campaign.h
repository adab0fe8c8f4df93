/*
 * All runs of one `scalana run`: the sizes, as often as asked, into one result folder.
 */
#ifndef SCA_CLI_CAMPAIGN_H
#define SCA_CLI_CAMPAIGN_H

#include "machine/launcher.h"
#include "plan/settings.h"
#include "sca_run_meta.h"

struct sca_campaign {
    const struct sca_run_settings *settings;
    const struct sca_target *target;
    const struct sca_launcher *launcher;
    const char *folder;
    unsigned slots; /* ranks that have a core each, or cores for all threads */
    unsigned cores; /* for ranks of other numbers of threads; 0: slots are those of a batch job */
    struct sca_run_meta meta;
    struct sca_words runs; /* run directories, in the order of the runs */
};

/* Runs them; the first that fails ends them, with a line on standard error. 0, or the exit status
 * of what failed. */
int sca_campaign_run(struct sca_campaign *campaign);
void sca_campaign_free(struct sca_campaign *campaign);

#endif
