/*
 * Iterations of the main loop with more world collectives than a window has: no window holds one
 * wholly. Of a few the windows are kept that hold them together, with no weight: they stand for
 * nothing, and what does is chosen without them (window_store.h).
 *
 * Which ones: of each kind, by the calls, those with the smallest hash of the collectives before
 * them, and as many of each kind as there is room for. All ranks count collectives alike, so they
 * choose the same ones where their calls differ alike, without a message.
 *
 * State lock held.
 */
#ifndef SCA_PROF_LONG_ITERATIONS_H
#define SCA_PROF_LONG_ITERATIONS_H

#include <stdbool.h>
#include <stdint.h>

enum { SCA_LONG_ITERATIONS = 8 };

struct sca_long_iteration {
    uint64_t kind;        /* the same where the same calls were made */
    uint64_t hash;        /* of where it begins */
    uint64_t first, last; /* its windows (window_store.h), and all between */
};

void sca_long_iterations_begin(void);
/* True: it is one of those to keep from now on; another one may have gone. */
bool sca_long_iterations_add(struct sca_long_iteration iteration);
/* The one that is worth least goes. False: there is none. */
bool sca_long_iterations_drop(void);
/* Whether one that is kept has the window with that number. */
bool sca_long_iterations_have(uint64_t window);
/* In the order of their worth: the first of each kind, then the second; NULL: no more. */
const struct sca_long_iteration *sca_long_iterations_get(uint32_t i);

#endif
