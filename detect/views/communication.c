/* Who sends to whom: the matrix of messages between ranks as a picture, pairs of ranks as rows. */
#include "communication/calls.h"
#include "communication/pairs.h"
#include "views/matrix.h"
#include "views/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FROM, TO, MESSAGES, BYTES, SHARE, MEAN, RECEIVED, RECEIVED_BYTES, COLUMNS };

static const struct sca_column columns[COLUMNS] = {
    [FROM] = {"from", NULL, SCA_CELL_COUNT},
    [TO] = {"to", NULL, SCA_CELL_COUNT},
    [MESSAGES] = {"messages", "messages", SCA_CELL_NUMBER},
    [BYTES] = {"bytes", "bytes", SCA_CELL_NUMBER},
    [SHARE] = {"share", "share", SCA_CELL_SHARE},
    [MEAN] = {"mean_bytes", "mean size", SCA_CELL_NUMBER},
    [RECEIVED] = {"received", NULL, SCA_CELL_COUNT},
    [RECEIVED_BYTES] = {"received_bytes", NULL, SCA_CELL_COUNT},
};

static int by_bytes(const void *a, const void *b)
{
    const struct sca_pair *x = *(const struct sca_pair *const *)a;
    const struct sca_pair *y = *(const struct sca_pair *const *)b;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? 1 : -1;
    if (x->messages != y->messages)
        return x->messages < y->messages ? 1 : -1;
    return x < y ? -1 : x > y;
}

static void add(const struct sca_pairs *pairs, const struct sca_pair *p, struct sca_table *out)
{
    struct sca_row *row = sca_table_row(out, NULL);
    row->label = sca_table_text(out, "rank %u to rank %u", p->from, p->to);
    row->cells[FROM].number = p->from;
    row->cells[TO].number = p->to;
    row->cells[MESSAGES].number = (double)p->messages;
    row->cells[BYTES].number = (double)p->bytes;
    row->cells[SHARE].number = pairs->bytes ? (double)p->bytes / (double)pairs->bytes : (double)NAN;
    row->cells[MEAN].number = p->messages ? (double)p->bytes / (double)p->messages : (double)NAN;
    row->cells[RECEIVED].number = (double)p->received;
    row->cells[RECEIVED_BYTES].number = (double)p->received_bytes;
    if (p->received != p->messages || p->received_bytes != p->bytes)
        row->detail =
            sca_table_text(out, "received: %llu messages, %llu bytes",
                           (unsigned long long)p->received, (unsigned long long)p->received_bytes);
}

static void add_pairs(const struct sca_view_input *in, const struct sca_pairs *pairs,
                      struct sca_table *out)
{
    const struct sca_pair **order = sca_workspace_alloc(in->space, pairs->count, sizeof(void *));
    for (uint32_t i = 0; i < pairs->count; i++)
        order[i] = &pairs->of[i];
    if (pairs->count)
        qsort(order, pairs->count, sizeof *order, by_bytes);
    for (uint32_t i = 0; i < pairs->count; i++)
        if (in->top && i >= in->top)
            out->left_out++;
        else
            add(pairs, order[i], out);
}

/* ---- notes ---- */

static void note_collectives(const struct sca_view_input *in, const struct sca_ppg_run *run,
                             struct sca_table *out)
{
    struct sca_calls calls;
    double n = 0, bytes = 0;
    char count[SCA_FIGURE], size[SCA_FIGURE];
    sca_calls_collect(in->space, in->ppg, run, NULL, &calls);
    for (uint32_t v = 0; v < in->ppg->nvertices; v++) {
        n += calls.sizes[(size_t)v * SCA_CALL_WAYS + SCA_CALL_COLLECTIVE].messages;
        bytes += calls.sizes[(size_t)v * SCA_CALL_WAYS + SCA_CALL_COLLECTIVE].bytes;
    }
    if (n > 0)
        sca_table_note(
            out,
            "Collectives are not in the matrix: MPI does not say who sends to whom. "
            "Ranks called them %s times, with %s bytes of their own data: --view=messages.",
            sca_table_figure(count, n), sca_table_figure(size, bytes));
}

static void note_missing(const struct sca_pairs *pairs, struct sca_table *out)
{
    if (pairs->other_world)
        sca_table_note(out,
                       "%llu messages to or from ranks of another MPI_COMM_WORLD are in no pair.",
                       (unsigned long long)pairs->other_world);
    if (pairs->unknown)
        sca_table_note(out, "%llu messages are in no pair: the partner could not be identified.",
                       (unsigned long long)pairs->unknown);
    if (pairs->absent)
        sca_table_note(out, "%u rank%s left nothing: what they sent is missing.", pairs->absent,
                       pairs->absent == 1 ? "" : "s");
}

static void note_unequal(const struct sca_pairs *pairs, struct sca_table *out)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < pairs->count; i++)
        n += pairs->of[i].messages != pairs->of[i].received ||
             pairs->of[i].bytes != pairs->of[i].received_bytes;
    if (n)
        sca_table_note(out,
                       "%u pair%s of ranks sent and received different numbers: messages never "
                       "received, or counted by one side only.",
                       n, n == 1 ? "" : "s");
}

/* The matrix is of one run: what the others have in all. */
static void note_runs(const struct sca_view_input *in, struct sca_table *out)
{
    const struct sca_ppg *ppg = in->ppg;
    char messages[SCA_FIGURE], bytes[SCA_FIGURE];
    struct sca_pairs pairs;
    for (uint32_t i = 0; ppg->nruns > 1 && i < ppg->nruns; i++) {
        sca_pairs_collect(in->space, &ppg->runs[i], &pairs);
        sca_table_note(out, "%s: %u ranks, %s messages, %s bytes%s",
                       ppg->runs[i].profile->directory, ppg->runs[i].nranks,
                       sca_table_figure(messages, (double)pairs.messages),
                       sca_table_figure(bytes, (double)pairs.bytes),
                       i + 1 == ppg->nruns ? ": this run is shown." : ".");
    }
}

void sca_view_communication(const struct sca_view_input *in, struct sca_table *out)
{
    const struct sca_ppg_run *run = &in->ppg->runs[in->ppg->nruns - 1];
    struct sca_matrix *matrix = sca_workspace_alloc(in->space, 1, sizeof *matrix);
    struct sca_pairs *pairs = &matrix->pairs;
    char messages[SCA_FIGURE], bytes[SCA_FIGURE];
    sca_pairs_collect(in->space, run, pairs);
    sca_pairs_by_block(in->space, pairs, SCA_MATRIX_MOST, &matrix->blocks);
    out->columns = columns;
    out->ncolumns = COLUMNS;
    out->title = sca_table_text(out, "%s on %u ranks: who sends to whom, %s messages, %s bytes",
                                in->ppg->program, run->nranks,
                                sca_table_figure(messages, (double)pairs->messages),
                                sca_table_figure(bytes, (double)pairs->bytes));
    add_pairs(in, pairs, out);
    out->drawing = pairs->count ? matrix : NULL;
    out->draw = sca_matrix_draw;
    if (!pairs->count)
        sca_table_note(out, "No rank sent a message to another one.");
    note_runs(in, out);
    note_collectives(in, run, out);
    note_missing(pairs, out);
    note_unequal(pairs, out);
}
