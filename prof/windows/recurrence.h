/*
 * Loops, told by the call paths of MPI calls alone: for code without markers (loops.h).
 *
 * The calls since the last world collective are kept as their loop-erased walk (Lawler 1980): a
 * call path that is not in it is put at its end; where it is in it already, a loop has come round,
 * and all behind it is taken off. What is taken off is the body. The path that came round is the
 * loop's header, and loops that share a header, as an inner loop that the outer one begins with,
 * are told apart by a witness: a path that the body must hold. It is the last one of some body: a
 * loop over neighbours goes from its own call back to it, the loop around by way of MPI_Waitall.
 *
 * The loop that delimits the program's iterations is the first one that has come round `many`
 * times, and then one around it that has done so four times, holds at least half as many calls
 * again, and has not so many that a window of four would not fit. One that has not come round while
 * `patience` others did has had its time. So has one when another has come round `many` times that
 * had never done so before its last round: that one follows it, or it is taken back.
 *
 * A loop around it may also be the same loop, with calls that it makes in each n-th iteration only.
 * Where `may_call` allows that, n is 8 at least, and the other holds no further loops, the
 * delimiter stays: it has the finer iterations.
 *
 * What the call paths do not tell: whether it is the callee that goes round or its caller, where
 * all calls lie below the callee (the stack is the same, addresses of frames included); either is
 * the same iteration, unless both go round: then inner rounds are what is counted. And whether what
 * comes in every tenth round is the outer loop's or conditional: the outer loop's, if it is the
 * last of the round.
 *
 * A world collective empties the walk. A delimiter that was in it goes on: its header, once called
 * again, begins its next round, so that loops with a collective now and then lose no iteration.
 *
 * Counts are since the run's beginning, and do not depend on when a loop was chosen. One thread's
 * calls; touches two lines of memory for a call, never allocates; no lock.
 */
#ifndef SCA_PROF_RECURRENCE_H
#define SCA_PROF_RECURRENCE_H

#include <stdbool.h>
#include <stdint.h>

enum {
    SCA_RECURRENCE_SITES = 16 << 10, /* sites beyond are not looked at */
    SCA_RECURRENCE_DEPTH = 4 << 10,  /* a longer walk starts anew */
    SCA_WITNESSES = 4                /* loops with one header */
};

/* A loop: how often its header came round with this site in the body. */
struct sca_witness {
    uint32_t site, rounds; /* rounds 0: none */
    uint32_t begun;        /* calls made when it was first seen, modulo 2^32 */
};

struct sca_header {
    uint32_t position; /* in the walk, if it is there */
    struct sca_witness witness[SCA_WITNESSES];
} __attribute__((aligned(64)));

struct sca_recurrence {
    struct sca_header *headers; /* per site; NULL: nothing is learnt */
    uint32_t *walk;             /* sites */
    uint32_t depth, calls;
    uint32_t most_calls;      /* of an iteration */
    uint32_t many;            /* rounds of the first loop that delimits iterations */
    uint32_t patience;        /* rounds of others after which a delimiter has had its time */
    uint32_t rounds;          /* of any loop since the last sca_recurrence_wait() */
    uint32_t since_delimiter; /* of others, since it came round last, */
    uint32_t delimited;       /* at this call, modulo 2^32 */
    uint32_t held;            /* depth of the walk as the last round ended */
    bool interrupted;         /* the delimiter was in a walk that is forgotten */
    uint32_t header;          /* of the delimiter, */
    const struct sca_witness *delimiter; /* NULL: none yet */
    /* Whether the function that makes the first call may make the other, itself or in a function
     * that it calls. NULL, as to begin with: not known. */
    bool (*may_call)(uint32_t header, uint32_t site);
};

/* `most_calls` in an iteration on average. Without memory nothing is learnt. */
void sca_recurrence_begin(struct sca_recurrence *r, uint32_t most_calls, uint32_t many,
                          uint32_t patience);
/* A call is entered. True: it begins an iteration of the delimiter, its delimiter->rounds-th. */
static inline bool sca_recurrence_call(struct sca_recurrence *r, uint32_t site);
/* A call is entered that began no iteration. True: it does, of a delimiter that a world collective
 * interrupted. No window ends there: one has at the collective. */
static inline bool sca_recurrence_resumes(struct sca_recurrence *r, uint32_t site);
/* A world collective has been left: loops that hold one are delimited by it. */
void sca_recurrence_forget(struct sca_recurrence *r);
/* The round of the delimiter that has just ended had this site in its body. */
bool sca_recurrence_held(const struct sca_recurrence *r, uint32_t site);
/* Others delimit iterations for now. */
void sca_recurrence_wait(struct sca_recurrence *r);

bool sca_recurrence_comes_round(struct sca_recurrence *r, uint32_t site);

void sca_recurrence_resume(struct sca_recurrence *r);

static inline bool sca_recurrence_resumes(struct sca_recurrence *r, uint32_t site)
{
    if (!r->interrupted || site != r->header)
        return false;
    sca_recurrence_resume(r);
    return true;
}

static inline bool sca_recurrence_is_live(const struct sca_recurrence *r, uint32_t site)
{
    uint32_t at = r->headers[site].position;
    return at < r->depth && r->walk[at] == site;
}

static inline bool sca_recurrence_call(struct sca_recurrence *r, uint32_t site)
{
    if (!r->headers || site >= SCA_RECURRENCE_SITES)
        return false;
    r->calls++;
    if (sca_recurrence_is_live(r, site))
        return sca_recurrence_comes_round(r, site);
    if (r->depth == SCA_RECURRENCE_DEPTH)
        r->depth = 0;
    r->headers[site].position = r->depth;
    r->walk[r->depth++] = site;
    return false;
}

#endif
