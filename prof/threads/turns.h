/*
 * Turns that threads of a team had, by their keys; of two at one place the later one. Threads may
 * end turns at the same time: a reader looks twice whether all is of one turn. Any thread; no
 * allocation.
 */
#ifndef SCA_PROF_TURNS_H
#define SCA_PROF_TURNS_H

#include <stdbool.h>
#include <stdint.h>

struct sca_team_turn {
    uint64_t key;
    uint64_t ns;            /* since the phase began, virtual */
    unsigned region, phase; /* regions so far, of which it is the last, from 1; phase of that */
    uint32_t thread;        /* who had it */
};

/* False: none with that key is known any more. */
bool sca_turns_read(uint64_t key, struct sca_team_turn *out);
/* Perhaps not kept, where another thread writes one at the same place. */
void sca_turns_write(const struct sca_team_turn *turn);

#endif
