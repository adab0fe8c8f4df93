/* How contexts share an instance of an interval, by how long it is: what makes it longer is in long
 * ones, what it always takes in all, and what is not told is divided as the whole run. */
#include "check_main.h"
#include "sca_error.h"
#include "timeline/by_length.h"

#include <stdlib.h>
#include <string.h>

enum { MAIN, LOOP, STEP, USUAL, LATE, CALL, VERTICES };
enum { CALL_SITE = 1, SITES };
enum { RANKS = 64, S = 1000000000 };

static const struct sca_ppg_vertex vertices[VERTICES] = {
    [MAIN] = {.kind = SCA_ROOT},
    [LOOP] = {.kind = SCA_LOOP, .parent = MAIN},
    [STEP] = {.kind = SCA_CALL, .parent = LOOP},
    [USUAL] = {.kind = SCA_LOOP, .parent = STEP},
    [LATE] = {.kind = SCA_LOOP, .parent = STEP},
    [CALL] = {.kind = SCA_MPI, .parent = LOOP}};

/* Of each rank as many instances of 1 s as of 3 s. A second of each is USUAL, the rest LATE. */
static struct sca_part_interval interval = {
    .previous = CALL_SITE, .site = CALL_SITE, .count = 100, .cpu_ns = 200ull * S};

struct fixture {
    struct sca_ppg_vertex vertices[VERTICES];
    struct sca_part_sample samples[RANKS][2];
    struct sca_rank ranks[RANKS];
    struct sca_site sites[SITES];
    struct sca_profile profile;
    uint32_t site_vertex[SITES], node_vertex[2], first_share[RANKS * SITES + 1];
    struct sca_ppg_share shares[2 * RANKS];
    struct sca_ppg_run run;
    struct sca_ppg ppg;
    struct sca_workspace space;
    struct sca_by_length by_length;
};

static jmp_buf out_of_memory;

/* So many samples of a context on each rank, in instances of that mean length. */
static struct sca_part_sample samples(uint32_t node, uint64_t count, double length)
{
    return (struct sca_part_sample){.node = node,
                                    .previous = CALL_SITE,
                                    .next = CALL_SITE,
                                    .in_mpi = SCA_SAMPLE_COMPUTES,
                                    .count = count,
                                    .length_ns = (uint64_t)(length * (double)count * S)};
}

static void add_rank(struct fixture *f, uint32_t rank, uint64_t each, double late)
{
    f->samples[rank][0] = samples(0, each, 2);
    f->samples[rank][1] = samples(1, each, late);
    f->ranks[rank] = (struct sca_rank){.present = true,
                                       .sample_worth = 1,
                                       .nintervals = 1,
                                       .intervals = &interval,
                                       .nsamples = 2,
                                       .sample = f->samples[rank]};
    f->shares[2ul * rank] = (struct sca_ppg_share){USUAL, 0, 100};
    f->shares[2ul * rank + 1] = (struct sca_ppg_share){LATE, 0, 100};
    f->first_share[rank * SITES + CALL_SITE] = 2 * rank;
    f->first_share[rank * SITES + CALL_SITE + 1] = 2 * rank + 2;
}

/* Each rank has `each` samples of each context, those of LATE in instances of that length. */
static struct fixture *make(uint32_t nranks, uint64_t each, double late)
{
    struct fixture *f = calloc(1, sizeof *f);
    memcpy(f->vertices, vertices, sizeof vertices);
    for (uint32_t r = 0; r < nranks; r++)
        add_rank(f, r, each, late);
    f->site_vertex[0] = SCA_NONE;
    f->site_vertex[CALL_SITE] = CALL;
    f->node_vertex[0] = USUAL;
    f->node_vertex[1] = LATE;
    f->sites[CALL_SITE].function = "MPI_Barrier";
    f->profile = (struct sca_profile){
        .nranks = nranks, .nnodes = 2, .nsites = SITES, .sites = f->sites, .ranks = f->ranks};
    f->run = (struct sca_ppg_run){.profile = &f->profile,
                                  .nranks = nranks,
                                  .site_vertex = f->site_vertex,
                                  .node_vertex = f->node_vertex,
                                  .first_share = f->first_share,
                                  .shares = f->shares};
    ck_assert_int_eq(sca_intervals_open_joined(&f->run.intervals, SITES), SCA_OK);
    f->ppg = (struct sca_ppg){
        .nvertices = VERTICES, .vertices = f->vertices, .nruns = 1, .runs = &f->run};
    f->space.out_of_memory = &out_of_memory;
    ck_assert(!setjmp(out_of_memory));
    sca_by_length_find(&f->space, &f->ppg, &f->run, &f->by_length);
    return f;
}

