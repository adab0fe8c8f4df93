/*
 * Which windows are kept. All, while their bytes fit; then those with the smallest hash of their
 * epoch among the windows of their class (logarithm of duration): ranks differ in what fits, but
 * whatever one of them keeps less is what another would have dropped next. State lock held.
 */
#ifndef SCA_PROF_WINDOW_STORE_H
#define SCA_PROF_WINDOW_STORE_H

#include "sca_part.h"
#include <stdbool.h>
#include <stdint.h>

/* Most bytes of events: the fewer ranks, the more; half of them for the windows beyond the
 * sixteenth, so that a run of seconds has what one of hours has. SCALANA_RECORD=full: all there is
 * room for. */
void sca_window_store_begin(uint32_t ranks);
/* A window of this class has ended: counts it. True if it may be kept. */
bool sca_window_wanted(uint64_t epoch, uint32_t duration_class);
/* Keeps it with its encoded events. */
void sca_window_keep(const struct sca_part_window *window, const void *events, uint32_t size);
/* The end: class totals, and no bytes between the windows that stayed. */
void sca_window_store_end(void);

#endif
