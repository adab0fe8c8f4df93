/*
 * From the run directories of a result folder to the verdict on standard output, and the report and
 * the page in the folder: by scalana-detect.
 */
#ifndef SCA_CLI_VERDICT_H
#define SCA_CLI_VERDICT_H

#include "sca_words.h"

/* `works`: the work of each run, or none. `options`: more words for scalana-detect. Its exit
 * status, after a line that says how to look at what it wrote. */
int sca_verdict_find(const char *folder, const struct sca_words *runs,
                     const struct sca_words *works, char *const *options);

#endif
