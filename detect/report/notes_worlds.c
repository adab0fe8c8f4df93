#include "base/degrees.h"
#include "load/worlds.h"
#include "report/notes.h"
#include "sca_phrase.h"

#include <stdio.h>
#include <string.h>

/* Where ranks of this world wait longest for another one. */
static uint32_t longest_place(const struct sca_analysis *c)
{
    const struct sca_costs *costs = &c->costs[c->last];
    double most = 0;
    uint32_t place = 0;
    for (uint32_t v = 0; v < c->ppg->nvertices; v++) {
        double seconds = costs->sites[(size_t)v * SCA_WAIT_CLASSES + SCA_WAIT_OTHER_WORLD].seconds;
        place = seconds > most ? v : place;
        most = seconds > most ? seconds : most;
    }
    return place;
}

/* What the others did is not in this profile. */
static void note_other_profile(struct sca_analysis *c)
{
    const struct sca_account *a = &c->accounts[c->last];
    const struct sca_profile *profile = c->ppg->runs[c->last].profile;
    char beside[512], place[SCA_PHRASE];
    if (!a->other_world || a->other_world < SCA_RELEVANT * a->base)
        return;
    sca_worlds_beside(profile, beside, sizeof beside);
    sca_phrase_vertex(place, &c->report->vertices[longest_place(c)]);
    if (*beside)
        sca_notes_add(c,
                      "Ranks wait %.3g core-s (%.0f %%) for ranks of another MPI_COMM_WORLD, "
                      "mostly at %s. Those ranks have their own profile: %s. Give both to "
                      "scalana-detect, which analyses them as one run.",
                      a->other_world, 100 * a->other_world / a->base, place, beside);
    else
        sca_notes_add(
            c,
            "Ranks wait %.3g core-s (%.0f %%) for ranks of another MPI_COMM_WORLD, mostly at %s. "
            "Their work is unknown, because this folder has no profile of theirs.",
            a->other_world, 100 * a->other_world / a->base, place);
    if (a->is_virtual)
        sca_notes_add(c, "Waits for another world are estimates. Measured waits are scaled down as "
                         "these ranks' computation would be with one core per rank.");
}

static void note_world(char *text, size_t size, const struct sca_world *world, uint32_t number)
{
    const char *slash = strrchr(world->directory, '/');
    const char *name = slash && slash[1] ? slash + 1 : world->directory;
    size_t used = strlen(text);
    if (world->nranks > 1)
        snprintf(text + used, size - used, "%s%u-%u are world %u, %s", used ? "; " : "",
                 world->first, world->first + world->nranks - 1, number, name);
    else
        snprintf(text + used, size - used, "%s%u is world %u, %s", used ? "; " : "", world->first,
                 number, name);
}

/* The replay has all begin at once. */
static void note_late(struct sca_analysis *c, const struct sca_profile *p, uint32_t number)
{
    const struct sca_rank *first = &p->ranks[0], *rank = &p->ranks[p->worlds[number - 1].first];
    double late = (double)(rank->begin_ns - first->begin_ns) * 1e-9;
    if (first->clock_known && rank->clock_known && late > SCA_QUARTER * c->measures[c->last].wall)
        sca_notes_add(c,
                      "World %u began %.3g s after world 1, which ran for %.3g s. Until then its "
                      "ranks count as waiting.",
                      number, late, (double)first->wall_ns * 1e-9);
}

void sca_notes_of_worlds(struct sca_analysis *c)
{
    const struct sca_profile *profile = c->ppg->runs[c->last].profile;
    char text[700] = "";
    note_other_profile(c);
    for (uint32_t w = 0; w < profile->nworlds; w++)
        note_world(text, sizeof text, &profile->worlds[w], w + 1);
    if (profile->nworlds)
        sca_notes_add(
            c,
            "Several worlds of one job are analysed as one run: ranks %s. Totals determine the "
            "order of calls, because each world recorded different iterations.",
            text);
    for (uint32_t w = 1; w < profile->nworlds; w++)
        note_late(c, profile, w + 1);
}
