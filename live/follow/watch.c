#include "look/look.h"
#include "follow/watch.h"
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

/* The worst cause, its text, and what mending it saves at least, in percent. */
static char *cause_of(const struct sca_look *look, double *percent)
{
    struct scalana_summary summary;
    struct scalana_cause cause;
    char text[1024];
    double all = 0;
    *percent = 0;
    if (!look->report || scalana_report_get(look->report, &summary, sizeof summary) ||
        !summary.ncauses || scalana_report_causes(look->report, 0, 1, &cause, sizeof cause) ||
        scalana_cause_text(look->report, 0, text, sizeof text, NULL))
        return NULL;
    if (cause.gain_share > 0)
        all = cause.gain_core_s / cause.gain_share;
    *percent = all > 0 ? 100 * cause.gain_low_core_s / all : 0;
    return sca_words_format("%s", text);
}

struct watch {
    char *told;    /* the cause that was told last */
    bool alarmed;  /* and that it hangs */
    char *trouble; /* and of a host */
    int sick;      /* looks in a row */
};

static void tell_cause(struct watch *w, const char *cause, double percent)
{
    if (!cause || (w->told && !strcmp(w->told, cause)))
        return;
    char *line = sca_words_format("%s; mending it saves at least %.1f %%", cause, percent);
    say(line);
    free(line);
    free(w->told);
    w->told = sca_words_format("%s", cause);
}

static void tell_trouble(struct watch *w, const struct sca_session *s)
{
    char *trouble = s->gather ? sca_hosts_trouble(s->gather) : NULL;
    if (trouble && !w->trouble)
        say(trouble);
    free(w->trouble);
    w->trouble = trouble;
}

/* True: twice in a row it is too much. */
static bool judge(struct watch *w, const struct sca_session *s, double fail_above)
{
    double percent;
    char *alarm = alarm_of(s), *cause = cause_of(&s->look, &percent);
    tell_trouble(w, s);
    bool sick = alarm || (cause && fail_above >= 0 && percent > fail_above);
    if (alarm && !w->alarmed)
        say(alarm);
    w->alarmed = alarm != NULL;
    tell_cause(w, cause, percent);
    free(alarm);
    free(cause);
    w->sick = sick ? w->sick + 1 : 0;
    return fail_above >= 0 && w->sick >= IN_A_ROW;
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
    free(w->told);
    free(w->trouble);
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
    forget(&w);
    say_run(s);
    if (above)
        return SCA_EXIT_ABOVE;
    return s->look.run.state == SCALANA_RUN_BROKE_OFF ? SCA_EXIT_FAILED : SCA_EXIT_OK;
}
