/* What ranks took in intervals is as their profiles have it, whether the block of a rank stayed in
 * memory or is unpacked again. */
#include "graph/interval_matrix.h"
#include "check_main.h"
#include "measured.h"
#include "sca_error.h"

#include <math.h>
#include <stdlib.h>

/* The many ranks have more cells than stay in memory. */
enum { RANKS = 3, MANY = 700, SITES = 40 };

static struct model *three_ranks(uint32_t *run, uint32_t *first, uint32_t *second)
{
    struct model *model = model_new();
    uint32_t loop = model_vertex(model, 0, SCA_LOOP, "", "main", 10);
    uint32_t a = model_vertex(model, loop, SCA_MPI, "MPI_Barrier", "main", 11);
    uint32_t b = model_vertex(model, loop, SCA_MPI, "MPI_Barrier", "main", 12);
    *run = model_run(model, RANKS);
    *first = model_site(model, *run, a);
    *second = model_site(model, *run, b);
    for (uint32_t r = 0; r < RANKS; r++) {
        model_work(model, *run, r, *first, *second, 10, loop, 1 + r);
        if (r != 1)
            model_work(model, *run, r, *second, *first, 9, loop, 0.5);
    }
    model_blocked(model, *run, 2, *first, *second, 0.25, 0.125);
    return model;
}

static uint32_t number_of(const struct sca_interval_matrix *m, uint32_t previous, uint32_t site)
{
    for (uint32_t i = 0; i < m->n; i++)
        if (m->of[i].previous == previous && m->of[i].site == site)
            return i;
    return SCA_NONE;
}

START_TEST(rows_are_as_the_profile_has_them)
{
    uint32_t run, first, second;
    struct measured d = measured_open(three_ranks(&run, &first, &second));
    const struct sca_interval_matrix *m = &d.m[run].matrix;
    uint32_t there = number_of(m, first, second), back = number_of(m, second, first);
    ck_assert_uint_eq(m->n, 2);
    ck_assert(there != SCA_NONE && back != SCA_NONE);
    struct sca_interval_matrix_row row = sca_interval_matrix_row(m, 2);
    ck_assert_int_eq(row.end - row.first, 2);
    for (const struct sca_interval_cell *x = row.first; x < row.end; x++) {
        bool is_there = x->pair == there;
        ck_assert(is_there || x->pair == back);
        ck_assert_double_eq_tol(x->seconds, is_there ? 3 : 0.5, 1e-6);
        ck_assert_double_eq_tol(x->off, is_there ? 0.25 : 0, 1e-6);
        ck_assert_uint_eq(x->count, is_there ? 10 : 9);
    }
    row = sca_interval_matrix_row(m, 1);
    ck_assert_int_eq(row.end - row.first, 1);
    measured_close(&d);
}
END_TEST

START_TEST(sums_are_of_what_is_marked)
{
    uint32_t run, first, second;
    struct measured d = measured_open(three_ranks(&run, &first, &second));
    const struct sca_interval_matrix *m = &d.m[run].matrix;
    double seconds[RANKS] = {0}, off[RANKS] = {0}, count[RANKS] = {0}, all[RANKS] = {0};
    bool in[2] = {false, false};
    in[number_of(m, second, first)] = true;
    sca_interval_matrix_add(m, in, &(struct sca_interval_sums){.seconds = seconds, .count = count});
    sca_interval_matrix_add(m, NULL, &(struct sca_interval_sums){.seconds = all, .off = off});
    for (uint32_t r = 0; r < RANKS; r++) {
        ck_assert_double_eq_tol(seconds[r], r == 1 ? 0 : 0.5, 1e-6);
        ck_assert_double_eq(count[r], r == 1 ? 0 : 9);
        ck_assert_double_eq_tol(all[r], 1 + r + (r == 1 ? 0 : 0.5), 1e-6);
        ck_assert_double_eq_tol(off[r], r == 2 ? 0.25 : 0, 1e-6);
    }
    measured_close(&d);
}
END_TEST

/* A profile of many ranks that go through all pairs of calls; every other rank is twice as slow. */
struct large {
    struct sca_part_interval fast[SITES * SITES], slow[SITES * SITES];
    struct sca_rank ranks[MANY];
    struct sca_profile profile;
    struct sca_ppg_run run;
    struct sca_workspace space;
};

static struct large *large_open(void)
{
    struct large *l = calloc(1, sizeof *l);
    ck_assert_ptr_nonnull(l);
    for (uint32_t i = 0; i < SITES * SITES; i++) {
        struct sca_part_interval x = {.previous = i / SITES, .site = i % SITES, .count = 1};
        l->fast[i] = l->slow[i] = x;
        l->fast[i].cpu_ns = 1000 + i;
        l->slow[i].cpu_ns = 2 * l->fast[i].cpu_ns;
    }
    for (uint32_t r = 0; r < MANY; r++) {
        l->ranks[r].nintervals = SITES * SITES;
        l->ranks[r].intervals = r % 2 ? l->slow : l->fast;
    }
    l->profile = (struct sca_profile){.nranks = MANY, .ranks = l->ranks, .nsites = SITES};
    l->run = (struct sca_ppg_run){.profile = &l->profile, .nranks = MANY};
    ck_assert_int_eq(sca_intervals_open_joined(&l->run.intervals, SITES), SCA_OK);
    l->space = test_room();
    return l;
}

/* Every cell of that rank is as it was given. */
static bool is_whole(struct sca_interval_matrix_row row, uint32_t rank)
{
    bool whole = row.end - row.first == SITES * SITES;
    for (uint32_t i = 0; whole && i < SITES * SITES; i++) {
        double seconds = (1 + rank % 2) * (1000 + i) * 1e-9;
        whole = row.first[i].pair == i && fabs(row.first[i].seconds - seconds) < 1e-15;
    }
    return whole;
}

START_TEST(a_large_run_is_unpacked_again)
{
    struct large *l = large_open();
    struct sca_interval_matrix m;
    sca_interval_matrix_fill(&l->space, &l->run, &m);
    ck_assert_uint_eq(m.n, SITES * SITES);
    for (uint32_t r = MANY; r-- > 0;)
        ck_assert(is_whole(sca_interval_matrix_row(&m, r), r));
    sca_intervals_free(&l->run.intervals);
    sca_workspace_free(&l->space);
    free(l);
}
END_TEST

SCA_SUITE("interval matrix", rows_are_as_the_profile_has_them, sums_are_of_what_is_marked,
          a_large_run_is_unpacked_again)
