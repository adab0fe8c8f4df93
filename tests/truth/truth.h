/*
 * What the programs of the suite share: the switch of the defect, and the CPU time that the
 * defect took, measured by the program itself, so that the truth owes nothing to ScalAna.
 *
 *     truth_defect(rank)        after MPI_Comm_rank; false if TRUTH_DEFECT=off in the environment
 *     truth_begin()             before work that holds a defect, on every rank that has it
 *     truth_end(cause, part)    after it; `part` of the time since truth_begin() is what the fix
 *                               would take away, booked for the first (0), second (1) ... cause
 *     truth_add(cause, seconds) the same of time off the core, known beforehand
 *
 * At exit each rank writes a line per cause, "cause seconds", to the file $TRUTH_PLANTED/<rank>.
 * One thread per process calls these.
 */
#ifndef TRUTH_H
#define TRUTH_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

bool truth_defect(int rank);
void truth_begin(void);
void truth_end(int cause, double part);
void truth_add(int cause, double seconds);

#ifdef __cplusplus
}
#endif

#endif
