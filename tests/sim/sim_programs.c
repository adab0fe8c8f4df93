#include "sim_programs.h"
#include "sim_carriers.h"

#include <stddef.h>

enum { STEPS = 120 };

/* Seconds of a rank: the same on any number of ranks (weak scaling), */
static double share(const struct sim *s, double milliseconds)
{
    return milliseconds * 1e-3 * (s->ranks > 0);
}

/* or a part of what all have together (strong scaling), as much on 64 ranks. */
static double divided(const struct sim *s, double milliseconds)
{
    return milliseconds * 1e-3 * 64 / s->ranks;
}

static double delay(const struct sim *s, double milliseconds)
{
    double part = s->options.as.delayed > 0 ? s->options.as.delayed : 1;
    return s->defect ? part * share(s, milliseconds) : 0;
}

/* By chance: in one run of the largest. */
static bool is_disturbed(const struct sim *s)
{
    return s->ranks == 64 && s->options.repetition == 0;
}

/* ---- what all of them have ---- */

enum { WORK, EXTRA, OTHER, SEND, RECEIVE, REDUCE, BARRIER, BCAST, GATHER };

#define PLACES                                                                                     \
    .nplaces = 9, .places = (const struct sim_place[])                                             \
    {                                                                                              \
        {"", 10}, {"", 20}, {"", 30}, {"MPI_Send", 40}, {"MPI_Recv", 50}, {"MPI_Allreduce", 60},   \
            {"MPI_Barrier", 70}, {"MPI_Bcast", 80}, {"MPI_Gather", 90},                            \
    }

static void step_balanced(struct sim *s)
{
    sim_compute(s, WORK, share(s, 20));
    sim_compute(s, OTHER, share(s, 10));
    sim_collective(s, REDUCE, SIM_ALL, 0);
}

static void step_imbalance(struct sim *s)
{
    sim_compute(s, WORK, share(s, 20));
    sim_compute(s, EXTRA, share(s, 10) + (sim_is_upper(s->rank, s->ranks) ? delay(s, 10) : 0));
    sim_collective(s, REDUCE, SIM_ALL, 0);
}

/* A ring: the delay of one reaches its neighbour, then the next, until all meet. */
static void step_ring(struct sim *s)
{
    sim_compute(s, WORK, share(s, 20));
    if (sim_is_second(s->rank, s->ranks) && s->defect)
        sim_compute(s, EXTRA, delay(s, 10));
    sim_send(s, SEND, (s->rank + 1) % s->ranks);
    sim_receive(s, RECEIVE, (s->rank + s->ranks - 1) % s->ranks);
    if (s->step % 10 == 9)
        sim_collective(s, REDUCE, SIM_ALL, 0);
}

static void step_pipeline(struct sim *s)
{
    if (s->rank)
        sim_receive(s, RECEIVE, s->rank - 1);
    sim_compute(s, WORK, share(s, 20));
    if (sim_is_second(s->rank, s->ranks) && s->defect)
        sim_compute(s, EXTRA, delay(s, 20));
    if (s->rank + 1 < s->ranks)
        sim_send(s, SEND, s->rank + 1);
    if (s->step == s->program->steps - 1)
        sim_collective(s, BARRIER, SIM_ALL, 0);
}

/* As many ranks as half of what goes through: the last ones wait for a third of the run. */
static void step_filling(struct sim *s)
{
    if (s->defect && s->rank)
        sim_receive(s, RECEIVE, s->rank - 1);
    sim_compute(s, WORK, share(s, 20));
    if (s->defect && s->rank + 1 < s->ranks)
        sim_send(s, SEND, s->rank + 1);
    if (s->step == s->program->steps - 1)
        sim_collective(s, BARRIER, SIM_ALL, 0);
}

/* Rows of ranks as long as there are columns, or twice. */
static uint32_t columns(uint32_t ranks)
{
    uint32_t n = 1;
    while (4 * n * n <= ranks)
        n *= 2;
    return n;
}

