/*
 * Work that a team hands out in pieces: tasks, and chunks of loops that are scheduled dynamically.
 * Who takes a piece is chance where threads share cores: one that is on a core takes many. With a
 * core for each, whoever is free takes the next one (list scheduling: Graham, "Bounds on
 * multiprocessing timing anomalies", SIAM J. Appl. Math. 1969). A task that depends on others is
 * not free before these are done (piece_schedule.c).
 *
 * Any thread makes tasks, takes pieces and ends them; one schedules and clears them while no other
 * does any of this. Not in handlers; no allocation. Nanoseconds.
 */
#ifndef SCA_PROF_PIECES_H
#define SCA_PROF_PIECES_H

#include <stdbool.h>
#include <stdint.h>

enum {
    SCA_PIECES = 4096,    /* what comes later is divided evenly */
    SCA_TASKS = 4096,     /* whose place is known; what comes later counts as free */
    SCA_DEPENDS = 8192,   /* of all of them, */
    SCA_TASK_DEPENDS = 32 /* and of one; further ones are left out */
};

/* What a task does with an object: it reads, or writes; or it is one of several that write in any
 * order, even at the same time. */
enum sca_depend_kind { SCA_DEPEND_IN, SCA_DEPEND_OUT, SCA_DEPEND_SET };
struct sca_depend {
    const void *on;
    enum sca_depend_kind kind;
};

struct sca_piece_task {
    uint32_t site;     /* where it is made */
    uint32_t first, n; /* of depends[] */
};

struct sca_pieces {
    uint32_t n;                /* taken */
    uint64_t rest_ns;          /* of those beyond SCA_PIECES */
    uint64_t ns[SCA_PIECES];   /* in the order in which they were taken */
    uint32_t task[SCA_PIECES]; /* of which task, from 1; 0: of none that is known */
    uint32_t ntasks, ndepends; /* made; there may be more than are kept */
    struct sca_piece_task tasks[SCA_TASKS];
    struct sca_depend depends[SCA_DEPENDS];
};

void sca_pieces_clear(struct sca_pieces *pieces);
/* A task is made that depends on n objects, perhaps 0; as all tasks of one maker, in their order.
 * Returns its number, from 1; 0 without room. */
uint32_t sca_pieces_make_task(struct sca_pieces *pieces, uint32_t site,
                              const struct sca_depend *depends, uint32_t n);
/* The number of a piece that begins, of that task (0: of none). */
uint32_t sca_pieces_take(struct sca_pieces *pieces, uint32_t task);
/* It has taken so long. */
void sca_pieces_end(struct sca_pieces *pieces, uint32_t number, uint64_t ns);

struct sca_pieces_times {
    uint64_t longest_ns; /* how long the team takes */
    uint64_t chain_ns;   /* of that, at least: the longest task, or several that depend on each
                            other, by however many threads; 0: none is known */
    uint32_t site;       /* of those that have most of the chain */
    bool alone;          /* it is one task */
};
/* Of all pieces, and what each of the team's `size` threads has of its own: busy_ns[], of which
 * nothing is left. */
struct sca_pieces_times sca_pieces_schedule(const struct sca_pieces *pieces, uint64_t *busy_ns,
                                            unsigned size);

#endif
