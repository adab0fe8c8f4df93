#include "clock/stint.h"
#include "base/hot.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#if __has_include(<sys/rseq.h>)
#include <sys/rseq.h>

enum { TRIAL_NS = 20000 };

/* The kernel reads the signature in front of the address to which it would send a thread. */
static const uint32_t never_run[2] = {RSEQ_SIG, 0};
static struct rseq_cs sequence;
static ptrdiff_t area_offset SCA_HOT; /* of struct rseq from the thread pointer */
static bool usable SCA_HOT;

static volatile struct rseq *area(void)
{
    return (volatile struct rseq *)((char *)__builtin_thread_pointer() + area_offset);
}

void sca_stint_begin(void)
{
    if (usable)
        area()->rseq_cs = (uintptr_t)&sequence;
}

bool sca_stint_lasts(void)
{
    return usable && area()->rseq_cs == (uintptr_t)&sequence;
}

int sca_stint_core(void)
{
    return usable ? (int)area()->cpu_id : -1;
}

/* Asked by name: an older C library has not got them. */
static bool find_area(void)
{
    const ptrdiff_t *offset = dlsym(RTLD_DEFAULT, "__rseq_offset");
    const unsigned *size = dlsym(RTLD_DEFAULT, "__rseq_size");
    if (!offset || !size || !*size)
        return false;
    area_offset = *offset;
    return (int32_t)area()->cpu_id >= 0;
}

void sca_stint_init(void)
{
    static const struct timespec nap = {0, TRIAL_NS};
    if (usable || !find_area())
        return;
    sequence.start_ip = (uintptr_t)&never_run[0];
    sequence.post_commit_offset = 1;
    sequence.abort_ip = (uintptr_t)&never_run[1];
    usable = true;
    sca_stint_begin();
    clock_nanosleep(CLOCK_MONOTONIC, 0, &nap, NULL);
    usable = !sca_stint_lasts();
}

#else

void sca_stint_init(void)
{
}

void sca_stint_begin(void)
{
}

bool sca_stint_lasts(void)
{
    return false;
}

int sca_stint_core(void)
{
    return -1;
}

#endif
