/*
 * What a run says of the first threads' waits for other threads of their ranks (SCA_SAMPLE_THREAD,
 * sca_part.h), and what those computed meanwhile, by their samples, as did the first ones (thread
 * 0). By rank, interval, thread. From the workspace.
 */
#ifndef SCA_DETECT_THREAD_WAITS_H
#define SCA_DETECT_THREAD_WAITS_H

#include "base/workspace.h"
#include "graph/ppg.h"

struct sca_thread_use {
    uint32_t rank, interval, vertex;
    uint16_t thread;
    double seconds; /* waited at the vertex for that thread, or computed there by it */
    double beyond;  /* of these, more than the threads' mean (wait_findings.c); else 0 */
};

struct sca_thread_uses { /* by rank, interval, thread, vertex */
    uint32_t n, capacity;
    struct sca_thread_use *of;
};

struct sca_thread_waits {
    struct sca_thread_uses waits, work; /* 0 waits: nothing is said of work */
    double *helped;    /* [rank * intervals + interval] seconds that the first thread waited in all:
                          who gets a core late finds done what it would have waited for */
    bool *has_regions; /* likewise: of OpenMP, which say themselves how uneven they are */
    double *locked;    /* likewise: what the rank took longer by locks within it (lock_waits.h) */
};

void sca_thread_waits_read(struct sca_workspace *space, const struct sca_ppg_run *run,
                           struct sca_thread_waits *out);

#endif
