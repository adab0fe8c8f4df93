/* The causal path of a loop: for each kind of its iterations the activities that determine how long
 * it takes, across ranks through their messages (A. Sikora et al., 2016, section 3.1.5). */
#include "replay/critical_walk.h"
#include "sca_error.h"
#include "timeline/by_length.h"
#include "timeline/slice_replay.h"
#include "views/loop_choice.h"
#include "views/view.h"

#include <math.h>
#include <string.h>

enum { MOST_KINDS = 8 };

enum {
    KIND,
    STEP,
    RANK,
    COUNT,
    SHOWN,
    SHOWN_MEAN,
    SHOWN_MOST,
    WHAT,
    SECONDS,
    MEAN,
    MOST,
    PEER,
    BEGIN,
    COMPUTES,
    COLUMNS
};

static const struct sca_column columns[COLUMNS] = {
    [KIND] = {"iteration_kind", NULL, SCA_CELL_COUNT},
    [STEP] = {"step", NULL, SCA_CELL_COUNT},
    [RANK] = {"rank", "rank", SCA_CELL_COUNT},
    [COUNT] = {"count", "times", SCA_CELL_COUNT},
    [SHOWN] = {"", "computes", SCA_CELL_TEXT},
    [SHOWN_MEAN] = {"", "mean", SCA_CELL_TEXT},
    [SHOWN_MOST] = {"", "max", SCA_CELL_TEXT},
    [WHAT] = {"activity", "then", SCA_CELL_TEXT},
    [SECONDS] = {"seconds", NULL, SCA_CELL_SECONDS},
    [MEAN] = {"mean_s", NULL, SCA_CELL_SECONDS},
    [MOST] = {"max_s", NULL, SCA_CELL_SECONDS},
    [PEER] = {"to_rank", NULL, SCA_CELL_COUNT},
    [BEGIN] = {"begin_s", NULL, SCA_CELL_SECONDS},
    [COMPUTES] = {"computes_at", NULL, SCA_CELL_TEXT},
};

struct step {             /* of a path: computation of a rank, and the call it leads to */
    uint32_t rank, event; /* event: place in the rank's sequence */
    uint32_t number;      /* of the event in the replay */
    double seconds, mean, most, begin;
};

struct showing_path {
    const struct sca_view_input *in;
    const struct sca_ppg_run *run;
    struct sca_table *out;
    struct sca_loop_iterations iterations;
    struct sca_by_length by_length;
    /* Of the kind at hand. */
    uint32_t kind, n;
    struct sca_slice_replay play;
    struct sca_kind_times times;
    struct step *steps;
};

/* ---- the path ---- */

static void find_steps(struct showing_path *p)
{
    struct sca_critical_walk walk;
    struct sca_replay *replay = &p->play.replay;
    uint32_t n = 0, most = p->play.trace.nevents;
    p->steps = sca_workspace_alloc(p->in->space, most, sizeof *p->steps);
    sca_critical_walk_begin(&walk, replay, p->run->profile);
    for (uint32_t before = walk.at, at; (before = sca_critical_walk_next(&walk)) != SCA_NO_EVENT;) {
        at = before;
        struct step *s = &p->steps[most - ++n];
        s->rank = sca_replay_rank(replay, at);
        s->event = sca_replay_place(replay, s->rank, at);
        s->number = at;
        s->seconds = replay->interval[at];
        s->mean = p->times.mean[p->play.trace.first[s->rank] + s->event];
        s->most = p->times.most[p->play.trace.first[s->rank] + s->event];
        s->begin = replay->enter[at] - replay->interval[at];
    }
    p->steps += most - n;
    p->n = n;
}

static uint32_t vertex_of(const struct showing_path *p, uint32_t site)
{
    uint32_t vertex = site < p->run->profile->nsites ? p->run->site_vertex[site] : SCA_NONE;
    return vertex == SCA_NONE ? 0 : vertex;
}

static struct sca_trace_event call_of(const struct showing_path *p, const struct step *s)
{
    return sca_trace_event_of(&p->play.trace.sequences[s->rank], s->event);
}

/* ---- rows ---- */

