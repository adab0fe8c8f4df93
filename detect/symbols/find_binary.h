/*
 * Where the files of a run are now. In this order: below --symfs, where they ran, beside the run
 * directory and in it, in the working directory, in what the run kept (sca_profile.h), at the
 * servers of DEBUGINFOD_URLS. A file is taken if its build-id is that of the run; of modules
 * without one, only below --symfs and where it ran.
 */
#ifndef SCA_DETECT_FIND_BINARY_H
#define SCA_DETECT_FIND_BINARY_H

#include "sca_binary.h"
#include "sca_profile.h"

struct sca_binary_places {
    const char *symfs; /* NULL: not given */
    struct sca_profile *const *runs;
    uint32_t nruns;
};

/* SCA_ENOTFOUND, SCA_EMISMATCH, SCA_EIO, SCA_EFORMAT: the message says what was looked at, and
 * names the option. SCA_ENOMEM. `program`: without it there is no analysis. */
int sca_find_binary(const struct sca_binary_places *places, const struct sca_module *module,
                    bool program, struct sca_binary **out);

#endif
