#include "metrics/replayed.h"
#include "sca_error.h"

#include <string.h>

void sca_replayed_make(struct sca_workspace *space, const struct sca_stage *stage,
                       const struct sca_costs *costs, struct sca_replayed *out)
{
    *out = (struct sca_replayed){.nvertices = stage->m->ppg->nvertices,
                                 .nranks = stage->m->nranks,
                                 .of = costs->of,
                                 .direct_of = costs->direct_of,
                                 .waited = costs->waited,
                                 .shared = stage->m->shared,
                                 .without_messages = stage->without_messages};
    sca_path_profile_make(space, stage, &out->path);
}

static void *copy_of(struct sca_arena *arena, const void *from, size_t count, size_t size)
{
    void *to = sca_arena_alloc(arena, count, size);
    return to && count ? memcpy(to, from, count * size) : to;
}

static bool copy_rows(struct sca_arena *arena, const struct sca_wait_rows *from,
                      struct sca_wait_rows *out)
{
    size_t n = (size_t)from->nvertices * SCA_WAIT_CLASSES;
    *out = (struct sca_wait_rows){NULL, from->nvertices, from->nranks, NULL};
    out->rows = sca_arena_alloc(arena, n, sizeof *out->rows);
    for (size_t i = 0; out->rows && i < n; i++) {
        out->rows[i] =
            from->rows[i] ? copy_of(arena, from->rows[i], from->nranks, sizeof(double)) : NULL;
        if (from->rows[i] && !out->rows[i])
            return false;
    }
    return out->rows != NULL;
}

int sca_replayed_copy(struct sca_arena *arena, const struct sca_replayed *from,
                      struct sca_replayed *out)
{
    size_t nv = from->nvertices, cells = nv * from->nranks;
    *out = *from;
    out->of = copy_of(arena, from->of, cells, sizeof(double));
    out->direct_of = copy_of(arena, from->direct_of, cells, sizeof(double));
    out->path.cells = copy_of(arena, from->path.cells, from->path.ncells, sizeof *out->path.cells);
    out->path.mean = copy_of(arena, from->path.mean, nv, sizeof(double));
    out->path.critical = copy_of(arena, from->path.critical, nv, sizeof(double));
    bool good = copy_rows(arena, &from->waited, &out->waited) && out->of && out->direct_of &&
                out->path.cells && out->path.mean && out->path.critical;
    return good ? SCA_OK : sca_fail(SCA_ENOMEM, "out of memory");
}
