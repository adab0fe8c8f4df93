/* The tables below the causes in the text report; each within 80 columns. */
#ifndef SCA_DETECT_TEXT_TABLES_H
#define SCA_DETECT_TEXT_TABLES_H

#include "text/lines.h"
#include "sca_report.h"

void sca_text_tables_efficiencies(const struct sca_page *page, const struct sca_report *report);
void sca_text_tables_account(const struct sca_page *page, const struct sca_report *report);
/* What the program names (scalana/region.h), with load balance and efficiency; nothing where it
 * names nothing. */
void sca_text_tables_phases(const struct sca_page *page, const struct sca_report *report);
/* What the largest run noted of itself; nothing where it did not. */
void sca_text_tables_meta(const struct sca_page *page, const struct sca_report *report);
/* The greatest wait states; nothing where there is hardly any waiting. */
void sca_text_tables_waits(const struct sca_page *page, const struct sca_report *report);

#endif
