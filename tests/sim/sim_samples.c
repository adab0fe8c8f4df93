#include "sim_samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FREQUENCY = 1000000000 / SIM_SAMPLE_PERIOD_NS, POOL_CAP = 8 };

uint32_t sim_previous_site(const struct sim_sequence *sequence, uint32_t i)
{
    return i ? sequence->calls[i - 1].place + 1 : 0;
}

/* How many samples fall into so many seconds: Poisson's law, by multiplying chances. */
static double samples_in(const struct sim *s, double seconds, uint64_t a, uint64_t b)
{
    double expected = seconds * FREQUENCY, n = 0;
    while (expected > 0) {
        double part = fmin(expected, 30), limit = exp(-part), product = 1;
        expected -= part;
        for (uint64_t i = 0;; i++, n++) {
            product *= sim_chance(s->options.seed + 3, a, b + (uint64_t)(n * 4096) + i);
            if (product <= limit)
                break;
        }
    }
    return n;
}

void sim_sum_loops(const struct sim *s, uint32_t rank, double *out)
{
    const struct sim_sequence *sequence = &s->sequences[rank];
    for (uint32_t i = 0; i < sequence->ncalls; i++)
        for (uint32_t p = 0; p < s->program->nplaces; p++)
            out[sim_previous_site(sequence, i) * SIM_PLACES + p] += sequence->calls[i].loops[p];
}

double sim_sum(const double *places)
{
    double all = 0;
    for (uint32_t p = 0; p < SIM_PLACES; p++)
        all += places[p];
    return all;
}

static void add_to_pool(const double *own, double *pool)
{
    double all = sim_sum(own), scale = all > POOL_CAP ? POOL_CAP / all : 1;
    for (uint32_t p = 0; p < SIM_PLACES; p++)
        pool[p] += own[p] * scale;
}

double *sim_samples_draw(const struct sim *s)
{
    uint32_t nsites = s->program->nplaces + 1;
    size_t cells = (size_t)nsites * SIM_PLACES;
    double *drawn = sim_memory(cells * (s->ranks + 1), sizeof *drawn);
    double *exact = sim_memory(cells, sizeof *exact), *pool = drawn + cells * s->ranks;
    for (uint32_t rank = 0; rank < s->ranks; rank++) {
        memset(exact, 0, cells * sizeof *exact);
        sim_sum_loops(s, rank, exact);
        for (size_t c = 0; c < cells; c++) {
            size_t interval = (size_t)rank * nsites + c / SIM_PLACES;
            drawn[rank * cells + c] = samples_in(s, exact[c], interval, (c % SIM_PLACES) << 20);
        }
        for (size_t site = 0; site < nsites; site++)
            add_to_pool(drawn + rank * cells + site * SIM_PLACES, pool + site * SIM_PLACES);
    }
    free(exact);
    return drawn;
}

/* What a rank does in a loop between two calls: seconds, and these times the lengths of the
 * instances. */
struct passed {
    double seconds, by_length;
};

/* [next * SIM_PLACES + loop], after `previous`. */
static void sum_passed(const struct sim *s, uint32_t rank, uint32_t previous, struct passed *out)
{
    const struct sim_sequence *sequence = &s->sequences[rank];
    for (uint32_t i = 0; i < sequence->ncalls; i++) {
        const struct sim_call *c = &sequence->calls[i];
        if (sim_previous_site(sequence, i) != previous)
            continue;
        for (uint32_t p = 0; p < s->program->nplaces; p++) {
            struct passed *to = &out[(c->place + 1) * SIM_PLACES + p];
            to->seconds += c->loops[p];
            to->by_length += c->loops[p] * c->interval;
        }
    }
}

/* To each call that may come next its part, by the seconds. */
static void add_loop(struct synth *to, uint32_t rank, const struct sca_part_sample *like,
                     double samples, const struct passed *passed, uint32_t nsites)
{
    double all = 0;
    for (uint32_t next = 1; next < nsites; next++)
        all += passed[next * SIM_PLACES].seconds;
    for (uint32_t next = 1; next < nsites && all > 0; next++) {
        const struct passed *here = &passed[next * SIM_PLACES];
        double count = round(samples * here->seconds / all);
        if (count > 0)
            synth_sample_to(to, rank, like->node, like->previous, next, (uint64_t)count,
                            (uint64_t)(1e9 * count * here->by_length / here->seconds));
    }
}

void sim_samples_add(const struct sim *s, uint32_t rank, const double *drawn, const uint32_t *nodes,
                     struct synth *to)
{
    uint32_t nsites = s->program->nplaces + 1;
    const double *own = drawn + (size_t)rank * nsites * SIM_PLACES;
    for (uint32_t previous = 0; previous < nsites; previous++) {
        struct passed passed[(SIM_PLACES + 1) * SIM_PLACES] = {{0}};
        sum_passed(s, rank, previous, passed);
        for (uint32_t p = 0; p < s->program->nplaces; p++)
            add_loop(to, rank, &(struct sca_part_sample){.node = nodes[p], .previous = previous},
                     own[previous * SIM_PLACES + p], passed + p, nsites);
    }
}
