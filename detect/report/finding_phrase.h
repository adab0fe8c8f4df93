/*
 * A finding in plain sentences: what became of it, and its evidence. Buffers are the caller's and
 * have SCA_PHRASE bytes.
 */
#ifndef SCA_DETECT_FINDING_PHRASE_H
#define SCA_DETECT_FINDING_PHRASE_H

#include "sca_phrase.h"
#include "verdict/analysis.h"

enum sca_finding_group { /* in the order in which they are shown */
                         SCA_FINDING_CAUSE,
                         SCA_FINDING_NOTE,
                         SCA_FINDING_NOT_BELIEVED,
                         SCA_FINDING_TOLD_BY_ANOTHER
};

enum sca_finding_group sca_finding_phrase_group(const struct sca_outcome *outcome);

/* One word, for JSON: "cause", "balanced"; "skewed", "stands-in"; "imbalance", "rotating". */
const char *sca_finding_phrase_outcome_word(enum sca_outcome_kind kind);
const char *sca_finding_phrase_evidence_word(enum sca_evidence_kind kind);
const char *sca_finding_phrase_category_word(const struct sca_finding *finding);

/* The finding that tells, explains or hides one that is closed; SCA_NONE: none. */
uint32_t sca_finding_phrase_other(const struct sca_outcome *outcome);

/* "Rejected: other ranks spend this time before a different MPI call." Numbers of findings
 * are counted from 1 here. */
const char *sca_finding_phrase_outcome(char *buffer, const struct sca_analysis *c,
                                       const struct sca_finding *finding);

/* "The run on 8 ranks does not show it."; "" where a reader learns nothing from it. */
const char *sca_finding_phrase_evidence(char *buffer, const struct sca_analysis *c,
                                        const struct sca_evidence *evidence);

/* "cg.c:109 loop in conj_grad, ranks 4-7": SCA_FINDING_WHERE bytes. */
enum { SCA_FINDING_WHERE = 2 * SCA_PHRASE + 2 };
const char *sca_finding_phrase_where(char *buffer, const struct sca_analysis *c,
                                     const struct sca_finding *finding);

/* "Exact times between the two calls show it."; "" for what samples tell alone. */
const char *sca_finding_phrase_interval(char *buffer, const struct sca_finding *finding);

#endif
