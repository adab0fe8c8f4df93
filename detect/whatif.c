#include "whatif.h"
#include "shortlist.h"
#include "wander.h"
#include "sca_progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_FORCED 0.02 /* of the steps: beyond this the messages do not fit together */

static double transfer_of(const struct sca_scene *scene)
{
    double seconds = 0;
    for (uint32_t r = 0; r < scene->nranks; r++)
        for (uint32_t i = 0; i < scene->tracks[r].nsteps; i++)
            seconds += sca_transfer_of(&scene->tracks[r], i);
    return seconds * scene->weight;
}

/* How much of each vertex is left on this rank. Nested levels do not multiply: the lesser rules. */
static void keep_on_rank(struct sca_stage *stage, struct sca_candidate *const *levelled, uint32_t n,
                         uint32_t rank)
{
    for (uint32_t v = 0; v < stage->m->ppg->nvertices; v++)
        stage->keep[v] = stage->keep_alike[v] = 1;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < levelled[i]->nvertices; k++) {
            if (levelled[i]->wanders || levelled[i]->between)
                continue;
            uint32_t top = levelled[i]->vertices[k];
            const double *factors = levelled[i]->factors;
            double factor =
                factors ? factors[(size_t)k * stage->m->nranks + rank] : levelled[i]->factor[rank];
            for (uint32_t v = top; v < stage->ends[top]; v++) {
                stage->keep[v] = fmin(stage->keep[v], factor);
                if (levelled[i]->alike)
                    stage->keep_alike[v] = fmin(stage->keep_alike[v], factor);
            }
        }
}

/*
 * `kept` and `kept_alike` are parts of the computation after a site; `excess` the part that
 * instances have beyond the other ranks' in the same instance. What is levelled is taken from the
 * excess first, so that a step which takes long once in a while is the one that gets shorter.
 */
static void set_level(struct sca_level *level, double kept, double kept_alike, double excess)
{
    double uneven = fmax(0, kept_alike - kept), rest = fmax(0, uneven - excess * kept_alike);
    level->usual = level->excess = (float)kept_alike;
    if (excess > 0)
        level->excess = (float)(kept_alike - fmin(kept_alike, uneven / excess));
    if (rest > 0 && excess < 1)
        level->usual = (float)(kept_alike - rest / (1 - excess));
}

/* What candidates of intervals leave of the computation after a call. */
static double keep_after(struct sca_candidate *const *levelled, uint32_t n, uint32_t rank,
                         uint32_t vertex)
{
    double keep = 1;
    for (uint32_t i = 0; i < n; i++)
        if (levelled[i]->between && levelled[i]->after == vertex)
            keep = fmin(keep, levelled[i]->factor[rank]);
    return keep;
}

/* After each site of the rank. */
static void level_gaps(struct sca_stage *stage, struct sca_candidate *const *levelled, uint32_t n,
                       uint32_t rank)
{
    const struct sca_ppg_run *run = stage->m->run;
    const float *excess = stage->nreplays ? stage->replays[0].scene->excess : NULL;
    uint32_t nsites = run->profile->nsites;
    for (uint32_t s = 0; s < nsites; s++) {
        size_t gap = (size_t)rank * nsites + s;
        double all = 0, kept = 0, alike = 0;
        for (uint32_t i = run->first_share[gap]; i < run->first_share[gap + 1]; i++) {
            const struct sca_ppg_share *share = &run->shares[i];
            all += share->seconds;
            kept += share->seconds * stage->keep[share->vertex];
            alike += share->seconds * stage->keep_alike[share->vertex];
        }
        uint32_t v = run->site_vertex[s];
        stage->levels[s] = (struct sca_level){1, 1, v != SCA_NONE ? (float)stage->keep[v] : 1};
        if (all > 0)
            set_level(&stage->levels[s],
                      fmax(0, fmin(kept / all, keep_after(levelled, n, rank, v))),
                      fmax(0, alike / all), excess ? excess[gap] : 0);
    }
}

