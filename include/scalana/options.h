/*
 * libscalana: what an analysis is to do, by the names and values of scalana-detect's options.
 *
 *     name             value                                        default
 *     abnorm-thd       1 to 1e6: a rank is abnormal in a context    1.3
 *                      from this ratio to the ranks' median
 *     min-share        0 to 1: causes that would save less are      0.01
 *                      left out; of ranks x wall time of the
 *                      largest run
 *     max-loop-depth   0 to 1000: loops without MPI below it are    as compiled
 *                      merged into the computation around them
 *     merge            median|mean|max|rank:N|variance|cluster:     median
 *                      how the ranks' times become one number per
 *                      run for the scaling models
 *     scaling          auto|strong|weak                             auto
 *     work             N,N,...: positive problem sizes, one for     none
 *                      each run in the order in which runs are
 *                      given; goes with scaling=auto only
 *     cache            0|1: structures that are recovered from      1
 *                      machine code are kept in the user's cache
 *     symfs            folder below which binaries are looked for   none
 *     since            a snapshot of the run (scalana-live): what    none
 *                      came before it is left out; for one run
 *     progress         0|1: show on standard error, where that is   0
 *                      a terminal, how far long steps are
 *
 * How ranks are merged, and from which ratio they are abnormal: Jin et al., "ScalAna: Automating
 * Scaling Loss Detection with Graph Analysis", SC'20, section IV-A.
 */
#ifndef SCALANA_OPTIONS_H
#define SCALANA_OPTIONS_H

#include "scalana/error.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scalana_options scalana_options;

/* All defaults. Free it with scalana_options_free(). NULL when out of memory. */
scalana_options *scalana_options_new(void);

/* NULL is nothing to free. */
void scalana_options_free(scalana_options *options);

/* Sets one; both texts are copied. SCALANA_EINVAL: no such option, or not a value for it. */
int scalana_options_set(scalana_options *options, const char *name, const char *value);

/* The names, 0 to the last; NULL after it. For programs that offer all of them. */
const char *scalana_options_name(uint32_t index);

#ifdef __cplusplus
}
#endif
#endif
