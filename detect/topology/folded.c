#include "topology/folded.h"

#include <stdio.h>

const char *sca_fold_name(char *buffer, const struct sca_topology *t, uint32_t dimension)
{
    if (*t->dimension_names[dimension])
        snprintf(buffer, 64, "%s", t->dimension_names[dimension]);
    else
        snprintf(buffer, 64, "dim%u", dimension);
    return buffer;
}

uint32_t sca_fold_coordinate(const struct sca_fold *f, const struct sca_fold_axis *axis, uint32_t i,
                             uint32_t place)
{
    for (uint32_t inner = axis->n; --inner > i;)
        place /= f->topology->dims[axis->dims[inner]];
    return place % f->topology->dims[axis->dims[i]];
}
