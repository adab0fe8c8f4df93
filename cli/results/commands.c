/* report, view and diff: the old commands, with results for operands. */
#include "base/installation.h"
#include "base/process.h"
#include "results/operand.h"
#include "results/result_folder.h"
#include "results/run_works.h"
#include "results/verbs.h"
#include "sca_error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct sca_option none[] = {{0}};

const struct sca_command sca_report_command = {
    .name = "scalana report",
    .usage = "scalana report [OPTION]... [RESULT | RUN...]",
    .summary = "Analyses a result's runs again and rewrites its report and page. With run "
               "directories or options it is scalana-detect.",
    .options = none,
    .operand = "directory"};

const struct sca_command sca_view_command = {
    .name = "scalana view",
    .usage = "scalana view [OPTION]... [RESULT | REPORT]",
    .summary = "Shows a report with its source on the terminal, with scalana-viewer.",
    .options = none,
    .operand = ".json"};

const struct sca_command sca_diff_command = {
    .name = "scalana diff",
    .usage = "scalana diff [OPTION]... BEFORE AFTER",
    .summary = "Compares two results, reports or run directories, also of two builds, with "
               "scalana-detect --view=diff.",
    .options = none,
    .operand = ".json"};

static int fail(int exit_status)
{
    fprintf(stderr, "scalana: %s\n", sca_error_message());
    return exit_status;
}

static int has(int argc, char **argv, const char *option)
{
    for (int i = 1; i < argc; i++)
        if (!strncmp(argv[i], option, strlen(option)))
            return 1;
    return 0;
}

/* Help and version are the verb's; its options are the command's. SCA_PARSE_RUN: not asked. */
static int answer(const struct sca_command *verb, const char *tool, int argc, char **argv)
{
    char *version[] = {argv[0], (char *)"--version", NULL};
    int operands = 0;
    if (has(argc, argv, "--version"))
        return sca_options_parse(verb, NULL, 2, version, &operands);
    if (!has(argc, argv, "--help") && !has(argc, argv, "-h"))
        return SCA_PARSE_RUN;
    printf("Usage: %s\n%s\n\nIts options are those of %s:\n\n", verb->usage, verb->summary, tool);
    return SCA_PARSE_RUN;
}

static int become(struct sca_words *command)
{
    int status = sca_process_become(command->list);
    sca_words_free(command);
    return status;
}

static int begin(const char *name, struct sca_words *command)
{
    char *path = sca_installation_command(name);
    if (!path)
        return SCA_ENOTFOUND;
    *command = (struct sca_words){0};
    sca_words_add(command, path);
    free(path);
    return SCA_OK;
}

static void add_file(struct sca_words *command, const char *option, const char *folder,
                     const char *name)
{
    char *word = sca_words_format("--%s=%s/%s", option, folder, name);
    sca_words_add(command, word);
    free(word);
}

static int is_result(const char *word)
{
    struct sca_words runs = {0};
    int is = *word != '-' && !sca_result_folder_is_run(word) && sca_result_folder_runs(word, &runs);
    sca_words_free(&runs);
    return is;
}

/* The report goes where it was, unless the user says where, or asks for something else. */
static void add_files(struct sca_words *command, int argc, char **argv, const char *folder)
{
    if (has(argc, argv, "--view") || has(argc, argv, "-o") || has(argc, argv, "--output") ||
        has(argc, argv, "--html"))
        return;
    add_file(command, "output", folder, SCA_RESULT_REPORT);
    add_file(command, "html", folder, SCA_RESULT_PAGE);
    sca_words_add(command, "--timelines"); /* for scalana view */
}

/* What of the words is runs goes into `runs`, the rest into the command. Only where exactly one
 * result is named, or none is and no run, a folder has the report: it is returned, in memory of the
 * caller's. */
static char *sort_words(int argc, char **argv, struct sca_words *command, struct sca_words *runs)
{
    unsigned results = 0;
    char *folder = NULL;
    for (int i = 1; i < argc; i++) {
        if (is_result(argv[i])) {
            free(folder);
            folder = results++ ? NULL : sca_words_format("%s", argv[i]);
            sca_result_folder_runs(argv[i], runs);
        } else {
            bool run = *argv[i] != '-' && sca_result_folder_is_run(argv[i]);
            sca_words_add(run ? runs : command, argv[i]);
        }
    }
    return folder;
}

static void add_runs(struct sca_words *command, const struct sca_words *runs, int argc, char **argv)
{
    bool told =
        has(argc, argv, "--work") || has(argc, argv, "--scaling") || has(argc, argv, "--view");
    char *works = told ? NULL : sca_run_works_option(runs->list, runs->count);
    if (works)
        sca_words_add(command, works);
    free(works);
    sca_words_add_all(command, runs->list);
}

int sca_report_main(int argc, char **argv)
{
    struct sca_words command, runs = {0};
    if (answer(&sca_report_command, "scalana-detect", argc, argv) == SCA_PARSE_DONE)
        return SCA_EXIT_OK;
    if (begin("scalana-detect", &command) != SCA_OK)
        return fail(SCA_EXIT_FAILED);
    char *folder = sort_words(argc, argv, &command, &runs);
    bool help = has(argc, argv, "-h") || has(argc, argv, "--help");
    if (!runs.count && !help) {
        folder = sca_operand_folder(NULL);
        if (!folder)
            return fail(SCA_EXIT_FAILED);
        sca_result_folder_runs(folder, &runs);
    }
    if (folder && runs.count)
        add_files(&command, argc, argv, folder);
    add_runs(&command, &runs, argc, argv);
    free(folder);
    sca_words_free(&runs);
    return become(&command);
}

int sca_view_main(int argc, char **argv)
{
    struct sca_words command;
    bool given = false;
    if (answer(&sca_view_command, "scalana-viewer", argc, argv) == SCA_PARSE_DONE)
        return SCA_EXIT_OK;
    if (begin("scalana-viewer", &command) != SCA_OK)
        return fail(SCA_EXIT_FAILED);
    bool help = has(argc, argv, "-h") || has(argc, argv, "--help");
    for (int i = 1; i < argc; i++) {
        bool value = i > 1 && (!strcmp(argv[i - 1], "-s") || !strcmp(argv[i - 1], "--source"));
        bool operand = (*argv[i] != '-' || !argv[i][1]) && !value;
        char *file = operand && strcmp(argv[i], "-") ? sca_operand_file(argv[i], SCA_RESULT_REPORT)
                                                     : sca_words_format("%s", argv[i]);
        if (!file)
            return fail(SCA_EXIT_FAILED);
        given |= operand;
        sca_words_add(&command, file);
        free(file);
    }
    char *newest = given || help ? NULL : sca_operand_file(NULL, SCA_RESULT_REPORT);
    if (!given && !help && !newest)
        return fail(SCA_EXIT_FAILED);
    if (newest)
        sca_words_add(&command, newest);
    free(newest);
    return become(&command);
}

/* A result is its report, which does not need the program any more. */
int sca_diff_main(int argc, char **argv)
{
    struct sca_words command;
    if (answer(&sca_diff_command, "scalana-detect", argc, argv) == SCA_PARSE_DONE)
        return SCA_EXIT_OK;
    if (begin("scalana-detect", &command) != SCA_OK)
        return fail(SCA_EXIT_FAILED);
    sca_words_add(&command, "--view=diff");
    for (int i = 1; i < argc; i++) {
        char *report = sca_words_format("%s/%s", argv[i], SCA_RESULT_REPORT);
        sca_words_add(&command, access(report, R_OK) ? argv[i] : report);
        free(report);
    }
    return become(&command);
}
