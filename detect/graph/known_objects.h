/*
 * Objects of a run that are no code, such as locks: what they are called, or the line of the call
 * that made them (SCA_NODE_OBJECT, sca_part.h).
 */
#ifndef SCA_DETECT_KNOWN_OBJECTS_H
#define SCA_DETECT_KNOWN_OBJECTS_H

#include "graph/tree_input.h"
#include "sca_arena.h"
#include "symbols/attribution.h"

/* Fills in run->objects, by node, from the arena. SCA_ENOMEM. */
int sca_known_objects_read(struct sca_arena *arena, struct sca_attribution *attribution,
                           const struct sca_tree_input *input, struct sca_ppg_run *run);

/* The object of a node of the profile; NULL: none is known. */
const struct sca_ppg_object *sca_known_objects_of(const struct sca_ppg_run *run, uint32_t node);

#endif
