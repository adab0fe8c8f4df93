/*
 * The MD5 of each source file, as the compiler wrote it into the line tables (DWARF 5, 6.2.4): so
 * that a source shown later is known to be the one that was compiled. Version 4 has none.
 */
#ifndef SCA_DETECT_SOURCE_CHECKSUMS_H
#define SCA_DETECT_SOURCE_CHECKSUMS_H

#include "sca_profile.h"
#include "sca_report.h"

/* Fills report->sources for the files its vertices name, from the program at report->path and the
 * user's libraries among the run's modules. A file without checksums, or one that cannot be read,
 * leaves none: never an error. */
void sca_source_checksums_fill(struct sca_report *report, const struct sca_profile *run,
                               const char *symfs);

#endif