/* Where the computation before the call is. */
static const char *computes_at(struct showing_path *p, const struct step *s)
{
    uint32_t vertex = sca_by_length_place(&p->by_length, s->rank, call_of(p, s), s->seconds);
    return sca_table_place(p->out, &p->in->ppg->vertices[vertex]);
}

static void fill_times(const struct showing_path *p, const struct step *first, uint32_t n,
                       struct sca_cell *cells)
{
    double seconds = 0, mean = 0, most = 0;
    for (uint32_t i = 0; i < n; i++) {
        seconds += first[i].seconds;
        mean += first[i].mean;
        most = fmax(most, first[i].most);
    }
    cells[SECONDS].number = seconds;
    cells[MEAN].number = mean;
    cells[MOST].number = most;
    cells[SHOWN].text = sca_table_duration(p->out, seconds);
    cells[SHOWN_MEAN].text = sca_table_duration(p->out, mean);
    cells[SHOWN_MOST].text = sca_table_duration(p->out, most);
}

/* What the path goes on by: the rank's own call, a message to another, a collective. */
static const char *describe(const struct showing_path *p, const struct step *s,
                            const struct step *next, struct sca_row *row)
{
    bool leaves = next && next->rank != s->rank;
    bool meets = sca_replay_is_collective(&p->play.replay, s->number);
    bool matters = row->cells[SECONDS].number >= 0.05 * p->play.replay.end;
    const char *place =
        matters ? sca_table_text(p->out, "computes in %s", row->cells[COMPUTES].text) : NULL;
    row->cells[WHAT].text = meets ? "collective" : leaves ? "message" : "call";
    if (!leaves)
        return place;
    row->cells[PEER].number = next->rank;
    return sca_table_text(p->out, "%s%srank %u waited for rank %u and goes on", place ? place : "",
                          place ? "; " : "", next->rank, s->rank);
}

static void add_step(struct showing_path *p, const struct step *first, uint32_t n, uint32_t number)
{
    const struct step *last = &first[n - 1];
    const struct step *next = last + 1 < p->steps + p->n ? last + 1 : NULL;
    struct sca_row *row =
        sca_table_row(p->out, &p->in->ppg->vertices[vertex_of(p, call_of(p, first).site)]);
    row->cells[KIND].number = p->kind + 1;
    row->cells[STEP].number = number;
    row->cells[RANK].number = first->rank;
    row->cells[COUNT].number = n;
    row->cells[PEER].number = (double)NAN;
    row->cells[BEGIN].number = first->begin;
    row->cells[COMPUTES].text = computes_at(p, first);
    fill_times(p, first, n, row->cells);
    row->detail = describe(p, last, next, row);
}

/* The same call in the source, of one rank: a loop that was unrolled has several. */
static bool is_alike(const struct showing_path *p, const struct step *a, const struct step *b)
{
    const struct sca_ppg_vertex *x = &p->in->ppg->vertices[vertex_of(p, call_of(p, a).site)];
    const struct sca_ppg_vertex *y = &p->in->ppg->vertices[vertex_of(p, call_of(p, b).site)];
    return a->rank == b->rank &&
           (x == y || (x->line && x->line == y->line && x->kind == y->kind &&
                       !strcmp(x->file, y->file) && !strcmp(x->name, y->name)));
}

/* Calls that repeat at once are one row. */
static void add_steps(struct showing_path *p)
{
    uint32_t number = 0;
    for (uint32_t i = 0, end; i < p->n; i = end) {
        for (end = i + 1; end < p->n && is_alike(p, &p->steps[i], &p->steps[end]);)
            end++;
        if (p->in->top && number >= p->in->top)
            p->out->left_out++;
        else
            add_step(p, &p->steps[i], end - i, ++number);
    }
}

/* ---- kinds ---- */

