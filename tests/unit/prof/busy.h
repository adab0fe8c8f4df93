/* Computing for so long, by the kernel's own clock of the thread. For tests. */
#ifndef SCA_TEST_BUSY_H
#define SCA_TEST_BUSY_H

#include <stdint.h>
#include <time.h>

static inline uint64_t kernel_cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static inline void work(uint64_t ns)
{
    uint64_t until = kernel_cpu_ns() + ns;
    while (kernel_cpu_ns() < until)
        ;
}

#endif
