/*
 * What starts the ranks of a run: the batch system's launcher, that of the MPI which the program
 * links, or one that the user names.
 */
#ifndef SCA_CLI_LAUNCHER_H
#define SCA_CLI_LAUNCHER_H

#include "machine/batch.h"
#include "machine/target.h"
#include "sca_words.h"

enum sca_launcher_kind {
    SCA_LAUNCHER_OPENMPI, /* mpirun of Open MPI, prterun */
    SCA_LAUNCHER_HYDRA,   /* mpiexec of MPICH and its kin */
    SCA_LAUNCHER_SRUN,
    SCA_LAUNCHER_FLUX,
    SCA_LAUNCHER_OTHER
};

struct sca_launcher {
    enum sca_launcher_kind kind;
    struct sca_words words; /* the command, up to the number of ranks */
    bool users;             /* the user has named it: nothing is added but what must be */
};

/* `named` is the user's command, NULL: find one. SCA_OK, SCA_EINVAL (no such command) or
 * SCA_ENOTFOUND, with a message that says what to do. */
int sca_launcher_find(const char *named, const struct sca_batch *batch,
                      const struct sca_target *target, struct sca_launcher *launcher);
void sca_launcher_free(struct sca_launcher *launcher);

/* Is the program at `path` one that starts ranks? */
bool sca_launcher_is_one(const char *path);

/* The first launcher of a family in PATH, in memory of the caller's; NULL: none. */
char *sca_launcher_of_family(enum sca_mpi_family family, const char *mpi_library);
/* What it says of itself: "mpirun (Open MPI) 4.1.4"; in memory of the caller's. */
char *sca_launcher_version(const char *path);

/* Adds the words that start so many ranks, up to the program. `own_cores`: each rank has a core,
 * and is kept on it if it has no threads of its own. */
void sca_launcher_compose(const struct sca_launcher *launcher, unsigned ranks, bool own_cores,
                          bool threads, struct sca_words *command);

/* SCA_OK, or SCA_EINVAL with a message: Open MPI will not start for root. */
int sca_launcher_check_user(const struct sca_launcher *launcher);

#endif
