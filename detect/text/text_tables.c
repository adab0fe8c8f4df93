#include "text/text_tables.h"
#include "sca_account.h"
#include "sca_phrase.h"
#include "sca_efficiency.h"

#include <math.h>
#include <string.h>

enum { MOST_WAITS = 5, MOST_PATHS = 3, MOST_FRAMES = 3, NAME = 18, MOST_DEPTH = 4 };

#define LEAST_WAIT 0.01 /* share of the run that a wait state in the table has */

static const struct sca_report_run *largest(const struct sca_report *report)
{
    return &report->runs[report->nruns - 1];
}

/* Without a minus before a rounded zero. */
static double percent(double part, double whole)
{
    double share = whole > 0 ? 100 * part / whole : 0;
    return fabs(share) < 0.05 ? 0 : share;
}

/* Of at most SCA_EFFICIENCY_RUNS runs. */
static void put_block(const struct sca_page *page, const struct sca_report *report, uint32_t first)
{
    char line[SCA_EFFICIENCY_LINE];
    uint32_t n;
    const struct sca_efficiency_row *rows = sca_efficiency_rows(report, &n);
    fprintf(page->out, "%s\n", sca_efficiency_ranks(line, report, first));
    fprintf(page->out, "%s\n", sca_efficiency_wall(line, report, first));
    for (uint32_t i = 0; i < n; i++)
        fprintf(page->out, "%s\n", sca_efficiency_line(line, report, &rows[i], first));
}

void sca_text_tables_efficiencies(const struct sca_page *page, const struct sca_report *report)
{
    const char *notes[SCA_EFFICIENCY_NOTES];
    uint32_t n = sca_efficiency_notes(report, notes);
    sca_lines_page_heading(page, "Efficiency (1 is ideal, 0.8 acceptable)");
    for (uint32_t first = 0; first < report->nefficiency; first += SCA_EFFICIENCY_RUNS) {
        if (first)
            fputc('\n', page->out);
        put_block(page, report, first);
    }
    for (uint32_t i = 0; i < n; i++)
        sca_lines_page_wrap(page, 2, 4, SCA_INK_DIM, 100, "%s", notes[i]);
}

void sca_text_tables_account(const struct sca_page *page, const struct sca_report *report)
{
    struct sca_account_parts a;
    char heading[SCA_PHRASE], text[32], base[32];
    if (!sca_account_list(report, &a))
        return;
    snprintf(heading, sizeof heading, "Where %u rank%s x %s s = %s core-s went%s", a.ranks,
             a.ranks == 1 ? "" : "s", sca_lines_seconds(text, a.duration),
             sca_lines_seconds(base, a.base), a.is_virtual ? ", assuming one core per rank" : "");
    sca_lines_page_heading(page, heading);
    for (int i = 0; i < a.count; i++) {
        double share = percent(a.part[i].seconds, a.base);
        fprintf(page->out, "  %-38s %10s %6.1f %%\n", a.part[i].name,
                sca_lines_seconds(text, share == 0 ? fabs(a.part[i].seconds) : a.part[i].seconds),
                share);
    }
}

static uint32_t depth_of(const struct sca_report_series *s, uint32_t phase)
{
    uint32_t depth = 0;
    while (s->phases[phase].parent != UINT32_MAX) {
        phase = s->phases[phase].parent;
        depth++;
    }
    return depth;
}

static void put_share(const struct sca_page *page, double share)
{
    if (isnan(share))
        fprintf(page->out, " %8s", "n/a");
    else
        fprintf(page->out, " %8.2f", share);
}

static void put_phase(const struct sca_page *page, const struct sca_report_series *s, uint32_t i)
{
    const struct sca_report_series_phase *p = &s->phases[i];
    char took[32], own[32], mpi[32];
    int indent = 2 * (int)(depth_of(s, i) < MOST_DEPTH ? depth_of(s, i) : MOST_DEPTH);
    fprintf(page->out, "  %*s%-*.*s %5.0f %8s %8s %8s", indent, "", NAME - indent, NAME - indent,
            p->name, p->count, sca_lines_seconds(took, p->span_s),
            sca_lines_seconds(own, p->own_mean_s),
            s->shared_cores ? "n/a" : sca_lines_seconds(mpi, p->mpi_mean_s));
    put_share(page, p->parallel);
    put_share(page, p->load_balance);
    put_share(page, p->serialisation);
    put_share(page, p->transfer);
    fputc('\n', page->out);
}

