/*
 * The loop markers of all modules, where their notes say that they are (sca_hook.h). One thread at
 * a time, not in a handler; the hooks are called by any.
 */
#ifndef SCA_PROF_MARKERS_H
#define SCA_PROF_MARKERS_H

#include "sca_hook.h"
#include <stdbool.h>

/* Whether modules have come or gone since it was asked last. */
bool sca_markers_changed(void);
/* Looks for them anew: memory of modules that have gone is no longer there. Sets all. */
void sca_markers_find(void (*hook)(struct sca_loop *));
/* Sets those that were found; NULL switches them off. Each one's `own` is 0 again. */
void sca_markers_set(void (*hook)(struct sca_loop *));

#endif
