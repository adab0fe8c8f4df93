/* Blocks of a metric's values, contexts x locations. */
#include "library/arguments.h"
#include "library/run_metrics.h"
#include "sca_error.h"
#include "scalana/graph.h"

#include <stdlib.h>
#include <string.h>

struct block { /* values[c * width + l]: of context first + c at location `left` + l */
    const struct sca_ppg_run *run;
    uint32_t metric;
    uint32_t first, height;
    uint32_t left, width;
    double *values;
};

static void add(struct block *b, uint32_t context, uint32_t location, double value)
{
    if (context >= b->first && context - b->first < b->height)
        b->values[(size_t)(context - b->first) * b->width + location] += value;
}

static void copy_computation(struct block *b)
{
    for (uint32_t c = 0; c < b->height; c++)
        memcpy(b->values + (size_t)c * b->width,
               b->run->comp + (size_t)(b->first + c) * b->run->nranks + b->left,
               b->width * sizeof *b->values);
}

static double of_site(const struct sca_site_total *total, uint32_t metric)
{
    if (metric == SCALANA_METRIC_MPI_TIME)
        return (double)total->time_ns * 1e-9;
    return metric == SCALANA_METRIC_MPI_CALLS ? (double)total->count : (double)total->bytes;
}

static void add_sites(struct block *b, const struct sca_rank *rank, uint32_t location)
{
    for (uint32_t i = 0; i < rank->nsites; i++)
        add(b, b->run->site_vertex[rank->sites[i].site], location,
            of_site(&rank->sites[i], b->metric));
}

/* A sample in MPI belongs to the call that is being executed. */
static void add_samples(struct block *b, const struct sca_rank *rank, uint32_t location)
{
    for (uint32_t i = 0; i < rank->nsamples; i++) {
        const struct sca_part_sample *s = &rank->sample[i];
        uint32_t context =
            s->in_mpi ? b->run->site_vertex[s->previous] : b->run->node_vertex[s->node];
        add(b, context, location,
            (double)(b->metric == SCALANA_METRIC_SAMPLES
                         ? s->count
                         : s->metric[b->metric - SCALANA_METRIC_COUNTER]));
    }
}

static bool is_of_sites(uint32_t metric)
{
    return metric == SCALANA_METRIC_MPI_TIME || metric == SCALANA_METRIC_MPI_CALLS ||
           metric == SCALANA_METRIC_MPI_BYTES;
}

/* What the profile has of each rank, a rank after the other. */
static int add_tables(struct block *b)
{
    bool sites = is_of_sites(b->metric);
    void *memory = calloc(1, sca_rank_open_size(b->run->profile));
    if (!memory)
        return sca_fail(SCA_ENOMEM, "out of memory");
    struct sca_opened *opened = sca_rank_open_init(memory, b->run->profile);
    memset(b->values, 0, (size_t)b->height * b->width * sizeof *b->values);
    for (uint32_t l = 0; l < b->width; l++) {
        const struct sca_rank *rank =
            sca_rank_open(opened, b->left + l, sites ? SCA_OPEN_SITES : SCA_OPEN_SAMPLES);
        if (rank->present && sites)
            add_sites(b, rank, l);
        else if (rank->present)
            add_samples(b, rank, l);
    }
    free(memory);
    return SCA_OK;
}

static int fill_exclusive(struct block *b)
{
    if (b->metric != SCALANA_METRIC_COMPUTATION)
        return add_tables(b);
    copy_computation(b);
    return SCA_OK;
}

/* Those below come after: from the last one up, each is complete when it is added. */
static void add_up(struct block *b, const struct sca_ppg_vertex *vertices)
{
    for (uint32_t c = b->height; c-- > 1;) {
        uint32_t parent = vertices[b->first + c].parent;
        if (parent < b->first)
            continue;
        const double *from = b->values + (size_t)c * b->width;
        double *to = b->values + (size_t)(parent - b->first) * b->width;
        for (uint32_t l = 0; l < b->width; l++)
            to[l] += from[l];
    }
}

/* How many contexts there are from the first to the last one below any of `n`. */
static uint32_t with_those_below(const scalana_runs *runs, uint32_t first, uint32_t n)
{
    uint32_t end = first + n;
    for (uint32_t c = first; c < first + n; c++)
        if (runs->ends[c] > end)
            end = runs->ends[c];
    return end - first;
}

/* In the caller's block where it holds all that lies below, else in one that does. */
static int fill_inclusive(const scalana_runs *runs, struct block *b)
{
    struct block whole = *b;
    whole.height = with_those_below(runs, b->first, b->height);
    if (whole.height > b->height)
        whole.values = malloc((size_t)whole.height * b->width * sizeof *whole.values);
    if (!whole.values)
        return sca_fail(SCA_ENOMEM, "out of memory");
    int status = fill_exclusive(&whole);
    if (status == SCA_OK)
        add_up(&whole, runs->loaded.ppg->vertices);
    if (whole.values == b->values)
        return status;
    if (status == SCA_OK)
        memcpy(b->values, whole.values, (size_t)b->height * b->width * sizeof *b->values);
    free(whole.values);
    return status;
}

static int check(const scalana_runs *runs, const struct block *b, enum scalana_values values)
{
    int status = sca_run_metrics_check(b->run, b->metric);
    if (status == SCA_OK && values != SCALANA_EXCLUSIVE && values != SCALANA_INCLUSIVE)
        status = sca_fail(SCA_EINVAL, "no values %d: exclusive or inclusive", (int)values);
    if (status == SCA_OK)
        status = sca_arguments_range(b->first, b->height, runs->loaded.ppg->nvertices, "contexts");
    if (status == SCA_OK)
        status = sca_arguments_range(b->left, b->width, b->run->nranks, "locations");
    if (status == SCA_OK && b->height && b->width)
        status = sca_arguments_there(b->values, "out");
    return status;
}

int scalana_metric_values(const scalana_runs *runs, uint32_t run, uint32_t metric,
                          enum scalana_values values, uint32_t first_context, uint32_t ncontexts,
                          uint32_t first_location, uint32_t nlocations, double *out)
{
    struct block b = {NULL, metric, first_context, ncontexts, first_location, nlocations, out};
    int status = sca_run_metrics_take_run(runs, run, &b.run);
    if (status == SCA_OK)
        status = check(runs, &b, values);
    if (status != SCA_OK || !ncontexts || !nlocations)
        return status;
    return values == SCALANA_INCLUSIVE ? fill_inclusive(runs, &b) : fill_exclusive(&b);
}
