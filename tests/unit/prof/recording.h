/* A process that records, its first interval open. For tests. */
#ifndef SCA_TEST_RECORDING_H
#define SCA_TEST_RECORDING_H

#include "arena/arena.h"
#include "base/guard.h"
#include "clock/clock.h"
#include "sampling/interval.h"
#include "unwind/callpath.h"
#include "check_main.h"

static inline void start_recording(void)
{
    ck_assert_int_ge(sca_arena_open(NULL, 0, 1), 0);
    sca_clock_init();
    ck_assert_int_eq(sca_callpath_init(), 0);
    sca_recording = true;
    sca_thread.previous = 0;
    sca_interval_open(0, sca_clock_now());
}

#endif
