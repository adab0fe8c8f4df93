#include "load/tracks.h"
#include "sca_error.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_THREADS = UINT16_MAX + 1 };

struct track { /* of all sites that lead to each other; kept at the set's first site */
    uint64_t calls;
    uint32_t nthreads; /* beside the first, that samples were of */
    bool is_first;     /* the first thread goes along it */
    bool folds;
};

struct folding {
    const struct sca_profile *profile;
    uint32_t *set;        /* per site: another one of its set, or itself */
    struct track *tracks; /* per site */
    uint32_t *seen;       /* per thread: the set that was found last, + 1 */
};

/* The outermost frame of a call path: threads do not begin where the program does. */
static uint32_t outermost(const struct sca_profile *p, uint32_t node)
{
    while (node && node < p->nnodes && p->nodes[node].parent)
        node = p->nodes[node].parent;
    return node;
}

/* Most programs call MPI from one thread: then nothing is opened. */
static bool may_have_tracks(const struct sca_profile *p)
{
    uint32_t first = SCA_NONE;
    for (uint32_t s = 1; s < p->nsites; s++) {
        uint32_t at = outermost(p, p->sites[s].node);
        if (strncmp(p->sites[s].function, "MPI_", 4) != 0 || !at)
            continue;
        if (first != SCA_NONE && at != first)
            return true;
        first = at;
    }
    return false;
}

static uint32_t set_of(const struct folding *f, uint32_t site)
{
    while (f->set[site] != site)
        site = f->set[site];
    return site;
}

/* The lower one stands for both, so that the first call's set is 0. */
static void unite(const struct folding *f, uint32_t a, uint32_t b)
{
    uint32_t x = set_of(f, a), y = set_of(f, b);
    f->set[x < y ? y : x] = x < y ? x : y;
}

static void find_sets(const struct folding *f, const struct sca_rank *rank)
{
    uint32_t n = f->profile->nsites;
    memset(f->tracks, 0, n * sizeof *f->tracks);
    for (uint32_t s = 0; s < n; s++)
        f->set[s] = s;
    for (uint32_t i = 0; i < rank->nintervals; i++)
        unite(f, rank->intervals[i].previous, rank->intervals[i].site);
    for (uint32_t i = 0; i < rank->nintervals; i++)
        f->tracks[set_of(f, rank->intervals[i].site)].calls += rank->intervals[i].count;
}

static bool computes(const struct folding *f, const struct sca_part_sample *s)
{
    return s->in_mpi == SCA_SAMPLE_COMPUTES && s->previous < f->profile->nsites && s->count;
}

static void find_threads(const struct folding *f, const struct sca_rank *rank)
{
    memset(f->seen, 0, MOST_THREADS * sizeof *f->seen);
    for (uint32_t i = 0; i < rank->nsamples; i++) {
        const struct sca_part_sample *s = &rank->sample[i];
        if (!computes(f, s))
            continue;
        uint32_t set = set_of(f, s->previous);
        f->tracks[set].is_first |= !s->thread;
        f->tracks[set].nthreads += s->thread && f->seen[s->thread] != set + 1;
        f->seen[s->thread] = set + 1;
    }
}

static bool choose(const struct folding *f)
{
    uint64_t first = f->tracks[0].calls;
    bool any = false;
    for (uint32_t s = 1; s < f->profile->nsites; s++) {
        struct track *t = &f->tracks[s];
        t->folds = t->nthreads && !t->is_first && t->calls <= first * t->nthreads;
        any |= t->folds;
    }
    return any;
}

/* Where the first thread waited longest for that one; without such a place, for any. */
static const struct sca_part_sample *waited_for(const struct sca_rank *rank, uint16_t thread)
{
    const struct sca_part_sample *best = NULL;
    for (uint32_t i = 0; i < rank->nsamples; i++) {
        const struct sca_part_sample *s = &rank->sample[i];
        bool is = s->in_mpi == SCA_SAMPLE_THREAD && s->thread == thread;
        bool any = s->in_mpi == SCA_SAMPLE_HELPED;
        bool before = best && best->in_mpi == SCA_SAMPLE_THREAD;
        bool longer = !best || (is && !before) || (is == before && s->length_ns > best->length_ns);
        if ((is || (any && !before)) && longer)
            best = s;
    }
    return best;
}

