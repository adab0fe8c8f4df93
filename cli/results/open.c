/* The page: in a browser where there is one, else how to bring it to one. */
#include "base/process.h"
#include "results/operand.h"
#include "results/result_folder.h"
#include "results/verbs.h"
#include "sca_error.h"

#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct sca_option options[] = {{0}};

const struct sca_command sca_open_command = {.name = "scalana open",
                                             .usage = "scalana open [RESULT | PAGE]",
                                             .summary =
                                                 "Opens a result's page in the browser. Without a "
                                                 "display, prints the command that copies it.",
                                             .options = options,
                                             .operand = ".html"};

static int fail(int exit_status)
{
    fprintf(stderr, "scalana: %s\n", sca_error_message());
    return exit_status;
}

/* A browser of this machine's screen. Over ssh, a display that is passed on is too slow for one. */
static char *find_opener(void)
{
    static const char *const names[] = {"xdg-open", "gio", "open", NULL};
    bool screen = getenv("DISPLAY") || getenv("WAYLAND_DISPLAY");
    char *path = NULL;
    for (size_t i = 0; screen && !getenv("SSH_CONNECTION") && names[i] && !path; i++)
        path = sca_words_find_program(names[i]);
    return path;
}

static void say_how_to_copy(const char *page)
{
    char host[256] = "HOST", file[PATH_MAX];
    const struct passwd *user = getpwuid(geteuid());
    gethostname(host, sizeof host - 1);
    char *quoted = sca_process_quote(realpath(page, file) ? file : page);
    printf(
        "The page is one file. Copy it to your own machine and open it there:\n  scp %s@%s:%s .\n",
        user ? user->pw_name : "USER", host, quoted);
    free(quoted);
}

static int open_page(const char *page)
{
    char *opener = find_opener();
    if (!opener) {
        say_how_to_copy(page);
        return fflush(stdout) ? SCA_EXIT_FAILED : SCA_EXIT_OK;
    }
    bool gio = !strcmp(sca_words_base_name(opener), "gio");
    return sca_process_become(gio ? (char *[]){opener, (char *)"open", (char *)page, NULL}
                                  : (char *[]){opener, (char *)page, NULL});
}

int sca_open_main(int argc, char **argv)
{
    int operands = 0;
    int status = sca_options_parse(&sca_open_command, NULL, argc, argv, &operands);
    if (status == SCA_PARSE_DONE)
        return SCA_EXIT_OK;
    if (status == SCA_OK && operands > 1)
        status = sca_fail(SCA_EINVAL, "give one result (usage: %s)", sca_open_command.usage);
    if (status != SCA_OK)
        return fail(SCA_EXIT_USAGE);
    char *page = sca_operand_file(operands ? argv[1] : NULL, SCA_RESULT_PAGE);
    int result = page ? open_page(page) : fail(SCA_EXIT_FAILED);
    free(page);
    return result;
}
