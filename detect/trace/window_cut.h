/*
 * Whether windows that the ranks do not begin together hold the same iterations on all of them.
 *
 * Each rank counts the iterations of its loop by itself, and by mistake one may be a round ahead,
 * or count another loop's. A window's beginnings on all ranks are a cut through the run, and so are
 * its ends; a cut is consistent if nothing is received before it that is sent behind it (Chandy and
 * Lamport 1985). So in no window may a message have a higher number than the last one that its
 * sender sent on that channel in the same window, and all members of a communicator must have come
 * to the same collectives. And all ranks must hang together, by messages and collectives within
 * windows: of one that takes part in nothing that the others do there, nothing is known.
 */
#ifndef SCA_DETECT_WINDOW_CUT_H
#define SCA_DETECT_WINDOW_CUT_H

#include "base/workspace.h"
#include "trace/replay_trace.h"

/* Traces of windows, of all ranks; at least one. */
bool sca_window_cut_is_consistent(struct sca_workspace *space, const struct sca_trace *windows,
                                  uint32_t count);

#endif
