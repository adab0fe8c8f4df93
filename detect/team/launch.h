/*
 * Started by mpirun, srun or the like, without MPI: which of the processes is this one?
 */
#ifndef SCA_DETECT_LAUNCH_H
#define SCA_DETECT_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>

struct sca_launch {
    uint32_t rank, size; /* 0 of 1 when nobody else was started */
    bool launched;       /* what looks like a terminal may be the launcher's */
};

/* From the environment that launchers give their processes. */
struct sca_launch sca_launch_place(void);

#endif
