/*
 * A parallel region inside the one that is followed (team.h). From barrier to barrier it takes as
 * long as the busiest of its threads computes. Barriers are of the region itself: what its threads
 * do in regions that they fork in turn is part of it. The thread that forked it is one of its
 * threads, and passes its barriers with them. Own state per thread; no allocation; nanoseconds.
 */
#ifndef SCA_PROF_INNER_TEAM_H
#define SCA_PROF_INNER_TEAM_H

#include <stdbool.h>
#include <stdint.h>

struct sca_inner_phase {
    uint64_t busiest_ns;      /* with its waits for locks */
    uint64_t most_ns, all_ns; /* that one of its threads computed, and all of them */
};

struct sca_team_region {
    uint32_t site, threads;
    struct sca_inner_phase phases[2]; /* by turns, as threads may begin the next one while the
                                         thread that forked the region adds up; */
    struct sca_inner_phase before;    /* and the sum of those that are over */
    bool has_pieces;                  /* that any of them could have taken */
};

/* The calling thread begins its part of the region, which it has forked itself or not. NULL: it is
 * in none any more. */
void sca_inner_team_begin(struct sca_team_region *region, bool forked);
/* It forks a region that is not followed, and comes back; or ends its part
 * of that one, or of its own. */
void sca_inner_team_deepen(void);
void sca_inner_team_end(void);
bool sca_inner_team_is_in(void);
/* Around a barrier of the region. False: it is in none, or in one that this one forked. */
bool sca_inner_team_arrive(void);
void sca_inner_team_depart(void);
/* It takes a piece that other threads could have taken as well. */
void sca_inner_team_note_piece(void);

/* Of a region that all of its threads have ended. */
struct sca_inner_phase sca_inner_team_times(const struct sca_team_region *region);

#endif
