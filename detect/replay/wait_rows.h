/*
 * How long each rank waited at each vertex, by class of wait: a row of seconds for each vertex and
 * class that any rank waited in. In the workspace.
 */
#ifndef SCA_DETECT_WAIT_ROWS_H
#define SCA_DETECT_WAIT_ROWS_H

#include "replay/wait_state.h"
#include "team/team.h"

struct sca_wait_rows {
    struct sca_workspace *space;
    uint32_t nvertices, nranks;
    double **rows; /* [vertex * SCA_WAIT_CLASSES + class]: seconds per rank; NULL: nobody waited */
};

void sca_wait_rows_open(struct sca_workspace *space, uint32_t nvertices, uint32_t nranks,
                        struct sca_wait_rows *out);
void sca_wait_rows_add(struct sca_wait_rows *rows, uint32_t vertex, enum sca_wait_class kind,
                       uint32_t rank, double seconds);
/* From each process' waits to those of all; each has the same rows then. */
void sca_wait_rows_sum(struct sca_team *team, struct sca_wait_rows *rows);

/* Seconds per rank; NULL: nobody waited. */
static inline const double *sca_wait_rows_of(const struct sca_wait_rows *rows, uint32_t vertex,
                                             enum sca_wait_class kind)
{
    return rows->rows[(size_t)vertex * SCA_WAIT_CLASSES + kind];
}

#endif
