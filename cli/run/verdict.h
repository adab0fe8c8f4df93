/*
 * From the run directories of a result folder to the verdict on standard output, and the report and
 * the page in the folder: by scalana-detect.
 */
#ifndef SCA_CLI_VERDICT_H
#define SCA_CLI_VERDICT_H

#include "sca_words.h"

/* `options`: more words for scalana-detect. Its exit status, after a line that says how to look at
 * what it wrote. */
int sca_verdict_find(const char *folder, const struct sca_words *runs, char *const *options);

#endif
