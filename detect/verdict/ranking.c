#include "verdict/ranking.h"
#include "price/shortlist.h"
#include "price/what_if.h"
#include "sca_progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct ranking {
    struct sca_stage *stage;
    const struct sca_finding **chosen; /* equalised so far, then the others */
    uint32_t nchosen, n;
    double unmended; /* duration with nothing equalised */
    double duration; /* with the chosen equalised */
};

static void swap(struct ranking *k, uint32_t a, uint32_t b)
{
    const struct sca_finding *c = k->chosen[a];
    k->chosen[a] = k->chosen[b];
    k->chosen[b] = c;
}

/* What a group of the rest saves together on top of the chosen. */
static double gain_of(struct ranking *k, uint32_t first, uint32_t n)
{
    const struct sca_finding *equalised[SCA_SHORTLIST];
    memcpy(equalised, k->chosen, k->nchosen * sizeof *equalised);
    memcpy(equalised + k->nchosen, k->chosen + first, n * sizeof *equalised);
    return (k->duration - sca_what_if_level(k->stage, equalised, k->nchosen + n)) *
           k->stage->m->nranks;
}

struct best {
    double gain;
    uint32_t which; /* nobody saves more than `gain`: nchosen */
};

/* The one of a group that saves most. Equalising never makes a run longer, so a group that saves no
 * more than what is known already has no better one in it. */
static void find_best(struct ranking *k, uint32_t first, uint32_t n, struct best *best)
{
    double gain = gain_of(k, first, n);
    if (gain <= best->gain)
        return;
    if (n == 1) {
        *best = (struct best){gain, first};
        return;
    }
    uint32_t half = first == k->nchosen ? 1 : n / 2; /* the first has the greatest excess */
    find_best(k, first, half, best);
    find_best(k, first + half, n - half, best);
}

/* Finds the one of the rest that saves most, at least `least`; puts it next and returns its gain.
 */
static double try_rest(struct ranking *k, double least)
{
    struct best best = {nextafter(least, 0), k->nchosen};
    find_best(k, k->nchosen, k->n - k->nchosen, &best);
    if (best.which == k->nchosen && best.gain < least)
        return 0;
    swap(k, k->nchosen, best.which);
    return best.gain;
}

static void choose_singly(struct ranking *k, double least)
{
    while (k->nchosen < k->n) {
        sca_progress("pricing findings", k->nchosen, k->n);
        double gain = try_rest(k, least);
        if (gain < least)
            return;
        k->nchosen++;
        k->duration -= gain / k->stage->m->nranks;
    }
}

/* Leaves out those of the rest without which the others save as much together. */
static uint32_t needed_together(struct ranking *k, double joint, double least)
{
    uint32_t end = k->n;
    for (uint32_t i = k->nchosen; i < end;) {
        swap(k, i, end - 1);
        double gain =
            (k->duration - sca_what_if_level(k->stage, k->chosen, end - 1)) * k->stage->m->nranks;
        if (joint - gain < least)
            end--;
        else
            swap(k, i++, end - 1);
    }
    return end;
}

static void choose_together(struct ranking *k, double least)
{
    double joint =
        (k->duration - sca_what_if_level(k->stage, k->chosen, k->n)) * k->stage->m->nranks;
    if (joint < least)
        return;
    k->nchosen = needed_together(k, joint, least / 2);
    k->duration = sca_what_if_level(k->stage, k->chosen, k->nchosen);
}

/* What rotates goes behind the others; returns how many of these there are. */
static uint32_t part_rotating(struct ranking *k)
{
    uint32_t named = 0;
    for (uint32_t i = 0; i < k->n; i++)
        if (!sca_finding_rotates(k->chosen[i]))
            swap(k, named++, i);
    return named;
}

/* Named ranks tell more than that all are late in turn: these are taken out first, and what rotates
 * is a cause if it saves enough on top. */
static void choose_all(struct ranking *k, double least)
{
    uint32_t all = k->n;
    k->n = part_rotating(k);
    choose_singly(k, least);
    if (k->n - k->nchosen >= 2)
        choose_together(k, least);
    k->n = all;
    choose_singly(k, least);
}

/* The chosen ones but one. */
static double without(struct ranking *k, uint32_t i)
{
    swap(k, i, k->nchosen - 1);
    double duration = sca_what_if_level(k->stage, k->chosen, k->nchosen - 1);
    swap(k, i, k->nchosen - 1);
    return duration;
}

/*
 * The order of choice must not decide what each is worth: of two that hide each other the first
 * would gain nothing and the second everything. So each gets the mean of what it saves alone and
 * what it saves last, scaled so that all add up to what they save together.
 */
static void share_gain(struct ranking *k, struct sca_gain *gains)
{
    uint32_t nranks = k->stage->m->nranks;
    double all = sca_what_if_level(k->stage, k->chosen, k->nchosen), sum = 0;
    double joint = (k->unmended - all) * nranks;
    for (uint32_t i = 0; i < k->nchosen; i++) {
        sca_progress("comparing gains", i, k->nchosen);
        const struct sca_finding *c = k->chosen[i];
        struct sca_gain *of = &gains[c->number];
        of->alone = fmax(0, (k->unmended - sca_what_if_level(k->stage, &c, 1)) * nranks);
        of->gain = (of->alone + fmax(0, (without(k, i) - all) * nranks)) / 2;
        sum += of->gain;
    }
    for (uint32_t i = 0; i < k->nchosen && sum > 0; i++)
        gains[k->chosen[i]->number].gain *= joint / sum;
}

struct gain_order {
    const struct sca_finding *finding;
    double gain;
};

static int by_gain(const void *a, const void *b)
{
    const struct gain_order *x = a, *y = b;
    if (x->gain != y->gain)
        return (x->gain < y->gain) - (x->gain > y->gain);
    return (x->finding->excess < y->finding->excess) - (x->finding->excess > y->finding->excess);
}

static void put_in_order(struct sca_workspace *space, struct sca_finding_list *findings,
                         const struct sca_gain *gains)
{
    struct gain_order *ranked = sca_workspace_alloc(space, findings->count, sizeof *ranked);
    for (uint32_t i = 0; i < findings->count; i++)
        ranked[i] = (struct gain_order){findings->items[i], gains[findings->items[i]->number].gain};
    sca_workspace_put_in_order(space, ranked, findings->count, sizeof *ranked, by_gain);
    for (uint32_t i = 0; i < findings->count; i++)
        findings->items[i] = ranked[i].finding;
}

uint32_t sca_ranking_order(struct sca_workspace *space, struct sca_stage *stage,
                           struct sca_finding_list *findings, double least, struct sca_gain *gains)
{
    uint32_t gaining = 0;
    struct ranking k = {.stage = stage};
    k.chosen = sca_workspace_alloc(space, SCA_SHORTLIST, sizeof *k.chosen);
    k.n = sca_shortlist(space, stage->m, findings, least, k.chosen);
    k.unmended = k.duration = sca_what_if_level(stage, NULL, 0);
    choose_all(&k, least);
    share_gain(&k, gains);
    put_in_order(space, findings, gains);
    while (gaining < findings->count && gains[findings->items[gaining]->number].gain >= least)
        gaining++;
    return gaining;
}
