/*
 * What a thread does at this moment, for observers (sca_part.h): that it enters and leaves an MPI
 * call, and what the call waits for, as far as its arguments say so. A few stores for each call.
 * Inside a call, on its thread.
 */
#ifndef SCA_PROF_PRESENT_CALL_H
#define SCA_PROF_PRESENT_CALL_H

#include "arena/present.h"
#include "base/guard.h"
#include "calls/collective.h"
#include "calls/comm.h"
#include "mpi/abi.h"
#include "mpi/symbols.h"
#include "windows/call.h"

#include <stdbool.h>
#include <stdint.h>

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

/* Of a call that was entered. */
static inline void sca_present_exit(uint32_t site, uint64_t exit_ns)
{
    struct sca_part_present *present = sca_thread.present;
    present->exit_ns = exit_ns;
    present->left = site;
    sca_present_turn(present, present->turn + 1);
}

/* Of a moment between calls, of a thread that has called: it counts as the call left last. */
static inline void sca_present_pass(uint32_t site, uint64_t ns)
{
    struct sca_part_present *present = sca_thread.present;
    present->site = site;
    present->enter_ns = ns;
    sca_present_turn(present, present->turn + 1);
    sca_present_exit(site, ns);
}

/* Communicators that this thread has asked for lately, by their argument. */
struct sca_present_known {
    sca_word argument;
    uint32_t age, index;                 /* the age it was known in (comm.h); its record */
    const struct sca_communicator *comm; /* NULL: there is none */
};
enum { SCA_PRESENT_KNOWN = 4 };
extern _Thread_local struct sca_present_known sca_present_known[SCA_PRESENT_KNOWN]
    __attribute__((tls_model("initial-exec")));
void sca_present_learn(struct sca_present_known *at, sca_word argument);

static inline const struct sca_present_known *sca_present_comm(sca_word argument)
{
    struct sca_present_known *at =
        &sca_present_known[(argument ^ argument >> 8) % SCA_PRESENT_KNOWN];
    if (__builtin_expect(at->argument != argument || at->age != sca_comm_age, 0))
        sca_present_learn(at, argument);
    return at;
}

/* Of a call that awaits one thing: nothing of it was told before. */
static inline void sca_present_tell(uint32_t n, struct sca_part_awaited awaited)
{
    struct sca_part_present *present = sca_thread.present;
    present->awaited[n] = awaited;
    present->nawaited = n + 1;
    __atomic_store_n(&present->detail, present->turn, __ATOMIC_RELEASE);
}

/* Ranks and tags that stand for others are negative; so is MPI_PROC_NULL, for which nobody waits.
 */
static inline bool sca_present_make(enum sca_awaited_kind kind, int peer, int tag,
                                    const struct sca_present_known *at,
                                    struct sca_part_awaited *out)
{
    int32_t whom = peer;
    if (__builtin_expect(peer < 0, 0)) {
        if (peer == sca_abi.proc_null)
            return false;
        bool any = peer == sca_abi.any_source && at->comm && !at->comm->inter;
        whom = any ? SCA_AWAITS_ANY : -1;
    } else if (at->comm && at->comm->world) {
        whom = sca_comm_record_world_rank(at->comm, peer);
    }
    *out = (struct sca_part_awaited){kind, at->index, whom, tag < 0 ? SCA_AWAITS_ANY : tag};
    return true;
}

/* Before the real call, with the arguments as C has them. */
static inline void sca_present_message(enum sca_awaited_kind kind, int peer, int tag, sca_word comm)
{
    struct sca_part_awaited awaited;
    if (sca_present_make(kind, peer, tag, sca_present_comm(comm), &awaited))
        sca_present_tell(0, awaited);
}

static inline void sca_present_exchange(int to, int send_tag, int from, int receive_tag,
                                        sca_word comm)
{
    const struct sca_present_known *at = sca_present_comm(comm);
    struct sca_part_present *present = sca_thread.present;
    uint32_t n = sca_present_make(SCA_AWAITS_RECEIVER, to, send_tag, at, &present->awaited[0]);
    n += sca_present_make(SCA_AWAITS_SENDER, from, receive_tag, at, &present->awaited[n]);
    present->nawaited = n;
    if (__builtin_expect(n, 1))
        __atomic_store_n(&present->detail, present->turn, __ATOMIC_RELEASE);
}

static inline void sca_present_collective(int shape, int root, sca_word comm)
{
    const struct sca_present_known *at = sca_present_comm(comm);
    int32_t whom = -1;
    if (!at->comm || at->comm->inter) /* whose members are two groups */
        return;
    if (root != SCA_NO_ROOT)
        whom = sca_comm_record_world_rank(at->comm, root);
    sca_present_tell(0, (struct sca_part_awaited){SCA_AWAITS_COLLECTIVE + (uint32_t)shape,
                                                  at->index, whom, (int32_t)at->comm->collectives});
}

/* A call ends that waited, looked or followed a look: since when the thread has only looked. */
void sca_present_looked(const struct sca_call *call);

/* The requests that a Wait, or a Test of several in a row, looks at; any: one is enough. */
void sca_present_wait(const struct sca_wait *wait, bool any);

/* Of a look: one that found nothing came before, and little was done since. */
static inline void sca_present_test(const struct sca_wait *wait, bool any)
{
    if (__builtin_expect(sca_thread.looks, 0))
        sca_present_wait(wait, any);
}

static inline void sca_present_probe(int peer, int tag, sca_word comm)
{
    if (__builtin_expect(sca_thread.looks, 0))
        sca_present_message(SCA_AWAITS_SENDER, peer, tag, comm);
}

#endif
