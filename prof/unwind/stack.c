#include "unwind/stack.h"

#include <errno.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { WORD = 8, PAGE = 4096, FIBER = 1 << 16 /* stacks of unknown size: at least */ };

static const uint64_t usual_bytes = 8 << 20, most_bytes = 1 << 30;

extern void *__libc_stack_end __attribute__((weak));

_Thread_local struct sca_stack_bounds sca_stack_bounds __attribute__((tls_model("initial-exec")));

static uint64_t main_bytes(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) || limit.rlim_cur > most_bytes)
        return usual_bytes;
    return limit.rlim_cur;
}

/* glibc keeps a thread's descriptor at the upper end of its stack, whoever allocated it. */
void sca_stack_look_up(void)
{
    struct sca_stack_bounds *mine = &sca_stack_bounds;
    if (syscall(SYS_gettid) != getpid()) {
        mine->bytes = mine->bytes ? mine->bytes : usual_bytes;
        mine->high = (uint64_t)pthread_self() & ~(uint64_t)(WORD - 1);
    } else if (&__libc_stack_end) {
        mine->bytes = main_bytes();
        mine->high = (uintptr_t)__libc_stack_end & ~(uint64_t)(WORD - 1);
    } else {
        mine->high = WORD;
    }
}

void sca_stack_announce(uint64_t bytes)
{
    sca_stack_bounds.bytes = bytes;
}

/* The kernel says EFAULT for a set it cannot read before it looks at the (invalid) request. */
static bool readable(uint64_t address)
{
    int kept = errno;
    long got = syscall(SYS_rt_sigprocmask, -1, address, NULL, WORD);
    bool there = got == 0 || errno == EINVAL;
    errno = kept;
    return there;
}

bool sca_stack_probe(struct sca_stack *stack, uint64_t address)
{
    uint64_t page = address & ~(uint64_t)(PAGE - 1);
    if (address % WORD || address < PAGE)
        return false;
    if (page == stack->page)
        return true;
    if (!readable(address))
        return false;
    stack->page = page;
    return true;
}

static bool is_own(uint64_t sp)
{
    struct sca_stack stack = sca_stack_from(sp);
    return stack.low < stack.high;
}

static bool holds(const struct sca_frame_mark *frame)
{
    uint64_t slot = (uintptr_t)frame->cfa - WORD, found;
    struct sca_stack stack = sca_stack_from(slot);
    return sca_stack_read(&stack, slot, &found) && found == (uintptr_t)frame->return_address;
}

bool sca_stack_is_gone(const struct sca_frame_mark *frame, uint64_t sp)
{
    uint64_t cfa = (uintptr_t)frame->cfa;
    bool own = is_own(cfa), other = own != is_own(sp);
    if (!other && sp >= cfa && (own || sp - cfa < FIBER))
        return true;
    return !holds(frame);
}