/* Ten planes to a sweep. */
static void step_wavefront(struct sim *s)
{
    uint32_t nx = columns(s->ranks), x = s->rank % nx, y = s->rank / nx;
    if (x)
        sim_receive(s, RECEIVE, s->rank - 1);
    if (y)
        sim_receive(s, RECEIVE, s->rank - nx);
    sim_compute(s, WORK, share(s, 20));
    if (sim_is_second(s->rank, s->ranks) && s->defect)
        sim_compute(s, EXTRA, delay(s, 20));
    if (x + 1 < nx)
        sim_send(s, SEND, s->rank + 1);
    if (s->rank + nx < s->ranks)
        sim_send(s, SEND, s->rank + nx);
    if (s->step % 60 == 59)
        sim_collective(s, BARRIER, SIM_ALL, 0);
}

/* Rank 0 does something for all before it tells them to go on: `computed` on the core, `stalled`
 * off it, where no sample is. */
static void step_with_first(struct sim *s, double computed, double off_cpu_s)
{
    if (sim_is_first(s->rank, s->ranks) && s->defect) {
        sim_compute(s, EXTRA, delay(s, computed));
        if (off_cpu_s > 0)
            sim_stall(s, delay(s, off_cpu_s));
    }
    sim_collective(s, BCAST, SIM_FROM_ROOT, 0);
    sim_compute(s, WORK, share(s, 20));
    sim_collective(s, REDUCE, SIM_ALL, 0);
}

static void step_serial(struct sim *s)
{
    step_with_first(s, 8, 0);
}

/* It formats what it then writes. */
static void step_writing(struct sim *s)
{
    step_with_first(s, 4, 5);
}

/* What little it computes beside says nothing of where it sleeps. */
static void step_asleep(struct sim *s)
{
    step_with_first(s, 1, 8);
}

/* The others have nothing to do meanwhile, but they do not wait for a result either. */
static void step_late(struct sim *s)
{
    sim_collective(s, BARRIER, SIM_ALL, 0);
    if (sim_is_middle(s->rank, s->ranks) && s->defect)
        sim_compute(s, EXTRA, delay(s, 8));
    sim_collective(s, REDUCE, SIM_ALL, 0);
    sim_compute(s, WORK, share(s, 20));
}

/* Rank 0 collects first: it is late itself then, and what it computes until all meet is as much as
 * the others do while they wait for nobody yet. */
static void step_collected(struct sim *s)
{
    sim_compute(s, WORK, share(s, 20));
    if (sim_is_middle(s->rank, s->ranks) && s->defect)
        sim_compute(s, EXTRA, delay(s, 8));
    sim_collective(s, GATHER, SIM_TO_ROOT, 0);
    sim_compute(s, OTHER, share(s, 10));
    sim_collective(s, REDUCE, SIM_ALL, 0);
}

/* Two groups do different work side by side, and that of the upper one takes longer: the other
 * group's is no second cause. */
static void step_beside(struct sim *s)
{
    bool upper = sim_is_upper(s->rank, s->ranks) && s->defect;
    sim_compute(s, WORK, share(s, 20));
    sim_compute(s, upper ? EXTRA : OTHER, share(s, upper ? 24 : 6));
    sim_collective(s, REDUCE, SIM_ALL, 0);
}

/* Work that all have takes as long in all as what half of them do now and then: that it runs only
 * when that does is not what this says. */
static void step_coincidence(struct sim *s)
{
    bool now = sim_is_upper(s->rank, s->ranks) && s->step % 10 == 9;
    sim_compute(s, WORK, share(s, 30));
    sim_compute(s, EXTRA, share(s, 5) + (now ? delay(s, 200) : 0));
    sim_compute(s, OTHER, share(s, 10));
    sim_collective(s, REDUCE, SIM_ALL, 0);
}

