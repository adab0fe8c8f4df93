/*
 * The batch job that this process runs in, by its environment.
 */
#ifndef SCA_CLI_BATCH_H
#define SCA_CLI_BATCH_H

enum sca_batch_system {
    SCA_BATCH_NONE,
    SCA_BATCH_SLURM,
    SCA_BATCH_FLUX,
    SCA_BATCH_PBS,
    SCA_BATCH_OTHER /* LSF, Grid Engine: MPI's own launcher knows them */
};

struct sca_batch {
    enum sca_batch_system system;
    const char *name; /* "Slurm", "" if there is none */
    unsigned slots;   /* ranks there is room for; 0: unknown */
};

struct sca_batch sca_batch_here(void);

#endif
