/*
 * Words that threads sleep at until others wake them (futex(2)), by way of the C library's
 * syscall(), as C++20's std::atomic::wait, std::counting_semaphore, std::latch and std::barrier of
 * libstdc++ do. Whoever wakes tells when (thread_waits.h). All other system calls pass: they are
 * jumped on to, with the caller's return address. Their last argument is the only one on the stack,
 * or no argument at all but the caller's own memory: it stays where it is, and is not written to.
 */
#include "calls/activity.h"
#include "outside/blocked_call.h"
#include "outside/thread_waits.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#define INTERPOSED __attribute__((visibility("default")))

typedef long word;
/* As the C library's, whose arguments are seven words whatever the call: its prototype is variadic.
 */
typedef word system_call(word number, word a, word b, word c, word d, word e, word f);
/* The same, of those in registers. */
word scalana_syscall(word number, word a, word b, word c, word d, word e) __asm__("syscall");
SCA_NEXT_BY(scalana_syscall, dlsym(RTLD_NEXT, "syscall"))

static bool is_wait(word operation)
{
    word command = operation & FUTEX_CMD_MASK;
    return command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET;
}

static bool is_wake(word operation)
{
    word command = operation & FUTEX_CMD_MASK;
    return command == FUTEX_WAKE || command == FUTEX_WAKE_BITSET;
}

static __attribute__((noinline)) word wait_at(word number, word a, word b, word c, word d, word e,
                                              const void *return_address, const void *cfa)
{
    word f = *(const word *)cfa; /* the first on the stack */
    system_call *next = (system_call *)(void *)next_scalana_syscall();
    struct sca_hand_over_wait wait = sca_thread_waits_begin((const void *)a);
    word result = next(number, a, b, c, d, e, f);
    sca_thread_waits_end(&wait, SCA_OUTSIDE_futex, return_address, cfa);
    return result;
}

/* A call in place of the jump would lose what is on the stack, whatever this is built with. */
#ifdef __clang__
#define JUMPS_ON
#else
#define JUMPS_ON __attribute__((optimize("O2")))
#endif

JUMPS_ON INTERPOSED word scalana_syscall(word number, word a, word b, word c, word d, word e)
{
    if (number == SYS_futex && is_wait(b) && sca_virtual_time_follows())
        return wait_at(number, a, b, c, d, e, SCA_CALLER);
    if (number == SYS_futex && is_wake(b))
        sca_thread_waits_tell((const void *)a);
    return next_scalana_syscall()(number, a, b, c, d, e);
}
