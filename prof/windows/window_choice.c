#include "windows/window_choice.h"
#include "arena/arena.h"
#include "base/hash.h"
#include "base/settings.h"
#include "windows/long_iterations.h"
#include "windows/loops.h"
#include "windows/window_store.h"
#include "windows/window_space.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    KINDS = 8,               /* more tell nothing about the program's iterations */
    OCTAVES = 128,           /* strata of a kind */
    BESIDE = KINDS * OCTAVES /* no stratum: what stands for nothing */
};

static int by_name(const void *a, const void *b)
{
    const struct sca_candidate *x = a, *y = b;
    return (x->name > y->name) - (x->name < y->name);
}

static uint64_t add_boundary(uint64_t name, uint64_t iteration)
{
    uint32_t all = sca_loops_iterations(sca_window_loop_of(iteration));
    name = sca_hash_mix(name, sca_window_collectives(iteration));
    return sca_hash_mix(sca_hash_mix(name, all), sca_window_number_of(iteration));
}

/* By its first iteration and the one behind its last. */
static uint64_t name_of(uint64_t begin, uint64_t end)
{
    return add_boundary(add_boundary(0, begin), end);
}

static void add_own(struct sca_candidates *own, const struct sca_part_window *window)
{
    struct sca_window_facts facts = sca_window_store_facts(window->iteration);
    own->window[own->count++] = (struct sca_candidate){
        name_of(window->iteration, facts.end), window->iteration,
        window->events_size + SCA_WINDOW_RECORD, facts.own_ns, sca_window_is_beside(window)};
}

void sca_window_choice_find(struct sca_candidates *own)
{
    const struct sca_part_window *windows = sca_arena_table(SCA_T_WINDOWS);
    uint32_t count = sca_arena_count(SCA_T_WINDOWS);
    own->all = sca_settings.full;
    own->count = 0;
    for (uint32_t i = 0; i < count && own->count < SCA_MOST_RECORDS && !own->all; i++)
        if (windows[i].kept)
            add_own(own, &windows[i]);
    qsort(own->window, own->count, sizeof *own->window, by_name);
}

static void add(struct sca_candidate *sum, const struct sca_candidate *other)
{
    sum->bytes += other->bytes;
    sum->beside |= other->beside;
    if (sum->own_ns < other->own_ns)
        sum->own_ns = other->own_ns;
}

void sca_window_choice_join(struct sca_candidates *sum, const struct sca_candidates *other)
{
    uint64_t kept = 0, k = 0;
    sum->all |= other->all;
    for (uint64_t i = 0; i < sum->count; i++) {
        struct sca_candidate both = sum->window[i];
        while (k < other->count && other->window[k].name < both.name)
            k++;
        if (k == other->count || other->window[k].name != both.name)
            continue;
        add(&both, &other->window[k]);
        sum->window[kept++] = both;
    }
    sum->count = kept;
}

/* A candidate while it is weighed. */
struct weighed {
    uint64_t name, iteration, bytes;
    double weight; /* so many windows it stands for by its class of duration */
    uint32_t stratum;
    bool stays;
};

struct scales {
    struct weighed window[SCA_MOST_WINDOWS];
    uint32_t count, staying;
    uint64_t bytes; /* of those that stay */
};

/* Half octaves. */
static uint32_t stratum_of(uint64_t own_ns)
{
    if (own_ns < 2)
        return 0;
    uint32_t octave = 63 - (uint32_t)__builtin_clzll(own_ns);
    uint64_t rest = own_ns - (1ull << octave); /* the upper half begins at the root of two */
    return 2 * octave + ((double)rest >= 0.41421356 * (double)(1ull << octave));
}

static const struct sca_part_window *own_window(uint64_t iteration)
{
    const struct sca_part_window *windows = sca_arena_table(SCA_T_WINDOWS);
    uint32_t i = 0;
    while (windows[i].iteration != iteration)
        i++;
    return &windows[i];
}

static double weight_of(const struct sca_candidates *list, uint64_t iteration)
{
    const struct sca_part_window *own = own_window(iteration);
    uint32_t same = 0;
    for (uint64_t i = 0; i < list->count; i++)
        same += own_window(list->window[i].iteration)->duration_class == own->duration_class;
    return (double)own->class_total / same;
}

/* Of each candidate, the number of its kind on this rank; all 0 if there are too many. */
static void number_kinds(const struct sca_candidates *list, uint32_t *number)
{
    uint64_t kinds[KINDS];
    uint32_t n = 0;
    memset(number, 0, SCA_MOST_WINDOWS * sizeof *number);
    for (uint64_t i = 0; i < list->count; i++) {
        uint64_t kind = sca_window_store_facts(list->window[i].iteration).kind;
        uint32_t k = 0;
        while (k < n && kinds[k] != kind)
            k++;
        if (k == KINDS) {
            memset(number, 0, SCA_MOST_WINDOWS * sizeof *number);
            return;
        }
        kinds[k] = kind;
        n = k == n ? n + 1 : n;
        number[i] = k;
    }
}

