/*
 * What may explain the time that one rank took in one interval, and how well each of that foretells
 * its samples (posterior.h says which explanations there are). Working memory of the interval at
 * hand; owned by struct sca_guesses until sca_guesses_close().
 */
#ifndef SCA_DETECT_GUESSES_H
#define SCA_DETECT_GUESSES_H

#include "apportion/segment.h"
#include "graph/ppg.h"

enum {
    SCA_MOST_DEVIANTS = 3,
    SCA_MOST_AROUND = 4,
    SCA_MOST_GUESSES = SCA_MOST_DEVIANTS * (SCA_MOST_AROUND + 1) + 3
};

/* Some places of the interval take what others' do not explain; none: all alike. Or as the unusual
 * ranks do. */
struct sca_guess {
    const bool *in;  /* per place of the interval; NULL: none */
    uint32_t vertex; /* one that holds some of these; SCA_NONE: none */
    bool likewise;
    double alike, prior, likelihood; /* the last a logarithm */
};

struct sca_guesses {
    const struct sca_pool *pool;
    const struct sca_ppg_vertex *vertices;
    uint32_t *place;   /* per vertex: one that stands for its place */
    uint32_t *ends;    /* per vertex, the first after those below it */
    double *elsewhere; /* per weight of the pool: its part of what is imagined in the interval */
    double *own, *usual, *likewise, *guessed; /* per place of the interval at hand */
    bool *in;                                 /* likewise, of each guess */
    size_t most, first, count;                /* places in an interval; of the pool's weights */
    double samples, ratio;                    /* usual seconds over the rank's */
    double said;                              /* by other unusual ranks about this one, 0 to 1 */
    struct sca_guess guess[SCA_MOST_GUESSES]; /* the first: all is as much slower */
    unsigned n;
    struct {
        double alike, samples, log;
    } last; /* what likelihoods have in common: many guesses have the same */
};

/* In an interval; 1 at least. */
size_t sca_guesses_most_places(const struct sca_pool *pool);

/* The pool and the graph's vertices must outlive it. SCA_OK or SCA_ENOMEM; after that, too, it must
 * be closed. */
int sca_guesses_open(struct sca_guesses *d, const struct sca_pool *pool, const struct sca_ppg *ppg);
void sca_guesses_close(struct sca_guesses *d);

/* Those for an interval; there must be a weight of it in the pool. Where it is as usual, one guess
 * is all. */
void sca_guesses_make(struct sca_guesses *d, const struct sca_segment *s);

/* The parts that a guess foretells: into d->guessed. */
void sca_guesses_foretell(struct sca_guesses *d, const struct sca_guess *guess);

#endif
