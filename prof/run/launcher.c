/*
 * scalana-prof: runs a program with the library preloaded. Each rank's process starts as this
 * program and becomes the application: nothing of it stays.
 */
#include "run/sanitizers.h"
#include "sca_elf_program.h"
#include "sca_error.h"
#include "sca_options.h"
#include "sca_words.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_CANNOT_RUN = 126, EXIT_NO_PROGRAM = 127 };

#define LIBRARY "libscalana-prof.so"

static int put(const char *name, const char *value)
{
    return setenv(name, value, 1) ? sca_fail(SCA_ENOMEM, "out of memory") : SCA_OK;
}

static int set_output(void *context, const char *value)
{
    (void)context;
    return put("SCALANA_OUTPUT", value);
}

static int set_frequency(void *context, const char *value)
{
    unsigned long n;
    int status = sca_options_parse_uint(value, 0, 10000, &n);
    (void)context;
    return status < 0 ? status : put("SCALANA_FREQUENCY", value);
}

static int set_events(void *context, const char *value)
{
    (void)context;
    return put("SCALANA_EVENTS", value);
}

static int set_budget(void *context, const char *value)
{
    double percent;
    int status = sca_options_parse_double(value, 0.1, 100, &percent);
    (void)context;
    return status < 0 ? status : put("SCALANA_BUDGET", value);
}

static int set_log(void *context, const char *value)
{
    (void)context;
    return put("SCALANA_LOG", value);
}

static const struct sca_option options[] = {
    {.name = "output",
     .letter = 'o',
     .argument = "DIR",
     .help = "run directory (default: scalana-PROGRAM-RANKSp)",
     .set = set_output,
     .detail = "As SCALANA_OUTPUT. An existing directory is not overwritten: .2, .3 and so on is "
               "appended."},
    {.name = "frequency",
     .letter = 'f',
     .argument = "HZ",
     .help = "samples per second of CPU time, 0 for none (default: 200)",
     .set = set_frequency,
     .detail = "As SCALANA_FREQUENCY. Short runs need more."},
    {.name = "events",
     .letter = 'e',
     .argument = "NAMES",
     .help = "PAPI events to count, separated by commas",
     .set = set_events,
     .detail = "As SCALANA_EVENTS. At most four; papi_avail(1) lists those of a machine."},
    {.name = "budget",
     .letter = 'b',
     .argument = "PERCENT",
     .help = "most overhead, in percent of CPU time (default: 2)",
     .set = set_budget,
     .detail = "As SCALANA_BUDGET. Lowers the frequency where it would cost more."},
    {.name = "log",
     .argument = "LEVEL",
     .help = "quiet, warn, info or debug (default: info)",
     .set = set_log,
     .choices = "quiet warn info debug",
     .detail = "As SCALANA_LOG. info prints one line at the end: where the profile is."},
    {0}};

static const struct sca_command command = {
    .name = "scalana-prof",
    .usage = "mpirun -n RANKS scalana-prof [OPTION]... PROGRAM [ARGUMENT]...",
    .summary = "Runs PROGRAM, an MPI program, and writes its profile to a run directory.",
    .options = options,
    .stop_at_operand = 1,
    .operand = "command"};

/* The dynamic linker takes blanks and colons for separators and knows no way to quote them. */
static int check_name(const char *library)
{
    if (!library[strcspn(library, " :")])
        return SCA_OK;
    return sca_fail(SCA_ENOTFOUND,
                    "%s: LD_PRELOAD cannot name a path with a blank or a colon. Install ScalAna "
                    "elsewhere, or preload a symbolic link to it",
                    library);
}

/* Beside this program as it is built, or in ../lib as it is installed. */
static int find_library(char *path, size_t size)
{
    static const char *const places[] = {"", "../lib/", "../lib64/"};
    char self[PATH_MAX], candidate[PATH_MAX + 64];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(self, '/');
    if (slash)
        slash[1] = '\0';
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(candidate, sizeof candidate, "%s%s" LIBRARY, self, places[i]);
        char *real = realpath(candidate, NULL);
        if (!real)
            continue;
        int fits = snprintf(path, size, "%s", real) < (int)size;
        free(real);
        return fits ? check_name(path)
                    : sca_fail(SCA_EINVAL, "%s: the path is too long", candidate);
    }
    return sca_fail(SCA_ENOTFOUND, LIBRARY " is neither in %s nor in %s../lib", self, self);
}

/* In front of what others preload, but for what wants to be first (a name with a colon behind it);
 * once only. */
static int preload(const char *first, const char *library)
{
    const char *others = getenv("LD_PRELOAD");
    others = others ? others : "";
    if (strstr(others, LIBRARY))
        library = "";
    if (!*first && !*library)
        return SCA_OK;
    size_t size = strlen(first) + strlen(library) + strlen(others) + 2;
    char *all = malloc(size);
    if (!all)
        return sca_fail(SCA_ENOMEM, "out of memory");
    snprintf(all, size, "%s%s%s%s", first, library, *library && *others ? ":" : "", others);
    int status = put("LD_PRELOAD", all);
    free(all);
    return status;
}

/* Scripts and others do not matter. */
static int is_static(const char *path)
{
    struct sca_elf_program program;
    if (sca_elf_program_open(&program, path) != SCA_OK)
        return 0;
    int statically = !sca_elf_program_interpreter(&program);
    sca_elf_program_close(&program);
    return statically;
}

/* `first` becomes what is to be preloaded before the library. */
static int check_program(const char *name, char *first, size_t size)
{
    char *path = sca_words_find_program(name);
    *first = '\0';
    if (path)
        sca_sanitizers_of(path, first, size);
    if (!path || !is_static(path)) {
        free(path);
        return SCA_OK; /* or it cannot be run, which is told below */
    }
    int status = sca_fail(SCA_EFORMAT,
                          "%s is statically linked, so nothing can be preloaded. Link it with "
                          "shared libraries (without -static)",
                          path);
    free(path);
    return status;
}

static int fail(int status)
{
    fprintf(stderr, "scalana-prof: %s\n", sca_error_message());
    return status == SCA_EINVAL ? SCA_EXIT_USAGE : SCA_EXIT_FAILED;
}

int main(int argc, char **argv)
{
    char library[PATH_MAX], first[PATH_MAX];
    int operands = 0;
    int status = sca_options_parse(&command, NULL, argc, argv, &operands);
    if (status == SCA_PARSE_DONE)
        return SCA_EXIT_OK;
    if (status == SCA_OK && !operands)
        status = sca_fail(SCA_EINVAL, "no program given (see --help)");
    if (status == SCA_OK)
        status = check_program(argv[1], first, sizeof first);
    if (status == SCA_OK)
        status = find_library(library, sizeof library);
    if (status == SCA_OK)
        status = preload(first, library);
    if (status < 0)
        return fail(status);
    argv[1 + operands] = NULL;
    execvp(argv[1], argv + 1);
    fprintf(stderr, "scalana-prof: %s: %s\n", argv[1], strerror(errno));
    return errno == ENOENT ? EXIT_NO_PROGRAM : EXIT_CANNOT_RUN;
}
