#include "trap.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef int action_function(int, const struct sigaction *, struct sigaction *);
typedef sighandler_t signal_function(int, sighandler_t);

static action_function *next_action;
static signal_function *next_signal, *next_sysv_signal;

static struct {
    sca_trap_handler *handler; /* NULL: the signal is the program's */
    struct sigaction programs; /* what it set, or would find */
    bool lock;
} state;

/* Another thread of the parent may have held it. */
static void unlock_child(void)
{
    __atomic_clear(&state.lock, __ATOMIC_RELEASE);
}

static void find_next(void)
{
    next_action = (action_function *)dlsym(RTLD_NEXT, "sigaction");
    next_signal = (signal_function *)dlsym(RTLD_NEXT, "signal");
    next_sysv_signal = (signal_function *)dlsym(RTLD_NEXT, "__sysv_signal");
}

/* At load: sigaction may be called where nothing can be looked up. */
__attribute__((constructor)) static void prepare(void)
{
    find_next();
    pthread_atfork(NULL, NULL, unlock_child);
}

static int system_action(const struct sigaction *set, struct sigaction *old)
{
    if (!next_action)
        find_next();
    return next_action ? next_action(SIGTRAP, set, old) : -1;
}

/* No handler runs on a thread that holds the lock, so none can wait for it there. */
static void lock(sigset_t *blocked)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, blocked);
    while (__atomic_test_and_set(&state.lock, __ATOMIC_ACQUIRE))
        ;
}

static void unlock(const sigset_t *blocked)
{
    __atomic_clear(&state.lock, __ATOMIC_RELEASE);
    pthread_sigmask(SIG_SETMASK, blocked, NULL);
}

/* What follows the name in the kernel's word of this process. */
static const char *find(const char *status, const char *name)
{
    const char *found = strstr(status, name);
    return found ? found + strlen(name) : "";
}

/* While the signal is ignored: a debugger looks on, or something below us that shows the program
 * other signals than there are, as valgrind does, has a handler all the same. */
static bool is_watched(void)
{
    char status[2048] = "";
    int fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, status, sizeof status - 1);
    if (fd >= 0)
        close(fd);
    status[n > 0 ? n : 0] = '\0';
    bool debugged = strtoul(find(status, "\nTracerPid:\t"), NULL, 10) != 0;
    return !*status || debugged ||
           (strtoull(find(status, "\nSigCgt:\t"), NULL, 16) >> (SIGTRAP - 1) & 1);
}

static bool is_blocked(void)
{
    sigset_t blocked;
    return !pthread_sigmask(SIG_SETMASK, NULL, &blocked) && sigismember(&blocked, SIGTRAP) == 1;
}

static bool take(const struct sigaction *mine)
{
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    struct sigaction before;
    if (state.handler)
        return !system_action(mine, NULL);
    if (system_action(&ignore, &before))
        return false;
    bool watched = is_watched();
    system_action(watched ? &before : mine, NULL);
    state.programs = before;
    return !watched;
}

bool sca_trap_take(sca_trap_handler *handler)
{
    struct sigaction mine = {.sa_flags = SA_SIGINFO | SA_RESTART};
    sigset_t blocked;
    mine.sa_sigaction = handler;
    sigfillset(&mine.sa_mask);
    if (is_blocked())
        return false;
    lock(&blocked);
    bool done = take(&mine);
    if (done)
        state.handler = handler;
    unlock(&blocked);
    return done;
}

void sca_trap_give_back(void)
{
    sigset_t blocked;
    lock(&blocked);
    if (state.handler)
        system_action(&state.programs, NULL);
    state.handler = NULL;
    unlock(&blocked);
}

bool sca_trap_is_taken(void)
{
    struct sigaction now;
    return state.handler && !system_action(NULL, &now) && now.sa_sigaction == state.handler;
}

/* As the kernel would, which lets nobody ignore a trap: it comes again as the handler returns, and
 * ends the program. */
static void end_by_default(int number)
{
    struct sigaction usual = {.sa_handler = SIG_DFL};
    system_action(&usual, NULL);
    syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), number);
}

static void call(const struct sigaction *action, int number, siginfo_t *info, void *ucontext)
{
    if (action->sa_flags & SA_SIGINFO)
        action->sa_sigaction(number, info, ucontext);
    else
        action->sa_handler(number);
}

/* With the signals blocked that the program asked for, and no others. */
void sca_trap_pass_on(int number, siginfo_t *info, void *ucontext)
{
    sigset_t blocked, mask = ((const ucontext_t *)ucontext)->uc_sigmask;
    lock(&blocked);
    struct sigaction action = state.programs;
    if (action.sa_flags & (int)SA_RESETHAND)
        state.programs = (struct sigaction){.sa_handler = SIG_DFL};
    unlock(&blocked);
    if (action.sa_handler == SIG_IGN && info->si_code <= 0)
        return;
    if (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN) {
        end_by_default(number);
        return;
    }
    sigorset(&mask, &mask, &action.sa_mask);
    if (!(action.sa_flags & SA_NODEFER))
        sigaddset(&mask, number);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    call(&action, number, info, ucontext);
}

/* False: the signal is not taken, so the system is to be asked. */
static bool exchange(const struct sigaction *set, struct sigaction *old)
{
    sigset_t blocked;
    if (!state.handler)
        return false;
    struct sigaction given = set ? *set : (struct sigaction){0}, before;
    lock(&blocked);
    bool taken = state.handler != NULL;
    before = state.programs;
    if (taken && set)
        state.programs = given;
    unlock(&blocked);
    if (taken && old)
        *old = before;
    return taken;
}

static sighandler_t set_handler(int number, sighandler_t handler, int flags,
                                signal_function **system)
{
    struct sigaction set = {.sa_handler = handler, .sa_flags = flags}, old;
    if (number == SIGTRAP && handler != SIG_ERR && exchange(&set, &old))
        return old.sa_handler;
    if (!*system)
        find_next();
    return *system ? (*system)(number, handler) : SIG_ERR;
}

__attribute__((visibility("default"))) int sigaction(int number, const struct sigaction *set,
                                                     struct sigaction *old)
{
    if (number == SIGTRAP && exchange(set, old))
        return 0;
    if (!next_action)
        find_next();
    return next_action ? next_action(number, set, old) : -1;
}

/* BSD's: it stays, and interrupts nothing. */
__attribute__((visibility("default"))) sighandler_t signal(int number, sighandler_t handler)
{
    return set_handler(number, handler, SA_RESTART, &next_signal);
}

/* System V's: once. */
__attribute__((visibility("default"))) sighandler_t __sysv_signal(int number, sighandler_t handler)
{
    return set_handler(number, handler, (int)(SA_RESETHAND | SA_NODEFER), &next_sysv_signal);
}

__attribute__((visibility("default"))) sighandler_t sysv_signal(int number, sighandler_t handler)
{
    return __sysv_signal(number, handler);
}
