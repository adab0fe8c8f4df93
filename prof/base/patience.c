#include "base/patience.h"
#include "base/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define LOOK_SECONDS 0.25

static const int32_t *pids; /* by rank, 0: elsewhere */

void sca_patience_watch(const int32_t *by_rank)
{
    pids = by_rank;
}

double sca_patience_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Between two looks at what has not come yet: yields at first, then sleeps ever longer. */
void sca_patience_pause(unsigned *turn)
{
    unsigned us = *turn < 64 ? 0 : *turn < 128 ? 50 : 500;
    (*turn)++;
    if (!us) {
        sched_yield();
        return;
    }
    const struct timespec t = {0, us * 1000};
    nanosleep(&t, NULL);
}

/* Ranks that share this host and its process numbers can be seen to have died. A zombie has. */
bool sca_patience_is_dead(uint32_t rank)
{
    char path[40], stat[256];
    if (!pids || !pids[rank])
        return false;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pids[rank]);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT;
    ssize_t n = sca_descriptor_read(fd, stat, sizeof stat - 1);
    close(fd);
    stat[n > 0 ? n : 0] = '\0';
    const char *state = strrchr(stat, ')');
    return n <= 0 || (state && (state[2] == 'Z' || state[2] == 'X'));
}

struct sca_patience sca_patience_begin(double limit)
{
    double now = sca_patience_now();
    return (struct sca_patience){now + limit, now + LOOK_SECONDS};
}

bool sca_patience_looks(struct sca_patience *p)
{
    double now = sca_patience_now();
    if (now < p->look)
        return false;
    p->look = now + LOOK_SECONDS;
    return true;
}

bool sca_patience_is_over(const struct sca_patience *p)
{
    return sca_patience_now() > p->end;
}
