/*
 * The longest waits of a replay, which chains from a symptom to its cause may begin with. Of all
 * processes that share the traces: each gets the same ones.
 */
#ifndef SCA_DETECT_LONGEST_WAITS_H
#define SCA_DETECT_LONGEST_WAITS_H

#include "findings/finding.h"
#include "price/stage.h"

#include <stdbool.h>
#include <stdint.h>

enum { SCA_MOST_WAITS = 64 };

struct sca_wait {
    double waited;               /* seconds */
    uint32_t rank, trace, place; /* trace: its number among all of the run */
    uint32_t process, step;      /* a process of SCA_NONE: none */
};

struct sca_wait_search {
    const struct sca_stage *stage;
    const struct sca_finding *cause; /* its own ranks' waits are left out, unless all are */
    uint32_t vertex;
};

/* Those at the vertex, in the traces [first, end): SCA_MOST_WAITS entries, longest first. */
void sca_longest_waits(struct sca_workspace *space, const struct sca_wait_search *search,
                       uint32_t first, uint32_t end, struct sca_wait *out);

/* The replay of a trace, NULL if it is another process'. */
const struct sca_replay *sca_longest_waits_own_replay(const struct sca_stage *stage,
                                                      uint32_t trace);

bool sca_longest_waits_is_delaying(const struct sca_finding *cause, uint32_t rank);

/* Vertex of a step's call, SCA_NONE for the end of the run. */
uint32_t sca_longest_waits_vertex(const struct sca_ppg_run *run, struct sca_trace_event step);

#endif
