/* How a program's time should go with its ranks: by the work that is told, or strong or weak. */
#include "sca_phrase.h"

#include <stdio.h>
#include <string.h>

const char sca_phrase_no_forecast[] =
    "none: runs on two numbers of ranks lie on any line. A third number gives one";

bool sca_report_work_told(const struct sca_report *report)
{
    for (uint32_t i = 0; i < report->nruns; i++)
        if (!(report->runs[i].work > 0))
            return false;
    return report->nruns > 0;
}

double sca_report_ideal(const struct sca_report *report, uint32_t run)
{
    const struct sca_report_run *first = &report->runs[0], *this = &report->runs[run];
    double ranks =
        this->ranks ? (double)sca_report_places(report, 0) / sca_report_places(report, run) : 1;
    if (sca_report_work_told(report))
        return this->work / first->work * ranks;
    return strcmp(report->scaling_mode, "weak") ? ranks : 1;
}

static bool is_repetition(const struct sca_report *report, uint32_t i)
{
    const struct sca_report_run *run = &report->runs[i];
    return i && run->ranks == run[-1].ranks && run->threads == run[-1].threads &&
           run->work >= run[-1].work && run->work <= run[-1].work;
}

static void phrase_work(char *buffer, const struct sca_report *report)
{
    uint32_t last = report->nruns - 1;
    size_t used = (size_t)snprintf(buffer, SCA_PHRASE, "work ");
    while (last && is_repetition(report, last))
        last--;
    for (uint32_t i = 0; i <= last && used < SCA_PHRASE; i++)
        if (!is_repetition(report, i))
            used += (size_t)snprintf(buffer + used, SCA_PHRASE - used, "%s%g",
                                     !i          ? ""
                                     : i == last ? " and "
                                                 : ", ",
                                     report->runs[i].work);
}

static void add_incomplete(char *buffer, const struct sca_report *report)
{
    size_t used = strlen(buffer);
    const char *comma = used ? ", " : "";
    uint32_t n = 0;
    for (uint32_t i = 0; i < report->nruns; i++)
        n += !report->runs[i].complete;
    if (n && report->nruns > 1)
        snprintf(buffer + used, SCA_PHRASE - used, "%s%u of %u runs incomplete", comma, n,
                 report->nruns);
    else if (n)
        snprintf(buffer + used, SCA_PHRASE - used, "%sincomplete", comma);
}

const char *sca_phrase_scaling(char *buffer, const struct sca_report *report)
{
    buffer[0] = '\0';
    if (sca_report_work_told(report))
        phrase_work(buffer, report);
    else if (report->scaling_open)
        snprintf(buffer, SCA_PHRASE, "scaling mode uncertain");
    else if (strcmp(report->scaling_mode, "single"))
        snprintf(buffer, SCA_PHRASE, "%s scaling%s", report->scaling_mode,
                 sca_report_by_threads(report) ? " with the threads of a rank" : "");
    add_incomplete(buffer, report);
    return buffer;
}

bool sca_report_by_threads(const struct sca_report *report)
{
    uint32_t last = report->nruns - 1;
    for (uint32_t i = 0; i < report->nruns; i++)
        if (report->runs[i].ranks != report->runs[last].ranks)
            return false;
    return report->nruns && report->runs[0].threads != report->runs[last].threads;
}

uint32_t sca_report_places(const struct sca_report *report, uint32_t run)
{
    const struct sca_report_run *r = &report->runs[run];
    return !sca_report_by_threads(report) ? r->ranks : r->threads ? r->threads : 1;
}

const char *sca_report_scale(const struct sca_report *report)
{
    return sca_report_by_threads(report) ? "T" : "P";
}

const char *sca_phrase_ideal(char *buffer, const struct sca_report *report,
                             const struct sca_report_nonscalable *growth)
{
    if (sca_report_work_told(report))
        snprintf(buffer, SCA_PHRASE, "P^%.2f by its work", growth->expected_slope);
    else if (report->scaling_open)
        snprintf(buffer, SCA_PHRASE, "%s^-1 or %s^0", sca_report_scale(report),
                 sca_report_scale(report));
    else
        snprintf(buffer, SCA_PHRASE, "%s^%d", sca_report_scale(report),
                 strcmp(report->scaling_mode, "weak") ? -1 : 0);
    return buffer;
}
