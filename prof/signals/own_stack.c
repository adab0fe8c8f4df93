#include "signals/own_stack.h"
#include "base/thread_memory.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

static stack_t own(void)
{
    return (stack_t){.ss_sp = sca_thread.memory - SCA_OWN_STACK, .ss_size = SCA_OWN_STACK};
}

static bool is_own(const stack_t *stack)
{
    return sca_thread.memory && stack->ss_sp == sca_thread.memory - SCA_OWN_STACK;
}

static int ask_kernel(const stack_t *set, stack_t *before)
{
    return (int)syscall(SYS_sigaltstack, set, before);
}

/* In the place of none, not of the program's. */
bool sca_own_stack_begin(void)
{
    int kept = errno;
    stack_t before, mine;
    if (!sca_thread_memory_take())
        return false;
    mine = own();
    if (!ask_kernel(NULL, &before) && before.ss_flags & SS_DISABLE)
        ask_kernel(&mine, NULL);
    errno = kept;
    return true;
}

/* What the handler's return is to set: a handler's own sigaltstack() would end with it. */
bool sca_own_stack_begin_in_handler(void *ucontext)
{
    ucontext_t *interrupted = ucontext;
    if (!sca_thread_memory_take())
        return false;
    if (interrupted->uc_stack.ss_flags & SS_DISABLE)
        interrupted->uc_stack = own();
    return true;
}

void sca_own_stack_leave(void)
{
    int kept = errno;
    const stack_t none = {.ss_flags = SS_DISABLE};
    stack_t now;
    if (sca_thread.memory && !ask_kernel(NULL, &now) && is_own(&now))
        ask_kernel(&none, NULL);
    errno = kept;
}

void sca_own_stack_call(void (*function)(void *), void *argument)
{
    uintptr_t top = (uintptr_t)sca_thread.memory, here = (uintptr_t)__builtin_frame_address(0);
    if (!top || top - here <= SCA_OWN_STACK) {
        function(argument);
        return;
    }
    __asm__ volatile("movq %%rsp, %%rbx\n\t"
                     "movq %[top], %%rsp\n\t"
                     "callq *%[function]\n\t"
                     "movq %%rbx, %%rsp"
                     : "+D"(argument), [top] "+r"(top), [function] "+r"(function)
                     :
                     : "rbx", "rax", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "memory", "cc",
                       "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8",
                       "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
}
