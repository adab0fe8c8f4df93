/*
 * A phase of a parallel region, from barrier to barrier: how long it takes in virtual time, each
 * thread of the team with a core of its own. Where ranks share cores, who of the team takes most is
 * chance in a single instance: what all computed counts, times the part that the busiest had lately
 * (as sampling/thread_turns.h), or, of pieces that are handed out, a schedule of these (pieces.h).
 *
 * Phases lie in two places by turns: threads may begin the next one while the first thread adds up.
 * A member writes its own numbers; only the first thread adds up. Nanoseconds.
 */
#ifndef SCA_PROF_PHASE_H
#define SCA_PROF_PHASE_H

#include "threads/pieces.h"

#include <stdbool.h>

enum { SCA_TEAM_MOST = 64 };   /* threads */
enum { SCA_PHASE_INSIDE = 4 }; /* regions inside one, told apart in a phase */
enum { SCA_PHASE_CHAINS = 4 }; /* places of tasks that depend on each other, in a region */

/* Regions at one place inside another one. Where `threads` is 0 there is none. */
struct sca_phase_inside {
    uint32_t site;
    unsigned threads;   /* of its team */
    uint64_t ns;        /* of the busiest of its threads, */
    uint64_t uneven_ns; /* and of that, more than if all had computed as much */
};
/* Adds that to what there is of its place. The fifth place is not kept. */
void sca_phase_add_inside(struct sca_phase_inside to[SCA_PHASE_INSIDE],
                          const struct sca_phase_inside *of);

/* By how much tasks at one place make phases longer, since they depend on each other, or one of
 * them takes longer than each thread's part. Where `ns` is 0 there are none. */
struct sca_phase_chain {
    uint32_t site;
    bool alone; /* one of them */
    uint64_t ns;
};

struct sca_phase_member {
    uint64_t work_ns, pieces_ns; /* what it computed; of that, pieces that others could take */
    uint64_t waited_ns;          /* for locks */
    uint64_t arrived_ns;         /* at its end, by the wall clock */
    struct sca_phase_inside inside[SCA_PHASE_INSIDE]; /* regions that it forked */
} __attribute__((aligned(64)));                       /* a line */

struct sca_phase {
    struct sca_phase_member members[SCA_TEAM_MOST]; /* by the number of the thread */
    struct sca_pieces pieces;
};
extern struct sca_phase sca_phases[2]; /* by turns */

struct sca_phase_team {
    uint32_t site;     /* of the region */
    uint64_t members;  /* a bit for each */
    unsigned size;     /* of the team, some of which may not be among the members */
    bool shares_cores; /* it has fewer of them than threads */
    uint64_t began_ns; /* by the wall clock, */
    uint64_t left_ns; /* as the time when the first thread last left MPI, in this phase or before */
    uint64_t told_ns; /* what it computed before that call, in this phase */
};

struct sca_phase_times {
    uint64_t phases_ns; /* in virtual time */
    uint64_t busy_ns;   /* the same without waits for locks, */
    uint64_t even_ns;   /* and if all had computed as much, as far as tasks depend on each other */
    uint64_t own_ns;    /* what the first thread computed */
    struct sca_phase_inside
        inside[SCA_PHASE_INSIDE]; /* of phases_ns; uneven_ns: by which it were less */
    struct sca_phase_chain chains[SCA_PHASE_CHAINS]; /* of even_ns */
};

/* Adds the times of a phase that is over, whose pieces are then forgotten. */
void sca_phase_add(struct sca_phase *phase, const struct sca_phase_team *team,
                   struct sca_phase_times *to);

#endif