/* One rank has more to do from the middle of the run on, where it computes before, too. */
static void step_later(struct sim *s)
{
    bool now = sim_is_second(s->rank, s->ranks) && s->step >= s->program->steps / 2;
    sim_compute(s, WORK, share(s, 20));
    sim_compute(s, EXTRA, share(s, 1) + (now ? delay(s, 30) : 0));
    sim_collective(s, REDUCE, SIM_ALL, 0);
}

/* The first rank is late in each fifth step; others, in the same loop, in a few steps of the run:
 * these must not stand for it. */
static void step_among_hiccups(struct sim *s)
{
    bool late = sim_is_first(s->rank, s->ranks) && s->step % 5 == 4;
    bool hiccup = s->step % 24 == 7 && s->rank == 2 + s->step / 24;
    sim_compute(s, WORK, share(s, 20));
    sim_compute(s, EXTRA, share(s, 20) + (late ? delay(s, 80) : 0) + share(s, hiccup ? 80 : 0));
    sim_collective(s, REDUCE, SIM_ALL, 0);
}

/* So short that there are a few samples only: in which of two loops it is they cannot tell. */
static void step_few(struct sim *s)
{
    sim_compute(s, WORK, share(s, 0.5));
    sim_collective(s, BARRIER, SIM_ALL, 0);
    sim_compute(s, OTHER, share(s, 0.05));
    sim_compute(s, EXTRA, share(s, 0.05) + (sim_is_middle(s->rank, s->ranks) ? delay(s, 0.1) : 0));
    sim_collective(s, REDUCE, SIM_ALL, 0);
}

/* What the others need to go on is made by one of them, and not by the first. */
static void step_serial_middle(struct sim *s)
{
    if (sim_is_middle(s->rank, s->ranks) && s->defect)
        sim_compute(s, EXTRA, delay(s, 8));
    sim_collective(s, BCAST, SIM_FROM_ROOT, s->ranks / 2);
    sim_compute(s, WORK, share(s, 20));
    sim_collective(s, REDUCE, SIM_ALL, 0);
}

/* Strong scaling: rank by rank the delay is divided too, so that weak scaling would look like
 * strong, unless the user says so. */
static void step_rotating(struct sim *s)
{
    sim_compute(s, WORK, divided(s, 20));
    if (s->step % s->ranks == s->rank && s->defect)
        sim_compute(s, EXTRA, divided(s, 20));
    sim_collective(s, REDUCE, SIM_ALL, 0);
}

/* The same loop, and not in every rank's turn is a window. */
static void step_rotating_alike(struct sim *s)
{
    bool more = s->step % s->ranks == s->rank && s->defect;
    sim_compute(s, WORK, divided(s, more ? 60 : 20));
    sim_collective(s, REDUCE, SIM_ALL, 0);
}

/* Most wait for a root that waited itself. */
static void step_rotating_to_root(struct sim *s)
{
    sim_compute(s, WORK, divided(s, 20));
    if (s->step % s->ranks == s->rank && s->defect)
        sim_compute(s, EXTRA, divided(s, 20));
    sim_collective(s, GATHER, SIM_TO_ROOT, 0);
    sim_collective(s, BCAST, SIM_FROM_ROOT, 0);
    sim_compute(s, OTHER, divided(s, 5));
    sim_collective(s, REDUCE, SIM_ALL, 0);
}

/* Three ranks have more to do than the others, each for a third of the run. */
static void step_in_phases(struct sim *s)
{
    sim_compute(s, WORK, share(s, 20));
    if (sim_is_of_phase(s->rank, s->ranks, s->step * 3 / STEPS))
        sim_compute(s, EXTRA, delay(s, 12));
    sim_collective(s, REDUCE, SIM_ALL, 0);
}

/* A front crosses the ranks, an eighth of them at a time: less than shared cores may make of a
 * single instance, and nothing else in the interval tells. */
