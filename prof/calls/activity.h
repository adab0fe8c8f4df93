/*
 * MPI calls and what lies between them.
 *
 * Every wrapper brackets the real call:
 *     struct sca_call *call = sca_activity_enter(SCA_FN_Send, SCA_CALLER);
 *     if (call) {
 *         ... the real call ...
 *         sca_activity_exit(call);    reads the clock
 *         ...                     traffic.h, requests.h, comm.h: whom it had to do with
 *         sca_activity_leave(call);
 *     }
 * Enter finds the site; leave books the computation since the previous call (of this thread) and
 * count, time and bytes of the site. Enter says NULL when recording is off or the call is nested
 * in another one; then nothing else may be called. The call is the thread's, not the frame's: one
 * that never returns is booked when that is seen (left.h). Calls of functions that MPI itself has
 * called are recorded as any (callback.h). Any thread, never in a handler.
 */
#ifndef SCA_PROF_ACTIVITY_H
#define SCA_PROF_ACTIVITY_H

#include "base/guard.h"
#include "mpi/symbols.h"
#include "windows/call.h"
#include <stdbool.h>
#include <stdint.h>

#define SCA_ENTRY  __attribute__((visibility("default")))
#define SCA_CALLER __builtin_return_address(0), __builtin_dwarf_cfa()

struct sca_call *sca_activity_enter(unsigned function, const void *return_address, const void *cfa);
void sca_activity_exit(struct sca_call *call);
void sca_activity_leave(struct sca_call *call);

/* The site of a call that is booked elsewhere (outside/); SCA_NONE without room. Inside the tool.
 */
uint32_t sca_activity_site(unsigned function, const void *return_address, const void *cfa);

/* The same, of what that call jumped on to, or has run: a function, whose first line it is booked
 * at. */
uint32_t sca_activity_site_into(unsigned function, const void *return_address, const void *cfa,
                                const void *into);

/* The same, of a call of another thread's, known by its return address alone. */
uint32_t sca_activity_site_alone(unsigned function, const void *return_address);

/* Whether MPI_THREAD_SERIALIZED or more was asked for and given: any thread may call. */
bool sca_activity_threads_call(void);

/* A moment outside MPI, of a thread whose calls are followed, is booked as a call that takes no
 * time. Its site, SCA_NONE without room; outside the tool. */
uint32_t sca_activity_moment(unsigned function, const void *return_address, const void *cfa);
/* The same, at the call that created the thread; only if it has called MPI. */
void sca_activity_end_thread(void);

/* A Fortran entry. Where the MPI library's own entry calls the C function, says NULL and lends that
 * call this frame; sca_activity_pass_fortran() takes it back. `lends`: not an entry of mpi_f08
 * without choice buffers; those never go through the C function. */
struct sca_call *sca_activity_enter_fortran(unsigned function, bool lends,
                                            const void *return_address, const void *cfa);
void sca_activity_pass_fortran(void);

/* PMPI_X was called. True: by a call that is seen already, or by a tool that follows us, which is
 * its own affair. False: by a tool before us, that has taken the program's MPI_X. */
static inline bool sca_activity_passes_below(unsigned function)
{
    return sca_thread.in_mpi || sca_thread.in_tool || SCA_REAL(function) != SCA_BELOW(function);
}

/* What calls have cost the program so far, of tool_ns in the part's header; all threads. */
uint64_t sca_activity_cost_ns(void);

/* MPI_Init has returned on this thread: its first interval begins now. */
void sca_activity_begin(void);
/* Recording goes on after a pause: what lay in it is no computation. */
void sca_activity_resume(void);

#endif
