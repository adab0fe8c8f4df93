/* Where the core-seconds went, as a bar and as tables. */
#include "html_parts.h"

#include <math.h>
#include <string.h>

enum { PARTS = 6, WIDTH = 1000 };

struct part {
    const char *name;
    double seconds;
};

/* Waiting that the causes were charged with; growth is no waiting. */
static double charged(const struct sca_html *h)
{
    double sum = 0;
    for (uint32_t i = 0; i < h->r->ncauses; i++) {
        const struct sca_report_cause *c = &h->r->causes[i];
        if (!strcmp(c->category, "imbalance") || !strcmp(c->category, "serial"))
            sum += c->cost_core_s;
    }
    return sum;
}

/* Where ranks shared cores the wall clock says nothing about the program: its core-seconds are then
 * what its parallel efficiency makes of its computation, as if each rank had had a core. */
static double account_base(const struct sca_html *h)
{
    const struct sca_report *r = h->r;
    const struct sca_report_run *run = &r->runs[r->nruns - 1];
    bool known = r->nefficiency == r->nruns && r->efficiency[r->nruns - 1].parallel > 0;
    return run->oversubscribed && known ? run->useful_s / r->efficiency[r->nruns - 1].parallel
                                        : h->base;
}

static void set_virtual_parts(const struct sca_report_run *run, double base, double named,
                              struct part *parts)
{
    const struct part all[PARTS] = {
        {"computation", run->useful_s},
        {"waiting, for the causes named", named},
        {"waiting, for no cause named", run->wait_s - named},
        {"the rest, signed: transfer, sampling error", base - run->useful_s - run->wait_s},
    };
    memcpy(parts, all, sizeof all);
}

static void set_parts(const struct sca_html *h, double base, struct part *parts)
{
    const struct sca_report_run *run = &h->r->runs[h->r->nruns - 1];
    double named = fmin(charged(h), run->wait_s);
    double rest = base - run->useful_s - run->mpi_s - run->tool_s;
    if (run->oversubscribed) {
        set_virtual_parts(run, base, named, parts);
        return;
    }
    const struct part all[PARTS] = {
        {"computation", run->useful_s},
        {"waiting, for the causes named", named},
        {"waiting, for no cause named", run->wait_s - named},
        {"MPI beyond waiting: transfer, scheduling, sampling error", run->mpi_s - run->wait_s},
        {"this tool", run->tool_s},
        {"the rest, signed: outside computation and MPI", rest},
    };
    memcpy(parts, all, sizeof all);
}

static void put_bar(const struct sca_html *h, const struct part *parts)
{
    double sum = 0, x = 0;
    for (int i = 0; i < PARTS; i++)
        sum += fmax(0, parts[i].seconds);
    fprintf(h->out,
            "<svg class=\"bar\" role=\"img\" aria-labelledby=\"t-bar\" viewBox=\"0 0 %d 40\" "
            "preserveAspectRatio=\"none\"><title id=\"t-bar\">Share of each part; the table below "
            "has the numbers</title>",
            WIDTH);
    for (int i = 0; i < PARTS && sum > 0; i++) {
        double width = WIDTH * fmax(0, parts[i].seconds) / sum;
        if (width > 0)
            fprintf(h->out, "<rect class=\"p%d\" x=\"%.2f\" y=\"0\" width=\"%.2f\" height=\"40\"/>",
                    i, x, width);
        x += width;
    }
    fputs("</svg>\n", h->out);
}

static void put_parts(const struct sca_html *h, double base, const struct part *parts)
{
    char share[32];
    sca_html_table(h, "Parts of the largest run", "Part|#Core-seconds|#Share", false);
    for (int i = 0; i < PARTS && parts[i].name; i++) {
        fprintf(h->out, "<tr><th scope=\"row\"><span class=\"key p%d\"></span>%s</th>", i,
                parts[i].name);
        sca_html_number(h, "%.3f", parts[i].seconds);
        sca_html_percent(share, base > 0 ? parts[i].seconds / base : 0);
        fprintf(h->out, "<td class=\"n\">%s</td></tr>\n", share);
    }
    sca_html_table_end(h);
}

static void put_efficiencies(const struct sca_html *h)
{
    const struct sca_report *r = h->r;
    sca_html_table(h, "Efficiency of each run (1 is ideal, 0.8 acceptable)",
                   "#Ranks|#Wall s|#Parallel|#Load balance|#Communication|#Computation|Run", false);
    for (uint32_t i = 0; i < r->nefficiency; i++) {
        const struct sca_report_efficiency *e = &r->efficiency[i];
        const double values[] = {e->parallel, e->load_balance, e->communication, e->computation};
        fprintf(h->out, "<tr><th scope=\"row\" class=\"n\">%u</th>", e->ranks);
        sca_html_number(h, "%.3f", i < r->nruns ? r->runs[i].wall_s : 0);
        for (size_t k = 0; k < sizeof values / sizeof *values; k++)
            fprintf(h->out, "<td class=\"n%s\">%.2f</td>", values[k] < 0.8 ? " low" : "",
                    values[k]);
        fprintf(h->out, "<td>%s%s</td></tr>\n",
                i < r->nruns && !r->runs[i].complete ? "incomplete " : "",
                i < r->nruns && r->runs[i].oversubscribed ? "more ranks than cores" : "");
    }
    sca_html_table_end(h);
}

static void put_loss(const struct sca_html *h)
{
    char seconds[32], share[32];
    if (h->r->nruns < 2)
        return;
    fprintf(h->out, "<p>Lost to scaling: %s core-seconds",
            sca_phrase_seconds(seconds, h->r->loss_core_s));
    if (h->r->ncauses)
        fprintf(h->out, ", %s of it explained by the causes",
                sca_html_percent(share, h->r->explained_share));
    fputs(".</p>\n", h->out);
}

void sca_html_account(const struct sca_html *h)
{
    struct part parts[PARTS];
    char text[32], wall[32];
    fputs("<section id=\"account\" aria-labelledby=\"h-account\"><h2 id=\"h-account\">Where the "
          "time went</h2>\n",
          h->out);
    if (h->r->nruns && h->nranks) {
        double base = account_base(h);
        fprintf(h->out, "<p>%u ranks \xc3\x97 %s s = %s core-seconds%s.</p>\n", h->nranks,
                sca_phrase_seconds(wall, base / h->nranks), sca_phrase_seconds(text, base),
                h->r->runs[h->r->nruns - 1].oversubscribed ? ", as if each rank had a core" : "");
        set_parts(h, base, parts);
        put_bar(h, parts);
        put_parts(h, base, parts);
    }
    put_loss(h);
    put_efficiencies(h);
    fputs("</section>\n", h->out);
}
