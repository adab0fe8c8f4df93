/*
 * What `scalana doctor` found, one check after the other. The list owns its texts.
 */
#ifndef SCA_CLI_CHECKS_H
#define SCA_CLI_CHECKS_H

#include <stdbool.h>
#include <stddef.h>

enum sca_check_state {
    SCA_CHECK_WORKS,
    SCA_CHECK_LACKS, /* runs are recorded, but something will be missing */
    SCA_CHECK_BLIND  /* a run would leave nothing to look at */
};

struct sca_checks {
    struct sca_check {
        const char *name; /* a constant: "perf", "mpi" ... */
        enum sca_check_state state;
        char *text, *mend; /* mend: a command, or what to do; "" where nothing is wrong */
    } *items;
    size_t count;
    const char *root; /* where the system's files are read, "" or a folder */
};

void sca_checks_works(struct sca_checks *checks, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* What is missing; the next call of sca_checks_mend() says what to do. */
void sca_checks_lacks(struct sca_checks *checks, const char *name, enum sca_check_state state,
                      const char *format, ...) __attribute__((format(printf, 4, 5)));
void sca_checks_mend(struct sca_checks *checks, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Mended by a package: its name on Debian and its kin, and what it is elsewhere. */
void sca_checks_mend_package(struct sca_checks *checks, const char *package, const char *what);
void sca_checks_free(struct sca_checks *checks);

bool sca_checks_blind(const struct sca_checks *checks);

#endif
