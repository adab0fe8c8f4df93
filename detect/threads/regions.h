/*
 * What a run says of the threads of its ranks: parallel regions, how unevenly their threads
 * computed, what the ranks did alone in between, and waits for locks (SCA_SAMPLE_REGION and those
 * behind it, sca_part.h). By place, rank and interval. From the workspace.
 */
#ifndef SCA_DETECT_REGIONS_H
#define SCA_DETECT_REGIONS_H

#include "base/workspace.h"
#include "graph/ppg.h"

enum sca_region_part {
    SCA_REGION_ALL,       /* of the rank's time, each thread with a core of its own */
    SCA_REGION_UNEVEN,    /* of that: beyond what it took if all threads computed as much */
    SCA_REGION_CONTENDED, /* of that: by waits for locks */
    SCA_REGION_PARTS
};

/* Tasks that depend on each other, or of which one takes longer than each thread's part, at the
 * place where they are made: what regions take longer by that than if all threads had computed as
 * much. */
struct sca_chain_cell {
    uint32_t vertex, rank, interval;
    unsigned threads; /* of the team */
    bool alone;       /* one of them */
    double seconds;
};

struct sca_region_cell {
    uint32_t vertex, rank, interval;
    unsigned threads; /* of its team, or the largest of its teams */
    bool inner;       /* inside another one, whose time has it */
    double seconds[SCA_REGION_PARTS];
};

struct sca_regions {
    uint32_t n;                    /* 0: no rank has any */
    struct sca_region_cell *cells; /* by vertex, rank, interval */
    unsigned threads;              /* of the largest team, inner ones' apart; */
    unsigned inner_threads;        /* of these; 1: there are none */
    bool *inside;                  /* per vertex of the graph: in some region */
    uint32_t nchains;
    struct sca_chain_cell *chains; /* by vertex, and those of one task first; of a place,
                                                        rank and interval there may be several */
};

void sca_regions_read(struct sca_workspace *space, const struct sca_ppg *ppg,
                      const struct sca_ppg_run *run, struct sca_regions *out);

#endif
