/*
 * What speaks for a finding, or against it. Evidence is only ever added: a list that was handed on
 * stays as it was, for adding makes a new one. Owned by the workspace.
 */
#ifndef SCA_DETECT_EVIDENCE_H
#define SCA_DETECT_EVIDENCE_H

#include "base/workspace.h"

/* In brackets: `of`, number, other. */
enum sca_evidence_kind {
    /* How it was found. */
    SCA_EVIDENCE_SKEWED,     /* no rank stands out: it is shared out unevenly (skew.h) */
    SCA_EVIDENCE_BY_TIMES,   /* exact times prove it around, samples tell the place (seconds of
                                excess around; at the place) */
    SCA_EVIDENCE_ROTATES,    /* instances in which some rank takes long (those; of all) */
    SCA_EVIDENCE_BY_WINDOWS, /* the same ranks are late in halves of windows that follow each
                                other (ratio to what is usual for them; core-seconds lost) */
    SCA_EVIDENCE_ON_PATH,    /* on the critical path (seconds there; mean of the ranks) */
    SCA_EVIDENCE_GROWS,      /* power of the ranks that it goes with (found; expected) */
    SCA_EVIDENCE_EXCHANGE,   /* transfers that grow (seconds of the busiest rank before; after) */
    SCA_EVIDENCE_LINE_IDENTIFIED, /* another run's samples tell the line (run) */
    SCA_EVIDENCE_REFINED,         /* takes the place of another finding (that one) */
    SCA_EVIDENCE_JOINED,          /* another finding is the same defect (that one) */
    /* Whether cores may be to blame. */
    SCA_EVIDENCE_CORES,          /* cores may differ as much */
    SCA_EVIDENCE_CONFIRMED,      /* a run has it beyond what cores make (run) */
    SCA_EVIDENCE_SLOW_ELSEWHERE, /* skewed: its ranks take longer elsewhere as well */
    SCA_EVIDENCE_TWO_GROUPS,     /* skewed: ranks are of two kinds, each of which hardly differs */
    SCA_EVIDENCE_NO_CORE, /* no core that ranks share has just these, which are far from the others
                           */
    SCA_EVIDENCE_PATTERN_INCONCLUSIVE, /* skewed: cores may differ so, or no other run says the same
                                        */
    SCA_EVIDENCE_DYNAMIC, /* a rank hands the work out in an order that changes, which is that of
                                the shared cores (that rank; part of the pieces that come in the
                                usual order) */
    /* Whether it comes back. */
    SCA_EVIDENCE_ASKED,         /* other runs were asked */
    SCA_EVIDENCE_STANDS_IN,     /* a run has it (run; ratio; excess in seconds) */
    SCA_EVIDENCE_NOT_IN,        /* a run does not (run; ranks that take longer there; excess) */
    SCA_EVIDENCE_REPLICATED,    /* a run has it to so much: one standard deviation, relative (run;
                                   error) */
    SCA_EVIDENCE_NOT_CONFIRMED, /* what the runs say is not enough */
    SCA_EVIDENCE_SINGLE,        /* one instance has most of it (; of so many) */
    SCA_EVIDENCE_OFF_CORE,      /* off the core all at once, in no other run (; seconds) */
    SCA_EVIDENCE_SET_UP,        /* it grows, but is done a few times only (; so many) */
    SCA_EVIDENCE_ONE_READING,   /* grows only if the problem stays the same on more ranks */
    SCA_EVIDENCE_UNLIKE_STEPS, /* runs that stop by time: nothing else tells that steps are alike */
    /* Whether it is worth mending. */
    SCA_EVIDENCE_UNCERTAIN /* it may save less than a cause must (core-seconds; up to so many) */
};

struct sca_evidence {
    enum sca_evidence_kind kind;
    uint32_t of;
    double number, other;
};

struct sca_evidence_list {
    uint32_t count;
    const struct sca_evidence *items;
};

void sca_evidence_add(struct sca_workspace *space, struct sca_evidence_list *list,
                      struct sca_evidence evidence);

/* The latest of a kind; NULL if there is none. */
const struct sca_evidence *sca_evidence_find(const struct sca_evidence_list *list,
                                             enum sca_evidence_kind kind);

static inline bool sca_evidence_has(const struct sca_evidence_list *list,
                                    enum sca_evidence_kind kind)
{
    return sca_evidence_find(list, kind);
}

#endif
