#include "look/look.h"
#include "look/totals.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int read_rows(struct sca_look *look)
{
    int status = scalana_runs_get(look->runs, 0, 1, &look->run, sizeof look->run);
    if (status)
        return status;
    look->nranks = look->run.ranks;
    look->ncontexts = scalana_graph_count(look->runs);
    look->contexts = calloc(look->ncontexts, sizeof *look->contexts);
    look->ranks = calloc(look->nranks, sizeof *look->ranks);
    look->united = calloc(look->nranks, sizeof *look->united);
    look->activities = calloc(look->run.nactivities + 1ul, sizeof *look->activities);
    if (!look->contexts || !look->ranks || !look->united || !look->activities)
        return SCALANA_ENOMEM;
    status = scalana_graph_contexts(look->runs, 0, look->ncontexts, look->contexts,
                                    sizeof *look->contexts);
    return status ? status
                  : scalana_run_activities(look->runs, 0, 0, look->run.nactivities,
                                           look->activities, sizeof *look->activities);
}

static void set(struct sca_rank_now *rank, const struct scalana_activity *a)
{
    rank->doing = a->doing;
    rank->context = a->context;
    rank->sampled = a->sampled;
    rank->held = a->held;
    rank->state = a->state;
    rank->since_s = a->since_s;
    rank->sampled_s = a->sampled_s;
    rank->any = a->any;
    rank->polls = a->polls;
    rank->booked = a->booked;
    rank->nawaited = a->nawaited;
    rank->nknown = a->nknown;
    rank->awaited = a->awaited;
}

/* Two threads in MPI: the rank goes on with the first of the two calls that ends. */
static int unite(struct sca_look *look, uint32_t r, const struct scalana_activity *a)
{
    struct sca_rank_now *rank = &look->ranks[r];
    uint32_t n = rank->nknown + a->nknown;
    struct scalana_awaited *both = calloc(n + 1ul, sizeof *both);
    if (!both)
        return SCALANA_ENOMEM;
    if (rank->nknown)
        memcpy(both, rank->awaited, rank->nknown * sizeof *both);
    if (a->nknown)
        memcpy(both + rank->nknown, a->awaited, a->nknown * sizeof *both);
    bool known = rank->nawaited && a->nawaited;
    free(look->united[r]);
    rank->awaited = look->united[r] = both;
    rank->nknown = n;
    rank->nawaited = known ? rank->nawaited + a->nawaited : 0;
    rank->any = true;
    rank->polls |= a->polls;
    rank->since_s = a->since_s < rank->since_s ? a->since_s : rank->since_s;
    return SCALANA_OK;
}

static int add_activity(struct sca_look *look, const struct scalana_activity *a)
{
    struct sca_rank_now *rank = &look->ranks[a->location];
    bool first = !rank->known;
    rank->known = true;
    rank->gone = a->gone;
    bool moves = a->doing == SCALANA_COMPUTES && rank->doing != SCALANA_COMPUTES;
    bool is_ahead = rank->doing == SCALANA_WAITS_FOR_LOCK && a->doing != SCALANA_WAITS_FOR_LOCK;
    if (first || moves || is_ahead)
        set(rank, a);
    else if (a->doing == SCALANA_IN_MPI_CALL && rank->doing == SCALANA_IN_MPI_CALL)
        return unite(look, a->location, a);
    return SCALANA_OK;
}

static int read_all(struct sca_look *look, bool verdict)
{
    int status = read_rows(look);
    for (uint32_t i = 0; !status && i < look->run.nactivities; i++)
        status = add_activity(look, &look->activities[i]);
    if (!status)
        status = sca_totals_fill(look);
    if (!status && verdict)
        status = scalana_verdict_find(look->runs, NULL, &look->report);
    return status;
}

int sca_look_take(const char *directory, bool verdict, struct sca_look *out)
{
    *out = (struct sca_look){.loop = SCALANA_NONE, .at_s = now()};
    int status = scalana_runs_load(&directory, 1, NULL, &out->runs);
    if (!status)
        status = read_all(out, verdict);
    out->took_s = now() - out->at_s;
    if (status)
        sca_look_free(out);
    return status;
}

void sca_look_free(struct sca_look *look)
{
    for (uint32_t r = 0; look->united && r < look->nranks; r++)
        free(look->united[r]);
    free(look->united);
    free(look->activities);
    free(look->ranks);
    free(look->contexts);
    free(look->seconds);
    free(look->rounds);
    free(look->keys);
    scalana_report_free(look->report);
    scalana_runs_free(look->runs);
    *look = (struct sca_look){.loop = SCALANA_NONE};
}

bool sca_look_goes_on(const struct sca_look *look)
{
    return look->run.state == SCALANA_RUN_GOES_ON || look->run.state == SCALANA_RUN_UNKNOWN;
}
