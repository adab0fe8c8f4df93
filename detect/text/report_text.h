/*
 * The report as text for a terminal: the verdict first, then what supports it. 80 columns.
 */
#ifndef SCA_DETECT_REPORT_TEXT_H
#define SCA_DETECT_REPORT_TEXT_H

#include "report/verdict.h"
#include <stdio.h>

/* 0, or SCA_EIO if the stream did not take it. */
int sca_text_print(FILE *out, const struct sca_verdict *verdict,
                   const struct sca_settings *settings, bool colour);

#endif
