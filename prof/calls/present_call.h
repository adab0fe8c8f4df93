/*
 * What a thread does at this moment, for observers (sca_part.h): that it enters and leaves an MPI
 * call, and what the call waits for, as far as its arguments say so. A few stores for each call.
 * Inside a call, on its thread.
 */
#ifndef SCA_PROF_PRESENT_CALL_H
#define SCA_PROF_PRESENT_CALL_H

#include "arena/present.h"
#include "base/guard.h"
#include "mpi/abi.h"
#include "mpi/symbols.h"
#include "windows/call.h"

#include <stdbool.h>
#include <stdint.h>

struct sca_communicator;
struct sca_wait;

static inline void sca_present_turn(struct sca_part_present *present, uint64_t turn)
{
    __atomic_store_n(&present->turn, turn, __ATOMIC_RELEASE);
    __atomic_thread_fence(__ATOMIC_RELEASE); /* what follows is of the new turn */
}

/* A call that was left by a jump has not said so. */
static inline void sca_present_enter(const struct sca_call *call)
{
    struct sca_part_present *present = sca_thread.present;
    if (__builtin_expect(!present, 0))
        present = sca_present_take();
    uint64_t turn = present->turn;
    if (__builtin_expect(turn & 1, 0))
        sca_present_turn(present, ++turn);
    present->site = call->site;
    present->enter_ns = call->enter_ns;
    sca_present_turn(present, turn + 1);
}

static inline void sca_present_exit(uint32_t site, uint64_t exit_ns)
{
    struct sca_part_present *present = sca_thread.present;
    if (__builtin_expect(!present, 0))
        return;
    present->exit_ns = exit_ns;
    present->left = site;
    sca_present_turn(present, (present->turn | 1) + 1);
}

/* Before the real call, with the arguments as C has them. Of MPI_PROC_NULL nothing is awaited. */
void sca_present_message(enum sca_awaited_kind kind, int peer, int tag, sca_word comm);
void sca_present_collective(int shape, int root, sca_word comm);
/* The requests that a Wait looks at; any: one is enough. */
void sca_present_wait(const struct sca_wait *wait, bool any);

#endif
