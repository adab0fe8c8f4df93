/* A report's file, and one with another text in it, for tests of what is read back. */
#ifndef SCA_TEST_WRITTEN_REPORT_H
#define SCA_TEST_WRITTEN_REPORT_H

#include "sca_report.h"

/* An empty file of its own at `path`, whose last six letters change; the caller unlinks it. */
void written_report_begin(char *path);
/* Writes the report to `path`, and frees it. Returns the file's text, until the next call. */
char *written_report_text(struct sca_report *report, const char *path);
/* The same, but for the first `part` behind `behind`, which is `other` instead. Returns what
 * reading it returns. */
int written_report_read_with(struct sca_report *report, const char *path, const char *behind,
                             const char *part, const char *other);

#endif
