/* Message sizes and durations of each MPI call: what it sent, received, or took part in. */
#include "communication/calls.h"
#include "views/view.h"
#include "views/whole_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    WAY,
    MESSAGES,
    BYTES,
    MEAN_BYTES,
    SECONDS,
    RECORDED,
    MIN_BYTES,
    MAX_BYTES,
    SD_BYTES,
    CALLS,
    MEAN_S,
    MIN_S,
    MAX_S,
    SD_S,
    RECORDED_CALLS,
    CLASSES,
    COLUMNS
};

static const struct sca_column columns[COLUMNS] = {
    [WAY] = {"way", "way", SCA_CELL_TEXT},
    [MESSAGES] = {"messages", "messages", SCA_CELL_NUMBER},
    [BYTES] = {"bytes", "bytes", SCA_CELL_NUMBER},
    [MEAN_BYTES] = {"mean_bytes", "mean size", SCA_CELL_NUMBER},
    [SECONDS] = {"core_s", "core-s", SCA_CELL_SECONDS},
    [RECORDED] = {"recorded_messages", NULL, SCA_CELL_COUNT},
    [MIN_BYTES] = {"min_bytes", NULL, SCA_CELL_COUNT},
    [MAX_BYTES] = {"max_bytes", NULL, SCA_CELL_COUNT},
    [SD_BYTES] = {"sd_bytes", NULL, SCA_CELL_NUMBER},
    [CALLS] = {"calls", NULL, SCA_CELL_COUNT},
    [MEAN_S] = {"mean_s", NULL, SCA_CELL_SECONDS},
    [MIN_S] = {"min_s", NULL, SCA_CELL_SECONDS},
    [MAX_S] = {"max_s", NULL, SCA_CELL_SECONDS},
    [SD_S] = {"sd_s", NULL, SCA_CELL_SECONDS},
    [RECORDED_CALLS] = {"recorded_calls", NULL, SCA_CELL_COUNT},
    [CLASSES] = {"by_size_class", NULL, SCA_CELL_SERIES},
};

static const char *const ways[] = {"sent", "received", "collective"};

enum { CLASS_BEGIN, CLASS_MESSAGES, CLASS_COLLECTIVES, CLASS_COLUMNS };

static const struct sca_column class_columns[CLASS_COLUMNS] = {
    [CLASS_BEGIN] = {"from_bytes", NULL, SCA_CELL_COUNT},
    [CLASS_MESSAGES] = {"messages", NULL, SCA_CELL_COUNT},
    [CLASS_COLLECTIVES] = {"collectives", NULL, SCA_CELL_COUNT},
};

struct listing_of_calls {
    const struct sca_view_input *in;
    const struct sca_ppg_run *run;
    struct sca_calls calls;
    uint32_t *order, n; /* vertex * ways + way, most bytes first */
    struct sca_table *out;
};

/* ---- one call ---- */

/* "500 B", "1.02 kB" */
static const char *size(struct sca_table *out, double bytes)
{
    char figure[SCA_FIGURE];
    if (isnan(bytes))
        return "n/a";
    sca_table_figure(figure, bytes);
    return sca_table_text(out, "%s%sB", figure, strchr(figure, ' ') ? "" : " ");
}

/* Figures seen one by one stand for all where all were. */
static const char *describe(const struct listing_of_calls *l, const struct sca_row *row)
{
    const struct sca_cell *c = row->cells;
    struct sca_table *out = l->out;
    const char *sizes = "size of each n/a";
    if (c[RECORDED].number > 0)
        sizes = sca_table_text(out, "size %s to %s, sd %s%s", size(out, c[MIN_BYTES].number),
                               size(out, c[MAX_BYTES].number), size(out, c[SD_BYTES].number),
                               c[RECORDED].number < c[MESSAGES].number
                                   ? sca_table_text(out, " (of %.0f recorded)", c[RECORDED].number)
                                   : "");
    return sca_table_text(
        out, "%s\na call takes %s to %s, mean %s, sd %s", sizes,
        sca_table_duration(out, c[MIN_S].number), sca_table_duration(out, c[MAX_S].number),
        sca_table_duration(out, c[MEAN_S].number), sca_table_duration(out, c[SD_S].number));
}

static void fill_sizes(const struct sca_call_sizes *s, struct sca_cell *cells)
{
    bool seen = s->recorded.count > 0;
    cells[MESSAGES].number = s->messages;
    cells[BYTES].number = s->bytes;
    cells[MEAN_BYTES].number = s->bytes / s->messages;
    cells[RECORDED].number = s->recorded.count;
    cells[MIN_BYTES].number = seen ? s->recorded.least : (double)NAN;
    cells[MAX_BYTES].number = seen ? s->recorded.most : (double)NAN;
    cells[SD_BYTES].number = sca_spread_deviation(&s->recorded);
    cells[CLASSES] = (struct sca_cell){.series = s->by_class, .count = SCA_SIZE_CLASSES};
}

static void fill_times(const struct sca_call_times *t, struct sca_cell *cells)
{
    cells[SECONDS].number = t->seconds;
    cells[CALLS].number = t->calls;
    cells[MEAN_S].number = t->calls > 0 ? t->seconds / t->calls : (double)NAN;
    cells[MIN_S].number = t->shortest;
    cells[MAX_S].number = t->longest;
    bool all = t->counted.count > 0 && t->counted.count >= t->calls;
    cells[SD_S].number = sca_spread_deviation(all ? &t->counted : &t->recorded);
    cells[RECORDED_CALLS].number = t->recorded.count;
}

