/*
 * sigaltstack, interposed: the program sees the alternate stack that it has set itself, or that it
 * has none, and gets what it asks for. Where it wants none, the library's takes the place
 * (own_stack.h). Any thread, in handlers too.
 */
#include "base/thread_memory.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef int stack_function(const stack_t *, stack_t *);

static stack_function *next;

/* At load: the call may come from places where nothing can be looked up. */
__attribute__((constructor)) static void find_next(void)
{
    *(void **)&next = dlsym(RTLD_NEXT, "sigaltstack");
}

static int pass_on(const stack_t *set, stack_t *before)
{
    return next ? next(set, before) : (int)syscall(SYS_sigaltstack, set, before);
}

/* As the kernel says it of a thread that has none. */
static void hide(stack_t *seen, const stack_t *own)
{
    if (seen->ss_sp == own->ss_sp)
        *seen = (stack_t){.ss_flags = SS_DISABLE};
}

__attribute__((visibility("default"))) int sigaltstack(const stack_t *set, stack_t *before)
{
    stack_t seen, own = {.ss_size = SCA_OWN_STACK};
    bool ends = set && set->ss_flags & SS_DISABLE;
    if (!sca_thread.memory)
        return pass_on(set, before);
    own.ss_sp = sca_thread.memory - SCA_OWN_STACK;
    if (pass_on(set, before ? &seen : NULL))
        return -1;
    if (before) {
        hide(&seen, &own);
        *before = seen;
    }
    if (ends)
        pass_on(&own, NULL);
    return 0;
}
