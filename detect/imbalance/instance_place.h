/*
 * Which place of the computation between two calls can be the one that takes long now and then:
 * windows say how much that is, samples what is done there and how long their instances were
 * (instance_length.h).
 */
#ifndef SCA_DETECT_INSTANCE_PLACE_H
#define SCA_DETECT_INSTANCE_PLACE_H

#include "measure/measure.h"

/* Seconds of a vertex and all below in an interval (intervals.h), over all ranks. */
double sca_instance_place_seconds(const struct sca_measure *m, const uint32_t *ends,
                                  uint32_t interval, uint32_t vertex);

/* Not told: the vertex encloses all that may be it; SCA_NONE: none may. */
struct sca_instance_place {
    uint32_t vertex;
    bool told;  /* by its samples: they lie in instances that are later than those of the rest */
    bool alone; /* if so: it runs only when it delays */
};

/* `excess_by_length`: of the interval (excess_by_length.h). */
struct sca_instance_place sca_instance_place_find(struct sca_workspace *space,
                                                  const struct sca_measure *m, const uint32_t *ends,
                                                  struct sca_call_pair interval, double excess,
                                                  double excess_by_length);

#endif
