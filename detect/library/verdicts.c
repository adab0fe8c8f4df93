/* Reports: made by an analysis, read, written, freed. */
#include "report/verdict.h"
#include "library/arguments.h"
#include "library/handles.h"
#include "library/plain_numbers.h"
#include "sca_error.h"

#include <stdlib.h>

int sca_library_hand_out(struct sca_report *report, scalana_report **out)
{
    struct scalana_report *handle = malloc(sizeof *handle);
    if (!handle) {
        sca_report_free(report);
        return sca_fail(SCA_ENOMEM, "out of memory");
    }
    handle->of = report;
    *out = handle;
    return SCA_OK;
}

int sca_library_analyse(scalana_runs *runs, const scalana_options *options,
                        sca_library_analysis *analysis, void *context)
{
    int status = sca_arguments_there(runs, "runs");
    if (status != SCA_OK)
        return status;
    struct sca_plain_numbers numbers;
    sca_plain_numbers_begin(&numbers);
    sca_library_speak(options);
    scalana_options *usual = options ? NULL : scalana_options_new();
    status = options || usual ? analysis(runs->loaded.ppg, options ? options : usual, context)
                              : SCA_ENOMEM;
    sca_library_fall_silent(options);
    scalana_options_free(usual);
    sca_plain_numbers_end(&numbers);
    return status;
}

/* The context is where the report goes to. */
static int find(const struct sca_ppg *ppg, const scalana_options *options, void *context)
{
    struct sca_verdict verdict;
    int status = options->team ? sca_verdict_share(options->team, ppg, &options->settings, &verdict)
                               : sca_verdict_find(ppg, &options->settings, &verdict);
    return status == SCA_OK ? sca_library_hand_out(verdict.report, context) : status;
}

int scalana_verdict_find(scalana_runs *runs, const scalana_options *options, scalana_report **out)
{
    int status = sca_arguments_there(out, "out");
    if (status != SCA_OK)
        return status;
    *out = NULL;
    return sca_library_analyse(runs, options, find, out);
}

int scalana_report_read(const char *path, scalana_report **out)
{
    struct sca_report *report;
    int status = sca_arguments_there(path, "path");
    if (status == SCA_OK)
        status = sca_arguments_there(out, "out");
    if (status != SCA_OK)
        return status;
    struct sca_plain_numbers numbers;
    sca_plain_numbers_begin(&numbers);
    *out = NULL;
    status = sca_report_read(path, &report);
    sca_plain_numbers_end(&numbers);
    return status == SCA_OK ? sca_library_hand_out(report, out) : status;
}

int scalana_report_write(const scalana_report *report, const char *path)
{
    int status = sca_arguments_there(report, "report");
    if (status == SCA_OK)
        status = sca_arguments_there(path, "path");
    if (status != SCA_OK)
        return status;
    struct sca_plain_numbers numbers;
    sca_plain_numbers_begin(&numbers);
    status = sca_report_write(report->of, path);
    sca_plain_numbers_end(&numbers);
    return status;
}

void scalana_report_free(scalana_report *report)
{
    if (!report)
        return;
    sca_report_free(report->of);
    free(report);
}

struct sca_report *sca_library_report(const scalana_report *report)
{
    return report ? report->of : NULL;
}
