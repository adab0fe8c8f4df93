/* A name for each vertex, in which no two children of one parent agree. */
#ifndef SCA_DETECT_LABELS_H
#define SCA_DETECT_LABELS_H

#include "sca_report.h"

/* NULL: out of memory. */
char **sca_labels_make(const struct sca_report *report);
void sca_labels_free(char **labels, uint32_t n);

#endif
