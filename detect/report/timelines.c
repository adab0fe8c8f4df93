#include "report/timelines.h"
#include "price/what_if.h"
#include "report/play.h"
#include "report/report_memory.h"
#include "timeline/by_length.h"
#include "timeline/pieces.h"

#include <math.h>
#include <stdlib.h>

enum { CHOSEN = 3, MOST_ROWS = 256, LEAST_ROWS = 32, CAUSE_PART = 4 /* of the rows */ };

static const char *const names[CHOSEN] = {"typical", "slowest", "rarest"};

/* ---- which windows ---- */

static int by_end(const void *a, const void *b, void *replays)
{
    const struct sca_replay *of = replays;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    if (of[x].end != of[y].end)
        return of[x].end < of[y].end ? -1 : 1;
    return x < y ? -1 : x > y;
}

static void choose(struct sca_analysis *c, const struct sca_stage *stage, uint32_t chosen[CHOSEN])
{
    uint32_t n = stage->nreplays, rarest = 0;
    uint32_t *order = sca_workspace_alloc(c->space, n, sizeof *order);
    for (uint32_t i = 0; i < n; i++) {
        order[i] = i;
        if (stage->replays[i].trace->weight < stage->replays[rarest].trace->weight)
            rarest = i;
    }
    qsort_r(order, n, sizeof *order, by_end, stage->replays);
    chosen[0] = order[n / 2];
    chosen[1] = order[n - 1] != chosen[0] ? order[n - 1] : SCA_NONE;
    bool rare = stage->replays[rarest].trace->weight < stage->replays[chosen[0]].trace->weight;
    chosen[2] = rare && rarest != chosen[1] ? rarest : SCA_NONE;
}

/* ---- which ranks ---- */

static int by_rank(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static uint32_t without_doubles(uint32_t *ranks, uint32_t n)
{
    uint32_t kept = 0;
    qsort(ranks, n, sizeof *ranks, by_rank);
    for (uint32_t i = 0; i < n; i++)
        if (!kept || ranks[kept - 1] != ranks[i])
            ranks[kept++] = ranks[i];
    return kept;
}

/* All of them; of more than `rows`, evenly, and those of the first cause. */
static uint32_t take_ranks(const struct sca_analysis *c, uint32_t nranks, uint32_t rows,
                           uint32_t *ranks)
{
    const struct sca_finding *first = c->causes.count ? c->causes.items[0] : NULL;
    uint32_t n = 0, most = nranks <= rows ? nranks : rows - rows / CAUSE_PART;
    for (uint32_t i = 0; i < most; i++)
        ranks[n++] = (uint32_t)((uint64_t)i * nranks / most);
    for (uint32_t i = 0; most < nranks && first && i < first->nranks && i < rows / CAUSE_PART; i++)
        ranks[n++] = first->ranks[i];
    return without_doubles(ranks, n);
}

/* As many as leave room for all of the window: half of them, and so on. */
static void take_rows(struct sca_analysis *c, const struct sca_replay *replay,
                      struct sca_report_timeline *to)
{
    uint32_t rows = MOST_ROWS;
    to->ranks = sca_report_memory_take(c, MOST_ROWS, sizeof *to->ranks);
    to->calls = sca_report_memory_take(c, MOST_ROWS, sizeof *to->calls);
    do {
        to->nrows = take_ranks(c, replay->trace->nranks, rows, to->ranks);
        to->shown = sca_play_shown(c, replay, to);
        rows /= 2;
    } while (to->shown < replay->end && rows >= LEAST_ROWS);
}

/* ---- all ---- */

/* When a window began, where they are those that were recorded. */
static void date(struct sca_analysis *c, const struct sca_stage *stage,
                 const struct sca_trace *trace, struct sca_report_timeline *to)
{
    struct sca_pieces pieces;
    const struct sca_ppg_run *run = &c->ppg->runs[c->last];
    sca_pieces_find(c->space, run, false, &pieces);
    to->begin_s = -1;
    if (pieces.count != stage->traces->all || trace->number >= pieces.count || trace->windows.count)
        return;
    to->begin_s = 1e-9 * (double)pieces.of[trace->number].begin_ns;
    to->iterations = pieces.of[trace->number].iterations;
}

static void begin(struct sca_analysis *c, const struct sca_stage *stage, uint32_t which,
                  uint32_t place, struct sca_by_length *by_length, struct sca_report_timeline *to)
{
    const struct sca_replay *replay = &stage->replays[which];
    to->name = names[place];
    to->stands_for = replay->trace->weight;
    take_rows(c, replay, to);
    date(c, stage, replay->trace, to);
    sca_play_fill(c, replay, to, by_length, &to->measured);
}

static void mend(struct sca_analysis *c, struct sca_stage *stage, const uint32_t *which,
                 struct sca_by_length *by_length, struct sca_report_timelines *all)
{
    const struct sca_finding *first = c->causes.items[0];
    if (sca_finding_is_of_threads(first))
        return; /* its gain is no matter of waits between ranks */
    sca_what_if_level(stage, &first, 1);
    for (uint32_t i = 0; i < all->count; i++)
        sca_play_fill(c, &stage->replays[which[i]], &all->of[i], by_length, &all->of[i].mended);
    sca_what_if_level(stage, NULL, 0);
}

void sca_timelines_fill(struct sca_analysis *c)
{
    struct sca_stage *stage = &c->stages[c->last];
    uint32_t chosen[CHOSEN], which[CHOSEN];
    struct sca_report_timelines *all = sca_report_memory_take(c, 1, sizeof *all);
    struct sca_by_length by_length;
    all->kept = c->settings->timelines;
    c->report->timelines = all;
    if (c->team->size > 1 || !stage->traces->recorded || !stage->nreplays ||
        stage->nreplays != stage->traces->all)
        return;
    all->of = sca_report_memory_take(c, CHOSEN, sizeof *all->of);
    all->kinds = sca_play_kinds(c, &all->nkinds);
    sca_what_if_level(stage, NULL, 0);
    sca_by_length_find(c->space, c->ppg, &c->ppg->runs[c->last], &by_length);
    choose(c, stage, chosen);
    for (uint32_t i = 0; i < CHOSEN; i++)
        if (chosen[i] != SCA_NONE) {
            which[all->count] = chosen[i];
            begin(c, stage, chosen[i], i, &by_length, &all->of[all->count++]);
        }
    if (c->causes.count)
        mend(c, stage, which, &by_length, all);
}
