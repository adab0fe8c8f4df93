/*
 * UTF-8 at the border of a report: names and paths come from programs and file systems and may
 * hold any bytes. Shared by the report's reader and writer. No state.
 */
#ifndef SCA_REPORT_TEXT_H
#define SCA_REPORT_TEXT_H

#include <stdbool.h>

bool sca_utf8_valid(const char *text);
/* A copy in which every byte that is not valid UTF-8 is U+FFFD; free() it. NULL: out of memory. */
char *sca_utf8_repair(const char *text);

#endif
