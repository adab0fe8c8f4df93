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

/* How long it took: longer where a hypervisor or an interrupt came in between. */
static inline uint64_t work(uint64_t ns)
{
    uint64_t begin = kernel_cpu_ns(), now;
    do
        now = kernel_cpu_ns();
    while (now < begin + ns);
    return now - begin;
}

#endif
