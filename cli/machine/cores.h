/*
 * Cores that this process and what it starts may use on this machine.
 */
#ifndef SCA_CLI_CORES_H
#define SCA_CLI_CORES_H

struct sca_cores {
    unsigned cpus;   /* hardware threads it may run on */
    unsigned cores;  /* cores these belong to, the quota considered; at least 1 */
    unsigned online; /* hardware threads of the machine */
    unsigned quota;  /* cores that the control group may keep busy; 0: no limit */
};

/* `root`: where /sys and /proc are read, "" for this machine's. */
struct sca_cores sca_cores_of(const char *root);

#endif
