#include "base/degrees.h"
#include "report/notes.h"
#include "sca_phrase.h"
#include "stats/over_ranks.h"
#include "verdict/causes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Ranks that others wait for. */
struct waited {
    uint32_t *ranks, n; /* they rise */
    double seconds;     /* core-seconds, for all of them */
};

static double *sum_by_rank(const struct sca_analysis *c)
{
    const struct sca_replayed *r = &c->replayed;
    double *sums = sca_workspace_alloc(c->space, r->nranks, sizeof *sums);
    for (uint32_t v = 0; v < r->nvertices; v++)
        for (uint32_t k = 0; k < r->nranks; k++)
            sums[k] += r->of[(size_t)v * r->nranks + k];
    return sums;
}

static uint32_t rank_of_most(const double *sums, uint32_t n)
{
    uint32_t best = 0;
    for (uint32_t r = 1; r < n; r++)
        best = sums[r] > sums[best] ? r : best;
    return best;
}

/* Whether as many more, with no more each, can come to most of it. */
static bool is_enough(double seconds, double each, double more, double all)
{
    return seconds + each * more >= SCA_MOST * all;
}

/* The fewest that have most of it; none if they are more than a quarter of all, and several. */
static struct waited find_ranks(const struct sca_analysis *c)
{
    uint32_t nranks = c->replayed.nranks;
    double *sums = sum_by_rank(c), all = sca_over_ranks_sum(sums, nranks);
    double left = fmax(1, SCA_QUARTER * nranks);
    struct waited of = {.ranks = sca_workspace_alloc(c->space, nranks, sizeof *of.ranks)};
    for (; of.seconds < SCA_MOST * all && left > 0; left--) {
        uint32_t r = rank_of_most(sums, nranks);
        if (!is_enough(of.seconds, sums[r], left, all))
            return of;
        of.seconds += sums[r];
        sums[r] = -1;
    }
    for (uint32_t r = 0; r < nranks && of.seconds >= SCA_MOST * all; r++)
        if (sums[r] < 0)
            of.ranks[of.n++] = r;
    return of;
}

static struct waited all_ranks(const struct sca_analysis *c)
{
    uint32_t nranks = c->replayed.nranks;
    double *sums = sum_by_rank(c);
    struct waited of = {.ranks = sca_workspace_alloc(c->space, nranks, sizeof *of.ranks),
                        .seconds = sca_over_ranks_sum(sums, nranks)};
    for (uint32_t r = 0; r < nranks; r++)
        of.ranks[of.n++] = r;
    return of;
}

static bool names(const struct sca_finding_list *list, uint32_t rank)
{
    for (uint32_t i = 0; i < list->count; i++)
        for (uint32_t k = 0; k < list->items[i]->nranks; k++)
            if (list->items[i]->ranks[k] == rank)
                return true;
    return false;
}

static bool is_told(const struct sca_analysis *c, const struct waited *of)
{
    for (uint32_t i = 0; i < of->n; i++)
        if (names(&c->causes, of->ranks[i]) || names(&c->noted, of->ranks[i]))
            return true;
    return false;
}

/* The deepest vertex below which they keep others waiting for most of it. */
static uint32_t find_place(const struct sca_analysis *c, const struct waited *of)
{
    const struct sca_replayed *r = &c->replayed;
    double *below = sca_workspace_alloc(c->space, r->nvertices, sizeof *below);
    uint32_t best = 0;
    for (uint32_t v = r->nvertices; v-- > 0;) {
        for (uint32_t i = 0; i < of->n; i++)
            below[v] += r->of[(size_t)v * r->nranks + of->ranks[i]];
        if (v > 0)
            below[c->ppg->vertices[v].parent] += below[v];
        if (!best && below[v] >= SCA_MOST * of->seconds)
            best = v;
    }
    return best;
}

/* "in a.c:12 loop in main", or "near a.c:12 ..." where the line is only that. */
static const char *phrase_at(const struct sca_analysis *c, const struct waited *of,
                             char text[SCA_PHRASE + 3])
{
    char place[SCA_PHRASE];
    sca_phrase_vertex(place, &c->report->vertices[find_place(c, of)]);
    snprintf(text, SCA_PHRASE + 3, "%s%s", strncmp(place, "near ", 5) ? "in " : "", place);
    return text;
}

/* Whether few ranks are waited for, though nothing else names them. */
static bool note_ranks(struct sca_analysis *c)
{
    double base = c->accounts[c->last].base;
    struct waited of = find_ranks(c);
    if (!of.n || of.seconds < SCA_NEGLIGIBLE * base || is_told(c, &of))
        return false;
    char ranks[SCA_PHRASE], place[SCA_PHRASE + 3];
    sca_phrase_ranks(ranks, &c->report->runs[c->last], of.ranks, of.n);
    sca_notes_add(c,
                  "Other ranks wait %.3g core-s (%.0f %%) for %s, mostly for work %s. No cause "
                  "is certain there. Another run shows whether it is the same %s again.",
                  of.seconds, 100 * of.seconds / base, ranks, phrase_at(c, &of, place),
                  of.n > 1 ? "ranks" : "rank");
    return true;
}

/* What other ranks wait for it, at least. Between two calls no wait is charged to a finding; what
 * goes with it, but for its own excess, is waits. */
static double waits_for(const struct sca_analysis *c, const struct sca_finding *f)
{
    const struct sca_price *price = &c->prices[f->number];
    return price->cost > 0 ? price->cost : fmax(0, price->gain - f->excess);
}

/* Core-seconds that all ranks wait for computation and that no cause, no possible cause and no
 * shared core is charged with. */
static double waits_open(const struct sca_analysis *c)
{
    const struct sca_finding_list *told[] = {&c->causes, &c->noted};
    double open = c->costs[c->last].waits - c->costs[c->last].unexplained -
                  c->report->runs[c->last].account.disturbed_core_s;
    for (uint32_t k = 0; k < 2; k++)
        for (uint32_t i = 0; i < told[k]->count; i++)
            open -= waits_for(c, told[k]->items[i]);
    return open;
}

/* What the causes leave: a loss that a view shows is explained, or said to be open. */
static void note_open(struct sca_analysis *c)
{
    double base = c->accounts[c->last].base, open = waits_open(c);
    char place[SCA_PHRASE + 3];
    if (open < SCA_NEGLIGIBLE * base || sca_causes_is_short(c))
        return;
    struct waited of = all_ranks(c);
    sca_notes_add(c,
                  "No cause, certain or possible, accounts for %.3g core-s (%.0f %%) of waiting, "
                  "mostly for work %s. --view=findings lists what was found there.",
                  open, 100 * open / base, phrase_at(c, &of, place));
}

void sca_notes_of_waited(struct sca_analysis *c)
{
    if (!c->replayed.of || c->costs[c->last].waits < SCA_NEGLIGIBLE * c->accounts[c->last].base)
        return;
    if (!note_ranks(c))
        note_open(c);
}