static void weigh(struct scales *scales, const struct sca_candidates *list)
{
    uint32_t kind[SCA_MOST_WINDOWS];
    number_kinds(list, kind);
    scales->count = scales->staying = (uint32_t)list->count;
    scales->bytes = 0;
    for (uint32_t i = 0; i < scales->count; i++) {
        const struct sca_candidate *from = &list->window[i];
        scales->window[i] = (struct weighed){from->name,
                                             from->iteration,
                                             from->bytes,
                                             weight_of(list, from->iteration),
                                             kind[i] * OCTAVES + stratum_of(from->own_ns),
                                             true};
        scales->bytes += from->bytes;
    }
}

static uint32_t staying_in(const struct scales *scales, uint32_t stratum)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < scales->count; i++)
        n += scales->window[i].stays && scales->window[i].stratum == stratum;
    return n;
}

/* As the ranks did before (window_store.c): of the strata with more than enough, else of the
 * fullest, the one with the greatest hash. */
static struct weighed *last_choice(struct scales *scales)
{
    uint32_t most = 0;
    struct weighed *last = NULL, *end = scales->window + scales->count;
    for (struct weighed *w = scales->window; w < end; w++) {
        uint32_t n = w->stays ? staying_in(scales, w->stratum) : 0;
        most = n > most ? n : most;
    }
    for (struct weighed *w = scales->window; w < end; w++) {
        uint32_t n = w->stays ? staying_in(scales, w->stratum) : 0;
        if (n && (n > SCA_WINDOW_KEEP || n == most) &&
            (!last || sca_window_store_hash(w->iteration) > sca_window_store_hash(last->iteration)))
            last = w;
    }
    return last;
}

static void drop(struct scales *scales, struct weighed *w)
{
    w->stays = false;
    scales->bytes -= w->bytes;
    scales->staying--;
}

/* The other way round: of what there is room for, the stratum with least, the smallest hash. */
static struct weighed *first_choice(struct scales *scales, uint64_t budget)
{
    uint32_t least = UINT32_MAX;
    struct weighed *first = NULL, *end = scales->window + scales->count;
    for (struct weighed *w = scales->window; w < end; w++) {
        if (w->stays || w->bytes > budget - scales->bytes)
            continue;
        uint32_t n = staying_in(scales, w->stratum);
        n = n < SCA_WINDOW_KEEP ? n : SCA_WINDOW_KEEP;
        if (n < least || (n == least && sca_window_store_hash(w->iteration) <
                                            sca_window_store_hash(first->iteration)))
            first = w;
        least = n < least ? n : least;
    }
    return first;
}

/* A large window, of iterations before the loop was known, may have gone last, after all the others
 * that there was no room for beside it: as many as have room come back. */
static void choose(struct scales *scales, uint64_t budget)
{
    struct weighed *w;
    while (scales->staying > SCA_MOST_CHOSEN || (scales->staying && scales->bytes > budget))
        drop(scales, last_choice(scales));
    while (scales->staying < SCA_MOST_CHOSEN && (w = first_choice(scales, budget))) {
        w->stays = true;
        scales->bytes += w->bytes;
        scales->staying++;
    }
}

static uint32_t distance(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}

/* A stratum of which nothing stays is told by the nearest one. */
static void move_to_nearest(const struct scales *scales, struct weighed *w)
{
    uint32_t nearest = w->stratum, best = UINT32_MAX;
    for (uint32_t i = 0; i < scales->count; i++) {
        const struct weighed *other = &scales->window[i];
        if (other->stays && distance(other->stratum, w->stratum) < best) {
            best = distance(other->stratum, w->stratum);
            nearest = other->stratum;
        }
    }
    w->stratum = nearest;
}

static uint64_t total_of(const struct scales *scales, uint32_t stratum)
{
    double total = 0.5;
    for (uint32_t i = 0; i < scales->count; i++)
        if (scales->window[i].stratum == stratum)
            total += scales->window[i].weight;
    return (uint64_t)total;
}

static int by_iteration(const void *a, const void *b)
{
    const struct weighed *x = a, *y = b;
    return (x->iteration > y->iteration) - (x->iteration < y->iteration);
}

static void tell(struct scales *scales, struct sca_chosen *chosen)
{
    qsort(scales->window, scales->count, sizeof *scales->window, by_iteration);
    for (uint32_t i = 0; i < scales->count; i++) {
        const struct weighed *w = &scales->window[i];
        if (!w->stays)
            continue;
        chosen->window[chosen->count].name = w->name;
        chosen->window[chosen->count].iteration = w->iteration;
        chosen->window[chosen->count].stratum = w->stratum;
        chosen->window[chosen->count++].total = total_of(scales, w->stratum);
    }
}

