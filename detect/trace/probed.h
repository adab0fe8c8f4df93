/*
 * Receives behind MPI_Probe. Who probes waits there until a message has come, and then receives it
 * at once; the runtime books the message where it is received. So the receive is moved to the
 * probe, if only calls that ask nobody (local_calls.h) lie between: the wait is where the program
 * waits. MPI_Mprobe takes the message itself.
 */
#ifndef SCA_DETECT_PROBED_H
#define SCA_DETECT_PROBED_H

#include "trace/replay_trace.h"

/* In the operations of a sequence whose events and operations stand. */
void sca_probed_receives(const struct sca_profile *profile, struct sca_event_sequence *sequence);

#endif
