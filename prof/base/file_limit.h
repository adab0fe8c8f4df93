/*
 * Past the limit on file sizes (RLIMIT_FSIZE) the kernel answers a write with SIGXFSZ, which kills
 * the application: ask first. Any thread; async-signal-safe.
 */
#ifndef SCA_PROF_FILE_LIMIT_H
#define SCA_PROF_FILE_LIMIT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>

static inline bool sca_file_limit_allows(uint64_t bytes)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) || limit.rlim_cur == RLIM_INFINITY ||
           limit.rlim_cur >= bytes;
}

#endif
