/*
 * Who depends on whom in a scene: every receive finds its send (and a blocked send the receive's
 * posting) by the number on its channel, every collective its members. Built once per scene.
 */
#ifndef SCA_DETECT_LINKS_H
#define SCA_DETECT_LINKS_H

#include "scene.h"

struct sca_group {     /* one instance of a collective */
    uint32_t nmembers; /* those that have come, each with one step */
    uint32_t first;    /* into members */
    uint32_t shape;
    uint32_t seen; /* the replay's: members known to have entered, in their order */
    uint32_t root; /* step of the root, SCA_NO_STEP if it is not in the scene */
    uint32_t last; /* the replay's: latest entering, and whose */
    double latest;
};

struct sca_replay_links {
    uint32_t *first_dep; /* per step, into dep: single steps this one depends on */
    uint32_t *dep;
    bool *dep_is_post;     /* the dependence is a send's on the posting of its receive */
    uint32_t *first_group; /* per step, into group: collectives it is in */
    uint32_t *group;
    uint8_t *role; /* beside group: enum sca_op_kind, whether it comes, waits, or both */
    uint32_t ngroups;
    struct sca_group *groups;
    uint32_t *members; /* steps, of lower ranks first */
    uint32_t *rank;    /* per step */
};

struct sca_replay_links *sca_links_build(struct sca_room *room, const struct sca_scene *scene);

#endif
