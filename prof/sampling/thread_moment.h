/* A moment of a thread in virtual time (virtual_time.h), as it is kept. Nanoseconds. */
#ifndef SCA_PROF_THREAD_MOMENT_H
#define SCA_PROF_THREAD_MOMENT_H

#include <stdint.h>

struct sca_thread_moment {
    uint64_t ns;     /* since the interval's beginning */
    uint32_t mark;   /* which interval; 0: nothing is known */
    uint32_t thread; /* whose (sca_threads_number()) */
    uint64_t run_ns; /* it had computed since its last wait, */
    uint32_t before; /* which was charged to that thread */
};

#endif
