/*
 * Recorded iterations of the largest run as a trace of Perfetto's track events, for
 * https://ui.perfetto.dev: https://perfetto.dev/docs/reference/synthetic-track-event. Field numbers
 * are those of its public schema (trace_packet.proto, track_event.proto, track_descriptor.proto).
 *
 * A process for each rank, with a slice for each computation and each MPI call, a flow for each
 * message and a counter of bytes sent; tracks for the critical path and the ranks that wait. Time
 * is that of a replay, as if each rank had a core; a piece of windows begins when it did.
 */
#ifndef SCA_DETECT_PERFETTO_H
#define SCA_DETECT_PERFETTO_H

#include "graph/ppg.h"

/* SCA_ENOTFOUND: the run recorded no iterations; SCA_EIO, SCA_ENOMEM. */
int sca_perfetto_write(const struct sca_ppg *ppg, const char *path);

#endif
