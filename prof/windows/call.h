/* An MPI call of the program as it is followed, from its entry to its exit (activity.h). */
#ifndef SCA_PROF_CALL_H
#define SCA_PROF_CALL_H

#include "sampling/interval.h"
#include <stdbool.h>
#include <stdint.h>

struct sca_call {
    uint16_t function;
    bool timed;          /* the library's own cost is measured in this call */
    bool ends_iteration; /* ends an iteration (window.h) */
    bool in_vain; /* MPI_Test, MPI_Iprobe, ...: found nothing; or called while one looks so */
    uint32_t site, previous;
    uint64_t enter_ns, exit_ns;
    uint64_t idle_ns; /* before it, and waiting as well (idle.h); then there is no interval */
    struct sca_interval interval; /* before it */
    uint64_t bytes;
};

#endif