static void level_track(const struct sca_stage *stage, struct sca_replay *replay, uint32_t rank)
{
    const struct sca_track *track = &replay->scene->tracks[rank];
    uint32_t nsites = stage->m->run->profile->nsites;
    for (uint32_t i = 0; i < track->nsteps; i++) {
        const struct sca_step s = sca_step_of(track, i);
        double *gap = &replay->gap[sca_replay_at(replay, rank, i)],
               excess = sca_excess_of(track, i);
        *gap = s.gap;
        if (s.previous >= nsites)
            continue;
        const struct sca_level *level = &stage->levels[s.previous];
        *gap = (s.gap - excess) * level->usual + excess * level->excess +
               sca_transfer_of(track, i) * level->transfer;
    }
}

static bool takes_away(struct sca_candidate *const *levelled, uint32_t n, uint32_t rank)
{
    for (uint32_t i = 0; i < n; i++)
        if (!levelled[i]->wanders && levelled[i]->factor[rank] < 1)
            return true;
    return false;
}

static void level_rank(struct sca_stage *stage, struct sca_candidate *const *levelled, uint32_t n,
                       uint32_t rank, bool instant)
{
    uint32_t nsites = stage->m->run->profile->nsites;
    if (takes_away(levelled, n, rank)) {
        keep_on_rank(stage, levelled, n, rank);
        level_gaps(stage, levelled, n, rank);
    } else {
        for (uint32_t s = 0; s < nsites; s++)
            stage->levels[s] = (struct sca_level){1, 1, 1};
    }
    for (uint32_t s = 0; s < nsites && instant; s++)
        stage->levels[s].transfer = 0;
    for (uint32_t i = 0; i < stage->nreplays; i++)
        level_track(stage, &stage->replays[i], rank);
}

/* `instant`: as if transfers took no time. */
static double play(struct sca_stage *stage, struct sca_candidate *const *levelled, uint32_t n,
                   bool instant)
{
    double duration = 0;
    for (uint32_t r = 0; r < stage->m->nranks; r++)
        level_rank(stage, levelled, n, r, instant);
    for (uint32_t i = 0; i < stage->nreplays; i++) {
        struct sca_replay *replay = &stage->replays[i];
        sca_progress("replaying the run", i, stage->nreplays);
        for (uint32_t k = 0; k < n; k++)
            if (levelled[k]->wanders)
                sca_wander_level(stage->room, levelled[k], replay);
        sca_replay_run(replay);
        duration += replay->end * replay->scene->weight;
    }
    return duration;
}

static bool stands_at(const struct sca_stage *stage, struct sca_candidate *const *levelled,
                      uint32_t n)
{
    uint32_t found = 0;
    if (stage->nplayed != n)
        return false;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < n; k++)
            found += stage->played[i] == levelled[k];
    return found == n;
}

double sca_whatif(struct sca_stage *stage, struct sca_candidate *const *levelled, uint32_t n)
{
    if (stands_at(stage, levelled, n))
        return stage->played_duration;
    stage->nplayed = n <= SCA_SHORTLIST ? n : UINT32_MAX;
    for (uint32_t i = 0; i < n && n <= SCA_SHORTLIST; i++)
        stage->played[i] = levelled[i];
    return stage->played_duration = play(stage, levelled, n, false);
}

static double without_transfer(struct sca_stage *stage)
{
    stage->nplayed = UINT32_MAX;
    return play(stage, NULL, 0, true);
}

static void open_all(struct sca_scenes *scenes, struct sca_replay_links *const *links,
                     struct sca_stage *out)
{
    out->forced = out->steps = 0;
    for (uint32_t i = 0; i < scenes->count; i++) {
        sca_replay_open(&scenes->room, &scenes->scenes[i], links[i], &out->replays[i]);
        out->forced += out->replays[i].forced;
        out->steps += scenes->scenes[i].nsteps;
    }
}

