#include "report/behaviour.h"
#include "activity/class_leavers.h"
#include "advice/advice.h"
#include "activity/class_spread.h"
#include "activity/rank_summary.h"
#include "pictures/picture_activity.h"
#include "pictures/picture_contract.h"
#include "pictures/picture_write.h"
#include "report/report_memory.h"

#include <stdlib.h>
#include <string.h>

/* A report of more ranks is to stay within its time and memory: the views have their classes. */
enum { MOST_RANKS = 2048 };
enum { MOST_CLASSES = 256, MOST_PAGE_CLASSES = 24, MOST_PAGE_NODES = 1200 };

/* ---- classes ---- */

static void fill_class(struct sca_analysis *c, const struct sca_rank_class *from,
                       const struct sca_class_spread *spread, struct sca_report_class *to)
{
    *to = (struct sca_report_class){.role = sca_rank_role_name(from->role),
                                    .graph = from->shape + 1,
                                    .nranks = from->n,
                                    .own_mean_s = spread->own_mean,
                                    .own_least_s = spread->own_least,
                                    .own_most_s = spread->own_most,
                                    .own_sd_s = spread->own_deviation,
                                    .mpi_mean_s = spread->mpi_mean,
                                    .calls = spread->calls,
                                    .slower = spread->slower,
                                    .least_peers = spread->least_peers,
                                    .most_peers = spread->most_peers};
    to->ranks = sca_report_memory_take(c, from->n, sizeof *to->ranks);
    memcpy(to->ranks, from->ranks, from->n * sizeof *to->ranks);
}

static void fill_leavers(struct sca_analysis *c, const struct sca_rank_shapes *shapes)
{
    struct sca_report_behaviour *to = &c->report->behaviour;
    struct sca_class_leavers leavers;
    sca_class_leavers_find(c->space, c->ppg->runs[c->last].profile->series, shapes,
                           c->measures[c->last].shared, &leavers);
    to->nleavers = leavers.n;
    to->leavers = sca_report_memory_take(c, leavers.n, sizeof *to->leavers);
    for (uint32_t i = 0; i < leavers.n; i++) {
        const struct sca_class_leaver *l = &leavers.of[i];
        to->leavers[i] = (struct sca_report_leaver){.rank = l->rank,
                                                    .iteration = (double)l->iteration,
                                                    .at_s = l->at_s,
                                                    .before = l->before,
                                                    .after = l->after};
    }
}

static void fill_classes(struct sca_analysis *c, const struct sca_task_source *source)
{
    struct sca_report_behaviour *to = &c->report->behaviour;
    struct sca_rank_classes classes;
    sca_rank_classes_find(c->space, source, 0, &classes);
    const struct sca_class_spread *spread = sca_class_spread_find(c->space, source, &classes);
    to->nclasses = classes.n < MOST_CLASSES ? classes.n : MOST_CLASSES;
    to->nclasses_left_out = classes.n - to->nclasses;
    to->classes = sca_report_memory_take(c, to->nclasses, sizeof *to->classes);
    for (uint32_t i = 0; i < to->nclasses; i++)
        fill_class(c, &classes.of[i], &spread[i], &to->classes[i]);
    fill_leavers(c, &classes.shapes);
}

/* A text has no classes, but says who left one. */
static void fill_leavers_alone(struct sca_analysis *c, const struct sca_task_source *source)
{
    struct sca_rank_shapes shapes;
    if (!c->ppg->runs[c->last].profile->series)
        return;
    sca_rank_shapes_find(c->space, source, &shapes);
    fill_leavers(c, &shapes);
}

/* ---- advice ---- */

static const char *kind_of(enum sca_advice_kind kind)
{
    static const char *const names[] = {[SCA_ADVICE_SMALL_MESSAGES] = "small-messages",
                                        [SCA_ADVICE_LATE_RECEIVE] = "late-receive",
                                        [SCA_ADVICE_OVERLAP] = "overlap",
                                        [SCA_ADVICE_LATENCY] = "latency-bound",
                                        [SCA_ADVICE_BANDWIDTH] = "bandwidth-bound",
                                        [SCA_ADVICE_TOO_MANY_WORKERS] = "too-many-workers"};
    return names[kind];
}

static void fill_advice(struct sca_analysis *c)
{
    struct sca_advices found;
    struct sca_report *report = c->report;
    double base = c->accounts[c->last].base;
    sca_advice_find(c, &found);
    report->nadvice = found.n;
    report->advice = sca_report_memory_take(c, found.n, sizeof *report->advice);
    for (uint32_t i = 0; i < found.n; i++) {
        const struct sca_advice *a = &found.of[i];
        uint32_t *ranks = sca_report_memory_take(c, a->nranks, sizeof *ranks);
        memcpy(ranks, a->ranks, a->nranks * sizeof *ranks);
        report->advice[i] =
            (struct sca_report_advice){.kind = kind_of(a->kind),
                                       .text = sca_report_string(report, a->text),
                                       .estimate = a->by_replay ? "replay" : "model",
                                       .vertex = a->vertex,
                                       .nranks = a->nranks,
                                       .ranks = ranks,
                                       .gain_core_s = a->gain,
                                       .gain_share = base > 0 ? a->gain / base : 0};
    }
}

/* ---- drawing ---- */

static void draw(struct sca_analysis *c, const struct sca_task_source *source)
{
    static const double parts[] = {1, 5}; /* percent of the time */
    for (size_t i = 0; i < sizeof parts / sizeof *parts && !c->report->drawing; i++) {
        struct sca_picture picture;
        sca_picture_of_classes(c->space, source, &picture);
        if (picture.ngroups > MOST_PAGE_CLASSES)
            return;
        sca_picture_mark_abnormal(&picture, c->settings->abnorm_thd);
        sca_picture_contract(&picture, parts[i] / 100);
        char *text = NULL;
        size_t length = 0;
        FILE *out = picture.nnodes > MOST_PAGE_NODES ? NULL : open_memstream(&text, &length);
        if (!out)
            continue;
        sca_picture_put_svg(out, &picture, false);
        fclose(out);
        c->report->drawing = text ? sca_report_string(c->report, text) : NULL;
        free(text);
    }
}

void sca_behaviour_fill(struct sca_analysis *c)
{
    const struct sca_ppg_run *run = &c->ppg->runs[c->last];
    struct sca_task_source source = {
        c->ppg, run, NULL, sca_workspace_opened(c->space, run->profile), c->ends, NULL};
    if (run->nranks > MOST_RANKS)
        return;
    if (c->settings->text_only) {
        fill_leavers_alone(c, &source);
        return;
    }
    source.summary = sca_rank_summary_of(c->space, &source);
    fill_classes(c, &source);
    if (c->team->size == 1) /* waits are those of all */
        fill_advice(c);
    if (c->settings->html)
        draw(c, &source);
}
