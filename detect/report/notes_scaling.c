/* Whether the problem stays the same on more ranks or grows with them, where that is in doubt. */
#include "base/degrees.h"
#include "findings/named_place.h"
#include "report/notes.h"
#include "sca_phrase.h"

#include <math.h>
#include <stdio.h>

enum { SHORT = 64 };

/* A fixed problem that takes more iterations on more ranks looks as if it grew: each has less to
 * compute, but together they have not. */
static bool note_iterations(struct sca_analysis *c)
{
    const struct sca_comparable *runs = &c->comparable;
    uint32_t last = runs->nruns - 1;
    const struct sca_measure *first = &runs->runs[0], *largest = &runs->runs[last];
    double least = sqrt((double)largest->nranks / first->nranks);
    double more = runs->steps[0] > 0 ? runs->steps[last] / runs->steps[0] : 0;
    double before = first->total / first->nranks, after = largest->total / largest->nranks;
    if (runs->timed || c->growths.mode != SCA_SCALING_WEAK || more < least ||
        after * least > before * more)
        return false;
    sca_notes_add(
        c,
        "Each rank made %.1f times as many collectives on %u ranks as on %u, and computed less "
        "between them. If the problem stays the same and only needs more iterations, this is "
        "strong scaling. The option --scaling=strong shows their cost.",
        more, largest->nranks, first->nranks);
    return true;
}

/* A fixed problem with work that is not divided, or a growing one with some that is? */
static void note_mixed(struct sca_analysis *c)
{
    double divided = c->growths.divided;
    bool strong = c->growths.mode == SCA_SCALING_STRONG;
    /* enough that speaks against the scaling that was recognised */
    if (c->growths.told < SCA_HALF || (strong ? 1 - divided : divided) < SCA_SOME)
        return;
    sca_notes_add(c,
                  "Scaling mode uncertain: %.0f %% of the smallest run's computation is divided "
                  "among more ranks, the rest is not. The analysis assumes that the problem %s "
                  "scaling. If that is wrong, give --scaling=%s, or --work.",
                  100 * divided, strong ? "stays the same: strong" : "grows: weak",
                  strong ? "weak" : "strong");
}

/* "x.c:12 loop in main and 2 other places" */
static void phrase_places(const struct sca_analysis *c, const struct sca_finding_list *growth,
                          char *text)
{
    char place[SCA_PHRASE], more[64] = "";
    if (growth->count > 1)
        snprintf(more, sizeof more, " (and at %u other place%s)", growth->count - 1,
                 growth->count > 2 ? "s" : "");
    snprintf(text, 2 * SCA_PHRASE, "%s%s",
             sca_phrase_vertex(place, &c->report->vertices[growth->items[0]->vertex]), more);
}

static bool is_told(const struct sca_finding_list *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (list->items[i]->category == SCA_CAUSE_NONSCALABLE)
            return true;
    return false;
}

/* What the account has beyond ideal scaling has a place, even if its growth follows no line. False:
 * there is none, or it is told already. */
static bool phrase_beyond(const struct sca_analysis *c, char *text, size_t size)
{
    const struct sca_growths *g = &c->growths;
    char place[SCA_PHRASE];
    if (g->beyond == SCA_NONE || is_told(&c->causes) || is_told(&c->asides))
        return false;
    uint32_t vertex = sca_named_place_of(c->ppg, c->ends, g->beyond);
    bool shared = c->measures[c->last].shared;
    snprintf(text, size,
             "%.3g core-s of computation are beyond ideal scaling, %.3g of them in %s. These runs "
             "do not establish a power law%s. More sizes may.",
             g->useful_loss, fmin(g->beyond_loss, g->useful_loss),
             sca_phrase_vertex(place, &c->report->vertices[vertex]),
             shared ? ", and shared cores may be the reason" : "");
    return true;
}

static void note_beyond(struct sca_analysis *c)
{
    char text[2 * SCA_PHRASE];
    if (phrase_beyond(c, text, sizeof text))
        sca_notes_add(c, "%s", text);
}

/* What is one in one reading only. */
static void phrase_if_same(const struct sca_analysis *c, char *text, size_t size)
{
    const struct sca_finding_list *growth = &c->if_same;
    char places[2 * SCA_PHRASE], loss[32];
    phrase_places(c, growth, places);
    snprintf(loss, sizeof loss, "%.3g", growth->items[0]->excess);
    snprintf(text, size,
             "If the problem stays the same, the time at %s shrinks too little and costs %s core-s "
             "(%.0f %%). If the problem grows with the ranks, this time is as expected.",
             places, loss, 100 * growth->items[0]->excess / c->accounts[c->last].base);
}

/* The worst place, where it matters which of the two readings is right. */
static void phrase_growth(const struct sca_analysis *c, char *text, size_t size)
{
    char beyond[2 * SCA_PHRASE];
    if (c->if_same.count)
        phrase_if_same(c, text, size);
    else if (c->growths.mode == SCA_SCALING_STRONG && phrase_beyond(c, beyond, sizeof beyond))
        snprintf(text, size, "If the problem stays the same, %s", beyond);
    else
        snprintf(text, size, "The causes are the same either way.");
}

static void note_open(struct sca_analysis *c)
{
    char text[4 * SCA_PHRASE], steps[SHORT] = "";
    if (c->growths.steps_deny)
        snprintf(steps, sizeof steps, ", that of its iterations as P^%.2f",
                 c->growths.step_exponent);
    phrase_growth(c, text, sizeof text);
    sca_notes_add(
        c,
        "Scaling mode uncertain: total computation grows as P^%.2f%s (strong scaling: 0, weak "
        "scaling: 1). %s Efficiencies assume that the problem %s. Give --scaling or --work.",
        c->growths.sum_exponent, steps, text,
        c->growths.mode == SCA_SCALING_STRONG ? "stays the same" : "grows");
}

void sca_notes_of_scaling(struct sca_analysis *c)
{
    if (c->growths.mode != SCA_SCALING_SINGLE && !c->growths.open)
        note_beyond(c);
    if (c->growths.mode == SCA_SCALING_SINGLE || c->settings->scaling != SCA_SCALING_AUTO ||
        c->comparable.told)
        return;
    if (c->growths.open)
        note_open(c);
    else if (!note_iterations(c))
        note_mixed(c);
}
