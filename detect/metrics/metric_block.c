#include "metrics/metric_block.h"
#include "graph/mpi_function.h"
#include "sca_error.h"
#include "trace/replay_trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Ranks filled at a time: a cache line of each row. Rows of many ranks lie far apart. */
enum { STRIP = 8 };

struct filling {
    const struct sca_metric_source *source;
    const struct sca_metric_block *block;
    unsigned tables[SCA_MOST_METRICS]; /* per metric: which it is in */
    bool *collective;                  /* per site of the profile: its call is a collective */
};

static bool has(const struct sca_metric_block *b, uint32_t context)
{
    if (b->rows)
        return context != SCA_NONE && b->rows[context] != SCA_NONE;
    return context >= b->first && context - b->first < b->height;
}

static double *cell_of(const struct filling *f, uint32_t metric, uint32_t context, uint32_t column)
{
    const struct sca_metric_block *b = f->block;
    uint32_t row = b->rows ? b->rows[context] : context - b->first;
    return b->values[metric] + (size_t)row * b->width + column;
}

static bool is_collective(const char *function)
{
    return sca_collective_shape(function) >= 0;
}

/* ---- what the profile has of each rank ---- */

/* Which tables a metric is in; 0: in none. */
static unsigned tables_of(uint32_t id)
{
    switch (id) {
    case SCALANA_METRIC_MPI_TIME:
    case SCALANA_METRIC_MPI_CALLS:
    case SCALANA_METRIC_MPI_BYTES:
    case SCALANA_METRIC_COMPLETION:
    case SCALANA_METRIC_TRANSFER:
        return SCA_OPEN_SITES;
    case SCALANA_METRIC_BYTES_SENT:
    case SCALANA_METRIC_BYTES_RECEIVED:
    case SCALANA_METRIC_MESSAGES_SENT:
    case SCALANA_METRIC_MESSAGES_RECEIVED:
        return SCA_OPEN_PEERS;
    case SCALANA_METRIC_SAMPLES:
    case SCALANA_METRIC_SAMPLED_TIME:
        return SCA_OPEN_SAMPLES;
    default:
        return id >= SCALANA_METRIC_COUNTER && id < SCALANA_METRIC_RATIO ? SCA_OPEN_SAMPLES : 0;
    }
}

bool sca_metric_block_opens_ranks(uint32_t id)
{
    return tables_of(id) != 0;
}

bool sca_metric_block_of_samples(uint32_t id)
{
    return id == SCALANA_METRIC_COMPUTATION || tables_of(id) == SCA_OPEN_SAMPLES;
}

static double of_site(const struct sca_site_total *total, uint32_t id, bool collective)
{
    double seconds = (double)total->time_ns * 1e-9;
    switch (id) {
    case SCALANA_METRIC_MPI_TIME:
        return seconds;
    case SCALANA_METRIC_MPI_CALLS:
        return (double)total->count;
    case SCALANA_METRIC_MPI_BYTES:
        return (double)total->bytes;
    default:
        return collective == (id == SCALANA_METRIC_COMPLETION) ? seconds : 0;
    }
}

static void add_sites(const struct filling *f, const struct sca_rank *rank, uint32_t column)
{
    for (uint32_t i = 0; i < rank->nsites; i++) {
        const struct sca_site_total *total = &rank->sites[i];
        uint32_t context = f->source->run->site_vertex[total->site];
        const char *function = f->source->run->profile->sites[total->site].function;
        if (sca_mpi_function_blocks(function) || sca_mpi_function_ends(function))
            continue;
        for (uint32_t m = 0; m < f->block->n && has(f->block, context); m++)
            if (f->tables[m] == SCA_OPEN_SITES)
                *cell_of(f, m, context, column) +=
                    of_site(total, f->block->ids[m], f->collective[total->site]);
    }
}

static double of_peer(const struct sca_part_peer *peer, uint32_t id)
{
    bool sent = id == SCALANA_METRIC_BYTES_SENT || id == SCALANA_METRIC_MESSAGES_SENT;
    bool bytes = id == SCALANA_METRIC_BYTES_SENT || id == SCALANA_METRIC_BYTES_RECEIVED;
    if (sent != (peer->direction == SCA_SENT))
        return 0;
    return (double)(bytes ? peer->bytes : peer->count);
}