static void add(const struct listing_of_calls *l, uint32_t which)
{
    uint32_t vertex = which / SCA_CALL_WAYS;
    struct sca_row *row = sca_table_row(l->out, &l->in->ppg->vertices[vertex]);
    row->cells[WAY].text = ways[which % SCA_CALL_WAYS];
    fill_sizes(&l->calls.sizes[which], row->cells);
    fill_times(&l->calls.times[vertex], row->cells);
    row->detail = describe(l, row);
}

/* ---- all of them ---- */

static int by_bytes(const void *a, const void *b, void *sizes)
{
    const struct sca_call_sizes *all = sizes;
    const struct sca_call_sizes *x = &all[*(const uint32_t *)a], *y = &all[*(const uint32_t *)b];
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? 1 : -1;
    if (x->messages != y->messages)
        return x->messages < y->messages ? 1 : -1;
    return x < y ? -1 : x > y;
}

static void put_in_order(struct listing_of_calls *l)
{
    uint32_t all = l->in->ppg->nvertices * SCA_CALL_WAYS;
    l->order = sca_workspace_alloc(l->in->space, all, sizeof *l->order);
    for (uint32_t i = 0; i < all; i++)
        if (l->calls.sizes[i].messages > 0)
            l->order[l->n++] = i;
    if (l->n)
        qsort_r(l->order, l->n, sizeof *l->order, by_bytes, l->calls.sizes);
}

/* "1.02 kB to 4.09 kB" */
static const char *name_class(struct sca_table *out, uint32_t k)
{
    if (k == 0)
        return "empty";
    const char *from = size(out, sca_size_class_begin(k));
    if (k + 1 == SCA_SIZE_CLASSES)
        return sca_table_text(out, "from %s", from);
    return sca_table_text(out, "%s to %s", from, size(out, sca_size_class_begin(k + 1) - 1));
}

/* Messages are counted where they are sent. */
static void add_classes(const struct listing_of_calls *l, struct sca_table *answer)
{
    char sent[SCA_FIGURE], collective[SCA_FIGURE];
    for (uint32_t k = 0; k < SCA_SIZE_CLASSES; k++) {
        double of[SCA_CALL_WAYS] = {0};
        for (uint32_t i = 0; i < l->n; i++)
            of[l->order[i] % SCA_CALL_WAYS] += l->calls.sizes[l->order[i]].by_class[k];
        if (of[SCA_CALL_SENT] <= 0 && of[SCA_CALL_COLLECTIVE] <= 0)
            continue;
        struct sca_row *row = sca_table_row(answer, NULL);
        row->label =
            sca_table_text(answer, "%-20s %8s messages %8s collective calls", name_class(answer, k),
                           sca_table_figure(sent, of[SCA_CALL_SENT]),
                           sca_table_figure(collective, of[SCA_CALL_COLLECTIVE]));
        row->cells[CLASS_BEGIN].number = sca_size_class_begin(k);
        row->cells[CLASS_MESSAGES].number = of[SCA_CALL_SENT];
        row->cells[CLASS_COLLECTIVES].number = of[SCA_CALL_COLLECTIVE];
    }
}

static bool is_spread_known(const struct sca_call_times *t)
{
    return t->recorded.count > 1 || t->calls <= 1 || t->counted.count >= t->calls;
}

static void add_notes(const struct listing_of_calls *l, bool extremes)
{
    bool timed = true;
    for (uint32_t v = 0; v < l->in->ppg->nvertices; v++)
        timed &= is_spread_known(&l->calls.times[v]);
    sca_table_note(l->out,
                   "Numbers, bytes and means are exact. Size classes take each message at its own "
                   "size where all were recorded, else at the mean of its call path, rank and "
                   "partner. Least, most and sd (standard "
                   "deviation) of sizes are of the messages in recorded iterations.");
    if (!extremes)
        sca_table_note(l->out,
                       "Shortest and longest calls are n/a: runs of more than %d ranks, "
                       "several worlds and --since do not have them.",
                       SCA_WHOLE_RUN_RANKS);
    else
        sca_table_note(l->out, "Shortest and longest calls are rounded outwards by up to 1/64.");
    if (!timed)
        sca_table_note(
            l->out,
            "sd n/a of durations: of more than 8 ranks, the run counts the lengths of calls "
            "that take a 64th of a rank's time. SCALANA_RECORD=full records each call.");
}

void sca_view_messages(const struct sca_view_input *in, struct sca_table *out)
{
    struct listing_of_calls l = {.in = in, .run = &in->ppg->runs[in->ppg->nruns - 1], .out = out};
    struct sca_table *answer = sca_workspace_alloc(in->space, 1, sizeof *answer);
    struct sca_profile *whole = sca_whole_run_load(in, l.run);
    sca_calls_collect(in->space, in->ppg, l.run, whole, &l.calls);
    bool extremes = whole;
    sca_profile_free(whole);
    put_in_order(&l);
    *answer =
        (struct sca_table){.space = in->space, .columns = class_columns, .ncolumns = CLASS_COLUMNS};
    add_classes(&l, answer);
    out->answer = answer->nrows ? answer : NULL;
    out->columns = columns;
    out->ncolumns = COLUMNS;
    out->title = sca_table_text(out, "%s on %u ranks: messages and collectives of each MPI call",
                                in->ppg->program, l.run->nranks);
    for (uint32_t i = 0; i < l.n; i++)
        if (in->top && i >= in->top)
            out->left_out++;
        else
            add(&l, l.order[i]);
    if (!l.n)
        sca_table_note(out, "No rank sent, received or took part in a collective.");
    else
        add_notes(&l, extremes);
}
