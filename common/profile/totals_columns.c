#include "profile/totals_columns.h"

#include <stddef.h>

bool sca_totals_table(enum sca_part_table table)
{
    return table != SCA_T_SAMPLES && table != SCA_T_COLLECTIVES && table != SCA_T_MESSAGES &&
           table != SCA_T_WINDOWS && table != SCA_T_EVENTS;
}

static bool is_site_field(size_t offset)
{
    return offset == offsetof(struct sca_part_site, node) ||
           offset == offsetof(struct sca_part_site, name) ||
           offset == offsetof(struct sca_part_site, count);
}

/* CPU time is written as what differs from wall time. */
static bool is_interval_field(size_t offset)
{
    return offset != offsetof(struct sca_part_interval, min_ns) &&
           offset != offsetof(struct sca_part_interval, max_ns);
}

bool sca_totals_column(uint32_t column)
{
    const struct sca_column *c = &sca_columns[column];
    switch (c->table) {
    case SCA_T_SITES:
        return is_site_field(c->offset);
    case SCA_T_INTERVALS:
        return is_interval_field(c->offset);
    case SCA_T_PEERS:
        return c->offset != offsetof(struct sca_part_peer, bytes);
    default:
        return sca_totals_table(c->table);
    }
}