/* Each with those within it below it. */
static void put_phases(const struct sca_page *page, const struct sca_report_series *s,
                       uint32_t parent)
{
    for (uint32_t i = 0; i < s->nphases; i++)
        if (s->phases[i].parent == parent) {
            put_phase(page, s, i);
            put_phases(page, s, i);
        }
}

void sca_text_tables_phases(const struct sca_page *page, const struct sca_report *report)
{
    const struct sca_report_series *s = &report->series;
    if (!s->nphases)
        return;
    sca_lines_page_heading(page, "Phases that the program names, with those within them, seconds");
    fprintf(page->out, "  %-*s %5s %8s %8s %8s %8s %8s %8s %8s\n", NAME, "phase", "times", "took",
            "own", "in MPI", "parallel", "balance", "serial.", "transfer");
    put_phases(page, s, UINT32_MAX);
    sca_lines_page_wrap(page, 2, 4, SCA_INK_DIM, 0,
                        "Took: by the clock, all times together. Own: outside MPI, mean over the "
                        "ranks.%s",
                        s->shared_cores ? " n/a: ranks shared cores, or the machine was busy."
                                        : "");
}

static bool matters(const struct sca_report *report, const struct sca_report_wait *w)
{
    return w->wait_core_s >= LEAST_WAIT * largest(report)->account.base_core_s;
}

/* Who calls it: MPI calls often stand in helpers. */
static void put_paths(const struct sca_page *page, const struct sca_report *report,
                      const struct sca_report_wait *row)
{
    char path[SCA_PHRASE], seconds[32];
    struct sca_report_symptom paths[MOST_PATHS];
    uint32_t n = sca_report_wait_paths(report, row, paths, MOST_PATHS);
    for (uint32_t i = 0; i < n; i++) {
        sca_phrase_calling_path(path, report, paths[i].vertex, MOST_FRAMES);
        if (n > 1)
            sca_lines_page_wrap(page, 19, 32, SCA_INK_DIM, 0, "%8s s through %s",
                                sca_lines_seconds(seconds, paths[i].wait_core_s), path);
        else if (strstr(path, " > "))
            sca_lines_page_wrap(page, 30, 32, SCA_INK_DIM, 0, "through %s", path);
    }
}

void sca_text_tables_waits(const struct sca_page *page, const struct sca_report *report)
{
    char kind[SCA_PHRASE], direct[SCA_PHRASE], place[SCA_PHRASE], seconds[32];
    struct sca_report_wait waits[MOST_WAITS];
    uint32_t n = sca_report_waits_by_place(report, waits, MOST_WAITS);
    if (!n || !matters(report, &waits[0]))
        return;
    sca_lines_page_heading(page, "Waiting by wait state (direct: the awaited rank was computing)");
    for (uint32_t i = 0; i < n && matters(report, &waits[i]); i++) {
        const struct sca_report_wait *w = &waits[i];
        sca_lines_page_wrap(page, 2, 42, SCA_INK_PLAIN, 0, "%-16s %8s s %s  %s",
                            sca_phrase_wait_class(kind, w->wait_class),
                            sca_lines_seconds(seconds, w->wait_core_s),
                            sca_phrase_wait_direct(direct, w),
                            sca_phrase_vertex(place, &report->vertices[w->vertex]));
        put_paths(page, report, w);
    }
}

void sca_text_tables_meta(const struct sca_page *page, const struct sca_report *report)
{
    const struct sca_report_run *run = &report->runs[report->nruns - 1];
    if (!run->nmeta)
        return;
    sca_lines_page_heading(page, "Recorded with");
    for (uint32_t i = 0; i < run->nmeta; i++)
        sca_lines_page_wrap(page, 2, 14, SCA_INK_PLAIN, 0, "%-11s %s", run->meta[i].key,
                            run->meta[i].value);
}
