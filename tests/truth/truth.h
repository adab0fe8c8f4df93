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
 *     truth_times(ill, usual, step, steps)
 *                               how many times as long as others' the work of this step is; 1 if
 *                               the rank is not ill
 *     truth_extra(ill, usual, work, step, steps)
 *                               iterations that others do not have; 0 if the rank is not ill
 *
 * `usual` holds unless the environment says otherwise: TRUTH_FACTOR=1.15 asks for a defect of that
 * factor (of `work`, what a rank has to do anyway), TRUTH_EVERY=16 or once for one in every 16th
 * or one of the `steps`, so much larger.
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
double truth_times(bool ill, double usual, int step, int steps);
int truth_extra(bool ill, int usual, int work, int step, int steps);
void truth_begin(void);
void truth_end(int cause, double part);
void truth_add(int cause, double seconds);

#ifdef __cplusplus
}
#endif

#endif