static void step_front(struct sim *s)
{
    bool burns = s->rank * 8 / s->ranks == s->step * 8 / STEPS && s->defect;
    sim_compute(s, WORK, share(s, burns ? 34 : 20));
    sim_collective(s, REDUCE, SIM_ALL, 0);
}

/* The same before two calls of three: only together they cost enough to be believed. */
static void step_front_in_parts(struct sim *s)
{
    bool burns = s->rank * 8 / s->ranks == s->step * 8 / STEPS && s->defect;
    sim_compute(s, WORK, share(s, burns ? 31 : 20));
    sim_collective(s, REDUCE, SIM_ALL, 0);
    sim_compute(s, OTHER, share(s, burns ? 29 : 20));
    sim_collective(s, BARRIER, SIM_ALL, 0);
    sim_compute(s, EXTRA, share(s, 60));
    sim_collective(s, BCAST, SIM_ALL, 0);
}

static void step_rare(struct sim *s)
{
    sim_compute(s, WORK, share(s, 20));
    if (sim_is_last(s->rank, s->ranks) && s->step % 30 == 7 && s->defect)
        sim_compute(s, EXTRA, delay(s, 200));
    sim_collective(s, REDUCE, SIM_ALL, 0);
}

/* Somebody stops a rank, in the largest run alone, where ranks compute for so long. */
static void step_with_stop(struct sim *s, double seconds)
{
    step_balanced(s);
    sim_compute(s, OTHER, seconds);
    if (sim_is_second(s->rank, s->ranks) && is_disturbed(s) && s->step == 41)
        sim_stall(s, 7);
    sim_collective(s, BARRIER, SIM_ALL, 0);
}

static void step_stopped(struct sim *s)
{
    step_with_stop(s, share(s, 10));
}

/* The others have next to nothing there; that in all runs the rank has five times as much is not
 * what made it late. */
static void step_stopped_idle(struct sim *s)
{
    step_with_stop(s, sim_is_second(s->rank, s->ranks) ? 50e-6 : 10e-6);
}

/* One step of many takes a rank long, in the largest run alone. */
static void step_hiccup(struct sim *s)
{
    sim_compute(s, WORK, share(s, 20));
    if (sim_is_second(s->rank, s->ranks) && is_disturbed(s) && s->step == 41)
        sim_compute(s, EXTRA, 7);
    sim_collective(s, REDUCE, SIM_ALL, 0);
}

static void step_with_start(struct sim *s, double milliseconds)
{
    if (s->step == 0) {
        sim_compute(s, EXTRA, share(s, milliseconds));
        sim_collective(s, BARRIER, SIM_ALL, 0);
    }
    step_balanced(s);
}

static void step_set_up(struct sim *s)
{
    step_with_start(s, sim_is_last(s->rank, s->ranks) && s->defect ? 1200 : 400);
}

/* The steps are divided among the ranks, and what is done before them is not. */
static void step_set_up_grows(struct sim *s)
{
    if (s->step == 0) {
        sim_compute(s, EXTRA, share(s, 1500));
        sim_collective(s, BARRIER, SIM_ALL, 0);
    }
    sim_compute(s, WORK, divided(s, 30));
    sim_collective(s, REDUCE, SIM_ALL, 0);
}

/* Others computed beside some ranks' first touches of their memory, in the largest run alone. */
static void step_pushed_aside(struct sim *s)
{
    step_with_start(s, is_disturbed(s) && s->rank % 4 == 1 ? 840 : 400);
}

/* In each run one rank is, but not one that corresponds to those of the other runs. */
static void step_pushed_in_turn(struct sim *s)
{
    uint32_t pushed = s->ranks == 64 ? 63 - 20 * s->options.repetition : s->ranks == 32 ? 5 : 2;
    step_with_start(s, s->rank == pushed ? 840 : 400);
}

/* In the first step of the largest run, another rank is pushed aside at the place that is slow on
 * the outer ones in every step. */
