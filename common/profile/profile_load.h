/* Inner seam of sca_profile_load(): the two forms a run directory can have. */
#ifndef SCA_PROFILE_LOAD_H
#define SCA_PROFILE_LOAD_H

#include "profile/merge.h"
#include "profile/rank_pack.h"
#include "sca_profile_each.h"

enum { SCA_LOAD_PATH = 4400 };

struct sca_worlds_view;

struct sca_load {
    struct sca_profile *profile;
    struct sca_worlds_view *view; /* load_worlds.c: several runs become one; NULL: it is one */
    struct sca_merge merge;
    const char *since; /* a snapshot: what came before it is left out; NULL: none */
    bool packed;       /* each rank's tables, as soon as it is merged */
    bool ended;        /* by it: no further rank is wanted */
    const struct sca_rank_taker *taker; /* who is handed each rank, which then is without tables */
    bool totals;                        /* recorded windows and sizes of messages are left out */
    struct sca_packer packer;
    struct sca_region records; /* one rank's tables until they are packed */
};

int sca_profile_load_ranks(struct sca_load *load, uint32_t nranks);
/* profile.sca or parts, into a load that was begun. */
int sca_profile_load_into(struct sca_load *load, const char *directory);
/* load_worlds.c. Of all worlds, into a load that was begun. */
int sca_worlds_load(struct sca_load *load, const struct sca_profile *const *worlds, uint32_t n);
/* Of a run among several: its first rank in the profile; its tables with the numbers
 * that these have there. */
uint32_t sca_worlds_view_first(const struct sca_worlds_view *view);
const struct sca_tables *sca_worlds_view_tables(struct sca_worlds_view *view,
                                                const struct sca_tables *tables);
/* Merges one rank; as sca_merge_rank(). */
int sca_profile_load_rank(struct sca_load *load, const struct sca_tables *tables,
                          struct sca_rank *rank);
/* Adds what is kept of a file; its memory is the profile's. SCA_ENOMEM. */
int sca_profile_load_kept(struct sca_load *load, const struct sca_kept *kept);
int sca_load_store(struct sca_load *load, const char *path);
int sca_load_parts(struct sca_load *load, const char *directory);

/* What the profile's memory comes from. */
struct sca_region *sca_profile_load_region(struct sca_profile *profile);

#endif
