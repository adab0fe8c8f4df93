#include "sampler_backend.h"

/* SA_RESTART, and no alternate stack: the walk starts where the application was. */
int sca_signal_take(void (*handler)(int, siginfo_t *, void *))
{
    struct sigaction old, mine = {.sa_flags = SA_SIGINFO | SA_RESTART};
    mine.sa_sigaction = handler;
    sigfillset(&mine.sa_mask);
    for (int number = SIGRTMAX - 1; number > SIGRTMIN + 3; number--) {
        if (sigaction(number, NULL, &old) || old.sa_handler != SIG_DFL)
            continue;
        if (!sigaction(number, &mine, NULL))
            return number;
    }
    return 0;
}
