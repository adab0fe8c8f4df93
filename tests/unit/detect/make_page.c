/* Writes a sample report as HTML: make_page cg|healthy|large|hostile|wide FILE [SOURCE], or one
 * that is read: make_page json FILE REPORT. */
#include "html/html.h"
#include "sample_report.h"
#include "sca_error.h"

#include <stdio.h>
#include <string.h>

/* NULL: `source` cannot be read, for kind json. */
static struct sca_report *make(const char *kind, const char *source)
{
    struct sca_report *read = NULL;
    if (!strcmp(kind, "json"))
        return sca_report_read(source, &read) == SCA_OK ? read : NULL;
    if (!strcmp(kind, "healthy"))
        return sca_sample_healthy();
    if (!strcmp(kind, "large"))
        return sca_sample_large(10000, 8);
    if (!strcmp(kind, "wide"))
        return sca_sample_large(1000, 128);
    if (!strcmp(kind, "hostile"))
        return sca_sample_hostile();
    return sca_sample_cg(source);
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: make_page cg|healthy|large|hostile|wide|json FILE [SOURCE]\n");
        return SCA_EXIT_USAGE;
    }
    struct sca_report *report = make(argv[1], argc > 3 ? argv[3] : "/nowhere/cg.c");
    int status = report ? sca_html_write(report, argv[2]) : SCA_EFORMAT;
    if (status)
        fprintf(stderr, "%s\n", sca_error_message());
    sca_report_free(report);
    return status ? SCA_EXIT_FAILED : SCA_EXIT_OK;
}
