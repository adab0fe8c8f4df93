#include "load/awaited.h"
#include "load/serialised.h"
#include "load/team_size.h"
#include "load/tracks.h"
#include "load/graph_build.h"
#include "load/later_build.h"
#include "load/open_end.h"
#include "load/run_loading.h"
#include "load/worlds.h"
#include "sca_error.h"
#include "sca_progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct told { /* a run, and what the user says of it */
    struct sca_profile *profile;
    double work;      /* 0: nothing */
    uint32_t threads; /* of a rank */
};

static int by_places(const void *a, const void *b)
{
    const struct told *one = a, *other = b;
    const struct sca_profile *x = one->profile, *y = other->profile;
    if (x->nranks != y->nranks)
        return x->nranks < y->nranks ? -1 : 1;
    if (one->threads != other->threads)
        return one->threads < other->threads ? -1 : 1;
    if (x->complete != y->complete) /* the last one is the one that causes are those of */
        return x->complete ? 1 : -1;
    return strcmp(x->directory, y->directory);
}

/* More threads than any rank has: intervals of several may have been added up. */
#define MOST_THREADS 1024

static void repair(uint64_t *ns, uint64_t most, struct sca_rank *rank)
{
    if (*ns <= most)
        return;
    *ns = 0;
    rank->absurd++;
}

static uint64_t times_threads(uint64_t ns)
{
    uint64_t most;
    return __builtin_mul_overflow(ns, (uint64_t)MOST_THREADS, &most) ? UINT64_MAX : most;
}

static void repair_tables(struct sca_rank *rank, uint64_t most)
{
    for (uint32_t i = 0; i < rank->nintervals; i++) {
        repair(&rank->intervals[i].cpu_ns, most, rank);
        repair(&rank->intervals[i].blocked_ns, most, rank);
    }
    for (uint32_t i = 0; i < rank->nsites; i++) {
        repair(&rank->sites[i].time_ns, most, rank);
        repair(&rank->sites[i].min_ns, most, rank);
    }
    for (uint32_t w = 0; w < rank->nwindows; w++)
        for (uint32_t e = 0; e < rank->windows[w].nevents; e++)
            repair(&rank->windows[w].events[e].gap_ns, most, rank);
}

