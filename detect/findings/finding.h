/*
 * A finding: what an analysis says is too much, where, on which ranks, what mending it would take
 * away, and what speaks for it. A draft until it is in the ledger (ledger.h); from then on only
 * evidence is added. What it costs and saves is no part of it (price/price.h). Owned by the
 * workspace.
 */
#ifndef SCA_DETECT_FINDING_H
#define SCA_DETECT_FINDING_H

#include "findings/evidence.h"
#include "measure/interval_bounds.h"

enum sca_category {
    SCA_CAUSE_IMBALANCE,
    SCA_CAUSE_SERIAL,
    SCA_CAUSE_NONSCALABLE,
    SCA_CAUSE_COMMUNICATION,
    /* Within ranks (threads/region_findings.h): */
    SCA_CAUSE_UNEVEN_THREADS,
    SCA_CAUSE_ONE_THREAD,
    SCA_CAUSE_CONTENTION,
    SCA_CAUSE_BINDING /* no core: threads/binding_finding.h */
};

/* What the excess of an interval consists of. */
struct sca_core_time {
    double on, off;  /* the core; seconds */
    uint32_t vertex; /* where most of the first is spent; SCA_NONE: at no place alone */
    double there;    /* of `on`: the seconds at that place */
};

/* How a finding is known by what lies between two calls. */
enum sca_interval_part {
    SCA_NO_INTERVAL,
    SCA_RANKS_OF_INTERVAL, /* samples tell the line, the interval the ranks */
    SCA_ALL_OF_INTERVAL,   /* no line is known: the finding is all computation in it */
    SCA_SHOWN_IN_INTERVAL  /* nor of what rotates there: single instances are equalised */
};

struct sca_finding_interval {
    enum sca_interval_part part;
    uint32_t after, before; /* vertices; `after` SCA_NONE: since MPI_Init */
    bool any; /* and what leads from `after` to other calls; `before` has most of it */
    struct sca_core_time core; /* of all of an interval */
};

struct sca_rotating_interval {
    uint32_t previous, site; /* of the profile, around the interval */
    bool smoothed;           /* equalised to the ranks' mean, not their median: all differ, or so
                              many are long that nobody can say what is usual */
    double limit;       /* else: the ratio to the median from which an instance is equalised, */
    const double *late; /* or, if not NULL, by so much those of a rank in half a window, [half *
                           ranks + rank] (window_levels.h) */
};

/* Seconds that are taken from a rank in an interval (graph/intervals.h). */
struct sca_cut {
    uint32_t interval;
    double seconds;
};

/* What mending takes away in a replay. */
struct sca_transform {
    const struct sca_cut *cuts; /* of the i-th of the finding's ranks from first_cut[i] to before
                                   first_cut[i + 1], by interval; NULL: by factors */
    const uint32_t *first_cut;
    double *factor; /* per rank: what is left of the vertices, or of the interval, when equalised;
                       1: untouched; NULL: of what rotates */
    bool alike;     /* equalised in all instances alike, not first in those that take longer than on
                       other ranks */
    double error;   /* of the seconds it takes, relative: one standard deviation; 0 of what rotates,
                       which instances tell */
    /* of what rotates (rotating.h): */
    uint32_t nrotating;
    struct sca_rotating_interval
        *rotating; /* in these intervals, the first of which shows it best */
};

/* Where threads wait for other threads of their rank: core-seconds, of all its ranks. */
struct sca_finding_wait {
    uint32_t vertex;
    double seconds;
};

/* All zero: a draft to begin with. */
struct sca_finding {
    uint32_t vertex;               /* the one that carries most of it */
    uint32_t nvertices, *vertices; /* all call paths to that place, with what is nested below: none
                                      lies in another (same_place.h) */
    enum sca_category category;
    uint32_t nranks, *ranks;
    uint32_t track; /* whose work it is (measure.h); 0: the ranks' */
    double ratio,
        excess; /* to the others, 0: they have none; seconds beyond theirs, of all ranks */
    struct sca_finding_interval interval;
    struct sca_transform transform;
    uint32_t nwaits; /* for a lock that is held at the vertex */
    const struct sca_finding_wait *waits;
    struct sca_evidence_list evidence;
    uint32_t number; /* in the ledger (ledger.h), which gives it */
};

const char *sca_finding_category_name(enum sca_category category);

void sca_finding_add_evidence(struct sca_workspace *space, struct sca_finding *draft,
                              struct sca_evidence evidence);

/* ---- what the evidence says ---- */

/* Cores may differ as much, or other runs that were asked do not have it, or it may save too
 * little: told in a note only. */
bool sca_finding_is_inconclusive(const struct sca_finding *finding);

/* No cause, but told: it came once, and no other run has it; or is uneven, for which cores may be
 * to blame; or sets the program up. */
bool sca_finding_is_note(const struct sca_finding *finding);

/* Of so many instances a single one has most of it, or it is done so few times only; 0: neither. */
uint64_t sca_finding_instances(const struct sca_finding *finding);

/* What its transform takes away is off by, relative: one standard deviation, as its own run and
 * another that has it tell (the mean of two estimates, by how exact they are). */
double sca_finding_error(const struct sca_finding *finding);

/* Seconds its ranks were off the core for that, all at once (off_cpu_stall.h); else 0. */
double sca_finding_off_core(const struct sca_finding *finding);

bool sca_finding_has_rank(const struct sca_finding *finding, uint32_t rank);

static inline bool sca_finding_has(const struct sca_finding *finding, enum sca_evidence_kind kind)
{
    return sca_evidence_has(&finding->evidence, kind);
}

/* ---- what kind it is of ---- */

/* Known only to lie between two calls: all computation there is equalised. */
static inline bool sca_finding_is_interval(const struct sca_finding *finding)
{
    return finding->interval.part == SCA_ALL_OF_INTERVAL;
}

/* No line is known, only the two calls that it lies between. */
static inline bool sca_finding_is_between(const struct sca_finding *finding)
{
    return sca_finding_is_interval(finding) || finding->interval.part == SCA_SHOWN_IN_INTERVAL;
}

/* Of the threads of ranks: nobody else need wait for it. */
static inline bool sca_finding_is_of_threads(const struct sca_finding *finding)
{
    return finding->category >= SCA_CAUSE_UNEVEN_THREADS;
}

/* One rank after the other does it: fixed, all do it at the same time, each its own part. */
static inline bool sca_finding_is_in_turn(const struct sca_finding *finding)
{
    return finding->category == SCA_CAUSE_SERIAL && finding->nranks > 1;
}

/* Now on this rank, now on that: single instances are equalised. */
static inline bool sca_finding_rotates(const struct sca_finding *finding)
{
    return finding->transform.nrotating > 0;
}

/* The interval of a finding that has one. */
static inline struct sca_interval_bounds sca_finding_bounds(const struct sca_finding *finding)
{
    return (struct sca_interval_bounds){
        finding->interval.after, finding->interval.any ? SCA_NONE : finding->interval.before};
}

/* In a report the root stands for MPI_Init. */
static inline uint32_t sca_finding_reported_after(const struct sca_finding *finding)
{
    return finding->interval.after == SCA_NONE ? 0 : finding->interval.after;
}

#endif
