#include "replay/wait_rows.h"

static size_t cells_of(const struct sca_wait_rows *rows)
{
    return (size_t)rows->nvertices * SCA_WAIT_CLASSES;
}

void sca_wait_rows_open(struct sca_workspace *space, uint32_t nvertices, uint32_t nranks,
                        struct sca_wait_rows *out)
{
    *out = (struct sca_wait_rows){space, nvertices, nranks, NULL};
    out->rows = sca_workspace_alloc(space, cells_of(out), sizeof *out->rows);
}

static double *row_at(struct sca_wait_rows *rows, size_t cell)
{
    if (!rows->rows[cell])
        rows->rows[cell] = sca_workspace_alloc(rows->space, rows->nranks, sizeof(double));
    return rows->rows[cell];
}

void sca_wait_rows_add(struct sca_wait_rows *rows, uint32_t vertex, enum sca_wait_class kind,
                       uint32_t rank, double seconds)
{
    row_at(rows, (size_t)vertex * SCA_WAIT_CLASSES + kind)[rank] += seconds;
}

void sca_wait_rows_sum(struct sca_team *team, struct sca_wait_rows *rows)
{
    struct sca_workspace scratch = {.out_of_memory = rows->space->out_of_memory};
    if (team->size == 1)
        return;
    double *have = sca_workspace_alloc(&scratch, cells_of(rows), sizeof *have);
    for (size_t i = 0; i < cells_of(rows); i++)
        have[i] = rows->rows[i] != NULL;
    sca_team_sum_sparse(team, have, cells_of(rows));
    for (size_t i = 0; i < cells_of(rows); i++)
        if (have[i] > 0)
            sca_team_sum_sparse(team, row_at(rows, i), rows->nranks);
    sca_workspace_free(&scratch);
}
