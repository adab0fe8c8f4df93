/* scalana-viewer: look at a report. */
#include "plain.h"
#include "screen.h"
#include "sca_error.h"
#include "sca_options.h"
#include "sca_progress.h"

#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int add_mapping(void *context, const char *value)
{
    return sca_source_map(context, value);
}

static const struct sca_option options[] = {
    {.name = "source",
     .letter = 's',
     .argument = "OLD=NEW",
     .help = "sources recorded below OLD are now below NEW (repeatable)",
     .set = add_mapping,
     .detail = "For reports of programs that were compiled elsewhere. The key m does the same."},
    {0}};

static const struct sca_command command = {
    .name = "scalana-viewer",
    .usage = "scalana-viewer [OPTION]... REPORT",
    .summary = "Shows the root causes in a report of scalana-detect, their source and the waiting "
               "ranks. REPORT may be - for standard input. Without a terminal it prints a plain "
               "list. The key ? shows the keys.",
    .options = options,
    .operand = ".json"};

static int complain(int exit_status)
{
    fprintf(stderr, "scalana-viewer: %s\n", sca_error_message());
    return exit_status;
}

static void set_language(void)
{
    setlocale(LC_ALL, "");
    setlocale(LC_NUMERIC, "C"); /* JSON and our figures have a decimal point */
    sca_text_setup(!strcmp(nl_langinfo(CODESET), "UTF-8"));
}

static int print_plain(const struct sca_view *view)
{
    struct sca_lines lines = {0};
    sca_plain_list(view, &lines);
    for (size_t i = 0; i < lines.count; i++)
        puts(lines.line[i].text);
    sca_lines_free(&lines);
    return fflush(stdout) ? sca_fail(SCA_EIO, "cannot write the list") : SCA_OK;
}

static int show(const struct sca_report *report, struct sca_sources *sources)
{
    struct sca_view view;
    int status = sca_view_open(&view, report, sources);
    if (status)
        return status;
    status = isatty(STDOUT_FILENO) ? sca_screen_run(&view) : print_plain(&view);
    sca_view_close(&view);
    return status;
}

static int run(const char *path, struct sca_sources *sources)
{
    struct sca_report *report;
    sca_progress_watch("reading %s", strcmp(path, "-") ? path : "standard input");
    int read = sca_report_read(path, &report);
    sca_progress_end();
    if (read)
        return complain(SCA_EXIT_FAILED);
    int status = show(report, sources);
    sca_report_free(report);
    return status ? complain(SCA_EXIT_FAILED) : SCA_EXIT_OK;
}

int main(int argc, char **argv)
{
    struct sca_sources sources = {0};
    int operands = 0, result;
    set_language();
    int parsed = sca_options_parse(&command, &sources, argc, argv, &operands);
    if (parsed == SCA_PARSE_DONE) {
        result = SCA_EXIT_OK;
    } else if (parsed < 0) {
        result = complain(SCA_EXIT_USAGE);
    } else if (operands != 1) {
        sca_fail(SCA_EINVAL, "give one report (usage: %s)", command.usage);
        result = complain(SCA_EXIT_USAGE);
    } else {
        sca_source_open(&sources, argv[1]);
        result = run(argv[1], &sources);
    }
    sca_source_close(&sources);
    return result;
}
