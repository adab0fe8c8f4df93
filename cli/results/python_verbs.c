/* explain and mcp: modules of the Python package, which lies in this installation. */
#include "base/installation.h"
#include "base/process.h"
#include "results/operand.h"
#include "results/verbs.h"
#include "sca_error.h"
#include "sca_words.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define PACKAGES "lib/python3/dist-packages"

struct explain_options {
    struct sca_words words; /* what goes on to the module */
    const char *of;         /* NULL: the newest result */
};

static int set_json(void *context, const char *value)
{
    (void)value;
    sca_words_add(&((struct explain_options *)context)->words, "--json");
    return SCA_OK;
}

static int set_of(void *context, const char *value)
{
    ((struct explain_options *)context)->of = value;
    return SCA_OK;
}

static int set_source(void *context, const char *value)
{
    sca_words_add(&((struct explain_options *)context)->words, "--source");
    sca_words_add(&((struct explain_options *)context)->words, value);
    return SCA_OK;
}

#define SOURCE_OPTION                                                                              \
    {.name = "source",                                                                             \
     .letter = 's',                                                                                \
     .argument = "DIR",                                                                            \
     .help = "where sources lie that are not where they were compiled; may be repeated",           \
     .set = set_source}

static const struct sca_option explain_options[] = {
    {.name = "json", .help = "as JSON (scalana-explain/1)", .set = set_json},
    {.name = "of",
     .argument = "RESULT",
     .help = "a report, a run directory, or a folder with runs (default: the newest result)",
     .set = set_of},
    SOURCE_OPTION,
    {0}};

static const struct sca_option mcp_options[] = {SOURCE_OPTION, {0}};

const struct sca_command sca_explain_command = {
    .name = "scalana explain",
    .usage = "scalana explain [OPTION]... CAUSE | PLACE",
    .summary =
        "Says what is known of a cause, by its number from 1, or of a place. A place is "
        "\"cg.c:109\", a file, a function, or a label such as MPI_Allreduce. Evidence needs the "
        "runs, not the report alone.",
    .options = explain_options};

const struct sca_command sca_mcp_command = {
    .name = "scalana mcp",
    .usage = "scalana mcp [OPTION]... [RESULT | REPORT | RUN...]",
    .summary = "Hands causes, findings, evidence, metrics and source lines to an assistant program "
               "that starts it, by the Model Context Protocol on standard input and output. It "
               "only reads, and nothing leaves this machine.",
    .options = mcp_options,
    .operand = ".json"};

static int fail(int exit_status)
{
    fprintf(stderr, "scalana: %s\n", sca_error_message());
    return exit_status;
}

/* The package of this installation is found first, and its library is that beside it. */
static int set_path(void)
{
    char *package = sca_installation_path(PACKAGES),
         *module = sca_words_format("%s/scalana", package);
    int there = !access(module, R_OK);
    if (!there)
        sca_fail(SCA_ENOTFOUND, "%s: the Python package is not in this installation", module);
    free(module);
    if (!there) {
        free(package);
        return SCA_ENOTFOUND;
    }
    const char *others = getenv("PYTHONPATH");
    char *path = sca_words_format("%s%s%s", package, others && *others ? ":" : "",
                                  others && *others ? others : "");
    int failed = setenv("PYTHONPATH", path, 1);
    free(path);
    free(package);
    return failed ? sca_fail(SCA_ENOMEM, "out of memory") : SCA_OK;
}

static bool has_packages(const char *python)
{
    char *check[] = {(char *)python, (char *)"-c", (char *)"import cffi, numpy", NULL};
    int status;
    free(sca_process_output(check, 1, &status));
    return !status;
}

/* The first Python that has what the package needs; NULL with a message: none. */
static const char *find_python(const char *verb)
{
    const char *const pythons[] = {"python3", "/usr/bin/python3"};
    for (size_t i = 0; i < sizeof pythons / sizeof *pythons; i++)
        if (has_packages(pythons[i]))
            return pythons[i];
    sca_fail(SCA_ENOTFOUND,
             "%s needs python3 with cffi and numpy (Debian: apt-get install python3-cffi "
             "python3-numpy)",
             verb);
    return NULL;
}

/* Becomes `python3 -m MODULE WORD...`; returns if that is not possible. */
static int become_module(const char *verb, const char *module, const struct sca_words *given)
{
    if (set_path() != SCA_OK || setenv("SCALANA_VERB", verb, 1))
        return fail(SCA_EXIT_FAILED);
    const char *start[] = {find_python(verb), "-B", "-m", module};
    if (!start[0])
        return fail(SCA_EXIT_FAILED);
    struct sca_words command = {0};
    for (size_t i = 0; i < sizeof start / sizeof *start; i++)
        sca_words_add(&command, start[i]);
    sca_words_add_all(&command, given->list);
    int status = sca_process_become(command.list);
    sca_words_free(&command);
    return status;
}

/* What the user names, or the newest result: a report, or a folder that has one or has runs. */
static char *operand(const char *named)
{
    return named ? sca_words_format("%s", named) : sca_operand_folder(NULL);
}

int sca_explain_main(int argc, char **argv)
{
    struct explain_options options = {{0}, NULL};
    int operands = 0;
    int status = sca_options_parse(&sca_explain_command, &options, argc, argv, &operands);
    if (status == SCA_PARSE_DONE)
        return SCA_EXIT_OK;
    if (status == SCA_OK && operands != 1)
        status =
            sca_fail(SCA_EINVAL, "give one cause or place (usage: %s)", sca_explain_command.usage);
    if (status != SCA_OK)
        return fail(SCA_EXIT_USAGE);
    char *of = operand(options.of);
    if (!of)
        return fail(SCA_EXIT_FAILED);
    sca_words_add(&options.words, "--of");
    sca_words_add(&options.words, of);
    sca_words_add(&options.words, "--");
    sca_words_add(&options.words, argv[1]);
    status = become_module("scalana explain", "scalana.explain", &options.words);
    sca_words_free(&options.words);
    free(of);
    return status;
}

int sca_mcp_main(int argc, char **argv)
{
    struct explain_options options = {{0}, NULL};
    int operands = 0;
    int status = sca_options_parse(&sca_mcp_command, &options, argc, argv, &operands);
    if (status == SCA_PARSE_DONE)
        return SCA_EXIT_OK;
    if (status != SCA_OK)
        return fail(SCA_EXIT_USAGE);
    char *newest = operands ? NULL : operand(NULL);
    if (!operands && !newest)
        return fail(SCA_EXIT_FAILED);
    sca_words_add(&options.words, "--");
    if (newest)
        sca_words_add(&options.words, newest);
    for (int i = 1; i <= operands; i++)
        sca_words_add(&options.words, argv[i]);
    status = become_module("scalana mcp", "scalana.mcp", &options.words);
    sca_words_free(&options.words);
    free(newest);
    return status;
}
