/*
 * The replays of a run on which causes are priced, and what they stand at. Owned by the workspace.
 */
#ifndef SCA_DETECT_STAGE_H
#define SCA_DETECT_STAGE_H

#include "findings/finding.h"
#include "replay/replay.h"

/* What is left of the computation after a call when findings are equalised: of what instances have
 * that is not excess, of their excess; and of the call's own transfer. */
struct sca_level {
    float usual, excess, transfer;
};

struct sca_stage { /* the replays of a run, and how long it takes in virtual time */
    struct sca_workspace *space;
    const struct sca_measure *m;
    const uint32_t *ends;
    const struct sca_traces *traces;
    uint32_t nreplays; /* of this process' traces; all else is of the whole run */
    struct sca_replay *replays;
    double duration; /* seconds, all traces times their weights, nothing equalised */
    double queued;   /* of it: waits for a core that a better binding takes away */
    double ideal;    /* the same on a network that takes no time */
    double waits;
    double *beside;  /* per rank: seconds that its threads compute while another of them does; NULL:
                        none */
    bool even;       /* replays are without the scatter of single instances */
    double transfer; /* core-seconds inside MPI that the replays play */
    double lost;     /* seconds of computation that the traces do not show */
    uint64_t events, forced; /* of the replays; replay.h */
    bool without_messages;   /* they did not fit together and were left out */
    /* Working memory, of the rank that is equalised at the moment. */
    struct sca_level *levels;  /* per interval */
    double *cuts;              /* likewise: seconds that are taken */
    double *keep, *keep_alike; /* per vertex */
    bool *changed;             /* per rank: its intervals may not be as measured */
    /* What the replays stand at, so that nothing is played twice. */
    const struct sca_finding **played;
    uint32_t nplayed; /* UINT32_MAX: unknown */
    double played_duration;
    double rotated; /* of what rotates and was equalised last: seconds taken from the slowest rank
                       in each step, of this process' traces times their weights */
};

#endif
