#include "imbalance/refine.h"
#include "base/degrees.h"
#include "findings/finding.h"
#include "findings/named_place.h"
#include "measure/sides.h"

#include <math.h>

struct part { /* of a vertex: a child with all below, or what the vertex does itself */
    uint32_t vertex;
    bool own;
    double found, usual; /* part of the excess, and of a normal rank's time; weighted sums */
    double weight;
};

struct refining {
    struct sca_workspace *space;
    const struct sca_measure *runs;
    uint32_t nruns;
    const uint32_t *ends;
    double threshold;
    struct part *parts;
    uint32_t nparts;
};

static double seconds_of(const struct sca_measure *m, const struct part *p, uint32_t r)
{
    const double *matrix = p->own ? m->run->comp : m->inclusive;
    return matrix[(size_t)p->vertex * m->nranks + r];
}

static double variance_of(const struct sca_measure *m, const struct part *p, uint32_t r)
{
    double noise = m->noise[(size_t)p->vertex * m->nranks + r];
    return noise * noise;
}

static void list_parts(struct refining *f, uint32_t vertex)
{
    const struct sca_ppg *ppg = f->runs[0].ppg;
    f->nparts = 0;
    f->parts[f->nparts++] = (struct part){.vertex = vertex, .own = true};
    for (uint32_t v = vertex + 1; v < f->ends[vertex]; v = f->ends[v])
        if (ppg->vertices[v].kind != SCA_MPI)
            f->parts[f->nparts++] = (struct part){.vertex = v};
}

static double normal_seconds(struct refining *f, const struct sca_measure *m,
                             const struct sca_abnormal *a, const struct part *p)
{
    const double *matrix = p->own ? m->run->comp : m->inclusive;
    return sca_sides_of(f->space, m, matrix + (size_t)p->vertex * m->nranks, a->ranks, a->nranks)
        .usual;
}

/* What one run says of one part, weighted by how well it can tell. */
static void ask_part(struct refining *f, const struct sca_measure *m, const struct sca_abnormal *a,
                     struct part *p)
{
    double usual = normal_seconds(f, m, a, p), seconds = 0, variance = 0;
    for (uint32_t i = 0; i < a->nranks; i++) {
        seconds += seconds_of(m, p, a->ranks[i]);
        variance += 2 * variance_of(m, p, a->ranks[i]);
    }
    /* of samples, and of cores that differ a trifle */
    double error = variance / (a->excess * a->excess) + SCA_NEGLIGIBLE * SCA_NEGLIGIBLE;
    double whole = a->reference;
    p->found += (seconds - a->nranks * usual) / a->excess / error;
    p->usual += (whole > 0 ? usual / whole : 0) / error;
    p->weight += 1 / error;
}

static bool ask_runs(struct refining *f, uint32_t vertex)
{
    bool asked = false;
    for (uint32_t i = 0; i < f->nruns; i++) {
        struct sca_abnormal a;
        if (!sca_abnormal_judge(f->space, &f->runs[i], f->ends, &vertex, 1, f->threshold, &a))
            continue;
        asked = true;
        for (uint32_t k = 0; k < f->nparts; k++)
            ask_part(f, &f->runs[i], &a, &f->parts[k]);
    }
    for (uint32_t k = 0; k < f->nparts && asked; k++) {
        f->parts[k].found /= f->parts[k].weight;
        f->parts[k].usual /= f->parts[k].weight;
    }
    return asked;
}

/* Squared distance, in standard deviations, of what was found from "all of it is in `only`"
 * (SCA_NONE: from "each part has its usual share"). */
static double distance(const struct refining *f, uint32_t only)
{
    double sum = 0;
    for (uint32_t k = 0; k < f->nparts; k++) {
        const struct part *p = &f->parts[k];
        double expected = only == SCA_NONE ? p->usual : k == only;
        sum += (p->found - expected) * (p->found - expected) * p->weight;
    }
    return sum;
}

static uint32_t greatest_part(const struct refining *f)
{
    uint32_t best = 0;
    for (uint32_t k = 1; k < f->nparts; k++)
        if (f->parts[k].found > f->parts[best].found)
            best = k;
    return best;
}

/* Whether the other ranks run this code: else no share is usual, and nothing can be compared. */
static bool is_usual_known(const struct refining *f)
{
    double sum = 0;
    for (uint32_t k = 0; k < f->nparts; k++)
        sum += f->parts[k].usual;
    return sum >= SCA_HALF;
}

/* Of a loop nest that does not communicate, a part that has not quite all of the excess is it only
 * if that fits better than that all parts have theirs; elsewhere it need have half only. */
static bool has_all(const struct refining *f, uint32_t best, bool nest)
{
    double found = f->parts[best].found;
    bool fits = is_usual_known(f) && distance(f, best) < distance(f, SCA_NONE);
    if (nest)
        return found >= SCA_NEARLY_ALL || (found >= SCA_MOST && fits);
    return found >= SCA_MOST || (found >= SCA_HALF && fits);
}

uint32_t sca_refine_vertex(struct sca_workspace *space, const struct sca_measure *runs,
                           uint32_t nruns, const uint32_t *ends, double threshold, uint32_t vertex)
{
    struct refining f = {space, runs, nruns, ends, threshold, NULL, 0};
    f.parts = sca_workspace_alloc(space, (size_t)runs[0].ppg->nvertices + 1, sizeof *f.parts);
    for (;;) {
        list_parts(&f, vertex);
        if (f.nparts < 2 || !ask_runs(&f, vertex))
            return vertex;
        uint32_t best = greatest_part(&f);
        const struct part *p = &f.parts[best];
        if (p->own || !has_all(&f, best, sca_named_place_is_nest(runs[0].ppg, ends, vertex)))
            return vertex;
        vertex = p->vertex;
    }
}
