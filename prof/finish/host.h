/*
 * Which host this process runs on, as ranks need to know it of each other. Names do not tell hosts
 * apart (many are called localhost), so identities come from the kernel: its boot id, and the
 * namespaces in which names, networks, clocks and process numbers are valid. A kernel that does not
 * say its boot id is known by the host's name. Does not allocate; on one thread.
 */
#ifndef SCA_PROF_HOST_H
#define SCA_PROF_HOST_H

#include <stdint.h>

struct sca_host {
    /* Equal values, the same thing: cores; name and network (what a report calls a host); clock;
     * process numbers (0: unknown). */
    uint64_t machine, node, clock, processes;
    char name[256];
    char address[48]; /* in text, "" if it has none but the loopback's */
};

void sca_host_describe(struct sca_host *host);

#endif