static void move_samples(const struct folding *f, struct sca_rank *rank)
{
    for (uint32_t i = 0; i < rank->nsamples; i++) {
        struct sca_part_sample *s = &rank->sample[i];
        if (!computes(f, s) || !f->tracks[set_of(f, s->previous)].folds)
            continue;
        const struct sca_part_sample *wait = waited_for(rank, s->thread);
        s->previous = wait ? wait->previous : s->previous;
        s->next = wait ? wait->next : s->next;
    }
}

static bool is_helped(const struct sca_rank *rank, const struct sca_part_interval *x)
{
    for (uint32_t i = 0; i < rank->nsamples; i++)
        if (rank->sample[i].in_mpi == SCA_SAMPLE_HELPED &&
            rank->sample[i].previous == x->previous && rank->sample[i].next == x->site)
            return true;
    return false;
}

/* The first thread waits for what that thread computes. */
static void take_wait(struct sca_rank *rank, const struct sca_part_sample *wait)
{
    for (uint32_t i = 0; i < rank->nintervals; i++) {
        struct sca_part_interval *x = &rank->intervals[i];
        if (x->previous != wait->previous || x->site != wait->next || is_helped(rank, x))
            continue;
        uint64_t ns = wait->length_ns < x->blocked_ns ? wait->length_ns : x->blocked_ns;
        x->blocked_ns -= ns;
        x->cpu_ns += ns;
    }
}

/* Calls that blocked it are known. What is left of such a stall, the first thread waited for others
 * that were in MPI themselves, for another rank: no time of this rank's. */
static void limit_blocked(const struct sca_rank *rank, struct sca_part_interval *x)
{
    uint64_t known_ns = 0;
    for (uint32_t i = 0; i < rank->nsamples; i++) {
        const struct sca_part_sample *s = &rank->sample[i];
        bool is = s->in_mpi == SCA_SAMPLE_BLOCKED && s->previous == x->previous;
        known_ns += is && s->next == x->site ? s->length_ns : 0;
    }
    x->blocked_ns = x->blocked_ns < known_ns ? x->blocked_ns : known_ns;
}

static bool is_on_track(const struct folding *f, uint16_t thread)
{
    return f->seen[thread] && f->tracks[f->seen[thread] - 1].folds;
}

static void take_waits(const struct folding *f, struct sca_rank *rank)
{
    for (uint32_t i = 0; i < rank->nsamples; i++)
        if (rank->sample[i].in_mpi == SCA_SAMPLE_THREAD && is_on_track(f, rank->sample[i].thread))
            take_wait(rank, &rank->sample[i]);
    for (uint32_t i = 0; i < rank->nintervals; i++)
        limit_blocked(rank, &rank->intervals[i]);
}

static void drop_intervals(const struct folding *f, struct sca_rank *rank)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < rank->nintervals; i++)
        if (!f->tracks[set_of(f, rank->intervals[i].site)].folds)
            rank->intervals[kept++] = rank->intervals[i];
    rank->nintervals = kept;
}

static int fold_rank(const struct folding *f, struct sca_profile *profile,
                     struct sca_opened *opened, uint32_t r)
{
    struct sca_rank rank = sca_rank_open_to_change(opened, r);
    if (!rank.present)
        return SCA_OK;
    find_sets(f, &rank);
    find_threads(f, &rank);
    if (!choose(f))
        return SCA_OK;
    take_waits(f, &rank);
    move_samples(f, &rank);
    drop_intervals(f, &rank);
    return sca_rank_open_keep(profile, r, &rank);
}

int sca_tracks_fold(struct sca_profile *profile, struct sca_opened *opened)
{
    if (!may_have_tracks(profile))
        return SCA_OK;
    struct folding f = {.profile = profile,
                        .set = calloc(profile->nsites, sizeof *f.set),
                        .tracks = calloc(profile->nsites, sizeof *f.tracks),
                        .seen = calloc(MOST_THREADS, sizeof *f.seen)};
    int status =
        f.set && f.tracks && f.seen ? SCA_OK : sca_fail(SCA_ENOMEM, "out of memory for threads");
    for (uint32_t r = 0; !status && r < profile->nranks; r++)
        status = fold_rank(&f, profile, opened, r);
    free(f.set);
    free(f.tracks);
    free(f.seen);
    return status;
}
