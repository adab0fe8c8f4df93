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

struct worst {      /* the worst cause of a look */
    char *text;     /* NULL: there is none */
    char *key;      /* what kind, where, on which ranks: the same as long as it is this cause */
    double percent; /* that fixing it saves at least */
};

static char *key_of(const struct sca_look *look, const struct scalana_cause *cause)
{
    struct scalana_vertex at = {.file = "", .function = ""};
    size_t size;
    char *key = NULL;
    FILE *out = sca_must(open_memstream(&key, &size));
    (void)scalana_report_vertices(look->report, cause->vertex, 1, &at, sizeof at);
    fprintf(out, "%s %s:%u %s", cause->category, at.file, at.line, at.function);
    for (uint32_t i = 0; i < cause->nranks; i++)
        fprintf(out, " %u", cause->ranks[i]);
    fclose(out);
    return key;
}

static struct worst worst_of(const struct sca_look *look)
{
    struct scalana_summary summary;
    struct scalana_cause cause;
    char text[1024];
    if (!look->report || scalana_report_get(look->report, &summary, sizeof summary) ||
        !summary.ncauses || scalana_report_causes(look->report, 0, 1, &cause, sizeof cause) ||
        scalana_cause_text(look->report, 0, text, sizeof text, NULL))
        return (struct worst){0};
    double all = cause.gain_share > 0 ? cause.gain_core_s / cause.gain_share : 0;
    return (struct worst){.text = sca_words_format("%s", text),
                          .key = key_of(look, &cause),
                          .percent = all > 0 ? 100 * cause.gain_low_core_s / all : 0};
}

struct watch {
    char *told;    /* the key of the cause that was told last */
    bool alarmed;  /* and that it hangs */
    char *trouble; /* and of a host */
    int sick;      /* looks in a row */
    char *why;     /* of the last of them */
};

static void tell_cause(struct watch *w, const struct worst *worst)
{
    if (!worst->text || (w->told && !strcmp(w->told, worst->key)))
        return;
    char *line =
        sca_words_format("%s; fixing it saves at least %.1f %%", worst->text, worst->percent);
    say(line);
    free(line);
    free(w->told);
    w->told = sca_words_format("%s", worst->key);
}

static void tell_trouble(struct watch *w, const struct sca_session *s)
{
    char *trouble = s->gather ? sca_hosts_trouble(s->gather) : NULL;
    if (trouble && !w->trouble)
        say(trouble);
    free(w->trouble);
    w->trouble = trouble;
}

/* Why the job is too ill to go on; NULL: it is not. */
static char *sickness(const char *alarm, const struct worst *worst, double fail_above)
{
    if (alarm)
        return sca_words_format("the job hangs: %s", alarm);
    if (!worst->text || worst->percent <= fail_above)
        return NULL;
    return sca_words_format("fixing the cause saves at least %.1f %%, more than %g %%: %s",
                            worst->percent, fail_above, worst->text);
}

/* True: twice in a row it is too much. */
static bool judge(struct watch *w, const struct sca_session *s, double fail_above)
{
    char *alarm = alarm_of(s);
    struct worst worst = worst_of(&s->look);
    tell_trouble(w, s);
    if (alarm && !w->alarmed)
        say(alarm);
    w->alarmed = alarm != NULL;
    tell_cause(w, &worst);
    free(w->why);
    w->why = fail_above >= 0 ? sickness(alarm, &worst, fail_above) : NULL;
    w->sick = w->why ? w->sick + 1 : 0;
    free(alarm);
    free(worst.text);
    free(worst.key);
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
    free(w->told);
    free(w->trouble);
    free(w->why);
}

static int end(struct watch *w, const struct sca_session *s, bool above)
{
    say_run(s);
    if (above) {
        char *line = sca_words_format("exit status %d, since at two looks in a row %s",
                                      SCA_EXIT_ABOVE, w->why);
        say(line);
        free(line);
    }
    forget(w);
    if (above)
        return SCA_EXIT_ABOVE;
    return s->look.run.state == SCALANA_RUN_BROKE_OFF ? SCA_EXIT_FAILED : SCA_EXIT_OK;
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
    return end(&w, s, above);
}
