#include "follow/keys.h"
#include "follow/snapshot.h"
#include "sca_error.h"
#include "sca_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PAGE = 10, MOST_SNAPSHOTS = 10000 };

void sca_keys_refresh(struct sca_keyed *k, const struct sca_session *s)
{
    k->shown.directory = s->directory;
    k->shown.look = &s->look;
    k->shown.gather = s->gather;
    k->shown.hangs = &s->hangs;
    k->shown.since_snapshot = k->since_mark && s->has_mark;
    k->shown.before = k->shown.since_snapshot ? &s->mark : s->has_before ? &s->before : NULL;
    k->shown.message = k->message;
}

void sca_keys_begin(struct sca_keyed *k, const struct sca_session *s)
{
    *k = (struct sca_keyed){.shown = {.follow = SCALANA_NONE}};
    sca_keys_refresh(k, s);
}

/* The first name that is free: RUN.snapshot-1, ... */
static char *free_name(struct sca_keyed *k, const char *directory)
{
    size_t n = strlen(directory);
    while (n > 1 && directory[n - 1] == '/')
        n--;
    while (++k->snapshots < MOST_SNAPSHOTS) {
        char *name = sca_words_format("%.*s.snapshot-%u", (int)n, directory, k->snapshots);
        if (access(name, F_OK))
            return name;
        free(name);
    }
    return sca_words_format("%.*s.snapshot", (int)n, directory);
}

static int write_report(const struct sca_session *s, const char *folder)
{
    scalana_report *report = NULL;
    scalana_runs *runs = NULL;
    char *path = sca_words_format("%s/report.json", folder);
    int status = scalana_runs_load(&folder, 1, NULL, &runs);
    (void)s;
    if (!status)
        status = scalana_verdict_find(runs, NULL, &report);
    if (!status)
        status = scalana_report_write(report, path);
    scalana_report_free(report);
    scalana_runs_free(runs);
    free(path);
    return status;
}

static void snapshot(struct sca_keyed *k, struct sca_session *s)
{
    char *name = free_name(k, s->directory);
    int status = sca_session_gather(s);
    if (!status)
        status = sca_snapshot_take(sca_session_source(s), name);
    if (!status)
        status = write_report(s, name);
    if (!status)
        status = sca_session_mark(s);
    if (status)
        snprintf(k->message, sizeof k->message, "no snapshot: %.400s", sca_error_message());
    else
        snprintf(k->message, sizeof k->message, "snapshot and report.json in %.400s", name);
    free(name);
}

static void difference(struct sca_keyed *k, const struct sca_session *s)
{
    if (!s->has_mark) {
        snprintf(k->message, sizeof k->message,
                 "there is no snapshot to compare with: s takes one");
        return;
    }
    k->since_mark = !k->since_mark;
    snprintf(k->message, sizeof k->message, "%s",
             k->since_mark ? "figures since the snapshot" : "figures since the last look");
}

static void ask(struct sca_keyed *k)
{
    if (k->shown.follow != SCALANA_NONE) {
        k->shown.follow = SCALANA_NONE;
        return;
    }
    k->asks = true;
    k->number[0] = '\0';
    snprintf(k->message, sizeof k->message, "follow rank: ");
}

static void answer(struct sca_keyed *k, const struct sca_session *s, int key)
{
    size_t n = strlen(k->number);
    if (key >= '0' && key <= '9' && n + 1 < sizeof k->number) {
        k->number[n] = (char)key;
        k->number[n + 1] = '\0';
    } else if (key == SCA_LIVE_BACKSPACE && n) {
        k->number[n - 1] = '\0';
    } else if (key == SCA_LIVE_ENTER || key == 27 || key == 'q') {
        unsigned long rank = strtoul(k->number, NULL, 10);
        k->asks = false;
        k->message[0] = '\0';
        if (key != SCA_LIVE_ENTER || !n)
            return;
        if (rank < s->look.nranks)
            k->shown.follow = (uint32_t)rank;
        else
            snprintf(k->message, sizeof k->message, "there is no rank %.20s: 0 to %u", k->number,
                     s->look.nranks - 1);
        return;
    }
    snprintf(k->message, sizeof k->message, "follow rank: %s", k->number);
}

static void scroll(struct sca_keyed *k, const struct sca_session *s, int by)
{
    int64_t to = (int64_t)k->shown.scroll + by, last = (int64_t)s->look.nranks - 1;
    k->shown.scroll = (uint32_t)(to < 0 ? 0 : to > last ? last : to);
}

static void act(struct sca_keyed *k, struct sca_session *s, int key)
{
    switch (key) {
    case 'q':
        k->quit = true;
        break;
    case 's':
        snapshot(k, s);
        break;
    case 'd':
        difference(k, s);
        break;
    case 'c':
        k->shown.classes = !k->shown.classes;
        k->shown.scroll = 0;
        break;
    case 'f':
        ask(k);
        break;
    case 'z':
    case ' ':
        k->shown.frozen = !k->shown.frozen;
        break;
    case '?':
    case 'h':
        k->shown.help = !k->shown.help;
        break;
    case SCA_LIVE_UP:
    case SCA_LIVE_DOWN:
        scroll(k, s, key == SCA_LIVE_UP ? -1 : 1);
        break;
    case SCA_LIVE_PAGE_UP:
    case SCA_LIVE_PAGE_DOWN:
        scroll(k, s, key == SCA_LIVE_PAGE_UP ? -PAGE : PAGE);
        break;
    default:
        break;
    }
}

void sca_keys_press(struct sca_keyed *k, struct sca_session *s, int key)
{
    if (k->asks) {
        answer(k, s, key);
    } else {
        k->message[0] = '\0';
        act(k, s, key);
    }
    sca_keys_refresh(k, s);
}
