/* Where the core-seconds went, as tables. */
#include "html/html_parts.h"
#include "sca_account.h"
#include "sca_efficiency.h"

#include <ctype.h>
#include <math.h>

static void put_parts(const struct sca_html *h, const struct sca_account_parts *a)
{
    sca_html_table(h, "Parts of the largest run", "Part|#Core-seconds|#Share %", false);
    for (int i = 0; i < a->count; i++) {
        fprintf(h->out, "<tr><th scope=\"row\"><span class=\"key p%d\"></span>%s</th>",
                a->part[i].kind, a->part[i].name);
        sca_html_number(h, "%.3f", a->part[i].seconds);
        double share = 100 * a->part[i].seconds / a->base;
        sca_html_number(h, "%.1f", fabs(share) < 0.05 ? 0 : share);
        fputs("</tr>\n", h->out);
    }
    sca_html_table_end(h);
}

/* "#Ranks|#Wall s|#Global|...|Run" */
static void phrase_columns(const struct sca_report *r, char *text, size_t size)
{
    uint32_t n;
    const struct sca_efficiency_row *rows = sca_efficiency_rows(r, &n);
    size_t used = (size_t)snprintf(text, size, "#Ranks|#Wall s");
    for (uint32_t i = 0; i < n && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "|#%c%s", toupper(rows[i].name[0]),
                                 rows[i].name + 1);
    if (used < size)
        snprintf(text + used, size - used, "|Run");
}

static void put_values(const struct sca_html *h, const struct sca_report_efficiency *e)
{
    uint32_t n;
    const struct sca_efficiency_row *rows = sca_efficiency_rows(h->r, &n);
    for (uint32_t i = 0; i < n; i++) {
        double value = sca_efficiency_value(e, &rows[i]);
        if (isnan(value))
            fputs("<td class=\"n\">n/a</td>", h->out);
        else
            fprintf(h->out, "<td class=\"n%s\">%.2f</td>", value < 0.8 ? " low" : "", value);
    }
}

static void put_efficiencies(const struct sca_html *h)
{
    const struct sca_report *r = h->r;
    char columns[512];
    phrase_columns(r, columns, sizeof columns);
    sca_html_table(h, "Efficiency of each run (1 is ideal, 0.8 acceptable)", columns, false);
    for (uint32_t i = 0; i < r->nefficiency; i++) {
        const struct sca_report_efficiency *e = &r->efficiency[i];
        fprintf(h->out, "<tr><th scope=\"row\" class=\"n\">%u", e->ranks);
        if (sca_report_by_threads(r) && i < r->nruns)
            fprintf(h->out, " \xc3\x97 %u", sca_report_places(r, i));
        fputs("</th>", h->out);
        sca_html_number(h, "%.3f", i < r->nruns ? r->runs[i].wall_s : 0);
        put_values(h, e);
        bool incomplete = i < r->nruns && !r->runs[i].complete;
        bool shared = i < r->nruns && r->runs[i].oversubscribed;
        fprintf(h->out, "<td>%s%s%s</td></tr>\n", incomplete ? "incomplete" : "",
                incomplete && shared ? ", " : "", shared ? "more ranks than cores" : "");
    }
    sca_html_table_end(h);
}

static void put_loss(const struct sca_html *h)
{
    char seconds[32], share[32];
    if (h->r->nruns < 2)
        return;
    fprintf(h->out, "<p>Lost to scaling: %s core-seconds",
            sca_lines_seconds(seconds, h->r->loss_core_s));
    if (h->r->ncauses)
        fprintf(h->out, ", %s of it explained by the causes",
                sca_html_percent(share, h->r->explained_share));
    fputs(".</p>\n", h->out);
}

void sca_html_account(const struct sca_html *h)
{
    struct sca_account_parts account;
    char text[32], duration[32];
    fputs("<section id=\"account\" aria-labelledby=\"h-account\"><h2 id=\"h-account\">Where the "
          "time went</h2>\n",
          h->out);
    if (sca_account_list(h->r, &account)) {
        fprintf(h->out, "<p>%u rank%s \xc3\x97 %s s = %s core-seconds%s.</p>\n", account.ranks,
                account.ranks == 1 ? "" : "s", sca_lines_seconds(duration, account.duration),
                sca_lines_seconds(text, account.base),
                account.is_virtual ? ", assuming one core per rank" : "");
        put_parts(h, &account);
    }
    put_loss(h);
    put_efficiencies(h);
    fputs(
        "<p>Global efficiency is parallel efficiency \xc3\x97 computation scaling. Parallel "
        "efficiency is load balance \xc3\x97 communication efficiency. Communication efficiency is "
        "serialisation \xc3\x97 transfer; serialisation is waiting that the balance over the whole "
        "run hides. Computation scaling compares total computation with that of the run on the "
        "fewest ranks. In weak scaling it is per rank, and per work where each run\xe2\x80\x99s "
        "work was given. With the counters PAPI_TOT_INS and PAPI_TOT_CYC it is instructions "
        "\xc3\x97 IPC \xc3\x97 frequency. n/a: not measured, as transfer on shared cores.</p>\n",
        h->out);
    fputs("</section>\n", h->out);
}
