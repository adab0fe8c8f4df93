/*
 * The kernel's hooks for perf in its scheduler, kept on for as long as a run lasts. They go on with
 * the first event of a task on the host, whoever opens it, and off again a second after the last is
 * closed; to switch them on the kernel waits for all cores (an RCU grace period): 5 to 15 ms in
 * which the thread that opens the event sleeps. Clocks that run in some segments only would
 * hold up a rank that long about once a second, and in no account of CPU time would it show.
 *
 * What keeps them on is an event of a thread that has ended, which makes no switch dearer. Where
 * there are no such events there is nothing to keep. begin, join, end: on one thread; not in a
 * handler.
 */
#ifndef SCA_PROF_PERF_STANDBY_H
#define SCA_PROF_PERF_STANDBY_H

/* Once: a thread of its own opens the event and ends, to be joined later. */
void sca_perf_standby_begin(void);
void sca_perf_standby_join(void);
/* Joins it as well, if that was not done. */
void sca_perf_standby_end(void);

#endif
