#include "windows/long_iterations.h"

#include <stddef.h>
#include <string.h>

/* In the order of their worth, and one more while it is compared. */
static struct sca_long_iteration list[SCA_LONG_ITERATIONS + 1];
static uint32_t count;

void sca_long_iterations_begin(void)
{
    count = 0;
}

/* How many of its kind have a smaller hash. */
static uint32_t place_of(const struct sca_long_iteration *i)
{
    uint32_t before = 0;
    for (uint32_t k = 0; k < count; k++)
        before += list[k].kind == i->kind && list[k].hash < i->hash;
    return before;
}

static bool is_worth_more(const struct sca_long_iteration *a, const struct sca_long_iteration *b)
{
    uint32_t x = place_of(a), y = place_of(b);
    return x < y || (x == y && a->hash < b->hash);
}

static void put_in_order(void)
{
    struct sca_long_iteration sorted[SCA_LONG_ITERATIONS + 1];
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = 0;
        for (uint32_t k = 0; k < count; k++)
            at += k != i && is_worth_more(&list[k], &list[i]);
        sorted[at] = list[i];
    }
    memcpy(list, sorted, count * sizeof *list);
}

bool sca_long_iterations_add(struct sca_long_iteration iteration)
{
    list[count++] = iteration;
    put_in_order();
    if (count <= SCA_LONG_ITERATIONS)
        return true;
    count--;
    return list[count].hash != iteration.hash;
}

bool sca_long_iterations_drop(void)
{
    count -= count > 0;
    return count > 0;
}

bool sca_long_iterations_have(uint64_t window)
{
    for (uint32_t i = 0; i < count; i++)
        if (list[i].first <= window && window <= list[i].last)
            return true;
    return false;
}

const struct sca_long_iteration *sca_long_iterations_get(uint32_t i)
{
    return i < count ? &list[i] : NULL;
}
