#include "calls/budget.h"
#include "arena/arena.h"
#include "sampling/sampler.h"
#include "base/settings.h"
#include "windows/window.h"

#include <stdbool.h>
#include <stdio.h>
#include <time.h>

enum { LOOK_NS = 50000000, PIECE_NS = 100000000, MUCH = 4 };

static unsigned slowness = 1; /* of samples, by us */

static struct {
    uint64_t next_ns;         /* when to look again */
    uint64_t cpu_ns, tool_ns; /* at the beginning of this piece of the run */
} piece;

static uint64_t process_cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint64_t tool_ns(void)
{
    return __atomic_load_n(&sca_arena_header()->tool_ns, __ATOMIC_RELAXED);
}

void sca_budget_begin(void)
{
    piece.cpu_ns = process_cpu_ns();
    piece.tool_ns = tool_ns();
}

static void give_up_something(double share)
{
    if (sca_sampler_slow_down())
        slowness *= 2;
    else if (share > MUCH * sca_settings.budget)
        sca_window_rarer();
}

void sca_budget_look(uint64_t now_ns)
{
    if (now_ns < piece.next_ns)
        return;
    uint64_t cpu_ns = process_cpu_ns(), cost_ns = tool_ns();
    piece.next_ns = now_ns + LOOK_NS;
    if (cpu_ns - piece.cpu_ns < PIECE_NS)
        return;
    double share = 100.0 * (double)(cost_ns - piece.tool_ns) / (double)(cpu_ns - piece.cpu_ns);
    if (share > sca_settings.budget)
        give_up_something(share);
    piece.cpu_ns = cpu_ns;
    piece.tool_ns = cost_ns;
}

void sca_budget_end(void)
{
    char number[24];
    if (slowness > 1) {
        snprintf(number, sizeof number, "%u", slowness);
        sca_arena_meta("budget.sampling", number);
    }
    if (sca_window_rareness() > 1) {
        snprintf(number, sizeof number, "%u", sca_window_rareness());
        sca_arena_meta("budget.windows", number);
    }
}
