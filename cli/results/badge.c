/* A badge for a project's first page: what the greatest cause costs, or that there is none. */
#include "results/operand.h"
#include "results/result_folder.h"
#include "results/verbs.h"
#include "sca_error.h"
#include "sca_phrase.h"
#include "sca_report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LABEL "scaling"
#define GREEN "#2e7d32"
#define RED   "#c62828"
enum { LETTER = 7, MARGIN = 10, HEIGHT = 20 }; /* pixels */

static int set_output(void *context, const char *value)
{
    *(const char **)context = value;
    return SCA_OK;
}

static const struct sca_option options[] = {
    {.name = "output",
     .letter = 'o',
     .argument = "FILE",
     .help = "write the picture to FILE (default: standard output)",
     .set = set_output},
    {0}};

const struct sca_command sca_badge_command = {
    .name = "scalana badge",
    .usage = "scalana badge [OPTION]... [RESULT | REPORT]",
    .summary = "Draws a badge (SVG): green without a cause of scaling loss, otherwise red with the "
               "cost of the greatest cause.",
    .options = options,
    .operand = ".json"};

static int fail(int exit_status)
{
    fprintf(stderr, "scalana: %s\n", sca_error_message());
    return exit_status;
}

static void phrase(const struct sca_report *report, char *text, size_t size)
{
    uint32_t ranks = report->nruns ? report->runs[report->nruns - 1].ranks : 0;
    if (report->ncauses)
        snprintf(text, size, "%.0f %% lost on %u ranks", 100 * report->causes[0].gain_share, ranks);
    else
        snprintf(text, size, "fine on %u ranks", ranks);
}

static void draw(FILE *out, const struct sca_report *report)
{
    char text[64];
    phrase(report, text, sizeof text);
    int left = (int)strlen(LABEL) * LETTER + MARGIN, right = (int)strlen(text) * LETTER + MARGIN;
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" role=\"img\" "
            "aria-label=\"" LABEL ": %s\">\n"
            "<title>" LABEL ": %s</title>\n"
            "<rect width=\"%d\" height=\"%d\" fill=\"#444\"/>\n"
            "<rect x=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"/>\n"
            "<g fill=\"#fff\" text-anchor=\"middle\" font-family=\"Verdana,sans-serif\" "
            "font-size=\"11\">\n"
            "<text x=\"%d\" y=\"14\">" LABEL "</text>\n"
            "<text x=\"%d\" y=\"14\">%s</text>\n"
            "</g>\n"
            "</svg>\n",
            left + right, HEIGHT, text, text, left, HEIGHT, left, right, HEIGHT,
            report->ncauses ? RED : GREEN, left / 2, left + right / 2, text);
}

static int write_badge(const struct sca_report *report, const char *output)
{
    FILE *out = output ? fopen(output, "we") : stdout;
    if (!out)
        return sca_fail(SCA_EIO, "cannot write %s: %s", output, strerror(errno));
    draw(out, report);
    int failed = ferror(out) || fflush(out);
    if (out != stdout)
        failed |= fclose(out);
    return failed ? sca_fail(SCA_EIO, "cannot write the badge") : SCA_OK;
}

int sca_badge_main(int argc, char **argv)
{
    const char *output = NULL;
    int operands = 0;
    struct sca_report *report = NULL;
    int status = sca_options_parse(&sca_badge_command, &output, argc, argv, &operands);
    if (status == SCA_PARSE_DONE)
        return SCA_EXIT_OK;
    if (status == SCA_OK && operands > 1)
        status = sca_fail(SCA_EINVAL, "give one report (usage: %s)", sca_badge_command.usage);
    if (status != SCA_OK)
        return fail(SCA_EXIT_USAGE);
    char *path = sca_operand_file(operands ? argv[1] : NULL, SCA_RESULT_REPORT);
    status = path ? sca_report_read(path, &report) : SCA_ENOTFOUND;
    free(path);
    if (status == SCA_OK)
        status = write_badge(report, output);
    sca_report_free(report);
    return status == SCA_OK ? SCA_EXIT_OK : fail(SCA_EXIT_FAILED);
}
