/* Everything as tables that sort and filter. */
#include "html/html_explorer.h"
#include "html/html_parts.h"
#include "sca_phrase.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 300, MOST_FRAMES = 3, MOST_PATHS = 3 };

static uint32_t fewer(uint32_t n)
{
    return n < MOST_ROWS ? n : MOST_ROWS;
}

/* Says how many are left out, so that a short table is not taken for the whole, and what its
 * columns mean. */
static void put_rest(const struct sca_html *h, uint32_t n, const char *meaning)
{
    sca_html_table_end(h);
    if (n > MOST_ROWS)
        fprintf(h->out, "<p>%u more are in the JSON report.</p>\n", n - MOST_ROWS);
    fprintf(h->out, "<p class=\"meaning\">%s</p>\n", meaning);
}

static void put_vertex(const struct sca_html *h, uint32_t vertex)
{
    char text[SCA_PHRASE];
    const struct sca_report_vertex *v = &h->r->vertices[vertex];
    sca_html_cell(h, sca_html_what(text, v));
    sca_html_cell(h, sca_html_place(text, v));
    sca_html_cell(h, sca_html_function(text, v));
}

/* As put_vertex; where samples do not tell the place, between which calls it is. */
static void put_cause(const struct sca_html *h, const struct sca_report_cause *c)
{
    char text[SCA_PHRASE], between[SCA_PHRASE];
    const struct sca_report_vertex *v = &h->r->vertices[c->vertex];
    sca_phrase_between(between, h->r, c);
    sca_html_cell(h, sca_html_what(text, v));
    fputs("<td>", h->out);
    sca_html_say(h, "%s%s%s", sca_html_place(text, v), *between ? ", " : "", between);
    fputs("</td>", h->out);
    sca_html_cell(h, sca_html_function(text, v));
}

static void put_causes(const struct sca_html *h)
{
    char ranks[SCA_PHRASE];
    fputs("<div id=\"t-causes\">", h->out);
    sca_html_table(
        h, "Causes",
        "#No.|Category|What|Where|Function|Ranks|#Cost core-s|#Cost %|#Gain core-s|#Gain "
        "%|#95 % from|#95 % to|#Ratio",
        true);
    for (uint32_t i = 0; i < fewer(h->r->ncauses); i++) {
        const struct sca_report_cause *c = &h->r->causes[i];
        fputs("<tr><td class=\"n\">", h->out);
        sca_html_explorer_link(h, c);
        fprintf(h->out, "%u</a></td>", i + 1);
        sca_html_cell(h, c->category);
        put_cause(h, c);
        sca_html_cell(h, sca_phrase_ranks(ranks, h->run, c->ranks, c->nranks));
        sca_html_number(h, "%.3f", c->cost_core_s);
        sca_html_number(h, "%.1f", 100 * c->cost_share);
        sca_html_number(h, "%.3f", c->gain_core_s);
        sca_html_number(h, "%.1f", 100 * c->gain_share);
        sca_html_number(h, "%.3f", c->gain_ci[0]);
        sca_html_number(h, "%.3f", c->gain_ci[1]);
        if (c->ratio > 0)
            sca_html_number(h, "%.2f", c->ratio);
        else
            fputs("<td class=\"n\">n/a</td>", h->out);
        fputs("</tr>\n", h->out);
    }
    put_rest(h, h->r->ncauses,
             "Cost: time lost to the cause. Gain: time that fixing it saves. Ratio: its time on "
             "these ranks over that of the other ranks.");
    fputs("</div>", h->out);
}

static void put_nonscalable(const struct sca_html *h)
{
    sca_html_table(
        h, "Non-scalable vertices",
        "What|Where|Function|#Slope|#95 % from|#95 % to|#R\xc2\xb2|#Share %|#Loss core-s", true);
    for (uint32_t i = 0; i < fewer(h->r->nnonscalable); i++) {
        const struct sca_report_nonscalable *g = &h->r->nonscalable[i];
        fputs("<tr>", h->out);
        put_vertex(h, g->vertex);
        sca_html_number(h, "%.2f", g->slope);
        sca_html_number(h, "%.2f", g->slope_ci[0]);
        sca_html_number(h, "%.2f", g->slope_ci[1]);
        sca_html_number(h, "%.3f", g->r2);
        sca_html_number(h, "%.1f", 100 * g->share);
        sca_html_number(h, "%.3f", g->loss_core_s);
        fputs("</tr>\n", h->out);
    }
    put_rest(h, h->r->nnonscalable,
             "Slope s with its 95 % interval: time per rank on P ranks grows as P to the power of "
             "s. Of \xe2\x88\x92"
             "1 it is half on twice the ranks, of 0 constant. Share: part of the largest "
             "run\xe2\x80\x99s time. Loss: time beyond the ideal.");
}

/* The last run on so many ranks, else the largest. */
static const struct sca_report_run *run_of(const struct sca_html *h, uint32_t ranks)
{
    for (uint32_t i = h->r->nruns; i-- > 0;)
        if (h->r->runs[i].ranks == ranks)
            return &h->r->runs[i];
    return h->run;
}

static void put_abnormal(const struct sca_html *h)
{
    char ranks[SCA_PHRASE];
    sca_html_table(h, "Abnormal vertices",
                   "What|Where|Function|#Ranks of the run|Slow ranks|#Ratio|#Excess core-s", true);
    for (uint32_t i = 0; i < fewer(h->r->nabnormal); i++) {
        const struct sca_report_abnormal *a = &h->r->abnormal[i];
        fputs("<tr>", h->out);
        put_vertex(h, a->vertex);
        sca_html_number(h, "%.0f", a->ranks_of_run);
        sca_html_cell(h, sca_phrase_ranks(ranks, run_of(h, a->ranks_of_run), a->ranks, a->nranks));
        sca_html_number(h, "%.2f", a->ratio);
        sca_html_number(h, "%.3f", a->excess_core_s);
        fputs("</tr>\n", h->out);
    }
    put_rest(h, h->r->nabnormal,
             "Ratio: time of the slow ranks over that of the median rank. Excess: their time above "
             "the median.");
}

