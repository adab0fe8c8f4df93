#include "base/degrees.h"
#include "report/notes.h"
#include "report/uncertain.h"
#include "sca_phrase.h"

#include <stdio.h>

struct extent {
    double share;  /* of the sampled time of the run */
    uint32_t most; /* the vertex with most of it; 0: what lies below no vertex, or none */
};

static struct extent measure(const struct sca_analysis *c, const struct sca_ppg_run *run,
                             const uint8_t *vertices, enum sca_uncertain how)
{
    struct extent e = {0};
    double all = 0;
    for (uint32_t v = 0; v < c->ppg->nvertices; v++) {
        all += run->sampled[v];
        if (!(vertices[v] & how))
            continue;
        e.share += run->sampled[v];
        if (run->sampled[v] > run->sampled[e.most] || !(vertices[e.most] & how))
            e.most = v;
    }
    e.share = all > 0 ? e.share / all : 0;
    return e;
}

/* "Cause 1, 3" or "". */
static void list_causes(const struct sca_analysis *c, const uint8_t *vertices,
                        enum sca_uncertain how, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < c->causes.count && used < size; i++)
        if (sca_uncertain_cause(c->causes.items[i], vertices, how))
            used +=
                (size_t)snprintf(text + used, size - used, "%s%u", used ? ", " : " Cause ", i + 1);
}

/* What is true of the paths, and what that means. */
static const char *const told[][2] = {
    [SCA_PATH_GUESSED] = {"code without unwind tables was called through a pointer",
                          "Its caller is a guess from the stack"},
    [SCA_PATH_CUT] = {"call paths end in code that does not reveal its caller",
                      "Work for different callers is reported as one"}};

static void note_paths(struct sca_analysis *c, const struct sca_ppg_run *run,
                       const uint8_t *vertices, enum sca_uncertain how)
{
    struct extent e = measure(c, run, vertices, how);
    char place[SCA_PHRASE] = "", causes[128];
    list_causes(c, vertices, how, causes, sizeof causes);
    if (e.share < SCA_TRIFLE && !*causes)
        return;
    if (e.most)
        sca_phrase_vertex(place, &c->report->vertices[e.most]);
    sca_notes_add(c, "%s: %s%s%s. %s: %.0f %% of the sampled time.%s%s", run->profile->directory,
                  told[how][0], *place ? ", as at " : "", place, told[how][1], 100 * e.share,
                  causes,
                  *causes ? " lies there: its time and ranks are exact, but the line may belong to "
                            "another caller."
                          : "");
}

static void note_unreached(struct sca_analysis *c, const struct sca_profile *profile)
{
    const char *why = NULL;
    uint32_t n = 0;
    for (uint32_t r = 0; r < profile->nranks; r++) {
        const char *of = profile->ranks[r].unreached;
        n += of && *of;
        why = !why && of && *of ? of : why;
    }
    if (why)
        sca_notes_add(c,
                      "%s: samples are missing on %u of %u ranks: %s. Where samples cover less "
                      "than half of the time between two MPI calls, no line is reported.",
                      profile->directory, n, profile->nranks, why);
}

void sca_notes_of_uncertainty(struct sca_analysis *c)
{
    const struct sca_ppg_run *last = c->measures[c->last].run;
    const uint8_t *vertices = sca_uncertain_vertices(c, last);
    for (uint32_t i = 0; i < c->ppg->nruns; i++)
        note_unreached(c, c->ppg->runs[i].profile);
    note_paths(c, last, vertices, SCA_PATH_GUESSED);
    note_paths(c, last, vertices, SCA_PATH_CUT);
}
