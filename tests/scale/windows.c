/* Which windows a generated run keeps: a few of each class of duration, as the runtime does. */
#include "rank_tables.h"

#include <math.h>
#include <stdlib.h>

enum { CLASSES = 64 };

struct choice {
    uint64_t number;
    double chance;
    uint32_t class;
};

static uint32_t class_of(const struct scale_plan *plan, uint64_t number)
{
    double seconds = 0;
    for (uint32_t i = 0; i < SCALE_EPOCHS; i++)
        seconds += plan->longest[(number * SCALE_EPOCHS + i) % (plan->phases / plan->groups)];
    return (uint32_t)fmax(0, floor(log2(seconds * 1e9)));
}

static int by_chance(const void *a, const void *b)
{
    const struct choice *x = a, *y = b;
    return (x->chance > y->chance) - (x->chance < y->chance);
}

/* In the order of chance, the same number of each class as far as there are as many. */
static void take(struct scale_run *run, const struct choice *all, uint64_t n, uint32_t most,
                 const uint64_t *total)
{
    uint32_t taken[CLASSES] = {0};
    for (uint32_t round = 1; run->nwindows < most && round <= most; round++)
        for (uint64_t i = 0; i < n && run->nwindows < most; i++) {
            uint32_t class = all[i].class, seen = 0;
            for (uint64_t k = 0; k < i; k++)
                seen += all[k].class == class;
            if (seen + 1 != round || taken[class] >= round)
                continue;
            taken[class] = round;
            run->windows[run->nwindows++] =
                (struct scale_window){all[i].number, total[class], class};
        }
}

void scale_choose_windows(struct scale_run *run, uint32_t most)
{
    uint64_t n = (uint64_t)run->plan->steps * run->plan->phases / run->plan->groups / SCALE_EPOCHS;
    uint64_t total[CLASSES] = {0};
    struct choice *all = calloc(n + 1, sizeof *all);
    run->windows = calloc((size_t)most + 1, sizeof *run->windows);
    if (!all || !run->windows)
        abort();
    for (uint64_t i = 0; i < n; i++) {
        all[i] =
            (struct choice){i, scale_chance(run->plan->seed + 3, i, 0, 0), class_of(run->plan, i)};
        total[all[i].class]++;
    }
    qsort(all, n, sizeof *all, by_chance);
    take(run, all, n, most, total);
    free(all);
}
