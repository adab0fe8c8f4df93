/*
 * MPI calls and what lies between them.
 *
 * Every wrapper brackets the real call:
 *     struct sca_call call;
 *     if (sca_call_enter(&call, SCA_FN_Send, __builtin_return_address(0), __builtin_dwarf_cfa()))
 *         ... after the real call: sca_call_traffic(...), sca_call_leave(&call)
 * Enter books the computation since the previous call; leave books count, time and bytes per
 * site. Both return at once when recording is off or the call is nested. Any thread.
 */
#ifndef SCA_PROF_ACTIVITY_H
#define SCA_PROF_ACTIVITY_H

#include <stdbool.h>
#include <stdint.h>

struct sca_call {
    bool recorded;
    uint16_t function;
    uint32_t site;
    uint64_t enter_ns;
    uint64_t bytes;
};

bool sca_call_enter(struct sca_call *call, unsigned function, const void *return_address,
                    const void *cfa);
void sca_call_leave(struct sca_call *call);

#endif
