/*
 * Which of a thread's waits for locks are measured. To measure one takes some microseconds, of the
 * holder's time too: more than many a section. So where waits follow each other closely one of
 * several is drawn, which stands for all of them: waits that are 0.5 ms apart are all measured, and
 * of closer ones so many that they would be. How many is known before a wait begins, so sums are
 * right on the mean (Horvitz and Thompson 1952). Any thread, its own state; no system call.
 */
#ifndef SCA_PROF_DRAWN_WAITS_H
#define SCA_PROF_DRAWN_WAITS_H

#include <stdint.h>

/* A wait begins: so many it stands for; 0: it is not measured. */
uint32_t sca_drawn_waits_next(void);
/* One that was measured is over, by a clock that goes on (ns). */
void sca_drawn_waits_measured(uint64_t now_ns);

#endif
