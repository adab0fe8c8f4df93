/*
 * The ledger of all findings. One is appended, and stays: what is not believed is closed with the
 * reason, what is told better by another finding is closed with that one's number. Numbers count
 * from 0. Owned by the workspace.
 */
#ifndef SCA_DETECT_LEDGER_H
#define SCA_DETECT_LEDGER_H

#include "findings/finding.h"

/* In brackets: `of`, number, least. */
enum sca_outcome_kind {
    SCA_OUTCOME_OPEN,
    SCA_OUTCOME_CAUSE,
    SCA_OUTCOME_NOTE,        /* no cause, but a note tells it */
    SCA_OUTCOME_REFINED,     /* another finding tells it better (that one) */
    SCA_OUTCOME_JOINED,      /* it is the same defect as another (that one) */
    SCA_OUTCOME_EXPLAINED,   /* others have it already (the one with most of it; SCA_NONE) */
    SCA_OUTCOME_TOLD,        /* its place is another's (that one) */
    SCA_OUTCOME_FIRST_ROUND, /* before the first call: may be the first round of a loop */
    SCA_OUTCOME_ELSEWHERE,   /* between two calls: others do as much of it before another call */
    SCA_OUTCOME_SELDOM,      /* seems to rotate: too few instances take long */
    SCA_OUTCOME_SAME_RANKS,  /* the same: but it is always on the same ranks */
    SCA_OUTCOME_NO_PLACE,    /* the same: but no place has so much */
    SCA_OUTCOME_SCHEDULING,  /* off shared cores: the scheduler's doing */
    SCA_OUTCOME_SCATTER, /* no more than instances on shared cores scatter, and nothing tells it */
    SCA_OUTCOME_LITTLE,  /* saves less than a cause must (; core-seconds; least) */
    SCA_OUTCOME_LITTLE_DOUBT /* cores may have done it, and it would not save much (; same) */
};

struct sca_outcome {
    enum sca_outcome_kind kind;
    uint32_t of;
    double number, least;
};

struct sca_finding_list {
    uint32_t count, capacity;
    const struct sca_finding **items;
};

void sca_finding_list_add(struct sca_workspace *space, struct sca_finding_list *list,
                          const struct sca_finding *finding);

struct sca_ledger {
    struct sca_workspace *space;
    uint32_t count, capacity;
    struct sca_finding **all;     /* by number */
    struct sca_outcome *outcomes; /* likewise */
    struct sca_finding_list open; /* those without an outcome, in the order they are looked at */
};

void sca_ledger_begin(struct sca_workspace *space, struct sca_ledger *out);

/* Takes over the draft; the finding's address stays. Open, behind the others. */
const struct sca_finding *sca_ledger_append(struct sca_ledger *ledger,
                                            const struct sca_finding *draft);

/* The same with an outcome: never open. */
const struct sca_finding *sca_ledger_append_closed(struct sca_ledger *ledger,
                                                   const struct sca_finding *draft,
                                                   struct sca_outcome outcome);

/* Appends a finding that tells an open one better, and takes its turn. */
const struct sca_finding *sca_ledger_refine(struct sca_ledger *ledger,
                                            const struct sca_finding *from,
                                            const struct sca_finding *draft);

void sca_ledger_add_evidence(struct sca_ledger *ledger, const struct sca_finding *finding,
                             struct sca_evidence evidence);

/* An open one, or one withheld. The first outcome stays. */
void sca_ledger_close(struct sca_ledger *ledger, const struct sca_finding *finding,
                      struct sca_outcome outcome);

void sca_ledger_close_all(struct sca_ledger *ledger, const struct sca_finding_list *list,
                          enum sca_outcome_kind kind);

/* As the first; the last of the open ones takes its turn. */
void sca_ledger_close_for_last(struct sca_ledger *ledger, const struct sca_finding *finding,
                               struct sca_outcome outcome);

/* Takes one out of the open ones, so that it hides nothing from the searches to come; and back,
 * behind the others. */
void sca_ledger_withhold(struct sca_ledger *ledger, const struct sca_finding *finding);
void sca_ledger_put_back(struct sca_ledger *ledger, const struct sca_finding *finding);

#endif
