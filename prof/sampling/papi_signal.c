#include "sampling/papi_signal.h"
#include "base/descriptor.h"
#include "signals/own_signal.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <unistd.h>

enum { NONE = -1, SIGNALS = 65 };

static struct {
    int number; /* 0: not known yet */
    void (*handler)(int, siginfo_t *, void *);
} papi;

static struct sigaction had[SIGNALS]; /* before PAPI's number is known, on one thread only */
static _Thread_local int overflowing __attribute__((tls_model("initial-exec"))) = NONE;

static void on_signal(int number, siginfo_t *info, void *ucontext)
{
    if (info->si_code > 0 && overflowing != NONE && info->si_fd == overflowing)
        papi.handler(number, info, ucontext);
}

/* Once the number is known PAPI's handler is no news, nor what the program had before. */
void sca_papi_signal_note(void)
{
    overflowing = NONE;
    if (papi.number)
        sigaction(papi.number, NULL, &had[papi.number]);
    for (int i = SIGRTMIN; !papi.number && i <= SIGRTMAX; i++)
        sigaction(i, NULL, &had[i]);
}

/* What the program has for the signal is what it had. */
static bool learn(int number)
{
    struct sigaction now;
    if (number < SIGRTMIN || number > SIGRTMAX || sigaction(number, NULL, &now))
        return false;
    if (now.sa_sigaction != had[number].sa_sigaction) {
        papi.handler = now.sa_sigaction;
        sigaction(number, &had[number], NULL);
    }
    papi.number = papi.handler ? number : 0;
    return papi.number;
}

void sca_papi_signal_redirect(int descriptor)
{
    if (descriptor < 0 || !learn(sca_descriptor_control(descriptor, F_GETSIG, 0)) ||
        !sca_own_signal_take(on_signal))
        return;
    overflowing = descriptor;
    sca_descriptor_control(descriptor, F_SETSIG, SCA_OWN_SIGNAL);
}
