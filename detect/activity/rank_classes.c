#include "activity/rank_classes.h"
#include "activity/rank_summary.h"
#include "activity/rank_times.h"
#include "base/compare.h"
#include "stats/two_groups.h"

#include <stdlib.h>
#include <string.h>

/* Groups are apart if this part of the spread lies between them (evenly spread ranks: 0.75), and
 * their means by this part of what the ranks compute in all. */
enum { CLEAR = 85, APART = 10 }; /* percent */

struct piece { /* ranks of a class that is being made */
    struct sca_rank_class class;
    const struct sca_rank_times *times; /* of its shape */
    uint32_t *rows;                     /* in these, as many as ranks */
    double within; /* sum of squares of the computation that spreads most; 0: cannot be divided */
    uint32_t way;  /* it */
};

struct classing {
    struct sca_workspace *space, *scratch;
    double *sorted;
    struct piece *pieces;
    uint32_t n, room;
};

/* ---- spread ---- */

static double seconds_of(const struct piece *p, uint32_t i, uint32_t way)
{
    return p->times->seconds[(size_t)p->rows[i] * p->times->nways + way];
}

static void measure(struct piece *p)
{
    p->within = 0;
    for (uint32_t way = 0; p->class.n > 1 && way < p->times->nways; way++) {
        double mean = 0, squares = 0;
        for (uint32_t i = 0; i < p->class.n; i++)
            mean += seconds_of(p, i, way) / p->class.n;
        for (uint32_t i = 0; i < p->class.n; i++) {
            double apart = seconds_of(p, i, way) - mean;
            squares += apart * apart;
        }
        if (squares > p->within) {
            p->within = squares;
            p->way = way;
        }
    }
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static struct sca_two_groups groups_of(const struct classing *c, const struct piece *p)
{
    for (uint32_t i = 0; i < p->class.n; i++)
        c->sorted[i] = seconds_of(p, i, p->way);
    qsort(c->sorted, p->class.n, sizeof *c->sorted, by_value);
    return sca_two_groups_find(c->sorted, p->class.n);
}

static double computation_of(const struct piece *p)
{
    double sum = 0;
    for (uint32_t i = 0; i < p->class.n; i++)
        for (uint32_t way = 0; way < p->times->nways; way++)
            sum += seconds_of(p, i, way);
    return sum / p->class.n;
}

/* ---- dividing ---- */

static struct piece *append(struct classing *c)
{
    if (c->n == c->room) {
        uint32_t room = c->room ? 2 * c->room : 64;
        c->pieces = sca_workspace_grow(c->scratch, c->pieces, c->n, room, sizeof *c->pieces);
        c->room = room;
    }
    return &c->pieces[c->n++];
}

/* Those above the border become the last piece. */
static void divide(struct classing *c, uint32_t which, double border, bool asked)
{
    append(c);
    struct piece *low = &c->pieces[which], *high = &c->pieces[c->n - 1];
    uint32_t n = low->class.n;
    *high = (struct piece){.class = low->class, .times = low->times};
    high->rows = sca_workspace_alloc(c->scratch, n, sizeof *high->rows);
    high->class.ranks = sca_workspace_alloc(c->space, n, sizeof *high->class.ranks);
    double *seconds = sca_workspace_alloc(c->scratch, n, sizeof *seconds);
    for (uint32_t i = 0; i < n; i++)
        seconds[i] = seconds_of(low, i, low->way);
    low->class.n = high->class.n = 0;
    for (uint32_t i = 0; i < n; i++) {
        bool above = seconds[i] > border;
        struct piece *to = above ? high : low;
        to->rows[to->class.n] = low->rows[i];
        to->class.ranks[to->class.n++] = low->class.ranks[i];
    }
    low->class.by_times = high->class.by_times = true;
    low->class.asked = high->class.asked = asked;
    measure(low);
    measure(high);
}

static bool divide_clearly(struct classing *c, uint32_t which)
{
    struct piece *p = &c->pieces[which];
    if (p->within <= 0)
        return false;
    struct sca_two_groups g = groups_of(c, p);
    if (!g.cut || 100 * g.explained < CLEAR ||
        100 * (g.upper - g.lower) < APART * computation_of(p))
        return false;
    divide(c, which, c->sorted[g.cut - 1], false);
    return true;
}

/* ---- all ---- */

static void begin_shape(struct classing *c, const struct sca_task_source *source,
                        const struct sca_rank_classes *out, uint32_t shape,
                        const enum sca_rank_role *roles)
{
    struct sca_rank_times *times = sca_workspace_alloc(c->scratch, 1, sizeof *times);
    sca_rank_times_load(c->scratch, source, &out->shapes, shape, times);
    struct piece *p = append(c);
    *p = (struct piece){.class = {.shape = shape, .n = times->n}, .times = times};
    p->class.role = roles[out->shapes.first[shape]];
    p->class.ranks = sca_workspace_alloc(c->space, times->n, sizeof *p->class.ranks);
    memcpy(p->class.ranks, times->ranks, times->n * sizeof *p->class.ranks);
    p->rows = sca_workspace_alloc(c->scratch, times->n, sizeof *p->rows);
    for (uint32_t i = 0; i < times->n; i++)
        p->rows[i] = i;
    measure(p);
}

static struct piece *most_spread(const struct classing *c, uint32_t *which)
{
    *which = 0;
    for (uint32_t i = 1; i < c->n; i++)
        *which = c->pieces[i].within > c->pieces[*which].within ? i : *which;
    return c->n && c->pieces[*which].within > 0 ? &c->pieces[*which] : NULL;
}

static void divide_as_asked(struct classing *c, uint32_t wanted)
{
    struct piece *p;
    for (uint32_t which; c->n < wanted && (p = most_spread(c, &which));) {
        struct sca_two_groups g = groups_of(c, p);
        divide(c, which, c->sorted[g.cut - 1], true);
    }
}

static void keep(const struct classing *c, struct sca_rank_classes *out)
{
    out->of = sca_workspace_alloc(c->space, c->n, sizeof *out->of);
    for (uint32_t i = 0; i < c->n; i++)
        out->of[out->n++] = c->pieces[i].class;
}

static int by_role(const void *a, const void *b)
{
    const struct sca_rank_class *x = a, *y = b;
    SCA_ORDER(x->role, y->role);
    SCA_ORDER(x->ranks[0], y->ranks[0]);
    return 0;
}

void sca_rank_classes_find(struct sca_workspace *space, const struct sca_task_source *from,
                           uint32_t wanted, struct sca_rank_classes *out)
{
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    struct sca_task_source source = *from;
    source.summary = sca_rank_summary_of(&scratch, from);
    *out = (struct sca_rank_classes){0};
    sca_rank_shapes_find(space, &source, &out->shapes);
    sca_rank_peers_find(space, &source, &out->peers);
    const enum sca_rank_role *roles = sca_rank_roles_find(space, &source, &out->peers);
    struct classing c = {.space = space, .scratch = &scratch};
    c.sorted = sca_workspace_alloc(&scratch, source.run->nranks, sizeof *c.sorted);
    for (uint32_t shape = 0; shape < out->shapes.n; shape++)
        begin_shape(&c, &source, out, shape, roles);
    for (uint32_t i = 0; i < c.n; i++)
        while (c.n < SCA_MOST_CLASSES && divide_clearly(&c, i))
            ;
    out->nnatural = c.n;
    divide_as_asked(&c, wanted < SCA_MOST_CLASSES ? wanted : SCA_MOST_CLASSES);
    keep(&c, out);
    sca_workspace_free(&scratch);
    if (out->n)
        qsort(out->of, out->n, sizeof *out->of, by_role);
}
