/*
 * Whether what windows show to be late by turns is the program's doing, and moves (rotating.h). Of
 * the interval that the search looked at last. Pure questions.
 */
#ifndef SCA_DETECT_ROTATING_BELIEF_H
#define SCA_DETECT_ROTATING_BELIEF_H

#include "imbalance/rotating_search.h"

/* Instances are long most of the time, or, where it has a place of its own, by much: fewer are
 * spikes of the machine. What windows tell is. */
bool sca_rotating_belief_is_the_programs(const struct sca_rotating_search *s, bool has_place);

/* Not the same rank has most of it. */
bool sca_rotating_belief_moves(const struct sca_rotating_search *s);

/* Who waits for a thread of its own on shared cores waits for the scheduler as well. */
bool sca_rotating_belief_is_scheduling(const struct sca_rotating_search *s, uint32_t interval,
                                       double excess);

/* Whether it is more than cores make: always, unless instances on shared cores may scatter as much.
 * `told`: samples tell its place. Another run may tell it instead: sets the vertex. */
bool sca_rotating_belief_has(const struct sca_rotating_search *s, bool told, struct sca_finding *c);

#endif