static void add_peers(const struct filling *f, const struct sca_rank *rank, uint32_t column)
{
    for (uint32_t i = 0; i < rank->npeers; i++) {
        uint32_t context = f->source->run->site_vertex[rank->peers[i].site];
        for (uint32_t m = 0; m < f->block->n && has(f->block, context); m++)
            if (f->tables[m] == SCA_OPEN_PEERS)
                *cell_of(f, m, context, column) += of_peer(&rank->peers[i], f->block->ids[m]);
    }
}

/* Of one thread: the first has what no other has; of these, samples tell. */
static double computed(const struct sca_rank *rank, const struct sca_part_sample *s, uint32_t only)
{
    double seconds = (double)s->count * (double)rank->sample_period_ns * 1e-9;
    if (s->in_mpi || !s->thread)
        return 0;
    return only == 1 ? -seconds : s->thread + 1u == only ? seconds : 0;
}

static double of_sample(const struct sca_rank *rank, const struct sca_part_sample *s, uint32_t id,
                        uint32_t only)
{
    if (id == SCALANA_METRIC_COMPUTATION)
        return computed(rank, s, only);
    if (only && s->thread + 1u != only)
        return 0;
    if (id == SCALANA_METRIC_SAMPLES)
        return (double)s->count;
    if (id == SCALANA_METRIC_SAMPLED_TIME)
        return (double)s->count * (double)rank->sample_period_ns * 1e-9;
    return (double)s->metric[id - SCALANA_METRIC_COUNTER];
}

/* A sample in MPI belongs to the call that is being executed. */
static void add_samples(const struct filling *f, const struct sca_rank *rank, uint32_t column)
{
    const struct sca_ppg_run *run = f->source->run;
    uint32_t only = f->source->only_thread;
    for (uint32_t i = 0; i < rank->nsamples; i++) {
        const struct sca_part_sample *s = &rank->sample[i];
        if (s->in_mpi >= SCA_SAMPLE_BLOCKED)
            continue;
        uint32_t context = s->in_mpi ? run->site_vertex[s->previous] : run->node_vertex[s->node];
        for (uint32_t m = 0; m < f->block->n && has(f->block, context); m++)
            if (f->tables[m] == SCA_OPEN_SAMPLES)
                *cell_of(f, m, context, column) += of_sample(rank, s, f->block->ids[m], only);
    }
}

/* Of tables that were not opened there are only the counts. */
static void add_rank(const struct filling *f, const struct sca_rank *rank, unsigned tables,
                     uint32_t column)
{
    if (tables & SCA_OPEN_SITES)
        add_sites(f, rank, column);
    if (tables & SCA_OPEN_PEERS)
        add_peers(f, rank, column);
    if (tables & SCA_OPEN_SAMPLES)
        add_samples(f, rank, column);
}

static void add_ranks(const struct filling *f, unsigned tables, struct sca_opened *opened)
{
    for (uint32_t c = 0; c < f->block->width; c++) {
        const struct sca_rank *rank = sca_rank_open(opened, f->block->left + c, tables);
        if (rank->present)
            add_rank(f, rank, tables, c);
    }
}

static void clear(const struct sca_metric_block *b, uint32_t metric)
{
    memset(b->values[metric], 0, (size_t)b->height * b->width * sizeof(double));
    for (uint32_t c = 0; b->set && c < b->height; c++)
        b->set[(size_t)metric * b->height + c] = true;
}

static uint32_t width_of_strips(const struct sca_metric_block *b)
{
    return b->width < STRIP ? b->width : STRIP;
}

/* The columns of a strip where they belong. */
static void place_strip(const struct filling *f, const struct sca_metric_block *strip)
{
    const struct sca_metric_block *b = f->block;
    for (uint32_t m = 0; m < b->n; m++)
        for (uint32_t c = 0; f->tables[m] && c < b->height; c++)
            memcpy(b->values[m] + (size_t)c * b->width + strip->left - b->left,
                   strip->values[m] + (size_t)c * strip->width, strip->width * sizeof(double));
}

