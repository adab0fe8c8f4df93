/*
 * What may explain the time of one rank in an interval, where four usual ranks take one second and
 * have as many samples at each place, so that each place has its equal part of them.
 *
 *     struct guessed *g = guessed_open(NULL, 0);
 *     struct sca_segment s = guessed_segment(IN_ALL, own, n, 2);  // two seconds instead
 *     sca_guesses_make(&g->of, &s);
 *     guessed_at(g, AT_FIRST);                                    // the guess for that vertex
 *     guessed_close(g);
 */
#ifndef SCA_TEST_GUESSED_H
#define SCA_TEST_GUESSED_H

#include "apportion/guesses.h"

/* Below the root: a loop, a call with two loops in it, a loop; then many, the first and every other
 * of which are one line. */
enum {
    AT_LOOP = 1,
    AT_CALL,
    AT_FIRST,
    AT_SECOND,
    AT_LAST,
    AT_MANY,
    GUESSED_VERTICES = AT_MANY + 40
};
/* Intervals: with the loops but the many; the last; those of the call; the many. */
enum { IN_ALL, IN_LAST, IN_CALL, IN_MANY, GUESSED_INTERVALS };

struct guessed {
    struct sca_ppg_vertex vertices[GUESSED_VERTICES];
    struct sca_ppg ppg;
    struct sca_pool pool;
    struct sca_guesses of;
};

/* One more rank's samples, and how unusual it is in all intervals. */
struct guessed_rank {
    const struct sca_weight *own;
    size_t n;
    double unusual;
};

struct guessed *guessed_open(const struct guessed_rank *more, size_t nmore);
void guessed_close(struct guessed *g);

/* A rank as unusual as can be, whose samples are as many as its time brings. */
struct sca_segment guessed_segment(uint32_t interval, const struct sca_weight *own, size_t n,
                                   double seconds);
/* NULL: there is none. */
const struct sca_guess *guessed_at(const struct guessed *g, uint32_t vertex);
/* The part that it foretells of the manieth place. */
double guessed_part(struct guessed *g, const struct sca_guess *guess, size_t place);

#endif
