#include "profile/polls.h"

#include <stdbool.h>

static bool rests(const struct sca_part_present *p, uint64_t now_ns)
{
    uint64_t until_ns = p->turn & 1 ? p->enter_ns : now_ns;
    bool busy = p->exit_ns == UINT64_MAX;
    return !busy && until_ns > p->exit_ns &&
           SCA_POLLS_MOSTLY * (until_ns - p->exit_ns) > p->exit_ns - p->polls_ns;
}

void sca_polls_settle(struct sca_part_present *p, uint64_t now_ns)
{
    bool inside = p->turn & 1;
    uint64_t look = inside ? p->turn : p->turn - 1;
    if (!p->thread || !p->polls_ns || rests(p, now_ns))
        return;
    p->nawaited = (p->detail == look ? p->nawaited : 0) | SCA_PRESENT_POLLS;
    p->site = inside ? p->site : p->left;
    p->turn = p->detail = look;
    p->enter_ns = p->polls_ns;
}
