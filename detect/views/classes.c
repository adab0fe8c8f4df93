/* Ranks by behaviour: classes of ranks with the same graph and similar computation. */
#include "activity/class_leavers.h"
#include "activity/class_spread.h"
#include "activity/rank_summary.h"
#include "sca_phrase.h"
#include "sca_report.h"
#include "views/view.h"

#include <inttypes.h>
#include <math.h>

enum {
    CLASS,
    ROLE,
    NRANKS,
    GRAPH,
    PEERS,
    MOST_PEERS,
    SECONDS,
    LEAST,
    MOST,
    DEVIATION,
    MPI,
    CALLS,
    SLOWER,
    RANKS,
    COLUMNS
};

static const struct sca_column columns[COLUMNS] = {
    [CLASS] = {"class", "class", SCA_CELL_COUNT},
    [ROLE] = {"role", NULL, SCA_CELL_TEXT},
    [NRANKS] = {"nranks", "ranks", SCA_CELL_COUNT},
    [GRAPH] = {"graph", NULL, SCA_CELL_COUNT},
    [PEERS] = {"peers", "peers", SCA_CELL_COUNT},
    [MOST_PEERS] = {"max_peers", NULL, SCA_CELL_COUNT},
    [SECONDS] = {"computation_s", "computes", SCA_CELL_SECONDS},
    [LEAST] = {"min_computation_s", NULL, SCA_CELL_SECONDS},
    [MOST] = {"max_computation_s", NULL, SCA_CELL_SECONDS},
    [DEVIATION] = {"sd_computation_s", "sd", SCA_CELL_SECONDS},
    [MPI] = {"mpi_s", "in MPI", SCA_CELL_SECONDS},
    [CALLS] = {"mpi_calls", NULL, SCA_CELL_NUMBER},
    [SLOWER] = {"slower", "slower", SCA_CELL_COUNT},
    [RANKS] = {"ranks", NULL, SCA_CELL_SERIES},
};

struct listing_classes {
    const struct sca_view_input *in;
    const struct sca_ppg_run *run;
    struct sca_rank_classes classes;
    const struct sca_class_spread *spread; /* [class] */
    struct sca_class_leavers leavers;
    struct sca_table *out;
};

/* ---- rows ---- */

static void fill_computation(const struct sca_class_spread *spread, struct sca_cell *cells)
{
    cells[SECONDS].number = spread->own_mean;
    cells[LEAST].number = spread->own_least;
    cells[MOST].number = spread->own_most;
    cells[DEVIATION].number = spread->own_deviation;
    cells[MPI].number = spread->mpi_mean;
    cells[CALLS].number = spread->calls;
    cells[SLOWER].number = spread->slower;
    cells[PEERS].number = spread->least_peers;
    cells[MOST_PEERS].number = spread->most_peers;
}

static void fill_ranks(const struct listing_classes *l, const struct sca_rank_class *k,
                       struct sca_cell *cells)
{
    double *ranks = sca_workspace_alloc(l->in->space, k->n, sizeof *ranks);
    for (uint32_t i = 0; i < k->n; i++)
        ranks[i] = k->ranks[i];
    cells[NRANKS].number = k->n;
    cells[RANKS] = (struct sca_cell){.series = ranks, .count = k->n};
}

static void add(const struct listing_classes *l, uint32_t number)
{
    const struct sca_rank_class *k = &l->classes.of[number];
    const struct sca_report_run run = {.ranks = l->run->nranks};
    char text[SCA_PHRASE];
    struct sca_row *row = sca_table_row(l->out, NULL);
    row->label = sca_table_text(l->out, "%s", sca_phrase_ranks(text, &run, k->ranks, k->n));
    row->cells[CLASS].number = number + 1;
    row->cells[ROLE].text = sca_rank_role_name(k->role);
    row->cells[GRAPH].number = k->shape + 1;
    fill_ranks(l, k, row->cells);
    fill_computation(&l->spread[number], row->cells);
    if (k->by_times)
        row->detail =
            sca_table_text(l->out, k->asked ? "same graph as other classes; divided by --classes"
                                            : "same graph as other classes, but other times");
}

/* Above the first class of each known role. */
static void add_heading(const struct listing_classes *l, uint32_t number)
{
    const struct sca_rank_class *of = l->classes.of;
    const char *role = sca_rank_role_name(of[number].role);
    uint32_t ranks = 0, classes = 0;
    if (number && of[number - 1].role == of[number].role)
        return;
    for (uint32_t i = number; i < l->classes.n && of[i].role == of[number].role; i++) {
        ranks += of[i].n;
        classes++;
    }
    struct sca_row *row = sca_table_row(l->out, NULL);
    row->heading = true;
    row->interval = number > 0;
    row->label = sca_table_text(l->out, "%s: %u rank%s, %u class%s", *role ? role : "no known role",
                                ranks, ranks == 1 ? "" : "s", classes, classes == 1 ? "" : "es");
}

static void add_leavers(const struct listing_classes *l)
{
    for (uint32_t i = 0; i < l->leavers.n; i++) {
        const struct sca_class_leaver *of = &l->leavers.of[i];
        sca_table_note(l->out,
                       "Rank %u left its class: from iteration %" PRIu64
                       " on (second %.1f) it computes "
                       "%.2fx as long as most ranks with its graph, before %.2fx.",
                       of->rank, of->iteration, of->at_s, of->after, of->before);
    }
}

static void add_notes(const struct listing_classes *l)
{
    const struct sca_rank_classes *k = &l->classes;
    uint32_t wanted = l->in->settings->classes;
    sca_table_note(l->out, "Ranks of a class make the same calls, with the same peers as seen from "
                           "the rank, and compute alike. Figures are of a rank, on average. sd: "
                           "between the ranks of the class.");
    sca_table_note(l->out, "slower: how many of the class are in the slower of two groups by all "
                           "computation, as with --merge=cluster.");
    if (wanted && wanted < k->n)
        sca_table_note(l->out,
                       "--classes=%u: there are %u by graph and times already; such classes are "
                       "not united.",
                       wanted, k->nnatural);
    else if (wanted > k->n)
        sca_table_note(l->out, "--classes=%u: ranks of the same times cannot be divided further.",
                       wanted);
}

void sca_view_classes(const struct sca_view_input *in, struct sca_table *out)
{
    struct listing_classes l = {.in = in, .run = &in->ppg->runs[in->ppg->nruns - 1], .out = out};
    struct sca_task_source source = {
        in->ppg, l.run, NULL, sca_workspace_opened(in->space, l.run->profile), NULL, in->summary};
    source.summary = sca_rank_summary_of(in->space, &source);
    sca_rank_classes_find(in->space, &source, in->settings->classes, &l.classes);
    l.spread = sca_class_spread_find(in->space, &source, &l.classes);
    sca_class_leavers_find(in->space, l.run->profile->series, &l.classes.shapes,
                           sca_view_shares_cores(l.run), &l.leavers);
    out->columns = columns;
    out->ncolumns = COLUMNS;
    out->title =
        sca_table_text(out, "%s on %u ranks: %u class%s of ranks by behaviour", in->ppg->program,
                       l.run->nranks, l.classes.n, l.classes.n == 1 ? "" : "es");
    for (uint32_t i = 0; i < l.classes.n; i++)
        if (in->top && i >= in->top)
            out->left_out++;
        else {
            add_heading(&l, i);
            add(&l, i);
        }
    add_leavers(&l);
    add_notes(&l);
}