static void put_wait_paths(const struct sca_html *h, const struct sca_report_wait *row)
{
    struct sca_report_symptom paths[MOST_PATHS];
    uint32_t n = sca_report_wait_paths(h->r, row, paths, MOST_PATHS);
    fputs("<td>", h->out);
    for (uint32_t i = 0; i < n; i++) {
        if (n > 1)
            fprintf(h->out, "%s%.3f core-s: ", i ? "<br>" : "", paths[i].wait_core_s);
        sca_html_calling_path(h, paths[i].vertex, MOST_FRAMES);
    }
    fputs("</td>", h->out);
}

static void put_wait_states(const struct sca_html *h)
{
    struct sca_report_wait *waits = calloc(h->r->nwaits + 1ul, sizeof *waits);
    uint32_t n = waits ? sca_report_waits_by_place(h->r, waits, h->r->nwaits) : 0;
    sca_html_table(
        h, "Wait states of the largest run, replayed",
        "What|Where|Function|Class|Meaning|#Calls|#Waiting core-s|#Direct core-s|#Indirect core-s|"
        "Called through",
        true);
    for (uint32_t i = 0; i < fewer(n); i++) {
        const struct sca_report_wait *w = &waits[i];
        fputs("<tr>", h->out);
        put_vertex(h, w->vertex);
        sca_html_cell(h, w->wait_class);
        sca_html_cell(h, sca_wait_class_meaning(w->wait_class));
        sca_html_number(h, "%.0f", w->count);
        sca_html_number(h, "%.3f", w->wait_core_s);
        sca_html_number(h, "%.3f", w->direct_core_s);
        sca_html_number(h, "%.3f", w->indirect_core_s);
        put_wait_paths(h, w);
        fputs("</tr>\n", h->out);
    }
    put_rest(h, n,
             "Calls: number of waiting calls. Direct: the awaited rank was computing. Indirect: it "
             "had waited itself. A row covers all call paths to its place.");
    free(waits);
}

static void put_vertices(const struct sca_html *h)
{
    bool replayed = h->waits != NULL, clock = h->run->account.is_virtual && !replayed;
    double base = h->run->account.is_virtual ? h->run->account.base_core_s : h->base;
    sca_html_table(h, "Vertices, longest first, with the time inside them",
                   "What|Where|Function|#Core-s|#Share %|#Slowest rank s|#Mean rank s|Called "
                   "through",
                   true);
    for (uint32_t i = 0; i < fewer(h->r->nvertices); i++) {
        const struct sca_report_vertex *v = &h->r->vertices[h->by_time[i]];
        double most = 0, sum = h->seconds[h->by_time[i]];
        for (uint32_t rank = 0; rank < v->nranks; rank++)
            most = v->rank_s[rank] > most ? v->rank_s[rank] : most;
        fputs("<tr>", h->out);
        put_vertex(h, h->by_time[i]);
        sca_html_number(h, "%.3f", sum);
        if (base > 0 && !(clock && !strcmp(v->kind, "mpi")))
            sca_html_number(h, "%.1f", 100 * sum / base);
        else
            fputs("<td class=\"n\">n/a</td>", h->out);
        sca_html_number(h, "%.4f", most);
        sca_html_number(h, "%.4f", h->nranks ? sum / h->nranks : 0);
        fputs("<td>", h->out);
        sca_html_calling_path(h, h->by_time[i], MOST_FRAMES);
        fputs("</td></tr>\n", h->out);
    }
    put_rest(h, h->r->nvertices,
             replayed ? "Time is computation; of MPI calls, replayed waits, because ranks shared "
                        "cores."
             : clock
                 ? "Time is computation; of MPI calls, the time inside. The ranks shared cores: "
                   "time inside MPI is measured wall time, mostly scheduling, and has no share."
                 : "Time is computation; of MPI calls, the time inside.");
}

static void put_hosts(const struct sca_html *h, const struct sca_report_run *run)
{
    char ranks[SCA_PHRASE];
    sca_html_table(h, "Hosts of the largest run", "Host|Address|#How many ranks|Ranks", true);
    for (uint32_t i = 0; i < fewer(run->nhosts); i++) {
        const struct sca_report_host *host = &run->hosts[i];
        fputs("<tr>", h->out);
        sca_html_cell(h, host->name);
        sca_html_cell(h, host->address);
        sca_html_number(h, "%.0f", host->nranks);
        sca_html_cell(h, sca_phrase_numbers(ranks, host->ranks, host->nranks));
        fputs("</tr>\n", h->out);
    }
    put_rest(h, run->nhosts, "Ranks on one host share its memory and network.");
}

void sca_html_tables(const struct sca_html *h)
{
    fputs("<section id=\"tables\" aria-labelledby=\"h-tables\"><h2 id=\"h-tables\">Tables</h2>\n",
          h->out);
    if (h->r->ncauses)
        put_causes(h);
    if (h->r->nnonscalable)
        put_nonscalable(h);
    if (h->r->nabnormal)
        put_abnormal(h);
    if (h->r->nwaits)
        put_wait_states(h);
    put_vertices(h);
    if (h->run->nhosts > 1)
        put_hosts(h, h->run);
    fputs("</section>\n", h->out);
}
