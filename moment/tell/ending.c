#include "tell/ending.h"
#include "look/look.h"
#include "sca_words.h"
#include "tell/tell.h"

#include <stdlib.h>
#include <string.h>

/* What had not ended may be in no figure of the report. */
static char *told_until(const struct sca_look *look)
{
    char covered[32], all[32];
    sca_tell_duration(look->run.wall_s, covered, sizeof covered);
    sca_tell_duration(look->duration_s, all, sizeof all);
    if (!strcmp(covered, all))
        return sca_words_format("%s", "");
    return sca_words_format(". The figures cover %s: what was under way is in none of them",
                            covered);
}

/* Of a run that broke off also whom the others waited for then. */
static void add_sentences(const char *directory, const struct sca_look *look,
                          const struct sca_hangs *hangs, struct sca_words *sentences)
{
    bool alarm, over = look->run.state == SCALANA_RUN_BROKE_OFF;
    char *run = sca_tell_run(look), *until = told_until(look), *text;
    for (uint32_t i = 0; (text = sca_tell_hang(look, hangs, i, &alarm)); i++) {
        char *sentence = sca_words_format("%s, %s%s: %s%s", directory, over ? "which " : "", run,
                                          text, i == 0 ? until : "");
        if (alarm || (over && i == 0))
            sca_words_add(sentences, sentence);
        free(sentence);
        free(text);
    }
    free(until);
    free(run);
}

static int tell_one(const char *directory, struct sca_words *sentences)
{
    struct sca_look look;
    struct sca_hangs hangs;
    int status = sca_look_take(directory, false, &look);
    if (status)
        return status;
    status = sca_hangs_find(&look, &hangs);
    if (!status) {
        add_sentences(directory, &look, &hangs, sentences);
        sca_hangs_free(&hangs);
    }
    sca_look_free(&look);
    return status;
}

static int tell_all(const scalana_runs *runs, struct sca_words *sentences)
{
    int status = SCALANA_OK;
    for (uint32_t i = 0; !status && i < scalana_runs_count(runs); i++) {
        struct scalana_run run;
        status = scalana_runs_get(runs, i, 1, &run, sizeof run);
        if (!status && run.state != SCALANA_RUN_IS_OVER)
            status = tell_one(run.directory, sentences);
    }
    return status;
}

static int put_in_front(struct sca_report *report, const struct sca_words *sentences)
{
    uint32_t added = (uint32_t)sentences->count;
    const char **all = sca_report_alloc(report, (added + report->nwarnings) * sizeof *all);
    if (!all)
        return SCALANA_ENOMEM;
    for (uint32_t i = 0; i < added; i++)
        all[i] = sca_report_string(report, sentences->list[i]);
    for (uint32_t i = 0; i < report->nwarnings; i++)
        all[added + i] = report->warnings[i];
    report->warnings = all;
    report->nwarnings += added;
    return SCALANA_OK;
}

int sca_ending_warn(const scalana_runs *runs, struct sca_report *report)
{
    struct sca_words sentences = {0};
    int status = tell_all(runs, &sentences);
    if (!status && sentences.count)
        status = put_in_front(report, &sentences);
    sca_words_free(&sentences);
    return status;
}
