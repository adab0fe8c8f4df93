/*
 * libscalana: windows: consecutive iterations of the main loop that all ranks recorded in full.
 *
 * A run keeps a bounded number of them, of typical and of slow iterations, so that they are a
 * sample of the run over time, not all of it. A window says when its iterations began and ended on
 * a location and how much of that was computation; its events are the MPI calls in it, with the
 * computation before each. When a call was entered and left is known of runs that were recorded in
 * full (SCALANA_RECORD=full) alone. Times are seconds on the run's time line, where the first
 * rank's MPI_Init is 0, or, where clocks could not be compared, since the location's own MPI_Init.
 */
#ifndef SCALANA_WINDOWS_H
#define SCALANA_WINDOWS_H

#include "scalana/run.h"

#ifdef __cplusplus
extern "C" {
#endif

struct scalana_window {
    uint64_t epoch;       /* rises with time; the same for the same iterations on all locations */
    uint64_t collectives; /* of MPI_COMM_WORLD that came before it */
    uint32_t loop; /* whose iteration began it, by a number of the profiler's; 0: a collective */
    uint32_t iteration;  /* of that loop; 0 where a collective began it */
    uint32_t iterations; /* how many it holds */
    uint32_t nevents;    /* rows of scalana_window_events() */
    double begin_s, end_s;
    double computation_s;  /* between the calls; what is left of the window was inside MPI */
    uint32_t length_class; /* windows of about the same length have the same */
    uint64_t stands_for;   /* windows of the run that are of this class; 0: kept for what it holds
                            with others, an iteration that is longer than a window */
};

/* Rows of the windows of a location, rising by time; scalana_location says how many there are.
 * SCALANA_EINVAL, SCALANA_ENOMEM. */
int scalana_run_windows(const scalana_runs *runs, uint32_t run, uint32_t location, uint32_t first,
                        uint32_t count, struct scalana_window *out, size_t size);

struct scalana_window_event { /* one MPI call */
    uint32_t context;
    double own_s;           /* computation since the call before, or the window's begin */
    double enter_s, exit_s; /* as measured; NaN: this run did not keep them */
    uint64_t bytes;         /* that it sent or received */
};

/* Rows of the events of a window, in the order of time. SCALANA_EINVAL, SCALANA_ENOMEM. */
int scalana_window_events(const scalana_runs *runs, uint32_t run, uint32_t location,
                          uint32_t window, uint32_t first, uint32_t count,
                          struct scalana_window_event *out, size_t size);

#ifdef __cplusplus
}
#endif
#endif
