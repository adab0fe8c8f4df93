/*
 * The moments of all runs: made when they are loaded.
 */
#ifndef SCA_LIBRARY_ACTIVITIES_H
#define SCA_LIBRARY_ACTIVITIES_H

#include "library/handles.h"
#include "scalana/live.h"

/* SCA_ENOMEM. What is in them lives in runs->memory. */
int sca_activities_make(struct scalana_runs *runs);

/* What of an activity's awaited can be said, in rows of the library; `memory` keeps them. */
int sca_awaited_make(struct sca_arena *memory, const struct sca_ppg_run *run,
                     const struct sca_activity *from, struct scalana_activity *to);

#endif
