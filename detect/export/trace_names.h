/*
 * What traces of recorded iterations share, whatever their format: names of places, and the
 * iterations themselves.
 */
#ifndef SCA_DETECT_TRACE_NAMES_H
#define SCA_DETECT_TRACE_NAMES_H

#include "base/workspace.h"
#include "graph/ppg.h"
#include "timeline/pieces.h"

/* The vertex of a profile's site; 0 where it has none. */
uint32_t sca_trace_names_vertex(const struct sca_ppg_run *run, uint32_t site);

/* "halo.c:19 loop": valid UTF-8. */
enum { SCA_TRACE_NAME = 512 };
void sca_trace_names_label(const struct sca_ppg *ppg, uint32_t vertex, char text[SCA_TRACE_NAME]);

/* In `space`. SCA_ENOTFOUND, for --export=FORMAT:path: the run recorded none. SCA_ENOMEM. */
int sca_trace_names_pieces(struct sca_workspace *space, const struct sca_ppg_run *run,
                           const char *format, const char *path, struct sca_pieces *pieces);

#endif
