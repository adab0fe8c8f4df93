#include "report/acts.h"
#include "base/degrees.h"
#include "stats/median.h"

#include <math.h>
#include <stdio.h>

/* What the series and the finding say of the excess may differ by so much. */
static const double least_part = 1 - SCA_QUARTER, most_part = 1 + SCA_QUARTER;

/* What a cause's ranks, and the others, took in the points of a section. */
struct contrast {
    struct sca_series_point *points; /* number, iterations, end, span */
    double *ratio;                   /* to the others */
    uint32_t n, section;
    double excess; /* seconds, of all ranks of the cause */
};

static double mean_of(const struct sca_series *s, const struct sca_finding *cause, uint32_t at,
                      double *others, uint32_t *of_cause)
{
    double sum = 0;
    uint32_t n = 0;
    *of_cause = 0;
    for (uint32_t k = 0; k < s->nranks; k++) {
        double own = s->own[(size_t)k * s->nrank_points + at];
        if (sca_finding_has_rank(cause, s->ranks[k])) {
            sum += own;
            ++*of_cause;
        } else {
            others[n++] = own;
        }
    }
    double usual = sca_median(others, n);
    others[0] = usual;
    return *of_cause ? sum / *of_cause : 0;
}

static void add_points(const struct sca_series *s, const struct sca_series_section *section,
                       struct sca_series_point *to)
{
    for (uint32_t i = 0; i < section->npoints; i++) {
        const struct sca_series_point *p = &s->points[section->first + i];
        struct sca_series_point *cell = &to[i / section->factor];
        cell->number = p->number;
        cell->iterations += p->iterations;
        cell->end = p->end;
        cell->span += p->span;
    }
}

static struct contrast contrast_of(const struct sca_analysis *c, const struct sca_series *s,
                                   const struct sca_series_section *section,
                                   const struct sca_finding *cause)
{
    struct contrast out = {.n = section->nrank_points};
    double *others = sca_workspace_alloc(c->space, s->nranks + 1, sizeof *others);
    out.points = sca_workspace_alloc(c->space, out.n, sizeof *out.points);
    out.ratio = sca_workspace_alloc(c->space, out.n, sizeof *out.ratio);
    add_points(s, section, out.points);
    for (uint32_t i = 0; i < out.n; i++) {
        uint32_t of_cause;
        double own = mean_of(s, cause, section->rank_first + i, others, &of_cause);
        out.ratio[i] = others[0] > 0 ? own / others[0] : 1;
        out.excess += of_cause * (own - others[0]);
    }
    return out;
}

/* The loop in which the cause has its excess; the other loops have less than a tenth of it. */
static bool find_loop(const struct sca_analysis *c, const struct sca_series *s,
                      const struct sca_finding *cause, struct contrast *out)
{
    double all = 0;
    *out = (struct contrast){0};
    for (uint32_t i = 0; i < s->nsections; i++) {
        struct contrast at = contrast_of(c, s, &s->sections[i], cause);
        all += fabs(at.excess);
        at.section = i;
        if (at.excess > out->excess)
            *out = at;
    }
    return out->n && out->excess >= SCA_NEARLY_ALL * all &&
           out->excess >= least_part * cause->excess && out->excess <= most_part * cause->excess;
}

/* Evenly in one of several loops. */
static const char *say_loop(const struct sca_series *s, const struct contrast *at,
                            char words[SCA_PATTERN_WORDS])
{
    if (s->nsections > 1)
        snprintf(words, SCA_PATTERN_WORDS, "in loop %u of %u (second %.3g to %.3g)",
                 at->section + 1, s->nsections, s->sections[at->section].begin,
                 at->points[at->n - 1].end);
    return words;
}

/* Ranks that are slow in turns of many iterations. */
static const char *say_turns(const struct sca_analysis *c, const struct sca_series *s,
                             char words[SCA_PATTERN_WORDS])
{
    struct sca_patterns patterns;
    if (s->nsections != 1)
        return words;
    sca_patterns_find(c->space, s, s->sections, &patterns);
    for (uint32_t i = 0; i < patterns.n; i++)
        if (patterns.list[i].kind == SCA_PATTERN_ROTATES && patterns.list[i].period)
            return sca_pattern_acts(&patterns.list[i], words);
    return words;
}

const char *sca_acts_of(const struct sca_analysis *c, const struct sca_finding *cause,
                        char words[SCA_PATTERN_WORDS])
{
    const struct sca_ppg_run *run = &c->ppg->runs[c->last];
    const struct sca_series *s = run->profile->series;
    struct contrast at;
    struct sca_patterns patterns;
    words[0] = '\0';
    bool some_ranks = cause->nranks && cause->nranks < run->nranks;
    if (s && sca_finding_rotates(cause))
        return say_turns(c, s, words);
    if (!s || !some_ranks || cause->excess <= 0 || !find_loop(c, s, cause, &at))
        return words;
    sca_patterns_of(c->space, at.points, at.ratio, at.n, &patterns);
    const struct sca_pattern *p = patterns.list;
    if (!patterns.n)
        return say_loop(s, &at, words);
    return patterns.n == 1 && sca_pattern_is_all(p, at.points, at.ratio, at.n)
               ? sca_pattern_acts(p, words)
               : words;
}
