#include "look/totals.h"
#include "look/rounds.h"

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

static int read_metric(const struct sca_look *look, uint32_t metric, double *values)
{
    return scalana_metric_values(look->runs, 0, metric, SCALANA_EXCLUSIVE, 0, look->ncontexts, 0,
                                 look->nranks, values);
}

/* Sums over ranks into the contexts. */
static int add_seconds(struct sca_look *look, uint32_t metric, double *values)
{
    int status = read_metric(look, metric, values);
    for (uint32_t c = 0; !status && c < look->ncontexts; c++)
        for (uint32_t r = 0; r < look->nranks; r++)
            look->seconds[c] += values[(size_t)c * look->nranks + r];
    return status;
}

static int fill_contexts(struct sca_look *look)
{
    double *values = malloc((size_t)look->ncontexts * look->nranks * sizeof *values);
    look->seconds = calloc(look->ncontexts, sizeof *look->seconds);
    look->rounds = calloc(look->ncontexts, sizeof *look->rounds);
    look->keys = calloc(look->ncontexts, sizeof *look->keys);
    bool there = values && look->seconds && look->rounds && look->keys;
    int status =
        there ? add_seconds(look, SCALANA_METRIC_COMPUTATION, values) : (int)SCALANA_ENOMEM;
    if (!status)
        status = add_seconds(look, SCALANA_METRIC_MPI_TIME, values);
    if (!status)
        status = read_metric(look, SCALANA_METRIC_MPI_CALLS, values);
    if (!status)
        status = sca_rounds_find(look, values, look->rounds);
    free(values);
    if (!status)
        fill_keys(look);
    return status;
}

/* Seconds that are not booked yet; looks of a row are, but for the last. */
static double open_seconds(const struct sca_rank_now *rank)
{
    bool none = !rank->known || rank->doing == SCALANA_HAS_ENDED || rank->polls || rank->booked;
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

/* Nothing else is known of a rank that has written nothing yet, or whose file is lost. */
static bool is_recorded(const struct sca_rank_now *rank, const struct scalana_location *location)
{
    return rank->known || location->wall_s > 0;
}

static void fill_rank(struct sca_look *look, struct sca_rank_now *rank,
                      const struct scalana_location *location, double wall_s)
{
    double open = open_seconds(rank);
    add_open(look, rank, open);
    rank->mpi_s = location->mpi_s + (rank->doing == SCALANA_IN_MPI_CALL ? open : 0);
    double other = rank->mpi_s + (rank->doing == SCALANA_WAITS_FOR_LOCK ? open : 0);
    rank->compute_s = is_recorded(rank, location) && wall_s > other ? wall_s - other : 0;
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
    uint32_t n = 0;
    int status = all && compute
                     ? scalana_run_locations(look->runs, 0, 0, look->nranks, all, sizeof *all)
                     : SCALANA_ENOMEM;
    if (!status)
        look->duration_s = wall = duration(look, all);
    for (uint32_t r = 0; !status && r < look->nranks; r++) {
        fill_rank(look, &look->ranks[r], &all[r], wall);
        if (is_recorded(&look->ranks[r], &all[r]))
            compute[n++] = look->ranks[r].compute_s;
    }
    if (!status)
        look->efficiency = sca_totals_efficiency(compute, n, wall);
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

/* The loop that most time is spent in, of those with MPI calls; the outermost of such. */
static void find_main_loop(struct sca_look *look)
{
    double most = 0;
    for (uint32_t c = 0; c < look->ncontexts; c++) {
        if (look->contexts[c].kind != SCALANA_LOOP)
            continue;
        double s = seconds_within(look, c);
        if (look->rounds[c].n < FEWEST || s <= most * NEARLY)
            continue;
        most = s;
        look->loop = c;
        look->iterations = look->rounds[c].n;
        look->at_least = look->rounds[c].at_least;
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
