/* Inner seam of sca_profile_load(): the two forms a run directory can have. */
#ifndef SCA_PROFILE_LOAD_H
#define SCA_PROFILE_LOAD_H

#include "merge.h"

enum { SCA_LOAD_PATH = 4400 };

struct sca_load {
    struct sca_profile *profile;
    struct sca_merge merge;
};

int sca_load_ranks(struct sca_load *load, uint32_t nranks);
int sca_load_store(struct sca_load *load, const char *path);
int sca_load_parts(struct sca_load *load, const char *directory);

#endif
