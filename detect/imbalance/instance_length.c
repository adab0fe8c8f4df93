#include "imbalance/instance_length.h"

#include "base/degrees.h"

#include <math.h>
#include <string.h>

struct lengths { /* of samples: the seconds that they stand for, and these times their excess */
    double seconds, more, count;
};

struct length_part { /* of a vertex itself, on a rank; as lengths beyond the rank's mean say */
    uint32_t vertex, rank;
    struct lengths of;
};

struct length_search {
    const struct sca_measure *m;
    const uint32_t *ends;
    struct length_part *parts;
    size_t nparts, room;
    struct lengths *in, *out; /* per rank: of the vertex at hand, and of the rest */
};

static bool is_in(const struct sca_part_sample *sample, struct sca_call_pair interval)
{
    return !sample->in_mpi && sample->previous == interval.previous &&
           sample->next == interval.site && sample->length_ns;
}

static void add_part(struct sca_workspace *space, struct length_search *s, struct length_part part)
{
    if (s->nparts == s->room) {
        s->room = s->room ? 2 * s->room : 64;
        s->parts = sca_workspace_grow(space, s->parts, s->nparts, s->room, sizeof *s->parts);
    }
    s->parts[s->nparts++] = part;
}

/* Seconds of its instances. What is far longer than all others on average is something else that
 * happened, and would hide what the rest says. */
static double bounded(const struct sca_part_sample *at, double mean)
{
    return fmin((double)at->length_ns * 1e-9, SCA_CLEARLY * (double)at->count * mean);
}

static void add_rank(struct sca_workspace *space, struct length_search *s, const struct sca_rank *r,
                     uint32_t rank, struct sca_call_pair interval, double excess_by_length)
{
    double mean = sca_interval_matrix_mean(&s->m->matrix, rank, interval.previous, interval.site);
    double period = (double)r->sample_period_ns * 1e-9;
    for (uint32_t i = 0; i < r->nsamples && mean > 0; i++) {
        const struct sca_part_sample *at = &r->sample[i];
        if (!is_in(at, interval))
            continue;
        double beyond = bounded(at, mean) - (double)at->count * mean;
        struct lengths of = {period * (double)at->count, period * beyond * excess_by_length,
                             (double)at->count};
        add_part(space, s, (struct length_part){s->m->run->node_vertex[at->node], rank, of});
    }
}

static bool is_below(const struct length_search *s, uint32_t v, uint32_t top)
{
    return top != SCA_NONE && v >= top && v < s->ends[top];
}

static void add(struct lengths *to, struct lengths more, double sign)
{
    to->seconds += sign * more.seconds;
    to->more += sign * more.more;
    to->count += sign * more.count;
}

/* By so much the mean excess in the one group is beyond that in the other. */
static double contrast(struct lengths in, struct lengths out)
{
    bool both = in.seconds > 0 && out.seconds > 0;
    return both ? in.more / in.seconds - out.more / out.seconds : 0;
}

static void sum_up(const struct length_search *s, struct lengths *in, struct lengths *out)
{
    *in = *out = (struct lengths){0};
    for (uint32_t r = 0; r < s->m->nranks; r++) {
        add(in, s->in[r], 1);
        add(out, s->out[r], 1);
    }
}

static double standard_error(const struct length_search *s)
{
    struct lengths in, out;
    double n = s->m->nranks, mean = 0, squares = 0;
    sum_up(s, &in, &out);
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t r = 0; r < s->m->nranks; r++) {
            struct lengths a = in, b = out;
            add(&a, s->in[r], -1);
            add(&b, s->out[r], -1);
            if (pass == 0)
                mean += contrast(a, b) / n;
            else
                squares += pow(contrast(a, b) - mean, 2);
        }
    return sqrt((n - 1) / n * squares);
}

struct difference { /* of a vertex to the rest; 0: no more than chance */
    uint32_t vertex;
    double variance; /* between the two groups */
    double more;     /* of the vertex: seconds of its samples, times how much longer */
};

/* Without what is below `except`: then little may be left, and few samples of that lie in short
 * instances by chance alone. */
static struct difference difference_of(struct length_search *s, uint32_t vertex, uint32_t except)
{
    struct lengths in, out;
    memset(s->in, 0, s->m->nranks * sizeof *s->in);
    memset(s->out, 0, s->m->nranks * sizeof *s->out);
    for (size_t i = 0; i < s->nparts; i++) {
        const struct length_part *part = &s->parts[i];
        struct lengths *group = is_below(s, part->vertex, vertex) ? s->in : s->out;
        if (!is_below(s, part->vertex, except))
            add(&group[part->rank], part->of, 1);
    }
    sum_up(s, &in, &out);
    double more = contrast(in, out), all = in.seconds + out.seconds;
    double least = except == SCA_NONE ? SCA_SEVERAL : SCA_ENOUGH_SAMPLES;
    bool few = in.count < SCA_SEVERAL || out.count < least;
    if (few || more <= 0 || more < SCA_TWO_SIGMAS * standard_error(s))
        return (struct difference){0};
    return (struct difference){vertex, in.seconds * out.seconds / all * more * more,
                               in.seconds * more};
}

/* Of those that differ as much, the deepest: vertices stand in preorder. */
static struct difference most_different(struct length_search *s, const bool *may, uint32_t except)
{
    struct difference best = {0};
    for (uint32_t v = 1; v < s->m->ppg->nvertices; v++) {
        bool apart = except == SCA_NONE || (!is_below(s, v, except) && !is_below(s, except, v));
        if (!may[v] || !apart)
            continue;
        struct difference here = difference_of(s, v, except);
        if (here.vertex && here.variance >= best.variance)
            best = here;
    }
    return best;
}

/* The deepest in it with so much of what it is longer by. */
static uint32_t deepest_with(struct length_search *s, const bool *may, struct difference of,
                             double least)
{
    uint32_t deepest = of.vertex;
    for (uint32_t v = of.vertex + 1; of.vertex && v < s->ends[of.vertex]; v++)
        if (may[v] && difference_of(s, v, SCA_NONE).more >= least * of.more)
            deepest = v;
    return deepest;
}

static uint32_t place_of(struct length_search *s, const bool *may, double least)
{
    struct difference first = most_different(s, may, SCA_NONE), second = {0};
    if (first.vertex)
        second = most_different(s, may, first.vertex);
    if (first.more >= least * (first.more + second.more))
        return deepest_with(s, may, first, least);
    return sca_ppg_common_ancestor(s->m->ppg, first.vertex, second.vertex);
}

uint32_t sca_instance_length_vertex(struct sca_workspace *space, const struct sca_measure *m,
                                    const uint32_t *ends, struct sca_call_pair interval,
                                    double excess_by_length, const bool *may, double least)
{
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    struct sca_opened *opened = sca_workspace_opened(&scratch, m->run->profile);
    struct length_search s = {.m = m,
                              .ends = ends,
                              .in = sca_workspace_alloc(&scratch, m->nranks, sizeof *s.in),
                              .out = sca_workspace_alloc(&scratch, m->nranks, sizeof *s.out)};
    for (uint32_t r = 0; r < m->nranks; r++)
        add_rank(&scratch, &s, sca_rank_open(opened, r, SCA_OPEN_SAMPLES), r, interval,
                 excess_by_length);
    uint32_t vertex = place_of(&s, may, least);
    sca_workspace_free(&scratch);
    return vertex;
}