static void open_replays(struct sca_scenes *scenes, struct sca_room *ops, struct sca_stage *out)
{
    struct sca_room scratch = {.out_of_memory = scenes->room.out_of_memory};
    struct sca_replay_links **links = sca_room_alloc(&scratch, scenes->count, sizeof *links);
    out->replays = sca_room_alloc(&scenes->room, scenes->count, sizeof *out->replays);
    for (uint32_t i = 0; i < scenes->count; i++)
        links[i] = sca_links_build(&scratch, &scenes->scenes[i]);
    sca_room_free(ops);
    open_all(scenes, links, out);
    if ((double)out->forced > MOST_FORCED * (double)(out->steps + 1)) {
        for (uint32_t i = 0; i < scenes->count; i++)
            sca_links_drop_messages(links[i]);
        open_all(scenes, links, out);
    }
    sca_room_free(&scratch);
}

void sca_stage_open(struct sca_room *room, const struct sca_measure *m, const uint32_t *ends,
                    struct sca_scenes *scenes, struct sca_room *ops, struct sca_stage *out)
{
    uint32_t nsites = m->run->profile->nsites;
    *out = (struct sca_stage){.room = room, .m = m, .ends = ends, .nreplays = scenes->count};
    out->levels = sca_room_alloc(room, nsites, sizeof *out->levels);
    out->played = sca_room_alloc(room, SCA_SHORTLIST, sizeof *out->played);
    out->nplayed = UINT32_MAX;
    out->keep = sca_room_alloc(room, m->ppg->nvertices, sizeof *out->keep);
    out->keep_alike = sca_room_alloc(room, m->ppg->nvertices, sizeof *out->keep_alike);
    open_replays(scenes, ops, out);
    for (uint32_t i = 0; i < scenes->count; i++) {
        out->transfer += transfer_of(&scenes->scenes[i]);
        out->lost += scenes->scenes[i].lost;
    }
    if (out->transfer > 0)
        out->ideal = without_transfer(out);
    out->duration = sca_whatif(out, NULL, 0);
    if (out->transfer <= 0)
        out->ideal = out->duration;
    for (uint32_t i = 0; i < scenes->count; i++)
        out->waits += out->replays[i].waits * scenes->scenes[i].weight;
}

struct ranking {
    struct sca_stage *stage;
    struct sca_candidate **chosen; /* levelled so far, then the others */
    uint32_t nchosen, n;
    double duration; /* with the chosen levelled */
};

static void swap(struct ranking *k, uint32_t a, uint32_t b)
{
    struct sca_candidate *c = k->chosen[a];
    k->chosen[a] = k->chosen[b];
    k->chosen[b] = c;
}

/* What a group of the rest saves together on top of the chosen. */
static double gain_of(struct ranking *k, uint32_t first, uint32_t n)
{
    struct sca_candidate *levelled[SCA_SHORTLIST];
    memcpy(levelled, k->chosen, k->nchosen * sizeof *levelled);
    memcpy(levelled + k->nchosen, k->chosen + first, n * sizeof *levelled);
    return (k->duration - sca_whatif(k->stage, levelled, k->nchosen + n)) * k->stage->m->nranks;
}

struct best {
    double gain;
    uint32_t which; /* nobody saves more than `gain`: nchosen */
};

/* The one of a group that saves most. Levelling never makes a run longer, so a group that saves no
 * more than what is known already has no better one in it. */
static void find_best(struct ranking *k, uint32_t first, uint32_t n, struct best *best)
{
    double gain = gain_of(k, first, n);
    if (gain <= best->gain)
        return;
    if (n == 1) {
        *best = (struct best){gain, first};
        return;
    }
    uint32_t half = first == k->nchosen ? 1 : n / 2; /* the first has the greatest excess */
    find_best(k, first, half, best);
    find_best(k, first + half, n - half, best);
}

/* Finds the one of the rest that saves most, at least `least`; puts it next and returns its gain.
 */
