/*
 * Merging ranks into one profile: modules by build-id (by path without one), call paths by their
 * frames, sites by call path and function, communicators by id and size. The first rank to show
 * something gives its index. Everything lives in the region until sca_region_free(); the entries
 * for looking up are given back by sca_merge_end().
 */
#ifndef SCA_MERGE_H
#define SCA_MERGE_H

#include "base/region.h"
#include "sca_profile.h"
#include "profile/tables.h"

/* A rank's indices -> the profile's. */
struct sca_merge_maps {
    uint32_t *module, *node, *site, *comm;
    uint32_t nnodes, nsites;
};

struct sca_merge {
    struct sca_region *region;  /* what the profile keeps */
    struct sca_region *records; /* the tables of ranks; at first the same */
    struct sca_region lookup;   /* hash entries, for as long as ranks come */
    struct sca_region scratch;  /* one rank's index maps */
    struct sca_region earlier;  /* those of the rank before: most ranks are alike */
    struct sca_merge_maps maps; /* of the rank merged last */
    bool alike; /* set by who merges: the next rank's modules, call paths, sites and communicators
                   are that one's, in the same memory */
    struct sca_profile *profile;
    struct sca_merge_entry *modules, *nodes, *sites, *comms, *texts; /* uthash heads */
    uint32_t module_room, node_room, site_room, comm_room;
    uint32_t unknown_comm; /* SCA_NONE until one is needed */
};

/* All return SCA_OK or SCA_ENOMEM, sca_merge_rank() also SCA_EFORMAT (without file name) for
 * windows that cannot be decoded. Tables must have been checked. After an error the rank is as if
 * absent. */
int sca_merge_begin(struct sca_merge *merge, struct sca_region *region,
                    struct sca_profile *profile);
int sca_merge_rank(struct sca_merge *merge, const struct sca_tables *tables, struct sca_rank *rank);
/* Keys and values of "key NUL value NUL ..."; a later value of a key counts. */
int sca_merge_meta(struct sca_merge *merge, const char *bytes, size_t length);
int sca_merge_add_meta(struct sca_merge *merge, const char *key, const char *value);
void sca_merge_end(struct sca_merge *merge);

/* Inner seams of merge*.c. The merged index of one thing, or SCA_NONE. */
const char *sca_merge_text(struct sca_merge *merge, const char *text);
uint32_t sca_merge_module(struct sca_merge *merge, const struct sca_tables *t, uint32_t i);
uint32_t sca_merge_node(struct sca_merge *merge, const struct sca_node *node);
uint32_t sca_merge_site(struct sca_merge *merge, uint32_t node, const char *function,
                        uint32_t thread);
uint32_t sca_merge_comm(struct sca_merge *merge, uint64_t id, uint32_t size, const char *kind);
/* SCA_NONE, a communicator that found no room in the rank's table, is the unknown one. */
uint32_t sca_merge_comm_of(struct sca_merge *merge, const struct sca_merge_maps *maps,
                           uint32_t comm);
int sca_merge_windows(struct sca_merge *merge, const struct sca_tables *t,
                      const struct sca_merge_maps *maps, struct sca_rank *rank);

#endif
