/* scalana-live: look at a job while it runs. */
#include "follow/screen.h"
#include "follow/snapshot.h"
#include "follow/watch.h"
#include "look/find_run.h"
#include "options.h"
#include "sca_error.h"
#include "show/json.h"
#include "show/page.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { SCREEN_S = 2, WATCH_S = 10 };

/* The library's message is there for both. */
static int complain(int exit_status)
{
    const char *own = sca_error_message();
    fprintf(stderr, "scalana-live: %s\n", *own ? own : scalana_error_message());
    return exit_status;
}

static void print_page(const struct sca_session *s)
{
    struct sca_page page;
    const struct sca_shown shown = {.directory = s->directory,
                                    .look = &s->look,
                                    .hangs = &s->hangs,
                                    .follow = SCALANA_NONE,
                                    .message = ""};
    sca_page_make(&shown, 0, 1000, &page);
    for (uint32_t i = 0; i < page.n; i++)
        puts(page.line[i].text);
    sca_page_free(&page);
}

static int once(struct sca_session *s, const struct sca_live_settings *settings)
{
    int status = SCALANA_OK;
    if (settings->json)
        status = sca_json_print(s->directory, &s->look, &s->hangs);
    else if (settings->openmetrics)
        status = sca_openmetrics_print(&s->look, &s->hangs);
    else
        print_page(s);
    if (status || fflush(stdout)) {
        fputs("scalana-live: cannot write to standard output\n", stderr);
        return SCA_EXIT_FAILED;
    }
    return SCA_EXIT_OK;
}

static int show(struct sca_session *s, const struct sca_live_settings *settings)
{
    double interval = settings->interval_s;
    if (settings->watch)
        return sca_watch(s, interval > 0 ? interval : WATCH_S, settings->fail_above);
    if (settings->once || settings->json || settings->openmetrics || !isatty(STDOUT_FILENO))
        return once(s, settings);
    int status = sca_screen_follow(s, interval > 0 ? interval : SCREEN_S);
    return status ? complain(SCA_EXIT_FAILED) : SCA_EXIT_OK;
}

static int run(const char *operand, const struct sca_live_settings *settings)
{
    struct sca_session session = {0};
    char *directory = sca_find_run(operand);
    if (!directory)
        return complain(SCA_EXIT_FAILED);
    int result;
    session.directory = directory;
    if (settings->snapshot)
        result = sca_snapshot_take(directory, settings->snapshot) ? complain(SCA_EXIT_FAILED)
                                                                  : SCA_EXIT_OK;
    else
        result =
            sca_session_look(&session, true) ? complain(SCA_EXIT_FAILED) : show(&session, settings);
    sca_session_end(&session);
    free(directory);
    return result;
}

int main(int argc, char **argv)
{
    struct sca_live_settings settings = {.fail_above = -1};
    int operands = 0;
    setlocale(LC_ALL, "");
    setlocale(LC_NUMERIC, "C"); /* JSON and our figures have a decimal point */
    int parsed = sca_options_parse(&sca_live_command, &settings, argc, argv, &operands);
    if (parsed == SCA_PARSE_DONE)
        return SCA_EXIT_OK;
    if (parsed == SCA_OK)
        parsed = sca_live_settings_check(&settings);
    if (parsed == SCA_OK && operands > 1)
        parsed = sca_fail(SCA_EINVAL, "give one run (usage: %s)", sca_live_command.usage);
    if (parsed != SCA_OK)
        return complain(SCA_EXIT_USAGE);
    return run(operands ? argv[1] : NULL, &settings);
}
