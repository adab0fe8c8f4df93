#include "report/timelines.h"
#include "price/what_if.h"
#include "report/play.h"
#include "report/report_memory.h"
#include "timeline/by_length.h"
#include "timeline/pieces.h"
#include "timeline/slice_replay.h"

#include <math.h>
#include <stdlib.h>

enum { CHOSEN = 3, MOST_ROWS = 256, LEAST_ROWS = 32, CAUSE_PART = 4 /* of the rows */ };

static const char *const names[CHOSEN] = {"typical", "slowest", "rarest"};

/* ---- which windows ---- */

struct windows { /* that there are */
    uint32_t n;
    double *end, *stands_for; /* each one's virtual time; windows of the run */
};

static struct windows windows_of(struct sca_analysis *c, uint32_t n)
{
    return (struct windows){n, sca_workspace_alloc(c->space, n, sizeof(double)),
                            sca_workspace_alloc(c->space, n, sizeof(double))};
}

static int by_end(const void *a, const void *b, void *ends)
{
    const double *end = ends;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    if (end[x] != end[y])
        return end[x] < end[y] ? -1 : 1;
    return x < y ? -1 : x > y;
}

static void choose(struct sca_analysis *c, const struct windows *of, uint32_t chosen[CHOSEN])
{
    uint32_t n = of->n, rarest = 0;
    uint32_t *order = sca_workspace_alloc(c->space, n, sizeof *order);
    for (uint32_t i = 0; i < n; i++) {
        order[i] = i;
        if (of->stands_for[i] < of->stands_for[rarest])
            rarest = i;
    }
    qsort_r(order, n, sizeof *order, by_end, of->end);
    chosen[0] = order[n / 2];
    chosen[1] = order[n - 1] != chosen[0] ? order[n - 1] : SCA_NONE;
    bool rare = of->stands_for[rarest] < of->stands_for[chosen[0]];
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

/* ---- what was recorded ---- */

static struct windows measure(struct sca_analysis *c, const struct sca_pieces *pieces)
{
    const struct windows windows = windows_of(c, pieces->count);
    for (uint32_t i = 0; i < pieces->count; i++) {
        struct sca_workspace scratch = {.out_of_memory = c->space->out_of_memory};
        struct sca_slice_replay play;
        sca_slice_replay_make(&scratch, &c->ppg->runs[c->last], pieces->of[i].slices, &play);
        windows.end[i] = play.replay.end / fmax(1, pieces->of[i].iterations);
        windows.stands_for[i] = (double)pieces->of[i].stands_for;
        sca_workspace_free(&scratch);
    }
    return windows;
}

static void fill(struct sca_analysis *c, const struct sca_replay *replay, uint32_t place,
                 struct sca_by_length *by_length, struct sca_report_timeline *to)
{
    to->name = names[place];
    take_rows(c, replay, to);
    sca_play_fill(c, replay, to, by_length, &to->measured);
}

static void fill_piece(struct sca_analysis *c, const struct sca_piece *piece, uint32_t place,
                       struct sca_by_length *by_length, struct sca_report_timeline *to)
{
    struct sca_slice_replay play;
    sca_slice_replay_make(c->space, &c->ppg->runs[c->last], piece->slices, &play);
    fill(c, &play.replay, place, by_length, to);
}

static void date(const struct sca_piece *piece, struct sca_report_timeline *to)
{
    to->begin_s = 1e-9 * (double)piece->begin_ns;
    to->iterations = piece->iterations;
}

/* ---- windows that stand for the run: the verdict's replays ---- */

/* The recorded windows that the replays are of, by their numbers; none where they are others. */
static struct sca_pieces pieces_of(struct sca_analysis *c, const struct sca_stage *stage)
{
    struct sca_pieces pieces;
    sca_pieces_find(c->space, &c->ppg->runs[c->last], false, &pieces);
    bool same = pieces.count == stage->traces->all;
    for (uint32_t i = 0; i < stage->nreplays && same; i++) {
        const struct sca_trace *trace = stage->replays[i].trace;
        same = trace->number < pieces.count && !trace->windows.count;
    }
    return same ? pieces : (struct sca_pieces){0};
}

static struct windows windows_of_replays(struct sca_analysis *c, const struct sca_stage *stage,
                                         const struct sca_pieces *pieces)
{
    const struct windows windows = windows_of(c, stage->nreplays);
    const struct windows recorded = measure(c, pieces);
    for (uint32_t i = 0; i < windows.n; i++) {
        const struct sca_replay *replay = &stage->replays[i];
        uint32_t number = replay->trace->number;
        windows.end[i] = pieces->count ? recorded.end[number] : replay->end;
        windows.stands_for[i] = pieces->count ? recorded.stands_for[number] : replay->trace->weight;
    }
    return windows;
}

/* Below what it does not shorten, the mended one says nothing. */
static void mend(struct sca_analysis *c, struct sca_stage *stage, const uint32_t *which,
                 struct sca_by_length *by_length, struct sca_report_timelines *all)
{
    const struct sca_finding *first = c->causes.items[0];
    if (sca_finding_is_of_threads(first))
        return; /* its gain is no matter of waits between ranks */
    sca_what_if_level(stage, &first, 1);
    for (uint32_t i = 0; i < all->count; i++) {
        const struct sca_replay *replay = &stage->replays[which[i]];
        if (!stage->even || replay->end < all->of[i].measured.end)
            sca_play_fill(c, replay, &all->of[i], by_length, &all->of[i].mended);
    }
    sca_what_if_level(stage, NULL, 0);
}

/* Where ranks share cores, replays are without the scatter of single instances: the recorded
 * windows have it. */
static void of_replays(struct sca_analysis *c, struct sca_stage *stage,
                       struct sca_by_length *by_length, struct sca_report_timelines *all)
{
    uint32_t chosen[CHOSEN], which[CHOSEN];
    const struct sca_pieces pieces = pieces_of(c, stage);
    sca_what_if_level(stage, NULL, 0);
    const struct windows windows = windows_of_replays(c, stage, &pieces);
    choose(c, &windows, chosen);
    for (uint32_t i = 0; i < CHOSEN; i++) {
        if (chosen[i] == SCA_NONE)
            continue;
        const struct sca_replay *replay = &stage->replays[which[all->count] = chosen[i]];
        struct sca_report_timeline *to = &all->of[all->count++];
        to->stands_for = replay->trace->weight;
        const struct sca_piece *piece = pieces.count ? &pieces.of[replay->trace->number] : NULL;
        to->begin_s = -1;
        if (piece)
            date(piece, to);
        if (piece && stage->even)
            fill_piece(c, piece, i, by_length, to);
        else
            fill(c, replay, i, by_length, to);
    }
    if (c->causes.count)
        mend(c, stage, which, by_length, all);
}

/* ---- windows alone, as of a run that was killed: its verdict comes from totals ---- */

static void of_windows(struct sca_analysis *c, struct sca_by_length *by_length,
                       struct sca_report_timelines *all)
{
    struct sca_pieces pieces;
    uint32_t chosen[CHOSEN];
    sca_pieces_find(c->space, &c->ppg->runs[c->last], false, &pieces);
    if (!pieces.count)
        return;
    const struct windows windows = measure(c, &pieces);
    choose(c, &windows, chosen);
    for (uint32_t i = 0; i < CHOSEN; i++) {
        if (chosen[i] == SCA_NONE)
            continue;
        struct sca_report_timeline *to = &all->of[all->count++];
        to->stands_for = windows.stands_for[chosen[i]];
        date(&pieces.of[chosen[i]], to);
        fill_piece(c, &pieces.of[chosen[i]], i, by_length, to);
    }
}

/* ---- all ---- */

void sca_timelines_fill(struct sca_analysis *c)
{
    struct sca_stage *stage = &c->stages[c->last];
    struct sca_report_timelines *all = sca_report_memory_take(c, 1, sizeof *all);
    struct sca_by_length by_length;
    bool stand =
        stage->traces->recorded && stage->nreplays && stage->nreplays == stage->traces->all;
    all->kept = c->settings->timelines;
    c->report->timelines = all;
    if (c->team->size > 1 || (stage->traces->recorded && !stand))
        return;
    all->of = sca_report_memory_take(c, CHOSEN, sizeof *all->of);
    all->kinds = sca_play_kinds(c, &all->nkinds);
    sca_by_length_find(c->space, c->ppg, &c->ppg->runs[c->last], &by_length);
    if (stand)
        of_replays(c, stage, &by_length, all);
    else
        of_windows(c, &by_length, all);
}