static void add_strips(const struct filling *f, unsigned tables, struct sca_opened *opened,
                       double *memory)
{
    const struct sca_metric_block *b = f->block;
    uint32_t most = width_of_strips(b);
    double *values[SCA_MOST_METRICS];
    for (uint32_t m = 0; m < b->n; m++)
        values[m] = memory + (size_t)m * b->height * most;
    for (uint32_t c = 0; c < b->width; c += most) {
        struct filling part = *f;
        struct sca_metric_block strip = *b;
        strip.left = b->left + c;
        strip.width = b->width - c < most ? b->width - c : most;
        strip.values = values;
        part.block = &strip;
        memset(memory, 0, (size_t)b->n * b->height * most * sizeof *memory);
        add_ranks(&part, tables, opened);
        place_strip(f, &strip);
    }
}

static unsigned tables_of_some(const struct filling *f, uint32_t id)
{
    bool of_thread = id == SCALANA_METRIC_COMPUTATION && f->source->only_thread;
    return of_thread ? SCA_OPEN_SAMPLES : tables_of(id);
}

static int add_tables(struct filling *f)
{
    const struct sca_profile *profile = f->source->run->profile;
    const struct sca_metric_block *b = f->block;
    unsigned tables = 0;
    for (uint32_t i = 0; i < b->n; i++)
        tables |= f->tables[i] = tables_of_some(f, f->block->ids[i]);
    if (!tables)
        return SCA_OK;
    void *memory = calloc(1, sca_rank_open_size(profile));
    f->collective = calloc(profile->nsites + (size_t)1, sizeof *f->collective);
    for (uint32_t i = 0; f->collective && i < profile->nsites; i++)
        f->collective[i] = is_collective(profile->sites[i].function);
    double *strip = malloc((size_t)b->n * b->height * width_of_strips(b) * sizeof *strip + 1);
    bool good = memory && f->collective && strip;
    if (good)
        add_strips(f, tables, sca_rank_open_init(memory, profile), strip);
    free(strip);
    free(f->collective);
    free(memory);
    return good ? SCA_OK : sca_fail(SCA_ENOMEM, "out of memory");
}

/* ---- what a replay tells ---- */

static double *row_to_add_to(const struct filling *f, uint32_t metric, uint32_t vertex)
{
    const struct sca_metric_block *b = f->block;
    double *row = cell_of(f, metric, vertex, 0);
    bool *set = b->set ? &b->set[(size_t)(row - b->values[metric]) / b->width] : NULL;
    if (set && !set[(size_t)metric * b->height]) {
        memset(row, 0, b->width * sizeof *row);
        set[(size_t)metric * b->height] = true;
    }
    return row;
}

static void add_row(const struct filling *f, uint32_t metric, uint32_t vertex, const double *row,
                    double times)
{
    if (!row)
        return;
    double *to = row_to_add_to(f, metric, vertex);
    for (uint32_t c = 0; c < f->block->width; c++)
        to[c] += row[f->block->left + c] * times;
}

static void add_waits(const struct filling *f, uint32_t metric, uint32_t vertex, double times)
{
    for (int kind = 0; kind < SCA_WAIT_CLASSES; kind++)
        add_row(f, metric, vertex,
                sca_wait_rows_of(&f->source->replayed->waited, vertex, (enum sca_wait_class)kind),
                times);
}

static void take_waits(const struct filling *f, uint32_t metric, uint32_t vertex)
{
    const struct sca_ppg_vertex *v = &f->source->ppg->vertices[vertex];
    bool collective = f->block->ids[metric] == SCALANA_METRIC_COMPLETION;
    if (v->kind == SCA_MPI && is_collective(v->name) == collective)
        add_waits(f, metric, vertex, -1);
}

