/*
 * Starting collectors: once by a launcher that reaches all hosts of a job (srun, mpirun), or host
 * by host (ssh). No shell reads any of it here; ssh has one at the other end, for which words are
 * quoted.
 */
#ifndef SCA_LIVE_LAUNCH_H
#define SCA_LIVE_LAUNCH_H

#include "net/token.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct sca_launch_plan {
    const char *launcher; /* words with blanks between; {host} stands for a host */
    const char *hosts;    /* "a,b,c"; NULL: the launcher knows them */
    const char *run;      /* an absolute path */
    const char *front;    /* addresses (net/address.h) */
    const char *token_path;
    const struct sca_token *token;
};

struct sca_launch {
    pid_t *pids; /* that run */
    size_t n;
    bool by_host; /* one for each collector */
    int log;      /* what they print */
};

/* SCA_EINVAL: a launcher or a host that cannot be; SCA_EIO: it cannot be started. */
int sca_launch_start(const struct sca_launch_plan *plan, struct sca_launch *out);
/* How many still run. */
size_t sca_launch_running(struct sca_launch *launch);
/* The last line that they printed, of the caller's; "" if there is none. */
char *sca_launch_said(const struct sca_launch *launch);
/* Ends those that do not end by themselves soon. */
void sca_launch_end(struct sca_launch *launch);

/* The words of a collector's start; hosts one after the other, or NULL (for tests). */
struct sca_words;
int sca_launch_words(const struct sca_launch_plan *plan, const char *host, struct sca_words *out);

#endif
