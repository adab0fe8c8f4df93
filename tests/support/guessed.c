#include "guessed.h"

#include <check.h>
#include <stdlib.h>

enum { USUAL_RANKS = 4, EACH = 2, OWN = 7 };

static void make_tree(struct guessed *g)
{
    for (uint32_t v = 0; v < GUESSED_VERTICES; v++)
        g->vertices[v] =
            (struct sca_ppg_vertex){.parent = v == AT_FIRST || v == AT_SECOND ? AT_CALL : 0,
                                    .name = "",
                                    .function = "f",
                                    .file = "f.c",
                                    .line = v >= AT_MANY && v % 2 == AT_MANY % 2 ? 1000 : 1 + v};
    g->ppg = (struct sca_ppg){.nvertices = GUESSED_VERTICES, .vertices = g->vertices};
}

static void add_rank(struct guessed *g, const struct sca_weight *own, size_t n, double unusual)
{
    double all[GUESSED_INTERVALS];
    for (int i = 0; i < GUESSED_INTERVALS; i++)
        all[i] = unusual;
    ck_assert_int_eq(sca_sample_pool_add(&g->pool, own, n, all), 0);
}

static void add_usual_ranks(struct guessed *g)
{
    struct sca_weight own[OWN + GUESSED_VERTICES - AT_MANY] = {
        {IN_ALL, AT_LOOP, EACH, 0},   {IN_ALL, AT_FIRST, EACH, 0}, {IN_ALL, AT_SECOND, EACH, 0},
        {IN_ALL, AT_LAST, EACH, 0},   {IN_LAST, AT_LAST, EACH, 0}, {IN_CALL, AT_FIRST, EACH, 0},
        {IN_CALL, AT_SECOND, EACH, 0}};
    for (uint32_t v = AT_MANY; v < GUESSED_VERTICES; v++)
        own[OWN + v - AT_MANY] = (struct sca_weight){IN_MANY, v, EACH, 0};
    for (int r = 0; r < USUAL_RANKS; r++)
        add_rank(g, own, sizeof own / sizeof *own, 0);
}

struct guessed *guessed_open(const struct guessed_rank *more, size_t nmore)
{
    struct guessed *g = calloc(1, sizeof *g);
    ck_assert_ptr_nonnull(g);
    make_tree(g);
    ck_assert_int_eq(sca_sample_pool_open(&g->pool, GUESSED_INTERVALS), 0);
    add_usual_ranks(g);
    for (size_t i = 0; i < nmore; i++)
        add_rank(g, more[i].own, more[i].n, more[i].unusual);
    ck_assert_int_eq(sca_sample_pool_close(&g->pool), 0);
    ck_assert_int_eq(sca_guesses_open(&g->of, &g->pool, &g->ppg), 0);
    return g;
}

void guessed_close(struct guessed *g)
{
    sca_guesses_close(&g->of);
    sca_sample_pool_free(&g->pool);
    free(g);
}

struct sca_segment guessed_segment(uint32_t interval, const struct sca_weight *own, size_t n,
                                   double seconds)
{
    return (struct sca_segment){.interval = interval,
                                .own = own,
                                .nown = n,
                                .seconds = seconds,
                                .usual = 1,
                                .unusual = seconds > 1 ? 1 : -1};
}

const struct sca_guess *guessed_at(const struct guessed *g, uint32_t vertex)
{
    for (unsigned i = 0; i < g->of.n; i++)
        if (g->of.guess[i].vertex == vertex)
            return &g->of.guess[i];
    return NULL;
}

double guessed_part(struct guessed *g, const struct sca_guess *guess, size_t place)
{
    ck_assert_ptr_nonnull(guess);
    sca_guesses_foretell(&g->of, guess);
    return g->of.guessed[place];
}
