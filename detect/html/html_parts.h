/* The sections of the page, in the order they appear, and the embedded style and script. */
#ifndef SCA_DETECT_HTML_PARTS_H
#define SCA_DETECT_HTML_PARTS_H

#include "html/html_page.h"

extern const char sca_html_style[], sca_html_style_hash[];
extern const char sca_html_script[], sca_html_script_hash[];

enum { SCA_HTML_CARDS = 12 /* causes told at length; the table has more */ };

/* The first screen: efficiency, what can be saved, the cause; its source and ranks; the account. */
void sca_html_summary(const struct sca_html *h);
void sca_html_verdict(const struct sca_html *h);
/* Who, where, how much it costs whom, and what fixing it saves. */
void sca_html_sentence(const struct sca_html *h, const struct sca_report_cause *cause);
void sca_html_account(const struct sca_html *h);
void sca_html_causes(const struct sca_html *h);
/* The calls around a vertex, outermost first; no more than the innermost `most`. */
void sca_html_calling_path(const struct sca_html *h, uint32_t vertex, uint32_t most);
/* What is known of a cause beside its place: what it is mostly in, when it acts, what was counted.
 */
void sca_html_inside(const struct sca_html *h, const struct sca_report_cause *cause);
void sca_html_snippet(const struct sca_html *h, const struct sca_report_vertex *v);
void sca_html_bars(const struct sca_html *h, const struct sca_report_cause *cause, uint32_t id);
int sca_html_graph(const struct sca_html *h);
void sca_html_curves(const struct sca_html *h);
int sca_html_heat(const struct sca_html *h);
void sca_html_communication(const struct sca_html *h);
/* Who waits for whose locks; nothing where nobody does. */
int sca_html_locks(const struct sca_html *h);
/* What helps beside the causes; nothing where there is none. */
void sca_html_advice(const struct sca_html *h);
/* Classes of ranks, and what they do as a graph. */
void sca_html_behaviour(const struct sca_html *h);
void sca_html_series(const struct sca_html *h);
/* For the script that chooses a range; before it the script's controls are not there. */
void sca_html_series_data(const struct sca_html *h);
void sca_html_clusters(const struct sca_html *h, const struct sca_report_series_loop *loop);
void sca_html_phases(const struct sca_html *h);
/* "1.25 ms". Returns the text. */
const char *sca_html_duration(char text[32], double seconds);
void sca_html_timeline(const struct sca_html *h);
void sca_html_tables(const struct sca_html *h);

/* Columns of ranks: at most `most`, each a segment of neighbouring ranks. */
struct sca_html_columns {
    uint32_t count, nranks;
    const struct sca_report_run *run;
};
struct sca_html_columns sca_html_columns(const struct sca_html *h, uint32_t most);
static inline uint32_t sca_html_first_rank(const struct sca_html_columns *c, uint32_t column)
{
    return (uint32_t)((uint64_t)column * c->nranks / c->count);
}
double sca_html_column_s(const struct sca_html_columns *c, const struct sca_report_vertex *v,
                         uint32_t column);
/* "4", "4 (1,0)" where there is a topology, "8-11". The buffer has SCA_PHRASE bytes. */
const char *sca_html_column_name(char *buffer, const struct sca_html_columns *c, uint32_t column);

/* The vertices worth a row: those of the causes, the abnormal, the non-scalable, then the longest.
 * In program order; free() it. NULL: out of memory. */
uint32_t *sca_html_rows(const struct sca_html *h, uint32_t most, uint32_t *count);
/* "cg.c:212  loop", cut so that the line number stays. */
void sca_html_row_name(const struct sca_html *h, const struct sca_report_vertex *v);
/* Pixels that the longest of these names needs. */
uint32_t sca_html_row_room(const struct sca_html *h, const uint32_t *rows, uint32_t n);
/* At most `most` ranks by rising number, those of the first paths among them; returns how many. */
uint32_t sca_html_some_ranks(const struct sca_html *h, uint32_t npaths, uint32_t most,
                             uint32_t *ranks);

#endif
