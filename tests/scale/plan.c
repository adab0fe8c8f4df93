#include "plan.h"

#include <math.h>
#include <stdlib.h>

#define NOISE   0.01   /* of every loop, either way */
#define SET_UP  1e-6   /* between calls without a loop between them */
#define LATENCY 1.5e-6 /* of a call that waits for nobody */

static uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

double scale_chance(uint64_t seed, uint64_t a, uint64_t b, uint64_t c)
{
    return (double)(mix(mix(mix(mix(seed) ^ a) ^ b) ^ c) >> 11) * 0x1p-53;
}

struct scale_group scale_group_of(const struct scale_plan *plan, uint32_t rank)
{
    uint64_t n = plan->groups, ranks = plan->ranks, group = rank * n / ranks;
    uint32_t first = (uint32_t)((group * ranks + n - 1) / n);
    uint32_t next = (uint32_t)(((group + 1) * ranks + n - 1) / n),
             phases = plan->phases / plan->groups;
    return (struct scale_group){first, next - first, (uint32_t)group * phases, phases};
}

/* Loops differ, by up to three times; the outer loop has nothing of its own. */
static double weight(const struct scale_plan *plan, uint32_t phase, enum scale_loop loop)
{
    return loop == SCALE_OUTER ? 0 : 0.5 + scale_chance(plan->seed, 1, phase, loop);
}

static double with_cause(const struct scale_plan *plan, uint32_t rank, double seconds)
{
    bool affected = rank >= plan->rank && rank - plan->rank < plan->affected;
    switch (plan->cause) {
    case SCALE_IMBALANCE:
        return affected ? seconds * plan->factor : seconds;
    case SCALE_SERIAL:
        return rank == plan->rank ? seconds * plan->ranks * plan->factor : 0;
    case SCALE_UNDIVIDED:
        return seconds * plan->factor * plan->ranks / plan->reference;
    default:
        return seconds;
    }
}

double scale_loop_seconds(const struct scale_plan *plan, uint32_t phase, enum scale_loop loop,
                          uint32_t rank)
{
    double noise = NOISE * (2 * scale_chance(plan->seed + 1, rank, phase, loop) - 1);
    double seconds = weight(plan, phase, loop) * plan->unit * (1 + noise);
    bool here = phase == plan->phase && loop == plan->loop;
    return here ? with_cause(plan, rank, seconds) : seconds;
}

double scale_gap_seconds(const struct scale_plan *plan, uint32_t phase, enum scale_call call,
                         uint32_t rank)
{
    switch (call) {
    case SCALE_IRECV_LEFT:
        return scale_loop_seconds(plan, phase, SCALE_FIRST, rank) +
               scale_loop_seconds(plan, phase, SCALE_INNER, rank);
    case SCALE_WAITALL:
        return scale_loop_seconds(plan, phase, SCALE_OVERLAP, rank);
    case SCALE_ALLREDUCE:
        return scale_loop_seconds(plan, phase, SCALE_ODD, rank);
    default:
        return SET_UP;
    }
}

/* From the phase's start to the enter of its MPI_Isend: the same distance on every rank. */
static double posted(const struct scale_plan *plan, uint32_t phase, uint32_t rank)
{
    return scale_gap_seconds(plan, phase, SCALE_IRECV_LEFT, rank) + 3 * (SET_UP + LATENCY);
}

static double at_waitall(const struct scale_plan *plan, uint32_t phase, uint32_t rank)
{
    return posted(plan, phase, rank) + LATENCY +
           scale_gap_seconds(plan, phase, SCALE_WAITALL, rank);
}

static double halo_wait(const struct scale_plan *plan, uint32_t phase, uint32_t rank)
{
    struct scale_group group = scale_group_of(plan, rank);
    uint32_t at = rank - group.first_rank, n = group.ranks;
    uint32_t left = group.first_rank + (at + n - 1) % n, right = group.first_rank + (at + 1) % n;
    double last = fmax(posted(plan, phase, left), posted(plan, phase, right));
    return fmax(0, last - at_waitall(plan, phase, rank)) + LATENCY;
}

static double at_allreduce(const struct scale_plan *plan, uint32_t phase, uint32_t rank)
{
    return at_waitall(plan, phase, rank) + halo_wait(plan, phase, rank) +
           scale_gap_seconds(plan, phase, SCALE_ALLREDUCE, rank);
}

double scale_call_seconds(const struct scale_plan *plan, uint32_t phase, enum scale_call call,
                          uint32_t rank)
{
    if (call == SCALE_WAITALL)
        return halo_wait(plan, phase, rank);
    if (call == SCALE_ALLREDUCE)
        return plan->longest[phase % (plan->phases / plan->groups)] -
               at_allreduce(plan, phase, rank);
    return LATENCY;
}

void scale_plan_ready(struct scale_plan *plan)
{
    double weights = 0;
    for (uint32_t p = 0; p < plan->phases; p++)
        for (int l = 0; l < SCALE_LOOPS; l++)
            weights += weight(plan, p, l);
    plan->unit = plan->core_seconds / plan->ranks / plan->steps / weights * plan->groups;
    plan->longest = calloc(plan->phases, sizeof *plan->longest);
    for (uint32_t r = 0; plan->longest && r < plan->ranks; r++) {
        struct scale_group group = scale_group_of(plan, r);
        for (uint32_t p = 0; p < group.phases; p++)
            plan->longest[p] =
                fmax(plan->longest[p], at_allreduce(plan, group.first_phase + p, r) + LATENCY);
    }
}