static int repair_rank(struct sca_profile *profile, struct sca_opened *opened, uint32_t r)
{
    struct sca_rank *rank = &profile->ranks[r];
    uint64_t most = times_threads(rank->wall_ns);
    repair(&rank->mpi_ns, most, rank);
    repair(&rank->tool_ns, most, rank);
    repair(&rank->tool_gap_ns, rank->tool_ns, rank);
    if (rank->longest_ns <= most)
        return SCA_OK;
    struct sca_rank changed = sca_rank_open_to_change(opened, r);
    repair_tables(&changed, most);
    return sca_rank_open_keep(profile, r, &changed);
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The span of a middle rank of a world, Init to Finalize; 0 if there is none. */
static uint64_t usual_span(const struct sca_profile *profile, const struct sca_world *world)
{
    uint64_t *spans = calloc((size_t)world->nranks + 1, sizeof *spans), usual = 0;
    uint32_t n = 0;
    for (uint32_t r = world->first; spans && r < world->first + world->nranks; r++)
        if (profile->ranks[r].present && profile->ranks[r].wall_ns > 0)
            spans[n++] = profile->ranks[r].wall_ns;
    if (n) {
        qsort(spans, n, sizeof *spans, by_value);
        usual = spans[(n - 1) / 2];
    }
    free(spans);
    return usual;
}

/* A clock that jumped gives times no run can have; most of them are negative ones. Ranks begin and
 * end together: one that claims to have run for far longer than the others has jumped as a whole.
 * In a run that did not end, some may have died early. */
static int repair_world(struct sca_profile *profile, const struct sca_world *world,
                        struct sca_opened *opened)
{
    uint64_t usual = usual_span(profile, world);
    uint64_t most = profile->complete ? 2 * usual + 1000000000 : times_threads(usual);
    int status = SCA_OK;
    for (uint32_t r = world->first; !status && usual && r < world->first + world->nranks; r++) {
        struct sca_rank *rank = &profile->ranks[r];
        if (rank->wall_ns > most) {
            rank->wall_ns = usual;
            rank->absurd++;
        }
        status = repair_rank(profile, opened, r);
    }
    return status;
}

static int repair_clocks(struct sca_profile *profile, struct sca_opened *opened)
{
    const struct sca_world all = {.nranks = profile->nranks};
    int status = profile->nworlds ? SCA_OK : repair_world(profile, &all, opened);
    for (uint32_t w = 0; !status && w < profile->nworlds; w++)
        status = repair_world(profile, &profile->worlds[w], opened);
    return status;
}

static int mend(struct sca_profile *profile)
{
    void *memory = calloc(1, sca_rank_open_size(profile));
    if (!memory)
        return sca_fail(SCA_ENOMEM, "%s: out of memory", profile->directory);
    struct sca_opened *opened = sca_rank_open_init(memory, profile);
    int status = sca_open_end_add(profile, opened);
    if (!status)
        status = repair_clocks(profile, opened);
    if (!status)
        status = sca_tracks_divide(profile, opened);
    if (!status)
        status = sca_awaited_take_out(profile, opened);
    if (!status)
        status = sca_serialised_add(profile, opened);
    free(memory);
    return status;
}

static int check(const struct sca_profile *profile)
{
    for (uint32_t r = 0; r < profile->nranks; r++)
        if (profile->ranks[r].present)
            return SCA_OK;
    return sca_fail(SCA_EFORMAT, "%s: no rank left anything readable", profile->directory);
}

/* A run given twice would confirm itself. */
static int refuse_repeated(char *const *directories, uint32_t i)
{
    struct stat here, there;
    if (stat(directories[i], &here))
        return SCA_OK; /* reading it says why */
    for (uint32_t k = 0; k < i; k++)
        if (!stat(directories[k], &there) && here.st_dev == there.st_dev &&
            here.st_ino == there.st_ino)
            return sca_fail(SCA_EINVAL, "%s: the same run as %s, given twice", directories[i],
                            directories[k]);
    return SCA_OK;
}

/* Whether a part of detect/load may change ranks' tables. */
static bool is_mended(const struct sca_profile *profile)
{
    return sca_open_end_may_be(profile) || sca_tracks_are_in(profile) ||
           sca_awaited_may_be_in(profile) || sca_serialised_may_be(profile);
}

/* Whether they are as they were read. Of ranks without tables nothing was mended. */
static bool stands(const struct sca_profile *profile)
{
    for (uint32_t r = 0; r < profile->nranks; r++)
        if (profile->ranks[r].longest_ns > times_threads(profile->ranks[r].wall_ns))
            return false;
    return !is_mended(profile);
}

/* Who is handed ranks, for as long as they stand. */
struct handing_over {
    const struct sca_rank_taker *to;
    uint32_t nsites, ncomms; /* that were looked at */
    bool ended;
};

static int hand_over(void *of, const struct sca_profile *so_far, uint32_t index,
                     const struct sca_rank *rank)
{
    struct handing_over *h = of;
    bool more = so_far->nsites > h->nsites || so_far->ncomms > h->ncomms;
    h->nsites = so_far->nsites;
    h->ncomms = so_far->ncomms;
    h->ended |= more && is_mended(so_far);
    return h->ended ? SCA_EMISMATCH : h->to->take(h->to->of, so_far, index, rank);
}

static int load_one(const char *directory, const struct sca_settings *settings,
                    const struct sca_rank_taker *taker, struct sca_profile **out)
{
    if (taker)
        return sca_profile_load_each(directory, taker, out);
    if (settings->since)
        return sca_profile_load_since(directory, settings->since, out);
    return settings->unmeasured ? sca_profile_load_totals(directory, out)
                                : sca_profile_load_packed(directory, out);
}

static int load_all(char *const *directories, uint32_t count, const struct sca_settings *settings,
                    const struct sca_rank_taker *taker, struct sca_runs *out)
{
    if (settings->since && count > 1)
        return sca_fail(SCA_EINVAL, "since goes with one run");
    for (uint32_t i = 0; i < count; i++) {
        sca_progress_watch("reading run %u of %u", i + 1, count);
        int status = refuse_repeated(directories, i);
        if (status == SCA_OK)
            status = load_one(directories[i], settings, taker, &out->profiles[i]);
        if (status == SCA_OK)
            status = check(out->profiles[out->count++]);
        if (status != SCA_OK)
            return status;
    }
    sca_progress_watch("checking the runs");
    int status = sca_worlds_unite(out->profiles, &out->count);
    for (uint32_t i = 0; status == SCA_OK && i < out->count; i++)
        status = mend(out->profiles[i]);
    return status;
}

/* A run's work: told for its number of ranks, or for its place in the order. 0: not told. */
static double work_of(const struct sca_settings *settings, uint32_t run, uint32_t nranks,
                      uint32_t nruns)
{
    for (uint32_t i = 0; i < settings->nwork; i++)
        if (settings->work_ranks[i] == nranks)
            return settings->work[i];
    bool in_order = settings->nwork && !settings->work_ranks[0];
    return in_order && settings->nwork == nruns ? settings->work[run] : 0;
}

static int check_work(const struct sca_settings *settings, const struct sca_runs *runs)
{
    for (uint32_t i = 0; settings->nwork && settings->work_ranks[0] && i < runs->count; i++)
        if (work_of(settings, i, runs->profiles[i]->nranks, runs->count) <= 0)
            return sca_fail(SCA_EINVAL, "work: %s is a run on %u ranks, whose work is missing",
                            runs->profiles[i]->directory, runs->profiles[i]->nranks);
    return SCA_OK;
}

/* The numbers follow their runs. */
static void put_in_order(struct told *runs, const struct sca_settings *settings,
                         struct sca_runs *out)
{
    for (uint32_t i = 0; i < out->count; i++) {
        runs[i].profile = out->profiles[i];
        runs[i].threads = sca_team_size(out->profiles[i]);
        runs[i].work = work_of(settings, i, out->profiles[i]->nranks, out->count);
    }
    qsort(runs, out->count, sizeof *runs, by_places);
    for (uint32_t i = 0; i < out->count; i++)
        out->profiles[i] = runs[i].profile;
}

/* The file is another by now: perhaps there is a run of that. */
static int explain_rebuilt(int status, const struct sca_runs *runs)
{
    char later[SCA_LATER_BUILD], message[512];
    snprintf(message, sizeof message, "%s", sca_error_message());
    for (uint32_t i = 0; i < runs->count; i++)
        if (*sca_later_build(runs->profiles[i], later))
            return sca_fail(status, "%s. %.250s", later, message);
    return sca_fail(status, "%s", message);
}

static int build(struct told *runs, uint32_t count, const struct sca_settings *settings,
                 struct sca_runs *out)
{
    int status = SCA_OK;
    if (settings->nwork && out->count < count)
        status = sca_fail(SCA_EINVAL, "--work does not apply to runs of several worlds");
    if (status == SCA_OK)
        status = check_work(settings, out);
    if (status == SCA_OK) {
        put_in_order(runs, settings, out);
        const struct sca_graph_wish wish = {.max_loop_depth = settings->max_loop_depth,
                                            .cache = !settings->no_cache,
                                            .unmeasured = settings->unmeasured,
                                            .symfs = settings->symfs};
        status = sca_graph_build(out->profiles, out->count, &wish, &out->ppg);
    }
    if (status == SCA_EMISMATCH)
        status = explain_rebuilt(status, out);
    for (uint32_t i = 0; status == SCA_OK && i < out->count; i++)
        out->ppg->runs[i].work = runs[i].work;
    return status;
}

static int load(char *const *directories, uint32_t count, const struct sca_settings *settings,
                const struct sca_rank_taker *taker, struct sca_runs *out)
{
    *out = (struct sca_runs){0};
    out->profiles = calloc(count, sizeof *out->profiles);
    struct told *runs = calloc(count, sizeof *runs);
    struct handing_over over = {.to = taker};
    const struct sca_rank_taker by = {hand_over, &over};
    int status = out->profiles && runs
                     ? load_all(directories, count, settings, taker ? &by : NULL, out)
                     : sca_fail(SCA_ENOMEM, "out of memory");
    if (over.ended)
        status = SCA_OK;
    else if (status == SCA_OK && (!taker || stands(out->profiles[0])))
        status = build(runs, count, settings, out);
    free(runs);
    return status;
}

int sca_runs_load(char *const *directories, uint32_t count, const struct sca_settings *settings,
                  struct sca_runs *out)
{
    return load(directories, count, settings, NULL, out);
}

int sca_runs_load_each(char *directory, const struct sca_settings *settings,
                       const struct sca_rank_taker *taker, struct sca_runs *out)
{
    return load(&directory, 1, settings, taker, out);
}

void sca_runs_free(struct sca_runs *runs)
{
    if (runs->ppg)
        sca_ppg_free(runs->ppg);
    for (uint32_t i = 0; i < runs->count; i++)
        sca_profile_free(runs->profiles[i]);
    free(runs->profiles);
    *runs = (struct sca_runs){0};
}
