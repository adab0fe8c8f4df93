/*
 * What each MPI call moved: messages sent, messages received, collectives; their sizes and how long
 * the calls took, as far as the run directory knows.
 *
 * Exact of every message: numbers and bytes, so the mean size. Of each call path, rank and peer the
 * mean is known; sizes one by one only of the messages in recorded windows, which are all of a run
 * with SCALANA_RECORD=full that had room. Durations: number, sum,
 * the shortest and the longest call; one by one with SCALANA_RECORD=full alone.
 */
#ifndef SCA_DETECT_CALLS_H
#define SCA_DETECT_CALLS_H

#include "base/workspace.h"
#include "communication/sizes.h"
#include "graph/ppg.h"

enum sca_call_way { SCA_CALL_SENT, SCA_CALL_RECEIVED, SCA_CALL_COLLECTIVE, SCA_CALL_WAYS };

struct sca_call_sizes {
    double messages, bytes; /* of collectives: calls of the members, and what each of them gave or
                               got */
    double by_class[SCA_SIZE_CLASSES]; /* messages: by their own sizes where all were seen one by
                                          one, else each by the mean of its call path, rank, peer */
    struct sca_spread recorded;        /* sizes seen one by one, */
    double seen_by_class[SCA_SIZE_CLASSES]; /* and their classes */
};

struct sca_call_times {
    double calls, seconds;
    double shortest, longest;   /* seconds; NAN: not known */
    struct sca_spread recorded; /* seconds of calls seen one by one */
    struct sca_spread counted;  /* seconds of all calls of the ranks that counted them by length */
};

struct sca_calls {
    struct sca_call_sizes *sizes; /* [vertex * SCA_CALL_WAYS + way] */
    struct sca_call_times *times; /* [vertex] */
};

/* Of all ranks of the run. In `space`. `whole` is its profile as sca_profile_load() has it, for the
 * shortest and longest calls and how they spread, which are not known without; may be NULL. */
void sca_calls_collect(struct sca_workspace *space, const struct sca_ppg *ppg,
                       const struct sca_ppg_run *run, const struct sca_profile *whole,
                       struct sca_calls *out);

#endif
