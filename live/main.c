/* scalana-live: look at a job while it runs. */
#include "follow/screen.h"
#include "follow/snapshot.h"
#include "follow/watch.h"
#include "hosts/collector.h"
#include "hosts/gather.h"
#include "hosts/stop.h"
#include "follow/find_run.h"
#include "options.h"
#include "sca_error.h"
#include "sca_words.h"
#include "show/hosts_told.h"
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
                                    .gather = s->gather,
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
        status = sca_json_print(s->directory, &s->look, &s->hangs, s->gather);
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

/* It is kept, too, where a host has something to say, as that it has not answered. */
static int keep_snapshot(struct sca_session *s, const char *folder)
{
    if (sca_session_gather(s) || sca_snapshot_take(sca_session_source(s), folder))
        return complain(SCA_EXIT_FAILED);
    char *trouble = s->gather ? sca_hosts_trouble(s->gather) : NULL;
    if (trouble)
        fprintf(stderr, "scalana-live: %s\n", trouble);
    free(trouble);
    return SCA_EXIT_OK;
}

static int look_and_show(struct sca_session *s, const struct sca_live_settings *settings)
{
    if (settings->snapshot)
        return keep_snapshot(s, settings->snapshot);
    return sca_session_look(s, true) ? complain(SCA_EXIT_FAILED) : show(s, settings);
}

static int look_here(const char *operand, const struct sca_live_settings *settings)
{
    char *directory = sca_find_run(operand);
    struct sca_session session = {.directory = directory};
    int result = directory ? look_and_show(&session, settings) : complain(SCA_EXIT_FAILED);
    sca_session_end(&session);
    free(directory);
    return result;
}

/* What is no run here may be one on the job's hosts: its path is the same there. */
static char *path_of_run(const char *operand)
{
    char *found = sca_find_run(operand), *here = getcwd(NULL, 0);
    const char *name = found ? found : operand;
    char *path = !name          ? NULL
                 : *name == '/' ? sca_words_format("%s", name)
                                : sca_words_format("%s/%s", here ? here : ".", name);
    free(here);
    free(found);
    return path;
}

static int look_at_hosts(const char *operand, const struct sca_live_settings *settings)
{
    char *directory = path_of_run(operand);
    struct sca_session session = {.directory = directory};
    const struct sca_gather_plan plan = {directory, settings->launcher, settings->hosts,
                                         (uint32_t)settings->fanout};
    sca_stop_mind();
    session.gather = directory ? sca_gather_begin(&plan) : NULL;
    int result = session.gather ? look_and_show(&session, settings) : complain(SCA_EXIT_FAILED);
    sca_session_end(&session);
    sca_gather_end(session.gather);
    free(directory);
    sca_stop_follow();
    return result;
}

static int collect(const char *operand, const struct sca_live_settings *settings)
{
    struct sca_token token;
    const struct sca_collector_plan plan = {operand, settings->collect, &token};
    if (sca_token_read(settings->token, &token) || sca_collector_run(&plan))
        return complain(SCA_EXIT_FAILED);
    return SCA_EXIT_OK;
}

static int run(const char *operand, const struct sca_live_settings *settings)
{
    return settings->collect    ? collect(operand, settings)
           : settings->launcher ? look_at_hosts(operand, settings)
                                : look_here(operand, settings);
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
        parsed = sca_live_settings_check(&settings, operands);
    if (parsed == SCA_OK && operands > 1)
        parsed = sca_fail(SCA_EINVAL, "give one run (usage: %s)", sca_live_command.usage);
    if (parsed != SCA_OK)
        return complain(SCA_EXIT_USAGE);
    return run(operands ? argv[1] : NULL, &settings);
}
