/*
 * A chunk of profile.sca with the images of some ranks, decoded by a thread of its own while the
 * ranks before are merged. One reader of a file at a time; no global state.
 */
#ifndef SCA_LOAD_GROUP_H
#define SCA_LOAD_GROUP_H

#include "base/region.h"
#include "profile/tables.h"
#include "profile/store.h"

#include <stdint.h>
#include <pthread.h>
#include <stdbool.h>

struct sca_group {
    const char *path; /* for messages */
    struct sca_chunk chunk;
    uint32_t nranks;           /* of the run */
    bool totals;               /* these alone are decoded (totals_columns.h) */
    uint32_t first, count;     /* ranks of the group */
    struct sca_tables *tables; /* of each, checked */
    struct sca_region region;  /* what they live in */
    int status;
    char message[512];
    bool by_thread;
    pthread_t thread;
};

/* The file stays mapped until sca_load_group_finish(). */
void sca_load_group_begin(struct sca_group *group, const char *path, const struct sca_chunk *chunk,
                          uint32_t nranks, bool totals);
/* Waits for the tables. SCA_OK, SCA_EFORMAT, SCA_ENOMEM. */
int sca_load_group_finish(struct sca_group *group);
/* After sca_load_group_finish(). */
void sca_load_group_free(struct sca_group *group);

#endif
