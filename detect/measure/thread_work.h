/*
 * What all threads of all ranks compute in the run, by samples: exact times are the ranks', as long
 * as the busiest thread of each. Seconds. Of the run, not of a place: a thread comes to the same
 * place on a call path of its own.
 */
#ifndef SCA_DETECT_THREAD_WORK_H
#define SCA_DETECT_THREAD_WORK_H

#include "measure/measure.h"

double sca_thread_work(const struct sca_measure *m);

/* Whether it is clearly more than the ranks take: threads share out work. */
bool sca_thread_work_is_shared_out(const struct sca_measure *m);

#endif
