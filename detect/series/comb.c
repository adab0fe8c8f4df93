#include "series/comb.h"

#include <math.h>

/* Iterations of the comb before that one. */
static uint64_t before(const struct sca_comb *c, uint64_t iteration)
{
    return iteration > c->phase ? (iteration - c->phase - 1) / c->period + 1 : 0;
}

bool sca_comb_has(const struct sca_comb *c, uint32_t point)
{
    uint64_t begin = (uint64_t)point * c->width;
    return before(c, begin + c->width) - before(c, begin) > c->width / c->period;
}

uint32_t sca_comb_next(const struct sca_comb *c, uint32_t n, uint32_t point)
{
    if (c->period <= c->width) {
        while (point < n && !sca_comb_has(c, point))
            point++;
        return point;
    }
    uint64_t next = before(c, (uint64_t)point * c->width) * c->period + c->phase;
    return next / c->width < n ? (uint32_t)(next / c->width) : n;
}

/* ---- combs with the same places ---- */

/* Combs like one, each point of which holds `always` of their iterations, or one more. */
struct like {
    const struct sca_comb *comb;
    uint32_t n, always;
};

struct phases {
    int64_t least, most;
};

/* With that period. Behind `held` iterations of a comb lies a border between points: the last of
 * these is before it, the next one is not. */
static struct phases phases_of(const struct like *l, int64_t period)
{
    struct phases p = {0, period - 1};
    int64_t held = 0;
    for (uint32_t i = 1; i <= l->n; i++) {
        int64_t border = (int64_t)i * l->comb->width;
        held += l->always + sca_comb_has(l->comb, i - 1);
        int64_t least = border - held * period, most = border - 1 - (held - 1) * period;
        p.least = least > p.least ? least : p.least;
        p.most = most < p.most ? most : p.most;
    }
    return p;
}

static bool is_like(const struct like *l, int64_t period)
{
    struct phases p = phases_of(l, period);
    return period >= 2 && p.least <= p.most;
}

/* The last one that is, from `from` on, which is, towards `end`, which is not: all between are. */
static int64_t last_like(const struct like *l, int64_t from, int64_t end)
{
    while (from - end > 1 || end - from > 1) {
        int64_t middle = from + (end - from) / 2;
        *(is_like(l, middle) ? &from : &end) = middle;
    }
    return from;
}

/* One more iteration in each point is a frequency higher by one. False: no whole period does. */
static bool find_period(const struct like *l, int64_t *period)
{
    double held = (double)l->always - (double)(l->comb->width / l->comb->period);
    double frequency = 1 / (double)l->comb->period + held / l->comb->width;
    if (frequency <= 0)
        return false;
    *period = (int64_t)floor(1 / frequency);
    *period += !is_like(l, *period);
    return is_like(l, *period);
}

struct sca_combs sca_combs_like(const struct sca_comb *c, uint32_t n, uint32_t always)
{
    const struct like l = {c, n, always};
    int64_t period;
    if (!find_period(&l, &period))
        return (struct sca_combs){.any = false};
    int64_t least = last_like(&l, period, 1), most = last_like(&l, period, 2 * period);
    int64_t middle = least + (most - least) / 2;
    const struct phases of = phases_of(&l, middle), a = phases_of(&l, least),
                        b = phases_of(&l, most);
    return (struct sca_combs){
        .any = true,
        .least = (uint64_t)least,
        .most = (uint64_t)most,
        .within = (uint64_t)((a.most > b.most ? a.most : b.most) -
                             (a.least < b.least ? a.least : b.least) + 1),
        .comb = {(uint64_t)middle, (uint64_t)(of.least + of.most) / 2, c->width}};
}
