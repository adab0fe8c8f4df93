/*
 * What other findings, and other runs, have of what rotates (rotating.h). Pure questions.
 */
#ifndef SCA_DETECT_ROTATING_KNOWN_H
#define SCA_DETECT_ROTATING_KNOWN_H

#include "imbalance/rotating_search.h"

/* What always falls on the same ranks does not rotate: a cause that these ranks have there is it.
 */
bool sca_rotating_known_explains(const struct sca_rotating_search *s,
                                 const struct sca_finding *known, const struct sca_finding *c);

/* The finding that has it already; NULL if there is none. */
const struct sca_finding *sca_rotating_known_by(const struct sca_rotating_search *s,
                                                const struct sca_finding_list *known,
                                                const struct sca_finding *c);

/* The place in it that rotates in another run, or around it; SCA_NONE: none does. */
uint32_t sca_rotating_known_place(const struct sca_rotating_search *s, uint32_t vertex);

#endif
