/*
 * A simulator of MPI programs: every rank's computation and calls are played in virtual time, on
 * as many ranks as one likes, with known delays, noise and a limited number of cores. What comes
 * out is what the runtime would have recorded, so that the detector can be held against a truth
 * that is known exactly. The same program, options and seed give the same run on every machine.
 *
 *     static void step(struct sim *s)                  // one step of one rank
 *     {
 *         sim_compute(s, LOOP, 0.01);
 *         sim_collective(s, SUM, SIM_ALL, 0);
 *     }
 *     static const struct sim_place places[] = {{"", 12}, {"MPI_Allreduce", 20}};
 *     static const struct sim_program program = {places, 2, 100, step};
 *     struct sim *s = sim_run(&program, (struct sim_options){.ranks = 8, .defect = true});
 *     sim_seconds(s);                                  // of the longest rank
 *     sim_free(s);
 *
 * Messages of a pair of ranks arrive in order; sends do not wait; MPI takes no time but waiting.
 */
#ifndef SCA_SIM_H
#define SCA_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SIM_PLACES = 18 };

struct sim_place { /* a loop, or an MPI call if it has a name */
    const char *function;
    uint32_t line;
};

struct sim;

struct sim_program {
    const struct sim_place *places;
    uint32_t nplaces, steps;
    void (*step)(struct sim *s); /* of the rank and step below */
};

/* The same program written or run in another way, of which the same must be said. */
struct sim_variant {
    double stretch;    /* all computation takes so many times as long; 0: 1 */
    double delayed;    /* all of the defect's delay, times this; 0: 1 */
    uint32_t multiply; /* rank r is run as (r * multiply + add) % ranks; 0: as r */
    uint32_t add;
    uint32_t again; /* each run is there so often beside itself */
    bool split;     /* each loop is two, one behind the other */
    uint32_t bound; /* this rank and the next are bound to one core, and have half of it each; 0:
                       each rank has its own core */
    bool by_clock;  /* what these compute is as long as the clock says, not as they had the core */
};

struct sim_options {
    uint32_t ranks;
    uint32_t cores;   /* 0: one for each rank */
    double noise;     /* relative standard deviation of each computation */
    double slow_core; /* every second core takes longer by this, relative */
    uint64_t seed;
    uint32_t repetition; /* of the same run: 0 and more */
    bool defect;
    bool killed; /* what lies behind a call is not told apart by the call that it leads to */
    struct sim_variant as;
};

enum sim_shape { SIM_ALL, SIM_FROM_ROOT, SIM_TO_ROOT };

struct sim_call { /* of one rank, in order */
    uint32_t place, step;
    int32_t peer; /* the other rank or the root */
    uint8_t kind; /* enum sim_kind */
    uint8_t shape;
    uint64_t number; /* of the message among those of its pair, of the collective */
    double interval, enter, exit;
    double loops[SIM_PLACES]; /* what the interval consists of */
};

enum sim_kind { SIM_SEND, SIM_RECEIVE, SIM_COLLECTIVE };

struct sim_sequence {
    struct sim_call *calls;
    uint32_t ncalls, space;
};

struct sim {
    const struct sim_program *program;
    struct sim_options options;
    uint32_t rank, step, ranks; /* while program->step runs */
    bool defect;
    struct sim_sequence *sequences; /* per rank */
    double interval, loops[SIM_PLACES];
    uint64_t drawn;
};

/* For program->step. */
void sim_compute(struct sim *s, uint32_t place, double seconds);
void sim_stall(struct sim *s, double seconds); /* off the core: stopped, asleep */
void sim_send(struct sim *s, uint32_t place, uint32_t to);
void sim_receive(struct sim *s, uint32_t place, uint32_t from);
void sim_collective(struct sim *s, uint32_t place, enum sim_shape shape, uint32_t root);

/* A program of the variant has two places for each: its own, and behind it the loop's second half
 * or the local call. Of others it is the place itself. */
uint32_t sim_place_of(const struct sim_variant *as, uint32_t place);
bool sim_has_two(const struct sim_variant *as);
/* Who runs what rank `rank` of the program does. */
uint32_t sim_rank_of(const struct sim_variant *as, uint32_t rank, uint32_t ranks);

struct sim *sim_run(const struct sim_program *program, struct sim_options options);
void sim_free(struct sim *s);
double sim_seconds(const struct sim *s);

/* Uniform in [0, 1), a function of its arguments. */
double sim_chance(uint64_t seed, uint64_t a, uint64_t b);
void *sim_memory(size_t count, size_t size);

#endif
