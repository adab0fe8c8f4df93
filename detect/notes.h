/* What a reader must know to judge the report: plain sentences, in the order of weight. */
#ifndef SCA_DETECT_NOTES_H
#define SCA_DETECT_NOTES_H

#include "case.h"

void sca_notes_fill(struct sca_case *c);

#endif
