#include "look/totals.h"

#include <stdlib.h>

enum { FEWEST = 3 /* iterations that make a main loop */ };
#define NEARLY 1.1 /* an inner one must have so much more */

/* FNV-1a. */
static uint64_t mix(uint64_t hash, const void *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u;
    return hash;
}

static uint64_t mix_text(uint64_t hash, const char *text)
{
    for (; *text; text++)
        hash = mix(hash, text, 1);
    return mix(hash, "", 1);
}

static void fill_keys(struct sca_look *look)
{
    for (uint32_t c = 0; c < look->ncontexts; c++) {
        const struct scalana_context *at = &look->contexts[c];
        uint64_t key = c ? look->keys[at->parent] : 0xcbf29ce484222325u;
        const uint32_t numbers[] = {at->kind, at->order, at->arm, at->line};
        key = mix(key, numbers, sizeof numbers);
        look->keys[c] = mix_text(mix_text(mix_text(key, at->name), at->function), at->file);
    }
}

/* Of one metric: sums over ranks into the contexts, and each rank's calls, the fewest of them. */
static int add_metric(struct sca_look *look, uint32_t metric, double *values)
{
    int status = scalana_metric_values(look->runs, 0, metric, SCALANA_EXCLUSIVE, 0, look->ncontexts,
                                       0, look->nranks, values);
    for (uint32_t c = 0; !status && c < look->ncontexts; c++) {
        const double *row = values + (size_t)c * look->nranks;
        double fewest = row[0];
        for (uint32_t r = 0; r < look->nranks; r++) {
            fewest = row[r] < fewest ? row[r] : fewest;
            if (metric != SCALANA_METRIC_MPI_CALLS)
                look->seconds[c] += row[r];
        }
        if (metric == SCALANA_METRIC_MPI_CALLS)
            look->calls[c] = fewest;
    }
    return status;
}

static int fill_contexts(struct sca_look *look)
{
    static const uint32_t metrics[] = {SCALANA_METRIC_COMPUTATION, SCALANA_METRIC_MPI_TIME,
                                       SCALANA_METRIC_MPI_CALLS};
    double *values = malloc((size_t)look->ncontexts * look->nranks * sizeof *values);
    look->seconds = calloc(look->ncontexts, sizeof *look->seconds);
    look->calls = calloc(look->ncontexts, sizeof *look->calls);
    look->keys = calloc(look->ncontexts, sizeof *look->keys);
    int status = values && look->seconds && look->calls && look->keys ? SCALANA_OK : SCALANA_ENOMEM;
    for (int i = 0; !status && i < 3; i++)
        status = add_metric(look, metrics[i], values);
    free(values);
    if (!status)
        fill_keys(look);
    return status;
}

/* Seconds that are not booked yet; looks of a row are, but for the last. */
static double open_seconds(const struct sca_rank_now *rank)
{
    bool none = !rank->known || rank->doing == SCALANA_HAS_ENDED || rank->polls;
    return none ? 0 : rank->since_s;
}

/* What is under way is not booked yet. Where a rank computes, its last sample says. */
static void add_open(struct sca_look *look, const struct sca_rank_now *rank, double open)
{
    if (rank->doing == SCALANA_IN_MPI_CALL)
        look->seconds[rank->context] += open;
    else if (rank->sampled != SCALANA_NONE && rank->sampled_s <= rank->since_s)
        look->seconds[rank->sampled] += open;
}

static void fill_rank(struct sca_look *look, struct sca_rank_now *rank,
                      const struct scalana_location *location, double wall_s)
{
    double open = open_seconds(rank);
    add_open(look, rank, open);
    rank->mpi_s = location->mpi_s + (rank->doing == SCALANA_IN_MPI_CALL ? open : 0);
    double other = rank->mpi_s + (rank->doing == SCALANA_WAITS_FOR_LOCK ? open : 0);
    rank->compute_s = wall_s > other ? wall_s - other : 0;
}