static void add_heading(const struct showing_path *p)
{
    const struct sca_loop_kind *k = &p->iterations.kinds[p->kind];
    const struct sca_loop_iteration *i = &p->iterations.of[k->representative];
    uint32_t ranks = 0;
    for (uint32_t r = 0; r < p->run->nranks; r++)
        ranks += i->slices[r].nevents > 0;
    struct sca_row *row = sca_table_row(p->out, NULL);
    for (int c = 0; c < COLUMNS; c++)
        row->cells[c].number = (double)NAN;
    row->cells[KIND].number = p->kind + 1;
    row->cells[WHAT].text = "kind";
    row->cells[COUNT].number = k->count;
    row->cells[SECONDS].number = p->play.replay.end;
    row->cells[SHOWN].text = sca_table_duration(p->out, p->play.replay.end);
    row->bold = true;
    row->interval = p->kind > 0;
    row->label = sca_table_text(p->out, "kind %u: %u of %u iterations, on %u rank%s", p->kind + 1,
                                k->count, p->iterations.count, ranks, ranks == 1 ? "" : "s");
}

static void add_kind(struct showing_path *p)
{
    const struct sca_loop_kind *k = &p->iterations.kinds[p->kind];
    sca_slice_replay_make(p->in->space, p->run, p->iterations.of[k->representative].slices,
                          &p->play);
    sca_kind_times_sum(p->in->space, p->run, &p->iterations, p->kind, &p->play.trace, &p->times);
    find_steps(p);
    add_heading(p);
    add_steps(p);
}

static int check(const struct showing_path *p)
{
    const char *loop = p->in->settings->loop;
    if (p->iterations.count)
        return SCA_OK;
    if (!p->iterations.windows)
        return sca_fail(SCA_ENOTFOUND,
                        "--loop=%s: this run recorded no iterations: the program has too few, some "
                        "ranks left nothing, or several worlds are one run",
                        loop);
    if (p->iterations.cut)
        return sca_fail(SCA_ENOTFOUND,
                        "--loop=%s: no iteration was recorded wholly: each goes on for several of "
                        "the main loop's. SCALANA_RECORD=full records them in a row",
                        loop);
    return sca_fail(SCA_ENOTFOUND,
                    "--loop=%s: recorded iterations have no MPI call in this loop, so that its "
                    "iterations cannot be distinguished",
                    loop);
}

static void add_notes(const struct showing_path *p)
{
    sca_table_note(
        p->out, "Each kind is shown by its iteration of middle length, replayed as if each rank "
                "had a core. Only the critical path is shown: no waits, and no rank that waited. "
                "computes: time before the call in that iteration; in a kind's line, its "
                "duration. mean, max: of all iterations of the kind.");
    if (p->iterations.uneven)
        sca_table_note(p->out,
                       "Ranks have different numbers of iterations with MPI calls: in each window "
                       "the first ones are taken as the same iteration, then the second ones.");
    if (p->iterations.cut)
        sca_table_note(
            p->out,
            "%u iterations, or parts of them on single ranks, are left out: no window shows them "
            "wholly.",
            p->iterations.cut);
}

void sca_view_path(const struct sca_view_input *in, struct sca_table *out)
{
    struct showing_path p = {.in = in, .run = &in->ppg->runs[in->ppg->nruns - 1], .out = out};
    struct sca_loop_choice loop;
    out->status = sca_loop_choose(in, &loop);
    if (out->status != SCA_OK)
        return;
    uint32_t *ends = sca_workspace_alloc(in->space, in->ppg->nvertices, sizeof *ends);
    sca_ppg_ends(in->ppg, ends);
    sca_iterations_find(in->space, in->ppg, p.run, ends, loop.contexts, loop.n, &p.iterations);
    out->status = check(&p);
    if (out->status != SCA_OK)
        return;
    sca_by_length_find(in->space, in->ppg, p.run, &p.by_length);
    out->columns = columns;
    out->ncolumns = COLUMNS;
    out->title = sca_table_text(
        out, "%s on %u ranks: causal path of the loop at %s, %u kind%s of iterations in %u windows",
        in->ppg->program, p.run->nranks, in->settings->loop, p.iterations.nkinds,
        p.iterations.nkinds == 1 ? "" : "s", p.iterations.windows);
    for (p.kind = 0; p.kind < p.iterations.nkinds && p.kind < MOST_KINDS; p.kind++)
        add_kind(&p);
    if (p.iterations.nkinds > MOST_KINDS)
        sca_table_note(out, "%u rarer kinds are left out.", p.iterations.nkinds - MOST_KINDS);
    add_notes(&p);
}
