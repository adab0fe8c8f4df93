/*
 * MPI calls that never return, since the program left them by a jump (unwind/left.h). They are
 * booked as if they had returned when they were last seen running: at the entry of the function of
 * the program's that jumped, by a sample, else as they were entered. What follows is computation.
 */
#ifndef SCA_PROF_CALLS_LEFT_H
#define SCA_PROF_CALLS_LEFT_H

#include "windows/call.h"

/* The calling thread's that are marked as left; `leave` is sca_activity_leave(). Inside the tool,
 * not in a handler. */
void sca_left_book(void (*leave)(struct sca_call *call));

#endif
