/*
 * Ranks by behaviour: those with the same graph and similar computation are one class. Ranks of a
 * graph are divided where some computation falls into two groups that lie clearly apart. So classes
 * are nested: roles, graphs, times; on request they are divided further.
 */
#ifndef SCA_DETECT_RANK_CLASSES_H
#define SCA_DETECT_RANK_CLASSES_H

#include "activity/rank_roles.h"
#include "activity/rank_shapes.h"

struct sca_rank_class {
    uint32_t shape; /* of its ranks' graph */
    enum sca_rank_role role;
    uint32_t n, *ranks; /* rising */
    bool by_times;      /* other ranks with the same graph take other times */
    bool asked;         /* divided on request alone */
};

struct sca_rank_classes {
    uint32_t n, nnatural;      /* nnatural: before any was divided on request */
    struct sca_rank_class *of; /* by role, then by the lowest rank */
    struct sca_rank_shapes shapes;
    struct sca_rank_peers peers;
};

enum { SCA_MOST_CLASSES = 1 << 16 };

/* `wanted`: so many classes if ranks can be divided so far; 0: as they are. In `space`. */
void sca_rank_classes_find(struct sca_workspace *space, const struct sca_task_source *source,
                           uint32_t wanted, struct sca_rank_classes *out);

#endif
