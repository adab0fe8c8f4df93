/*
 * Waits for other threads of the process at a call: where the first thread waits, and whom the wait
 * is charged to, is booked (SCA_SAMPLE_THREAD, sca_part.h) in the interval that is open; what other
 * threads wait goes into their virtual time alone. Any thread, not in a handler; errno is kept.
 */
#ifndef SCA_PROF_THREAD_WAITS_H
#define SCA_PROF_THREAD_WAITS_H

#include "sampling/hand_over.h"
#include "sampling/virtual_time.h"

/* The calling thread waited so long for `thread`. `function`: enum sca_outside_function. */
void sca_thread_waits_book(unsigned function, uint64_t ns, uint32_t thread,
                           const void *return_address, const void *cfa);

/* Around a wait for an object. */
static inline struct sca_hand_over_wait sca_thread_waits_begin(const void *object)
{
    return sca_virtual_time_follows() ? sca_hand_over_wait_begin(object)
                                      : (struct sca_hand_over_wait){0};
}
void sca_thread_waits_end(const struct sca_hand_over_wait *wait, unsigned function,
                          const void *return_address, const void *cfa);

/* The calling thread lets others go on. */
static inline void sca_thread_waits_tell(const void *object)
{
    if (__builtin_expect(sca_hand_over_is_awaited(object), 0) && sca_virtual_time_follows())
        sca_hand_over_tell(object, false);
}

#endif