static void step_pushed_beside(struct sim *s)
{
    bool pushed = is_disturbed(s) && s->step == 0 && sim_is_second(s->rank, s->ranks);
    if (s->step == 0)
        sim_collective(s, BARRIER, SIM_ALL, 0);
    sim_compute(s, EXTRA, share(s, pushed ? 26 : 8));
    if (sim_is_outer(s->rank, s->ranks))
        sim_compute(s, EXTRA, delay(s, 7));
    sim_collective(s, REDUCE, SIM_ALL, 0);
    sim_compute(s, WORK, share(s, 2));
    sim_collective(s, BCAST, SIM_ALL, 0);
}

/* From half way on each rank has a little more than the one before. */
static double sloping(uint32_t rank, uint32_t ranks)
{
    uint32_t half = ranks / 2;
    return rank < half ? 40 : 40 + 10.0 * (rank - half + 1) / (ranks - half);
}

static double mean_slope(uint32_t ranks)
{
    double sum = 0;
    for (uint32_t r = 0; r < ranks; r++)
        sum += sloping(r, ranks);
    return sum / ranks;
}

/* Who has more than half way from the mean to what those above it have. */
static bool is_high_on_slope(uint32_t rank, uint32_t ranks)
{
    double mean = mean_slope(ranks), above = 0;
    uint32_t n = 0;
    for (uint32_t r = 0; r < ranks; r++)
        if (sloping(r, ranks) > mean) {
            above += sloping(r, ranks);
            n++;
        }
    return sloping(rank, ranks) > (mean + above / n) / 2;
}

static void step_slope(struct sim *s)
{
    sim_compute(s, EXTRA, share(s, s->defect ? sloping(s->rank, s->ranks) : mean_slope(s->ranks)));
    sim_compute(s, WORK, share(s, 8));
    sim_collective(s, REDUCE, SIM_ALL, 0);
}

/* Three of four have more than the fourth, who waits: shared out evenly all had less. */
static void step_majority(struct sim *s)
{
    double skewed = sim_is_beyond_quarter(s->rank, s->ranks) ? 40 : 20;
    sim_compute(s, EXTRA, share(s, s->defect ? skewed : 35));
    sim_compute(s, WORK, share(s, 8));
    sim_collective(s, REDUCE, SIM_ALL, 0);
}

static void step_most(struct sim *s)
{
    double more = sim_is_of_most(s->rank, s->ranks) ? 20 : 10;
    bool disturbed =
        is_disturbed(s) && s->rank == 5; /* in that run, and no work of the program's */
    sim_compute(s, EXTRA, share(s, (s->defect ? more : 16.25) + 5 * disturbed));
    sim_compute(s, WORK, share(s, 10));
    sim_collective(s, REDUCE, SIM_ALL, 0);
}

static void step_two(struct sim *s)
{
    sim_compute(s, WORK, share(s, 20));
    if (sim_is_second(s->rank, s->ranks) && s->defect)
        sim_compute(s, EXTRA, delay(s, 16));
    sim_collective(s, BARRIER, SIM_ALL, 0);
    sim_compute(s, WORK, share(s, 10));
    if (sim_is_last(s->rank, s->ranks) && s->defect)
        sim_compute(s, OTHER, delay(s, 8));
    sim_collective(s, REDUCE, SIM_ALL, 0);
}

static void step_undivided(struct sim *s)
{
    sim_compute(s, WORK, divided(s, 20));
    sim_compute(s, EXTRA, s->defect ? 4e-3 : 4e-3 / s->ranks);
    sim_collective(s, REDUCE, SIM_ALL, 0);
}

/* Name, step, cause, second cause or 0, category, who carries it, least and most ranks, whether
 * four ranks share a core; the rest by name. */
