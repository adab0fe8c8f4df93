#include "look/look.h"
#include "follow/session.h"
#include "sca_error.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { TRIES = 5, PAUSE_NS = 50000000 };

static bool may_pass(int status)
{
    return status == SCALANA_EIO || status == SCALANA_EFORMAT || status == SCALANA_ENOTFOUND;
}

/* As a run ends, its parts give way to one file. */
static int take(const char *directory, bool verdict, bool again, struct sca_look *out)
{
    int status = sca_look_take(directory, verdict, out);
    for (int i = 0; again && may_pass(status) && i < TRIES; i++) {
        nanosleep(&(struct timespec){0, PAUSE_NS}, NULL);
        status = sca_look_take(directory, verdict, out);
    }
    return status;
}

static int check_same(struct sca_session *s, const struct sca_look *fresh)
{
    const char *start = scalana_run_metadata(fresh->runs, 0, "start");
    if (!s->began)
        snprintf(s->start, sizeof s->start, "%s", start ? start : "");
    s->began = true;
    if (!start || !strcmp(start, s->start))
        return SCALANA_OK;
    return sca_fail(SCA_EMISMATCH, "%s: another run has begun there, at %s", s->directory, start);
}

const char *sca_session_source(const struct sca_session *s)
{
    return s->gather ? sca_gather_directory(s->gather) : s->directory;
}

int sca_session_look(struct sca_session *s, bool verdict)
{
    struct sca_look fresh;
    struct sca_hangs hangs;
    double gathered_s = 0;
    if (s->gather && sca_gather_look(s->gather, false, &gathered_s))
        return SCALANA_EIO;
    int status = take(sca_session_source(s), verdict, s->began, &fresh);
    if (status)
        return status;
    fresh.took_s += gathered_s;
    fresh.gathered_s = gathered_s;
    status = check_same(s, &fresh);
    if (!status)
        status = sca_hangs_find(&fresh, &hangs);
    if (status) {
        sca_look_free(&fresh);
        return status;
    }
    sca_hangs_free(&s->hangs);
    sca_look_free(&s->before);
    s->has_before = s->look.runs != NULL;
    s->before = s->look;
    s->look = fresh;
    s->hangs = hangs;
    return SCALANA_OK;
}

int sca_session_gather(struct sca_session *s)
{
    double gathered_s;
    return s->gather ? sca_gather_look(s->gather, true, &gathered_s) : SCA_OK;
}

int sca_session_mark(struct sca_session *s)
{
    struct sca_look fresh;
    int status = take(sca_session_source(s), false, true, &fresh);
    if (status)
        return status;
    sca_look_free(&s->mark);
    s->mark = fresh;
    s->has_mark = true;
    return SCALANA_OK;
}

void sca_session_end(struct sca_session *s)
{
    sca_hangs_free(&s->hangs);
    sca_look_free(&s->look);
    sca_look_free(&s->before);
    sca_look_free(&s->mark);
}
