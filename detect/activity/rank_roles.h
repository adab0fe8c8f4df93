/*
 * What a rank is by whom it exchanges messages with, where the pattern is known: master and
 * workers, and the places in a grid that ends at its borders.
 */
#ifndef SCA_DETECT_RANK_ROLES_H
#define SCA_DETECT_RANK_ROLES_H

#include "activity/rank_peers.h"

enum sca_rank_role { /* in the order in which they are shown */
                     SCA_ROLE_MASTER,
                     SCA_ROLE_WORKER,
                     SCA_ROLE_CORNER,
                     SCA_ROLE_BORDER,
                     SCA_ROLE_INTERIOR,
                     SCA_ROLE_NONE, /* no known pattern */
                     SCA_ROLE_IDLE
};

/* "master"; "" without. */
const char *sca_rank_role_name(enum sca_rank_role role);

/* Of all ranks, in `space`. */
enum sca_rank_role *sca_rank_roles_find(struct sca_workspace *space,
                                        const struct sca_task_source *source,
                                        const struct sca_rank_peers *peers);

#endif
