/*
 * Which topology a view shows: one of the run's, by name or by its number in the list, or one from
 * a file.
 */
#ifndef SCA_DETECT_TOPOLOGY_CHOICE_H
#define SCA_DETECT_TOPOLOGY_CHOICE_H

#include "metrics/threads.h"
#include "topology/topologies.h"
#include "views/table.h"
#include "views/view_input.h"

struct sca_topology_choice {
    struct sca_topologies all; /* of the run, then the ranks in their order, the hardware, and where
                                  ranks have several, the threads */
    struct sca_threads threads; /* of which a topology of kind "threads" has a place for each, at
                                   number rank * threads.n + thread */
    struct sca_topology *chosen;
};

/* By settings->topology; NULL: the run's first. SCA_EINVAL, or what reading a file returns. */
int sca_topology_choose(const struct sca_view_input *in, const struct sca_profile *profile,
                        struct sca_topology_choice *out);

/* The threads, where the chosen topology is theirs, else NULL. */
const struct sca_threads *sca_topology_threads(const struct sca_topology_choice *choice);

/* "grid, cartesian x 4 by y 2 (x periodic)" */
const char *sca_topology_phrase(struct sca_table *table, const struct sca_topology *topology);

/* Notes which others there are. */
void sca_topology_note_others(const struct sca_topology_choice *choice, struct sca_table *table);

#endif
