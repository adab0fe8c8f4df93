/*
 * The report as one HTML file: verdict, account, causes with their source lines, an explorer of
 * metrics, contexts and ranks, the performance graph with the backtracking paths, scaling curves,
 * heat map, tables. It loads nothing, names nothing outside itself, and its content policy admits
 * only its own style and script.
 */
#ifndef SCA_DETECT_HTML_H
#define SCA_DETECT_HTML_H

#include "sca_report.h"

/* Sources are read now, from where the report names them, or beside the program. The same report
 * and sources give the same bytes. SCA_EIO, SCA_ENOMEM; an earlier file then stays as it was. */
int sca_html_write(const struct sca_report *report, const char *path);

#endif
