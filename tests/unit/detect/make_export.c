/* Exports a sample report: make_export cg|hostile|wide FORMAT:FILE... */
#include "export/export.h"
#include "sample_report.h"
#include "sca_error.h"

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: make_export cg|hostile|wide FORMAT:FILE...\n");
        return SCA_EXIT_USAGE;
    }
    struct sca_report *report = !strcmp(argv[1], "hostile") ? sca_sample_hostile()
                                : !strcmp(argv[1], "wide")  ? sca_sample_large(1000, 128)
                                                            : sca_sample_cg("/nowhere/cg.c");
    int status = SCA_OK;
    for (int i = 2; i < argc && status == SCA_OK; i++)
        status = sca_export_write(report, argv[i], NULL);
    if (status)
        fprintf(stderr, "%s\n", sca_error_message());
    sca_report_free(report);
    return status ? SCA_EXIT_FAILED : SCA_EXIT_OK;
}
