#include "hosts/stop.h"

#include <signal.h>
#include <stddef.h>

static const int minded[] = {SIGINT, SIGTERM, SIGHUP};
static volatile sig_atomic_t came; /* what the handler sees */

static void note(int number)
{
    came = number;
}

void sca_stop_mind(void)
{
    struct sigaction action = {.sa_handler = note}, before;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof minded / sizeof *minded; i++)
        if (!sigaction(minded[i], NULL, &before) && before.sa_handler != SIG_IGN) /* nohup */
            sigaction(minded[i], &action, NULL);
}

bool sca_stop_asked(void)
{
    return came != 0;
}

void sca_stop_follow(void)
{
    if (!came)
        return;
    signal(came, SIG_DFL);
    raise(came);
}
