#include "metrics/path_profile.h"
#include "replay/critical_walk.h"

#include <string.h>

/* ---- an interval consists of the vertices that it did in the run, in equal parts ---- */

static void add(const struct sca_path_column *out, uint32_t vertex, double seconds)
{
    if (vertex >= out->first && vertex - out->first < out->height)
        out->values[(vertex - out->first) * out->stride] += seconds;
}

static uint32_t call_before(const struct sca_ppg_run *run, uint32_t interval)
{
    uint32_t v = interval == SCA_NONE
                     ? SCA_NONE
                     : run->site_vertex[sca_intervals_site(&run->intervals, interval)];
    return v == SCA_NONE ? 0 : v;
}

void sca_path_profile_divide(const struct sca_ppg_run *run, const struct sca_path_cell *cell,
                             const struct sca_path_column *out)
{
    const struct sca_ppg_share *share = run->shares, *end = share;
    double total = 0;
    if (cell->interval != SCA_NONE) {
        size_t at = (size_t)cell->rank * run->intervals.n + cell->interval;
        share = run->shares + run->first_share[at];
        end = run->shares + run->first_share[at + 1];
    }
    for (const struct sca_ppg_share *s = share; s < end; s++)
        total += s->seconds;
    if (total <= 0)
        add(out, 0, cell->seconds);
    for (const struct sca_ppg_share *s = share; s < end && total > 0; s++)
        add(out, s->vertex, cell->seconds * s->seconds / total);
    if (cell->transfer > 0)
        add(out, call_before(run, cell->interval), cell->transfer);
}

/* ---- the path ---- */

struct booking {
    const struct sca_stage *stage;
    uint32_t ncolumns;          /* intervals, and a last one for what belongs to none */
    double *seconds, *transfer; /* [rank * ncolumns + interval] on the path */
    double *all, *all_transfer; /* [interval] of one rank, whether on the path or not */
};

static void book(const struct booking *b, const struct sca_replay *replay, uint32_t rank,
                 uint32_t event, double *seconds, double *transfer)
{
    const struct sca_event_sequence *sequence = &replay->trace->sequences[rank];
    struct sca_trace_event s = sca_replay_event(replay, event);
    uint32_t interval = sca_intervals_number(&b->stage->m->run->intervals, s.previous, s.site);
    uint32_t column = interval == SCA_NONE ? b->ncolumns - 1 : interval;
    double inside = sca_transfer_of(sequence, sca_replay_place(replay, rank, event));
    seconds[column] += (replay->interval[event] - inside) * replay->trace->weight;
    transfer[column] += inside * replay->trace->weight;
}

static void book_path(const struct booking *b, const struct sca_replay *replay)
{
    struct sca_critical_walk walk;
    uint32_t event;
    sca_critical_walk_begin(&walk, replay, b->stage->m->run->profile);
    while ((event = sca_critical_walk_next(&walk)) != SCA_NO_EVENT) {
        uint32_t rank = sca_replay_rank(replay, event);
        size_t row = (size_t)rank * b->ncolumns;
        book(b, replay, rank, event, b->seconds + row, b->transfer + row);
    }
}

static void book_rank(const struct booking *b, uint32_t rank)
{
    memset(b->all, 0, b->ncolumns * sizeof *b->all);
    memset(b->all_transfer, 0, b->ncolumns * sizeof *b->all_transfer);
    for (uint32_t i = 0; i < b->stage->nreplays; i++) {
        const struct sca_replay *replay = &b->stage->replays[i];
        for (uint32_t k = 0; k < replay->trace->sequences[rank].nevents; k++)
            book(b, replay, rank, sca_replay_at(replay, rank, k), b->all, b->all_transfer);
    }
}

static uint32_t interval_at(const struct booking *b, uint32_t column)
{
    return column + 1 == b->ncolumns ? SCA_NONE : column;
}

static struct sca_path_column whole(const struct booking *b, double *values)
{
    return (struct sca_path_column){0, b->stage->m->ppg->nvertices, values, 1};
}

static void add_mean(const struct booking *b, uint32_t rank, double *mean)
{
    const struct sca_path_column out = whole(b, mean);
    double part = 1.0 / (b->stage->m->npresent ? b->stage->m->npresent : 1);
    for (uint32_t k = 0; k < b->ncolumns; k++) {
        struct sca_path_cell cell = {rank, interval_at(b, k), b->all[k] * part,
                                     b->all_transfer[k] * part};
        sca_path_profile_divide(b->stage->m->run, &cell, &out);
    }
}

static void keep_cells(const struct booking *b, struct sca_workspace *space,
                       struct sca_path_profile *out)
{
    size_t cells = (size_t)b->stage->m->nranks * b->ncolumns;
    uint32_t n = 0;
    for (size_t i = 0; i < cells; i++)
        n += b->seconds[i] > 0 || b->transfer[i] > 0;
    out->cells = sca_workspace_alloc(space, n, sizeof *out->cells);
    for (size_t i = 0; i < cells; i++)
        if (b->seconds[i] > 0 || b->transfer[i] > 0)
            out->cells[out->ncells++] = (struct sca_path_cell){
                (uint32_t)(i / b->ncolumns), interval_at(b, (uint32_t)(i % b->ncolumns)),
                b->seconds[i], b->transfer[i]};
}

void sca_path_profile_make(struct sca_workspace *space, const struct sca_stage *stage,
                           struct sca_path_profile *out)
{
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    struct booking b = {.stage = stage, .ncolumns = stage->m->run->intervals.n + 1};
    size_t cells = (size_t)stage->m->nranks * b.ncolumns;
    b.seconds = sca_workspace_alloc(&scratch, cells, sizeof(double));
    b.transfer = sca_workspace_alloc(&scratch, cells, sizeof(double));
    b.all = sca_workspace_alloc(&scratch, b.ncolumns, sizeof(double));
    b.all_transfer = sca_workspace_alloc(&scratch, b.ncolumns, sizeof(double));
    *out = (struct sca_path_profile){0};
    out->mean = sca_workspace_alloc(space, stage->m->ppg->nvertices, sizeof(double));
    out->critical = sca_workspace_alloc(space, stage->m->ppg->nvertices, sizeof(double));
    for (uint32_t i = 0; i < stage->nreplays; i++)
        book_path(&b, &stage->replays[i]);
    for (uint32_t r = 0; r < stage->m->nranks; r++) {
        book_rank(&b, r);
        add_mean(&b, r, out->mean);
    }
    sca_team_sum_sparse(stage->traces->team, b.seconds, cells);
    sca_team_sum_sparse(stage->traces->team, b.transfer, cells);
    sca_team_sum(stage->traces->team, out->mean, stage->m->ppg->nvertices);
    keep_cells(&b, space, out);
    const struct sca_path_column critical = whole(&b, out->critical);
    for (uint32_t i = 0; i < out->ncells; i++)
        sca_path_profile_divide(stage->m->run, &out->cells[i], &critical);
    sca_workspace_free(&scratch);
}