#define CASE(name_, step_, cause_, second_, category_, carries_, least_, most_, shares_, ...)      \
    {.name = name_,                                                                                \
     .program = {.steps = STEPS, .step = step_, PLACES},                                           \
     .cause = cause_,                                                                              \
     .second = second_,                                                                            \
     .category = category_,                                                                        \
     .carries = carries_,                                                                          \
     .least = least_,                                                                              \
     .most = most_,                                                                                \
     .shares_cores = shares_,                                                                      \
     __VA_ARGS__}

const struct sim_case sim_cases[] = {
    CASE("imbalance", step_imbalance, EXTRA, 0, "imbalance", sim_is_upper, 2, 1024, false,
         .options = {.noise = 0.02}),
    CASE("ring", step_ring, EXTRA, 0, "imbalance", sim_is_second, 4, 1024, false,
         .options = {.noise = 0.02}),
    CASE("pipeline", step_pipeline, EXTRA, 0, "imbalance", sim_is_second, 4, 16, false,
         .options = {.noise = 0.02}),
    CASE("filling", step_filling, WORK, 0, "serial", sim_is_any, 64, 64, false,
         .options = {.noise = 0.02}),
    CASE("wavefront", step_wavefront, EXTRA, 0, "imbalance", sim_is_second, 4, 64, false,
         .options = {.noise = 0.02}),
    CASE("late", step_late, EXTRA, 0, "imbalance", sim_is_middle, 2, 1024, false,
         .options = {.noise = 0.02}),
    CASE("late_killed", step_late, EXTRA, 0, "imbalance", sim_is_middle, 2, 256, false,
         .options = {.noise = 0.02, .killed = true}),
    CASE("collected", step_collected, EXTRA, 0, "imbalance", sim_is_middle, 4, 1024, false,
         .options = {.noise = 0.02}),
    CASE("beside", step_beside, EXTRA, 0, "imbalance", sim_is_upper, 2, 1024, false,
         .options = {.noise = 0.02}),
    CASE("coincidence", step_coincidence, EXTRA, 0, "imbalance", sim_is_upper, 2, 1024, false,
         .options = {.noise = 0.02}),
    CASE("later", step_later, EXTRA, 0, "imbalance", sim_is_second, 4, 64, true,
         .options = {.noise = 0.02}),
    CASE("among_hiccups", step_among_hiccups, EXTRA, 0, "imbalance", sim_is_first, 8, 1024, false,
         .options = {.noise = 0.02}),
    CASE("few", step_few, EXTRA, 0, "imbalance", sim_is_middle, 2, 1024, false,
         .options = {.noise = 0.02}, .after = BARRIER, .before = REDUCE),
    CASE("serial_middle", step_serial_middle, EXTRA, 0, "serial", sim_is_middle, 2, 1024, false,
         .options = {.noise = 0.02}),
    CASE("serial", step_serial, EXTRA, 0, "serial", sim_is_first, 2, 1024, false,
         .options = {.noise = 0.02}),
    CASE("writing", step_writing, EXTRA, 0, "serial", sim_is_first, 2, 1024, false,
         .options = {.noise = 0.02}, .after = REDUCE, .before = BCAST, .at_line = true),
    CASE("asleep", step_asleep, EXTRA, 0, "serial", sim_is_first, 2, 1024, false,
         .options = {.noise = 0.02}, .after = REDUCE, .before = BCAST),
    CASE("wandering", step_rotating, EXTRA, 0, "imbalance", sim_is_any, 4, 64, false,
         .options = {.noise = 0.02}),
    CASE("wandering_alike", step_rotating_alike, WORK, 0, "imbalance", sim_is_any, 4, 64, false,
         .options = {.noise = 0.02}),
    CASE("wandering_to_root", step_rotating_to_root, EXTRA, 0, "imbalance", sim_is_any, 4, 64,
         false, .options = {.noise = 0.02}),
    CASE("in_phases", step_in_phases, EXTRA, 0, "imbalance", sim_is_of_phases, 8, 256, false,
         .options = {.noise = 0.02}),
    CASE("front", step_front, WORK, 0, "imbalance", sim_is_any, 64, 256, true,
         .options = {.noise = 0.03, .slow_core = 0.1}),
    CASE("front_in_parts", step_front_in_parts, WORK, OTHER, "imbalance", sim_is_any, 64, 256, true,
         .options = {.noise = 0.03, .slow_core = 0.1}),
    CASE("rare", step_rare, EXTRA, 0, "imbalance", sim_is_last, 2, 1024, false,
         .options = {.noise = 0.02}),
    CASE("set_up", step_set_up, EXTRA, 0, "imbalance", sim_is_last, 8, 1024, true,
         .options = {.noise = 0.02}),
    CASE("pushed_aside", step_pushed_aside, 0, 0, NULL, sim_is_any, 64, 64, true,
         .options = {.noise = 0.02}, .told = "Ranks 1, 5, 9, 13"),
    CASE("pushed_in_turn", step_pushed_in_turn, 0, 0, NULL, sim_is_any, 64, 64, true,
         .options = {.noise = 0.02}, .told = "Rank 63 computed"),
    CASE("pushed_beside", step_pushed_beside, EXTRA, 0, "imbalance", sim_is_outer, 64, 64, true,
         .options = {.noise = 0.02}),
    CASE("slope", step_slope, EXTRA, 0, "imbalance", is_high_on_slope, 8, 256, false,
         .options = {.noise = 0.002}),
    CASE("slope_on_shared_cores", step_slope, EXTRA, 0, "imbalance", is_high_on_slope, 64, 64, true,
         .options = {.noise = 0.02}),
    CASE("majority", step_majority, EXTRA, 0, "imbalance", sim_is_beyond_quarter, 8, 1024, true,
         .options = {.noise = 0.02}),
    CASE("set_up_grows", step_set_up_grows, 0, 0, NULL, sim_is_any, 64, 64, false,
         .options = {.noise = 0.02},
         .told = "Time per rank does not shrink with more ranks at simulated.c:20 loop in main"),
    CASE("most", step_most, EXTRA, 0, "imbalance", sim_is_of_most, 64, 1024, true,
         .options = {.noise = 0.02}),
    CASE("two", step_two, EXTRA, OTHER, "imbalance", sim_is_second, 4, 1024, false,
         .options = {.noise = 0.02}),
    CASE("undivided", step_undivided, EXTRA, 0, "nonscalable", sim_is_any, 64, 1024, false,
         .options = {.noise = 0.02}),
    CASE("shared_cores", step_serial, EXTRA, 0, "serial", sim_is_first, 8, 1024, true,
         .options = {.noise = 0.03, .slow_core = 0.2}),
    CASE("stopped", step_stopped, 0, 0, NULL, sim_is_second, 64, 64, false,
         .options = {.noise = 0.02}, .told = "Rank 1 was off the core for 7 s"),
    CASE("stopped_idle", step_stopped_idle, 0, 0, NULL, sim_is_second, 64, 64, false,
         .options = {.noise = 0.02}, .told = "Rank 1 was off the core for 7 s"),
    CASE("hiccup", step_hiccup, 0, 0, NULL, sim_is_second, 64, 64, false, .options = {.noise = 0},
         .told = "Rank 1 computed 7 s longer than the others, most of it in one instance of 119"),
    CASE("healthy", step_balanced, 0, 0, NULL, sim_is_any, 2, 1024, false, .options = {.noise = 0}),
    CASE("healthy_noise", step_balanced, 0, 0, NULL, sim_is_any, 2, 1024, false,
         .options = {.noise = 0.05}),
    CASE("healthy_cores", step_balanced, 0, 0, NULL, sim_is_any, 8, 1024, true,
         .options = {.noise = 0.03, .slow_core = 0.3}),
};

const uint32_t sim_ncases = sizeof sim_cases / sizeof *sim_cases;
