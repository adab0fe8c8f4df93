#include "signals/own_signal.h"
#include "base/own_thread.h"
#include "base/guard.h"
#include "signals/own_stack.h"

#include <errno.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { HANDLERS = 8 };

#define RESTORER 0x04000000ul /* SA_RESTORER */
#define ONE_SET  sizeof(uint64_t)

/* As the kernel takes it: the C library would refuse the number. */
struct kernel_action {
    void (*handler)(int, siginfo_t *, void *);
    unsigned long flags;
    void (*restorer)(void);
    uint64_t mask;
};

struct arrival {
    int number;
    siginfo_t *info;
    void *ucontext;
};

static sca_signal_handler *handlers[HANDLERS];
static struct kernel_action before; /* the C library's */

static int act(int number, const struct kernel_action *set, struct kernel_action *old)
{
    return (int)syscall(SYS_rt_sigaction, number, set, old, ONE_SET);
}

static uint64_t bit_of(int number)
{
    return (uint64_t)1 << (number - 1);
}

/* The way back to the interrupted code, in the form that debuggers know. */
__attribute__((naked, noinline, used)) static void go_back(void)
{
    __asm__("movq $15, %rax\n\tsyscall");
}

static void call_handlers(void *argument)
{
    const struct arrival *a = argument;
    for (unsigned i = 0; i < HANDLERS; i++) {
        sca_signal_handler *handler = __atomic_load_n(&handlers[i], __ATOMIC_ACQUIRE);
        if (handler)
            handler(a->number, a->info, a->ucontext);
    }
}

static void pass_to_c_library(const struct arrival *a)
{
    if ((uintptr_t)before.handler > (uintptr_t)SIG_IGN)
        before.handler(a->number, a->info, a->ucontext);
}

/* SIGIO that somebody has sent does what it would have done. */
static void take_the_default(int number)
{
    const struct kernel_action usual = {.handler = NULL};
    act(number, &usual, NULL);
    syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), number);
}

static void arrive(int number, siginfo_t *info, void *ucontext)
{
    int kept = errno;
    struct arrival arrival = {number, info, ucontext};
    if (number == SCA_OWN_SIGNAL && info->si_code == SI_TKILL)
        pass_to_c_library(&arrival);
    else if (number != SCA_OWN_SIGNAL && info->si_code != SI_KERNEL)
        take_the_default(number);
    else if (sca_thread.memory || sca_own_stack_begin_in_handler(ucontext))
        sca_own_stack_call(call_handlers, &arrival);
    errno = kept;
}

static bool install(int number)
{
    const struct kernel_action mine = {.handler = arrive,
                                       .flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK | RESTORER,
                                       .restorer = go_back,
                                       .mask = UINT64_MAX};
    return !act(number, &mine, NULL);
}

static bool is_installed(int number, struct kernel_action *now)
{
    return !act(number, NULL, now) && now->handler == arrive;
}

static bool is_known(sca_signal_handler *handler)
{
    for (unsigned i = 0; i < HANDLERS; i++)
        if (handlers[i] == handler)
            return true;
    return false;
}

static bool add(sca_signal_handler *handler)
{
    for (unsigned i = 0; i < HANDLERS; i++) {
        sca_signal_handler *none = NULL;
        if (__atomic_compare_exchange_n(&handlers[i], &none, handler, false, __ATOMIC_RELEASE,
                                        __ATOMIC_RELAXED))
            return true;
    }
    return false;
}

static void *do_nothing(void *nothing)
{
    return nothing;
}

/* The C library sets its handler with the first thread, and what came meanwhile would be lost. */
static void let_c_library_begin(void)
{
    struct kernel_action now;
    pthread_t thread;
    if (!act(SCA_OWN_SIGNAL, NULL, &now) && !now.handler &&
        sca_own_thread_begin(&thread, do_nothing))
        pthread_join(thread, NULL);
}

static bool hold(void)
{
    struct kernel_action now = {.handler = NULL};
    if (is_installed(SCA_OWN_SIGNAL, &now))
        return true;
    before = now;
    return install(SCA_OWN_SIGNAL);
}

int sca_own_signal_take(sca_signal_handler *handler)
{
    let_c_library_begin();
    if (!sca_own_stack_begin() || !hold() || (!is_known(handler) && !add(handler)))
        return 0;
    sca_own_signal_let_through();
    return SCA_OWN_SIGNAL;
}

void sca_own_signal_leave(sca_signal_handler *handler)
{
    for (unsigned i = 0; i < HANDLERS; i++)
        if (handlers[i] == handler)
            __atomic_store_n(&handlers[i], NULL, __ATOMIC_RELEASE);
}

void sca_own_signal_take_substitute(void)
{
    struct kernel_action now;
    if (!act(SIGIO, NULL, &now) && !now.handler)
        install(SIGIO);
}

void sca_own_signal_keep(void)
{
    if (handlers[0])
        hold();
}

void sca_own_signal_let_through(void)
{
    int kept = errno;
    uint64_t mine = bit_of(SCA_OWN_SIGNAL);
    syscall(SYS_rt_sigprocmask, SIG_UNBLOCK, &mine, NULL, ONE_SET);
    errno = kept;
}

bool sca_own_signal_is_blocked(void)
{
    int kept = errno;
    uint64_t blocked = 0;
    syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &blocked, ONE_SET);
    errno = kept;
    return blocked & bit_of(SCA_OWN_SIGNAL);
}

bool sca_own_signal_is_lost(void)
{
    struct kernel_action now;
    return handlers[0] && !is_installed(SCA_OWN_SIGNAL, &now);
}