/* ---- long iterations ---- */

static bool is_chosen(const struct sca_chosen *chosen, uint64_t name)
{
    for (uint64_t i = 0; i < chosen->count; i++)
        if (chosen->window[i].name == name)
            return true;
    return false;
}

static const struct sca_candidate *candidate_at(const struct sca_candidates *list,
                                                uint64_t iteration)
{
    for (uint64_t i = 0; i < list->count; i++)
        if (list->window[i].iteration == iteration)
            return &list->window[i];
    return NULL;
}

/* Those windows of it that are not chosen yet; false: some rank lacks one of all. */
static bool find_missing(const struct sca_candidates *list, const struct sca_chosen *chosen,
                         const struct sca_long_iteration *of, struct sca_candidates *missing)
{
    uint64_t at = of->first;
    missing->count = 0;
    while (at <= of->last) {
        const struct sca_candidate *c = candidate_at(list, at);
        uint64_t end = sca_window_store_facts(at).end;
        if (!c || end <= at || missing->count == SCA_MOST_CHOSEN_BESIDE)
            return false;
        if (!is_chosen(chosen, c->name))
            missing->window[missing->count++] = *c;
        at = end;
    }
    return true;
}

static uint64_t bytes_of(const struct sca_candidates *list)
{
    uint64_t bytes = 0;
    for (uint64_t i = 0; i < list->count; i++)
        bytes += list->window[i].bytes;
    return bytes;
}

static int by_rising_iteration(const void *a, const void *b)
{
    const struct sca_chosen_window *x = a, *y = b;
    return (x->iteration > y->iteration) - (x->iteration < y->iteration);
}

/* As many whole ones as there is room for in what is left of the bytes. */
static void add_beside(const struct sca_candidates *list, uint64_t left, struct sca_chosen *chosen)
{
    static struct sca_candidates missing;
    const struct sca_long_iteration *of;
    uint64_t most = chosen->count + SCA_MOST_CHOSEN_BESIDE;
    for (uint32_t i = 0; (of = sca_long_iterations_get(i)); i++) {
        if (!find_missing(list, chosen, of, &missing) || bytes_of(&missing) > left ||
            chosen->count + missing.count > most)
            continue;
        left -= bytes_of(&missing);
        for (uint64_t k = 0; k < missing.count; k++)
            chosen->window[chosen->count++] = (struct sca_chosen_window){
                missing.window[k].name, missing.window[k].iteration, 0, BESIDE, 0};
    }
    qsort(chosen->window, chosen->count, sizeof *chosen->window, by_rising_iteration);
}

/* Those that stand for others on all ranks. */
static void take_weighted(const struct sca_candidates *list, struct sca_candidates *out)
{
    out->count = 0;
    for (uint64_t i = 0; i < list->count; i++)
        if (!list->window[i].beside)
            out->window[out->count++] = list->window[i];
}

void sca_window_choice_make(const struct sca_candidates *list, uint32_t ranks,
                            struct sca_chosen *chosen)
{
    static struct sca_candidates weighted;
    struct scales scales;
    uint64_t budget = sca_window_space_of(ranks);
    *chosen = (struct sca_chosen){.all = list->all};
    if (list->all)
        return;
    take_weighted(list, &weighted);
    weigh(&scales, &weighted);
    choose(&scales, budget);
    for (uint32_t i = 0; i < scales.count; i++)
        if (!scales.window[i].stays)
            move_to_nearest(&scales, &scales.window[i]);
    tell(&scales, chosen);
    add_beside(list, budget - (scales.bytes < budget ? scales.bytes : budget), chosen);
}

static void apply(const struct sca_chosen *chosen, struct sca_part_window *window)
{
    uint64_t name = name_of(window->iteration, sca_window_store_facts(window->iteration).end);
    for (uint64_t i = 0; i < chosen->count; i++)
        if (chosen->window[i].name == name) {
            window->iteration = chosen->window[i].iteration;
            window->duration_class = chosen->window[i].stratum;
            window->class_total = chosen->window[i].total;
            return;
        }
    window->kept = SCA_FREE;
}

void sca_window_choice_apply(const struct sca_chosen *chosen)
{
    struct sca_part_window *windows = sca_arena_table(SCA_T_WINDOWS);
    uint32_t count = sca_arena_count(SCA_T_WINDOWS);
    if (chosen->all)
        return;
    for (uint32_t i = 0; i < count; i++)
        apply(chosen, &windows[i]);
    sca_window_space_compact();
}
