#include "look/look.h"
#include "follow/told.h"
#include "follow/watch.h"
#include "follow/worst.h"
#include "hosts/stop.h"
#include "sca_error.h"
#include "show/hosts_told.h"
#include "tell/tell.h"
#include "sca_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { IN_A_ROW = 2, SLOW = 10 /* a look is at most a tenth of the time */ };

static void say(const char *text)
{
    char clock[16] = "";
    time_t now = time(NULL);
    struct tm tm;
    if (localtime_r(&now, &tm))
        strftime(clock, sizeof clock, "%H:%M:%S", &tm);
    printf("%s %s\n", clock, text);
    fflush(stdout);
}

/* The alarm of this look, or NULL; without figures that change with each look, for comparing. */
static char *alarm_of(const struct sca_session *s)
{
    bool alarm;
    char *text = sca_tell_hang(&s->look, &s->hangs, 0, &alarm);
    if (text && alarm)
        return text;
    free(text);
    return NULL;
}

struct watch {
    struct sca_told told;
    bool alarmed;  /* that it hangs has been told */
    char *trouble; /* and of a host */
    int sick;      /* looks in a row */
    char *why;     /* the last look was sick; NULL: it was not */
};

static void tell_cause(struct watch *w, const struct sca_worst *worst)
{
    sca_told_keep(&w->told, worst->keys, worst->n);
    if (!worst->n || !sca_told_is_new(&w->told, worst->keys[0]))
        return;
    char *line =
        sca_words_format("%s; fixing it saves at least %.1f %%", worst->text, worst->percent);
    say(line);
    free(line);
}

static void tell_trouble(struct watch *w, const struct sca_session *s)
{
    char *trouble = s->gather ? sca_hosts_trouble(s->gather) : NULL;
    if (trouble && !w->trouble)
        say(trouble);
    free(w->trouble);
    w->trouble = trouble;
}

/* Why the job is to be stopped, if the next look agrees; NULL: it is not. */
static char *reason(const char *alarm, const struct sca_worst *worst, double fail_above)
{
    if (fail_above < 0)
        return NULL;
    if (alarm)
        return sca_words_format("ended with status %d, for it hangs: %s", SCA_EXIT_ABOVE, alarm);
    if (!worst->text || !(worst->percent > fail_above))
        return NULL;
    return sca_words_format("ended with status %d: %s; fixing it saves at least %.1f %%, more "
                            "than %g %%",
                            SCA_EXIT_ABOVE, worst->text, worst->percent, fail_above);
}

/* True: twice in a row it is too much. */
static bool judge(struct watch *w, const struct sca_session *s, double fail_above)
{
    struct sca_worst worst;
    char *alarm = alarm_of(s);
    sca_worst_find(&s->look, &worst);
    tell_trouble(w, s);
    if (alarm && !w->alarmed)
        say(alarm);
    w->alarmed = alarm != NULL;
    tell_cause(w, &worst);
    free(w->why);
    w->why = reason(alarm, &worst, fail_above);
    w->sick = w->why ? w->sick + 1 : 0;
    free(alarm);
    sca_worst_free(&worst);
    return w->sick >= IN_A_ROW;
}

static void pause_for(double s)
{
    struct timespec t = {(time_t)s, (long)((s - (double)(time_t)s) * 1e9)};
    while (nanosleep(&t, &t) && !sca_stop_asked())
        ;
}

static void say_run(const struct sca_session *s)
{
    char *run = sca_tell_run(&s->look);
    say(run);
    free(run);
}

static void forget(struct watch *w)
{
    sca_told_free(&w->told);
    free(w->trouble);
    free(w->why);
}

int sca_watch(struct sca_session *s, double interval_s, double fail_above)
{
    struct watch w = {0};
    bool above = false;
    say_run(s);
    while (!(above = judge(&w, s, fail_above)) && sca_look_goes_on(&s->look)) {
        double slow = SLOW * (s->look.took_s - s->look.gathered_s);
        pause_for(interval_s > slow ? interval_s : slow);
        if (sca_stop_asked())
            break;
        if (sca_session_look(s, true)) {
            fprintf(stderr, "scalana-live: %s\n", scalana_error_message());
            forget(&w);
            return SCA_EXIT_FAILED;
        }
    }
    say_run(s);
    if (above)
        say(w.why);
    forget(&w);
    if (above)
        return SCA_EXIT_ABOVE;
    return s->look.run.state == SCALANA_RUN_BROKE_OFF ? SCA_EXIT_FAILED : SCA_EXIT_OK;
}