static void add_delays(const struct filling *f, uint32_t metric, uint32_t vertex)
{
    const struct sca_replayed *r = f->source->replayed;
    size_t row = (size_t)vertex * r->nranks;
    uint32_t id = f->block->ids[metric];
    if (id != SCALANA_METRIC_DELAY_DIRECT)
        add_row(f, metric, vertex, r->of + row, 1);
    if (id != SCALANA_METRIC_DELAY_COST)
        add_row(f, metric, vertex, r->direct_of + row, id == SCALANA_METRIC_DELAY_DIRECT ? 1 : -1);
}

/* Of all threads, or of the first what samples of others leave. */
static void add_computation(const struct filling *f, uint32_t metric, uint32_t vertex)
{
    const struct sca_ppg_run *run = f->source->run;
    size_t row = (size_t)vertex * run->nranks;
    if (f->source->only_thread > 1)
        return;
    add_row(f, metric, vertex, run->comp + row, 1);
    add_row(f, metric, vertex, run->beside ? run->beside + row : NULL, 1);
}

static void add_vertex(const struct filling *f, uint32_t metric, uint32_t vertex)
{
    uint32_t id = f->block->ids[metric];
    if (id == SCALANA_METRIC_COMPUTATION)
        add_computation(f, metric, vertex);
    else if (id == SCALANA_METRIC_WAITING)
        add_waits(f, metric, vertex, 1);
    else if (sca_metric_is_of_waits(id))
        add_row(f, metric, vertex,
                sca_wait_rows_of(&f->source->replayed->waited, vertex, sca_metric_wait_class(id)),
                1);
    else if (id == SCALANA_METRIC_COMPLETION || id == SCALANA_METRIC_TRANSFER)
        take_waits(f, metric, vertex);
    else if (id >= SCALANA_METRIC_DELAY_COST && id <= SCALANA_METRIC_DELAY_INDIRECT)
        add_delays(f, metric, vertex);
}

/* Of what a rank has on the path in a vertex, the part beyond the mean of all; no more than all
 * ranks together have there. */
static double beyond_mean(const struct sca_path_profile *path, uint32_t vertex)
{
    double critical = path->critical[vertex];
    return critical > 0 ? fmax(0, critical - path->mean[vertex]) / critical : 0;
}

static void add_path(const struct filling *f, uint32_t metric)
{
    const struct sca_metric_block *b = f->block;
    const struct sca_path_profile *path = &f->source->replayed->path;
    uint32_t nv = f->source->ppg->nvertices;
    bool imbalance = b->ids[metric] == SCALANA_METRIC_CRITICAL_IMBALANCE;
    for (uint32_t i = 0; i < path->ncells; i++) {
        const struct sca_path_cell *cell = &path->cells[i];
        if (cell->rank < b->left || cell->rank - b->left >= b->width)
            continue;
        const struct sca_path_column column = {
            b->first, b->height, cell_of(f, metric, b->first, cell->rank - b->left), b->width};
        sca_path_profile_divide(f->source->run, cell, &column);
    }
    for (uint32_t v = b->first; imbalance && v < nv && has(b, v); v++)
        for (uint32_t c = 0; c < b->width; c++)
            *cell_of(f, metric, v, c) *= beyond_mean(path, v);
}

static bool is_of_path(uint32_t id)
{
    return id == SCALANA_METRIC_CRITICAL_PATH || id == SCALANA_METRIC_CRITICAL_IMBALANCE;
}

int sca_metric_block_fill(const struct sca_metric_source *source,
                          const struct sca_metric_block *block)
{
    struct filling f = {.source = source, .block = block};
    for (uint32_t i = 0; i < block->n; i++)
        if (!block->set || tables_of_some(&f, block->ids[i]) || is_of_path(block->ids[i]))
            clear(block, i);
    int status = block->width ? add_tables(&f) : SCA_OK;
    for (uint32_t i = 0; i < block->n; i++) {
        for (uint32_t c = 0; c < block->height && block->width; c++)
            add_vertex(&f, i, block->rows ? block->vertices[c] : block->first + c);
        if (is_of_path(block->ids[i]))
            add_path(&f, i);
    }
    return status;
}
