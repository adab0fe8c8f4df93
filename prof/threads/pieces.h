/*
 * Work that a team hands out in pieces: tasks, and chunks of loops that are scheduled dynamically.
 * Who takes a piece is chance where threads share cores: one that is on a core takes many. With a
 * core for each, whoever is free takes the next one (list scheduling: Graham, "Bounds on
 * multiprocessing timing anomalies", SIAM J. Appl. Math. 1969). What tasks depend on is not known.
 *
 * Any thread takes pieces and ends them; one schedules and clears them while no other does either.
 * Not in handlers; no allocation. Nanoseconds.
 */
#ifndef SCA_PROF_PIECES_H
#define SCA_PROF_PIECES_H

#include <stdint.h>

enum { SCA_PIECES = 1024 }; /* what comes later is divided evenly */

struct sca_pieces {
    uint32_t n;              /* taken */
    uint64_t rest_ns;        /* of those beyond SCA_PIECES */
    uint64_t ns[SCA_PIECES]; /* in the order in which they were taken */
};

void sca_pieces_clear(struct sca_pieces *pieces);
/* The number of a piece that begins. */
uint32_t sca_pieces_take(struct sca_pieces *pieces);
/* It has taken so long. */
void sca_pieces_end(struct sca_pieces *pieces, uint32_t number, uint64_t ns);
/* How long the team takes for all pieces and for what each of its `size` threads has of its own:
 * busy_ns[], of which nothing is left. */
uint64_t sca_pieces_schedule(const struct sca_pieces *pieces, uint64_t *busy_ns, unsigned size);

#endif