static double try_rest(struct ranking *k, double least)
{
    struct best best = {nextafter(least, 0), k->nchosen};
    find_best(k, k->nchosen, k->n - k->nchosen, &best);
    if (best.which == k->nchosen && best.gain < least)
        return 0;
    swap(k, k->nchosen, best.which);
    return best.gain;
}

static void choose_singly(struct ranking *k, double least)
{
    while (k->nchosen < k->n) {
        double gain = try_rest(k, least);
        if (gain < least)
            return;
        k->nchosen++;
        k->duration -= gain / k->stage->m->nranks;
    }
}

/* Leaves out those of the rest without which the others save as much together. */
static uint32_t needed_together(struct ranking *k, double joint, double least)
{
    uint32_t end = k->n;
    for (uint32_t i = k->nchosen; i < end;) {
        swap(k, i, end - 1);
        double gain =
            (k->duration - sca_whatif(k->stage, k->chosen, end - 1)) * k->stage->m->nranks;
        if (joint - gain < least)
            end--;
        else
            swap(k, i++, end - 1);
    }
    return end;
}

static void choose_together(struct ranking *k, double least)
{
    double joint = (k->duration - sca_whatif(k->stage, k->chosen, k->n)) * k->stage->m->nranks;
    if (joint < least)
        return;
    k->nchosen = needed_together(k, joint, least / 2);
}

/* The chosen ones but one. */
static double without(struct ranking *k, uint32_t i)
{
    swap(k, i, k->nchosen - 1);
    double duration = sca_whatif(k->stage, k->chosen, k->nchosen - 1);
    swap(k, i, k->nchosen - 1);
    return duration;
}

/*
 * The order of choice must not decide what each is worth: of two that hide each other the first
 * would gain nothing and the second everything. So each gets the mean of what it saves alone and
 * what it saves last, scaled so that all add up to what they save together.
 */
static void share_gain(struct ranking *k)
{
    uint32_t nranks = k->stage->m->nranks;
    double all = sca_whatif(k->stage, k->chosen, k->nchosen), sum = 0;
    double joint = (k->stage->duration - all) * nranks;
    for (uint32_t i = 0; i < k->nchosen; i++) {
        struct sca_candidate *c = k->chosen[i];
        c->alone = fmax(0, (k->stage->duration - sca_whatif(k->stage, &c, 1)) * nranks);
        c->gain = (c->alone + fmax(0, (without(k, i) - all) * nranks)) / 2;
        sum += c->gain;
    }
    for (uint32_t i = 0; i < k->nchosen && sum > 0; i++)
        k->chosen[i]->gain *= joint / sum;
}

static int by_excess(const void *a, const void *b)
{
    double x = ((const struct sca_candidate *)a)->excess;
    double y = ((const struct sca_candidate *)b)->excess;
    return (x < y) - (x > y);
}

static int by_gain(const void *a, const void *b)
{
    double x = ((const struct sca_candidate *)a)->gain, y = ((const struct sca_candidate *)b)->gain;
    return x == y ? by_excess(a, b) : (x < y) - (x > y);
}

uint32_t sca_whatif_rank(struct sca_room *room, struct sca_stage *stage,
                         struct sca_candidate *candidates, uint32_t n, double least)
{
    uint32_t gaining = 0;
    struct ranking k = {.stage = stage, .duration = stage->duration};
    k.chosen = sca_room_alloc(room, SCA_SHORTLIST, sizeof *k.chosen);
    k.n = sca_shortlist(room, stage->m, candidates, n, least, k.chosen);
    choose_singly(&k, least);
    if (k.n - k.nchosen >= 2)
        choose_together(&k, least);
    share_gain(&k);
    stage->nplayed = UINT32_MAX; /* candidates move */
    qsort(candidates, n, sizeof *candidates, by_gain);
    while (gaining < n && candidates[gaining].gain >= least)
        gaining++;
    return gaining;
}
