/* How a program's time should go with its ranks: by the work that is told, or strong or weak. */
#include "sca_phrase.h"

#include <stdio.h>
#include <string.h>

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
    double ranks = this->ranks ? (double)first->ranks / this->ranks : 1;
    if (sca_report_work_told(report))
        return this->work / first->work * ranks;
    return strcmp(report->scaling_mode, "weak") ? ranks : 1;
}

static bool is_repetition(const struct sca_report *report, uint32_t i)
{
    const struct sca_report_run *run = &report->runs[i];
    return i && run->ranks == run[-1].ranks && run->work >= run[-1].work &&
           run->work <= run[-1].work;
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

const char *sca_phrase_scaling(char *buffer, const struct sca_report *report)
{
    buffer[0] = '\0';
    if (sca_report_work_told(report))
        phrase_work(buffer, report);
    else if (report->scaling_open)
        snprintf(buffer, SCA_PHRASE, "scaling mode uncertain");
    else if (strcmp(report->scaling_mode, "single"))
        snprintf(buffer, SCA_PHRASE, "%s scaling", report->scaling_mode);
    return buffer;
}

const char *sca_phrase_ideal(char *buffer, const struct sca_report *report,
                             const struct sca_report_nonscalable *growth)
{
    if (sca_report_work_told(report))
        snprintf(buffer, SCA_PHRASE, "P^%.2f by its work", growth->expected_slope);
    else if (report->scaling_open)
        snprintf(buffer, SCA_PHRASE, "P^-1 or P^0");
    else
        snprintf(buffer, SCA_PHRASE, "P^%d", strcmp(report->scaling_mode, "weak") ? -1 : 0);
    return buffer;
}
