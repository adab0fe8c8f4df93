/*
 * Candidates for a cause: the deepest vertices that carry abnormal or non-scalable computation,
 * one candidate per place in the source (a loop reached along several call paths is one).
 * Owned by the workspace.
 */
#ifndef SCA_DETECT_CANDIDATE_H
#define SCA_DETECT_CANDIDATE_H

#include "imbalance/abnormal.h"
#include "graph/same_place.h"

enum sca_category {
    SCA_CAUSE_IMBALANCE,
    SCA_CAUSE_SERIAL,
    SCA_CAUSE_NONSCALABLE,
    SCA_CAUSE_COMMUNICATION
};

/* What the excess of an interval consists of. */
struct sca_core_time {
    double on, off;  /* the core; seconds */
    uint32_t vertex; /* where most of the first is spent; SCA_NONE: at no place alone */
    double there;    /* of `on`: the seconds at that place */
};

struct sca_rotating_interval {
    uint32_t previous, site; /* of the profile, around the interval */
    bool evened;             /* levelled to the ranks' mean, not their median: all differ, or so
                                many are long that nobody can say what is usual */
};

struct sca_candidate {
    uint32_t vertex;               /* the one that carries most of it */
    uint32_t nvertices, *vertices; /* all call paths to that place, with what is nested below */
    enum sca_category category;
    uint32_t nranks, *ranks;
    double ratio, excess;
    double *factor;  /* per rank: what is left of the vertices when levelled, 1: untouched */
    double *factors; /* the same per call path, [i * nranks + rank]; NULL: on all of them alike */
    bool alike;      /* levelled in all instances alike, not first in those that take longer than on
                        other ranks */
    bool rotates;    /* see rotating.h: factor is NULL, and instead */
    double limit;    /* the ratio to the ranks' median from which an instance is levelled, */
    uint32_t nrotating;
    struct sca_rotating_interval
        *rotating; /* in these intervals, the first of which shows it best */
    bool between;  /* known only to lie between two calls (interval_findings.h): what is levelled is
                      all computation between the vertices `after` (SCA_NONE: since MPI_Init) and
                      `before`, */
    uint32_t after, before;
    bool any; /* and what leads from there to other calls; `before` has most of it */
    struct sca_core_time core; /* of `between` */
    uint32_t told_by; /* of `between`: ranks of the other run whose samples tell the line */
    bool in_interval; /* its ranks are those of that interval */
    bool doubted;     /* cores may differ as much: told in a note only */
    bool skewed;      /* no rank stands out (skew.h), */
    bool again;       /* and another run says the same */
    uint64_t single;  /* of so many instances a single one has most of it (single_instance.h); 0:
                       more  have */
    bool settled;     /* other runs were asked about it (confirm.h) */
    bool aside; /* no cause, but told: it came once, and no other run has it; or is uneven, for
                   which cores may be to blame */
    double off_cpu_s; /* seconds its ranks were off the core for that, all at once
                       (off_cpu_stall.h); else 0 */
    double cost, gain;
    double direct, indirect; /* of the cost: waits for it, and waits for who waited for it */
    double alone;            /* what mending it saves while the other causes stay */
};

struct sca_candidates {
    uint32_t count;
    struct sca_candidate *items;
};

/* One flag and one weight per vertex: those that carry their part of it themselves, deepest
 * first. If the weight is spread over several inner vertices alike, the loop around them, unless
 * these are one place on several call paths. */
uint32_t sca_candidate_carriers(struct sca_workspace *space, const struct sca_ppg *ppg,
                                const uint32_t *ends, const bool *flagged, const double *weight,
                                const double *inclusive,
                                bool (*alike)(void *context, uint32_t a, uint32_t b), void *context,
                                uint32_t *out);

/* Appends one; the array has room for one per vertex. */
struct sca_candidate *sca_candidate_add(struct sca_candidates *candidates);

/* A loop, or a call that goes round, with no MPI in it. */
bool sca_candidate_is_nest(const struct sca_ppg *ppg, const uint32_t *ends, uint32_t vertex);

/* The loop that a person would change for it: code in a loop that does not communicate is that
 * loop's. */
uint32_t sca_candidate_named_vertex(const struct sca_ppg *ppg, const uint32_t *ends,
                                    uint32_t vertex);

/* The same, or what is around that of a nest of loops if only that has all of the weight. */
uint32_t sca_candidate_whole_place(const struct sca_ppg *ppg, const uint32_t *ends,
                                   const double *weight, uint32_t vertex);

bool sca_candidate_calls_mpi(const struct sca_ppg *ppg, const uint32_t *ends, uint32_t vertex);
const char *sca_candidate_category_name(enum sca_category category);

/* The interval of a candidate that has one. */
static inline struct sca_interval_bounds sca_candidate_bounds(const struct sca_candidate *candidate)
{
    return (struct sca_interval_bounds){candidate->after,
                                        candidate->any ? SCA_NONE : candidate->before};
}

/* In a report the root stands for MPI_Init. */
static inline uint32_t sca_candidate_reported_after(const struct sca_candidate *candidate)
{
    return candidate->after == SCA_NONE ? 0 : candidate->after;
}

#endif
