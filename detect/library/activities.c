/* What each rank was doing when its run was read. */
#include "library/activities.h"
#include "graph/mpi_function.h"
#include "library/rows.h"
#include "library/run_metrics.h"
#include "sca_error.h"

#include <stdlib.h>

/* Until when times are counted: now, or of a run without processes its last sign of life, by the
 * clock of each rank's host, which one host's ranks share. */
static uint64_t until(const struct sca_profile *p, const struct sca_rank *rank, bool goes_on)
{
    uint64_t last = rank->moment->last_ns;
    if (goes_on && rank->moment->now_ns)
        return rank->moment->now_ns;
    for (uint32_t r = 0; r < p->nranks; r++) {
        const struct sca_rank *other = &p->ranks[r];
        if (other->moment && other->clock == rank->clock && other->moment->last_ns > last)
            last = other->moment->last_ns;
    }
    return last;
}

static double between(uint64_t from_ns, uint64_t to_ns)
{
    return to_ns > from_ns ? (double)(to_ns - from_ns) * 1e-9 : 0;
}

/* The process is gone, and what it called last ends one. */
static bool ended_itself(const struct sca_profile *p, const struct sca_moment *moment,
                         const struct sca_activity *a)
{
    return moment->alive == SCA_DEAD && !a->inside && a->site < p->nsites &&
           sca_mpi_function_ends(p->sites[a->site].function);
}

static uint32_t doing_of(const struct sca_profile *p, const struct sca_moment *moment,
                         const struct sca_activity *a)
{
    if (moment->state == SCA_FINALIZED)
        return SCALANA_IN_FINALIZE;
    if (moment->state != SCA_RUNNING && moment->state != SCA_SNAPSHOT)
        return SCALANA_HAS_ENDED;
    if (ended_itself(p, moment, a))
        return SCALANA_HAS_ENDED;
    return a->inside ? SCALANA_IN_MPI_CALL : a->in_lock ? SCALANA_WAITS_FOR_LOCK : SCALANA_COMPUTES;
}

static uint32_t state_of_thread(char state)
{
    return state == 'R'                   ? SCALANA_THREAD_RUNS
           : state == 'S' || state == 'D' ? SCALANA_THREAD_SLEEPS
           : state == 'T' || state == 't' ? SCALANA_THREAD_STOPPED
                                          : SCALANA_THREAD_UNKNOWN;
}

static uint32_t context_of(const uint32_t *map, uint32_t index, uint32_t otherwise)
{
    uint32_t context = index == SCA_NONE ? SCA_NONE : map[index];
    return context == SCA_NONE ? otherwise : context;
}

static int fill(struct sca_arena *memory, const struct sca_ppg_run *run, uint32_t r, uint32_t i,
                bool goes_on, struct scalana_activity *out)
{
    const struct sca_rank *rank = &run->profile->ranks[r];
    const struct sca_moment *m = rank->moment;
    const struct sca_activity *a = &m->activities[i];
    uint64_t now = until(run->profile, rank, goes_on);
    *out = (struct scalana_activity){
        .location = r,
        .thread = a->thread,
        .doing = doing_of(run->profile, m, a),
        .gone = m->alive == SCA_DEAD || m->state == SCA_ABORTED || m->state == SCA_EXITED,
        .context = context_of(run->site_vertex, a->site, 0),
        .since_s = between(a->since_ns, now),
        .held = SCALANA_NONE,
        .state = state_of_thread(a->state),
        .booked = m->open_booked && i == 0,
        .sampled = context_of(run->node_vertex, m->sampled, SCALANA_NONE),
        .sampled_s = m->sampled == SCA_NONE ? 0 : between(m->sampled_ns, now)};
    if (a->in_lock) {
        out->context = context_of(run->site_vertex, a->lock.site, 0);
        out->held = context_of(run->site_vertex, a->lock.held, SCALANA_NONE);
        out->holder = a->lock.holder;
        out->since_s = between(a->lock.begin_ns, now);
        out->asked_s = between(a->lock.asked_ns, now);
    }
    return sca_awaited_make(memory, run, a, out);
}

static uint32_t count(const struct sca_profile *p)
{
    uint32_t n = 0;
    for (uint32_t r = 0; r < p->nranks; r++)
        n += p->ranks[r].moment ? p->ranks[r].moment->nactivities : 0;
    return n;
}

static uint32_t state_of(const struct sca_profile *p)
{
    bool alive = false, unknown = false, snapshot = false;
    if (p->complete)
        return SCALANA_RUN_IS_OVER;
    for (uint32_t r = 0; r < p->nranks; r++) {
        const struct sca_moment *m = p->ranks[r].moment;
        bool open = m && (m->state == SCA_RUNNING || m->state == SCA_FINALIZED);
        snapshot |= m && m->state == SCA_SNAPSHOT;
        alive |= open && m->alive == SCA_ALIVE;
        unknown |= open && m->alive == SCA_ALIVE_UNKNOWN;
    }
    if (snapshot)
        return SCALANA_RUN_SNAPSHOT;
    return alive ? SCALANA_RUN_GOES_ON : unknown ? SCALANA_RUN_UNKNOWN : SCALANA_RUN_BROKE_OFF;
}

static double running(const struct sca_profile *p)
{
    double longest = 0;
    for (uint32_t r = 0; r < p->nranks; r++) {
        const struct sca_rank *rank = &p->ranks[r];
        double s = rank->moment ? between(rank->init_ns, rank->moment->now_ns) : 0;
        longest = s > longest ? s : longest;
    }
    return longest;
}

static int make(struct sca_arena *memory, const struct sca_ppg_run *run, struct sca_run_moment *out)
{
    const struct sca_profile *p = run->profile;
    out->state = state_of(p);
    out->running_s = out->state == SCALANA_RUN_GOES_ON ? running(p) : 0;
    out->activities = sca_arena_alloc(memory, count(p) + 1ul, sizeof *out->activities);
    if (!out->activities)
        return sca_fail(SCA_ENOMEM, "out of memory");
    for (uint32_t r = 0; r < p->nranks; r++)
        for (uint32_t i = 0; p->ranks[r].moment && i < p->ranks[r].moment->nactivities; i++) {
            int status = fill(memory, run, r, i, out->state == SCALANA_RUN_GOES_ON,
                              &out->activities[out->nactivities++]);
            if (status != SCA_OK)
                return status;
        }
    return SCA_OK;
}

int sca_activities_make(struct scalana_runs *runs)
{
    const struct sca_ppg *ppg = runs->loaded.ppg;
    int status = SCA_OK;
    runs->moments = calloc(ppg->nruns, sizeof *runs->moments);
    if (!runs->moments)
        return sca_fail(SCA_ENOMEM, "out of memory");
    for (uint32_t i = 0; status == SCA_OK && i < ppg->nruns; i++)
        status = make(&runs->live, &ppg->runs[i], &runs->moments[i]);
    return status;
}

static void fill_row(const void *source, uint32_t i, void *row)
{
    *(struct scalana_activity *)row = ((const struct sca_run_moment *)source)->activities[i];
}

int scalana_run_activities(const scalana_runs *runs, uint32_t run, uint32_t first, uint32_t count,
                           struct scalana_activity *out, size_t size)
{
    const struct sca_ppg_run *of;
    int status = sca_run_metrics_take_run(runs, run, &of);
    if (status != SCA_OK)
        return status;
    struct sca_listing rows = {"activities", runs->moments[run].nactivities, sizeof *out, fill_row,
                               &runs->moments[run]};
    return sca_rows_copy(&rows, first, count, out, size);
}
