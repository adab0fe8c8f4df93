/*
 * How much of a machine a process may use and wants: what tells whether ranks share cores.
 */
#ifndef SCA_PROF_CORES_H
#define SCA_PROF_CORES_H

#include <stdint.h>

/* Threads the program was told to compute with (OMP_NUM_THREADS, its outermost number), else 1. */
uint32_t sca_cores_wanted(void);
/* Cores its control group may keep busy, rounded up (cgroup v2, cpu.max, the tightest on the way to
 * the root); 0: no limit. */
uint32_t sca_cores_quota(void);

#endif