static void end(struct fixture *f)
{
    sca_workspace_free(&f->space);
    sca_intervals_free(&f->run.intervals);
    free(f);
}

static const struct sca_trace_event call = {.site = CALL_SITE, .previous = CALL_SITE};

static void check_late(struct fixture *f, double seconds, double late)
{
    const struct sca_instance in = sca_by_length_divide(&f->by_length, 0, call, seconds);
    ck_assert_uint_eq(in.n, 2);
    ck_assert_uint_eq(in.share[1].vertex, LATE);
    ck_assert_double_eq_tol(in.seconds[1], late, 1e-5);
    ck_assert_double_eq_tol(in.seconds[0] + in.seconds[1], seconds, 1e-9);
}

START_TEST(what_makes_instances_longer_is_in_long_ones)
{
    struct fixture *f = make(1, 100, 3);
    check_late(f, 1, 0);
    check_late(f, 2, 1);
    check_late(f, 3, 2);
    end(f);
}
END_TEST

START_TEST(what_is_in_all_is_divided_as_the_run)
{
    struct fixture *f = make(1, 100, 2);
    check_late(f, 1, 0.5);
    check_late(f, 3, 1.5);
    end(f);
}
END_TEST

START_TEST(few_samples_tell_nothing)
{
    struct fixture *f = make(1, 4, 3);
    check_late(f, 1, 0.5);
    end(f);
}
END_TEST

START_TEST(few_samples_of_each_of_many_ranks_tell)
{
    struct fixture *f = make(RANKS, 4, 3);
    check_late(f, 1, 0);
    check_late(f, 3, 2);
    end(f);
}
END_TEST

/* Instances take 2 s on average; all samples of LATE lie in those of 10 s. What is beyond the 1 s
 * that others take is LATE, from half way between 1 s and 10 s on. */
START_TEST(what_is_in_far_longer_ones_is_in_these_alone)
{
    struct fixture *f = make(1, 6, 10);
    check_late(f, 2, 0);
    check_late(f, 4, 0);
    check_late(f, 10, 9);
    end(f);
}
END_TEST

START_TEST(an_instance_is_named_by_what_has_most_of_it)
{
    struct fixture *f = make(1, 100, 3);
    ck_assert_uint_eq(sca_by_length_place(&f->by_length, 0, call, 1), USUAL);
    ck_assert_uint_eq(sca_by_length_place(&f->by_length, 0, call, 3), STEP);
    ck_assert_uint_eq(sca_by_length_place(&f->by_length, 0, call, 20), LATE);
    end(f);
}
END_TEST

START_TEST(an_instance_of_which_nothing_is_known_is_named_by_its_calls)
{
    struct fixture *f = make(1, 100, 3);
    const struct sca_trace_event first = {.site = CALL_SITE};
    ck_assert_uint_eq(sca_by_length_place(&f->by_length, 0, first, 1), MAIN);
    end(f);
}
END_TEST

SCA_SUITE("by_length", what_makes_instances_longer_is_in_long_ones,
          what_is_in_all_is_divided_as_the_run, few_samples_tell_nothing,
          few_samples_of_each_of_many_ranks_tell, what_is_in_far_longer_ones_is_in_these_alone,
          an_instance_is_named_by_what_has_most_of_it,
          an_instance_of_which_nothing_is_known_is_named_by_its_calls)
