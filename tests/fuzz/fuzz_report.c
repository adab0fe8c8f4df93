/* A report: read, and what was read written again. */
#include "container.h"
#include "sca_report.h"

#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[256], copy[256];
    struct sca_report *report = NULL;
    snprintf(path, sizeof path, "%s/report.json", fuzz_directory());
    snprintf(copy, sizeof copy, "%s/copy.json", fuzz_directory());
    fuzz_write("report.json", data, size);
    if (sca_report_read(path, &report) == 0 && sca_report_write(report, copy) == 0)
        fuzz_remove("copy.json");
    sca_report_free(report);
    fuzz_remove("report.json");
    return 0;
}