struct sca_efficiency sca_totals_efficiency(const double *compute_s, uint32_t n, double wall_s)
{
    double sum = 0, most = 0;
    for (uint32_t r = 0; r < n; r++) {
        sum += compute_s[r];
        most = compute_s[r] > most ? compute_s[r] : most;
    }
    if (!n || most <= 0 || wall_s <= 0)
        return (struct sca_efficiency){0};
    return (struct sca_efficiency){.parallel = sum / n / wall_s,
                                   .load_balance = sum / n / most,
                                   .communication = most / wall_s};
}

/* Of a run that goes on the library says it. */
static double duration(const struct sca_look *look, const struct scalana_location *all)
{
    double longest = look->run.running_s > 0 ? look->run.running_s : look->run.wall_s;
    for (uint32_t r = 0; look->run.running_s <= 0 && r < look->nranks; r++) {
        double s = all[r].wall_s + open_seconds(&look->ranks[r]);
        longest = s > longest ? s : longest;
    }
    return longest;
}

static int fill_ranks(struct sca_look *look)
{
    struct scalana_location *all = calloc(look->nranks, sizeof *all);
    double *compute = calloc(look->nranks, sizeof *compute);
    double wall = 0;
    int status = all && compute
                     ? scalana_run_locations(look->runs, 0, 0, look->nranks, all, sizeof *all)
                     : SCALANA_ENOMEM;
    if (!status)
        look->duration_s = wall = duration(look, all);
    for (uint32_t r = 0; !status && r < look->nranks; r++) {
        fill_rank(look, &look->ranks[r], &all[r], wall);
        compute[r] = look->ranks[r].compute_s;
    }
    if (!status)
        look->efficiency = sca_totals_efficiency(compute, look->nranks, wall);
    free(all);
    free(compute);
    return status;
}

static double seconds_within(const struct sca_look *look, uint32_t context)
{
    double sum = 0;
    for (uint32_t c = context; c < look->contexts[context].end; c++)
        sum += look->seconds[c];
    return sum;
}

static uint32_t loop_around(const struct sca_look *look, uint32_t context, bool *branch)
{
    *branch = false;
    for (uint32_t c = look->contexts[context].parent; c; c = look->contexts[c].parent) {
        if (look->contexts[c].kind == SCALANA_LOOP)
            return c;
        *branch |= look->contexts[c].kind == SCALANA_BRANCH;
    }
    return SCALANA_NONE;
}

/* As often as an MPI call in it is made that no inner loop repeats, on the rank that is behind.
 * *least: rounds may pass all such calls over. */
static double rounds(const struct sca_look *look, uint32_t loop, bool *least)
{
    double always = 0, sometimes = 0;
    bool branch;
    for (uint32_t c = loop + 1; c < look->contexts[loop].end; c++)
        if (look->contexts[c].kind == SCALANA_MPI && loop_around(look, c, &branch) == loop) {
            double *most = branch ? &sometimes : &always;
            *most = look->calls[c] > *most ? look->calls[c] : *most;
        }
    *least = always <= 0;
    return always > 0 ? always : sometimes;
}

/* The loop that most time is spent in, of those with MPI calls; the outermost of such. */
static void find_main_loop(struct sca_look *look)
{
    double most = 0;
    for (uint32_t c = 0; c < look->ncontexts; c++) {
        if (look->contexts[c].kind != SCALANA_LOOP)
            continue;
        bool least;
        double s = seconds_within(look, c), n = rounds(look, c, &least);
        if (n < FEWEST || s <= most * NEARLY)
            continue;
        most = s;
        look->loop = c;
        look->iterations = n;
        look->at_least = least;
    }
}

int sca_totals_fill(struct sca_look *look)
{
    int status = fill_contexts(look);
    if (!status)
        status = fill_ranks(look);
    if (!status)
        find_main_loop(look);
    return status;
}
