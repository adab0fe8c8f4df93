/*
 * The explorer: metrics, calling contexts and ranks beside each other, in the browser. The page
 * carries the data as one JSON object in a script element that is not run; explorer_data.js reads
 * it. Strings have no '<', so that nothing in them ends the element.
 *
 * The object: `ranks`; `runs` [ranks, name]; `lacks`, what the report has none of, in words;
 * `hosts` [name, [ranks]]; `packages` and `cores` that ranks were bound to (-1: unknown, or
 * several); `threads`, where ranks have several: numbers `listed` of `n`, `left_out` contexts,
 * `rows` [vertex, [seconds, rank by rank]]; `topologies` (without `coordinates`: counted, the last
 * dimension fastest), `topologies_left_out`; `text`, all strings, each once; `kind`, `name`,
 * `function`, `file` (numbers of strings), `line` and `parent` (-1: a root), of each vertex; `own`,
 * of each run the own core-seconds of each vertex; `causes` [vertex, [ranks]]; `metrics` as in the
 * report, `others` of a metric [run, [vertices], [sums]], and as lists: [vertex, sum, value of
 * each], [vertex, sum, [values]], of many ranks [vertex, sum, part, [values in parts]], [vertex,
 * sum, [ranks], [values]] with 0 on all others, or, where no more than the spread is known,
 * [vertex, sum, [quantiles], least rank, most rank, [ranks], [values]].
 */
#ifndef SCA_DETECT_HTML_EXPLORER_H
#define SCA_DETECT_HTML_EXPLORER_H

#include "html/html_page.h"

/* SCA_ENOMEM. */
int sca_html_explorer(const struct sca_html *h);
/* Opens a link to the cause's vertex there; the caller closes it. */
void sca_html_explorer_link(const struct sca_html *h, const struct sca_report_cause *cause);

/* ---- between html_explorer*.c ---- */

int sca_html_explorer_data(const struct sca_html *h);
/* `hosts`, `packages` and `cores` of the ranks, `topologies`, `threads`. */
void sca_html_explorer_places(const struct sca_html *h);
/* The values of `metrics`. Of older reports those that vertices have: computation and MPI. */
int sca_html_explorer_metrics(const struct sca_html *h);

/* JSON: strings escaped for it and for the script element, numbers of so many digits. */
void sca_html_json_text(const struct sca_html *h, const char *text);
void sca_html_json_number(const struct sca_html *h, double value, int digits);
void sca_html_json_numbers(const struct sca_html *h, const double *values, uint32_t n, int digits);
void sca_html_json_ranks(const struct sca_html *h, const uint32_t *ranks, uint32_t n);

#endif
