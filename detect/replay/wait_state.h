/*
 * What a replayed wait is waiting for: the wait states of Scalasca's report, told from the edge of
 * the replay that ended the wait.
 */
#ifndef SCA_DETECT_WAIT_STATE_H
#define SCA_DETECT_WAIT_STATE_H

#include "replay/replay.h"

enum sca_wait_class {
    SCA_WAIT_LATE_SENDER,
    SCA_WAIT_WRONG_ORDER, /* late sender, while a message sent earlier is received later in the
                             same round of the program */
    SCA_WAIT_LATE_RECEIVER,
    SCA_WAIT_LATE_BROADCAST, /* one to all: scatters too */
    SCA_WAIT_EARLY_REDUCE,   /* all to one: gathers too */
    SCA_WAIT_AT_NXN,
    SCA_WAIT_AT_BARRIER, /* and at the run's end */
    SCA_WAIT_AT_SCAN,
    SCA_WAIT_OTHER_WORLD,     /* for ranks of another MPI_COMM_WORLD: measured, not replayed */
    SCA_WAIT_LATE_POST,       /* of a window, for a target's MPI_Win_post, */
    SCA_WAIT_LATE_COMPLETE,   /* or an origin's MPI_Win_complete; */
    SCA_WAIT_LOCK_CONTENTION, /* or for who has its lock */
    SCA_WAIT_CLASSES
};

/* Of an event that waited (replay->waited_for is an event). */
enum sca_wait_class sca_wait_state_classify(const struct sca_replay *replay,
                                            const struct sca_ppg_run *run, uint32_t event);
/* As in the report: "late-sender". */
const char *sca_wait_state_class_name(enum sca_wait_class kind);

/* Vertex of an event's call; of the run's end the last call's; SCA_NONE if it has none. */
uint32_t sca_wait_state_vertex(const struct sca_ppg_run *run, struct sca_trace_event event);

#endif
