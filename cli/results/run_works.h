/*
 * The problem sizes that runs were told (--work), as they are kept with them.
 */
#ifndef SCA_CLI_RUN_WORKS_H
#define SCA_CLI_RUN_WORKS_H

#include "sca_words.h"

#define SCA_RUN_WORK "work" /* its key in meta.json */

/* "--work=10,20" for these run directories, in memory of the caller's; NULL: one has none. */
char *sca_run_works_option(char *const *runs, size_t count);

#endif
