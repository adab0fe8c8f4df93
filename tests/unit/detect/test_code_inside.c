/* The function that has most of a cause's samples, and the call that leads to the ill ones. */
#include "report/code_inside.h"
#include "measured.h"
#include "check_main.h"

enum { RANKS = 2, NODES = 5, FUNCTIONS = 4 };

/* Function 1 is called by the place and calls 2; 3 is called by the place as well. */
static struct sca_inner functions[FUNCTIONS] = {
    {.parent = 0}, {.parent = 0}, {.parent = 1}, {.parent = 0}};
static uint32_t of_node[NODES] = {0, 1, 2, 3, 1}, node_vertex[NODES];
static struct sca_part_sample samples[RANKS][NODES];

/* So many samples of the place itself, of each function, and of the first at another place. */
static uint32_t most(const uint64_t (*count)[NODES], uint32_t nranks, double *share)
{
    static uint32_t ranks[] = {0, 1};
    struct model *model = model_new();
    uint32_t loop = model_vertex(model, 0, SCA_LOOP, "", "main", 10);
    uint32_t body = model_vertex(model, loop, SCA_COMP, "", "main", 11);
    uint32_t other = model_vertex(model, 0, SCA_LOOP, "", "main", 20);
    uint32_t run = model_run(model, RANKS);
    struct sca_ppg *ppg = (struct sca_ppg *)model_ppg(model);
    struct sca_profile *profile = (struct sca_profile *)ppg->runs[run].profile;
    ppg->inners = (struct sca_inners){.items = functions, .count = FUNCTIONS};
    ppg->runs[run].node_inner = of_node;
    ppg->runs[run].node_vertex = node_vertex;
    for (uint32_t n = 0; n < NODES; n++)
        node_vertex[n] = n == 4 ? other : body;
    for (uint32_t r = 0; r < RANKS; r++) {
        for (uint32_t n = 0; n < NODES; n++)
            samples[r][n] = (struct sca_part_sample){.node = n, .count = count[r][n]};
        profile->ranks[r].sample = samples[r];
        profile->ranks[r].nsamples = NODES;
    }
    struct sca_workspace space = test_room();
    struct sca_measure measure = {.run = &ppg->runs[run]};
    struct sca_analysis c = {.ppg = ppg, .space = &space, .measures = &measure};
    c.ends = sca_measure_subtree_ends(&space, ppg);
    const struct sca_finding cause = {
        .vertex = loop, .nvertices = 1, .vertices = &loop, .nranks = nranks, .ranks = ranks};
    uint32_t found = sca_code_inside_most(&c, &cause, share);
    sca_workspace_free(&space);
    model_free(model);
    return found;
}

static uint32_t of_one(uint64_t itself, uint64_t first, uint64_t second, uint64_t third)
{
    double share;
    const uint64_t count[RANKS][NODES] = {{itself, first, second, third}};
    return most(count, 1, &share);
}

START_TEST(more_than_half_of_the_samples_are_in_it)
{
    ck_assert_uint_eq(of_one(49, 0, 0, 51), 3);
    ck_assert_uint_eq(of_one(50, 0, 0, 50), 0);
    ck_assert_uint_eq(of_one(100, 0, 0, 0), 0);
    ck_assert_uint_eq(of_one(0, 0, 0, 0), 0);
}
END_TEST

/* With what it calls the first one has 80; more than half of that is in the second, or not. */
START_TEST(the_deepest_that_has_most_is_told)
{
    ck_assert_uint_eq(of_one(20, 20, 60, 0), 2);
    ck_assert_uint_eq(of_one(20, 40, 40, 0), 1);
    ck_assert_uint_eq(of_one(0, 0, 100, 0), 2);
}
END_TEST

START_TEST(only_the_causes_ranks_and_places_count)
{
    double share;
    const uint64_t count[RANKS][NODES] = {{20, 80, 0, 0, 900}, {0, 0, 0, 400, 900}};
    ck_assert_uint_eq(most(count, 1, &share), 1);
    ck_assert_double_eq_tol(share, 0.8, 1e-9);
    ck_assert_uint_eq(most(count, 2, &share), 3);
    ck_assert_double_eq_tol(share, 0.8, 1e-9);
    ck_assert_uint_eq(most(count, 0, &share), 0);
    ck_assert_double_eq(share, 0);
}
END_TEST

enum { PATHS = 3 };

/* A loop of a function that is called three times: twice in a phase, by two calls, once aside. */
static uint32_t phase, aside, call[PATHS], path[PATHS];

/* Those paths are the cause's, the first of them its vertex. */
static uint32_t site_of(const uint32_t *ill, uint32_t n, bool between)
{
    struct model *model = model_new();
    uint32_t vertices[PATHS];
    phase = model_vertex(model, 0, SCA_CALL, "phase", "main", 10);
    for (uint32_t i = 0; i < PATHS; i++) {
        if (i == 2)
            aside = model_vertex(model, 0, SCA_LOOP, "", "main", 30);
        call[i] = model_vertex(model, i < 2 ? phase : aside, SCA_CALL, "solve", "phase", 20 + i);
        path[i] = model_vertex(model, call[i], SCA_LOOP, "", "solve", 50);
    }
    for (uint32_t i = 0; i < n; i++)
        vertices[i] = path[ill[i]];
    struct sca_workspace space = test_room();
    struct sca_analysis c = {.ppg = model_ppg(model), .space = &space};
    c.ends = sca_measure_subtree_ends(&space, c.ppg);
    const struct sca_finding cause = {.vertex = vertices[0],
                                      .nvertices = n,
                                      .vertices = vertices,
                                      .interval.part =
                                          between ? SCA_ALL_OF_INTERVAL : SCA_NO_INTERVAL};
    uint32_t found = sca_code_inside_site(&c, &cause);
    sca_workspace_free(&space);
    model_free(model);
    return found;
}

START_TEST(the_call_that_tells_ill_paths_from_others)
{
    ck_assert_uint_eq(site_of((const uint32_t[]){1}, 1, false), call[1]);
    ck_assert_uint_eq(site_of((const uint32_t[]){2}, 1, false), call[2]);
    ck_assert_uint_eq(site_of((const uint32_t[]){0, 1}, 2, false), phase);
    ck_assert_uint_eq(site_of((const uint32_t[]){1, 2}, 2, false), SCA_NONE);
    ck_assert_uint_eq(site_of((const uint32_t[]){0, 1, 2}, 3, false), SCA_NONE); /* no others */
    ck_assert_uint_eq(site_of((const uint32_t[]){1}, 1, true), SCA_NONE);
}
END_TEST

SCA_SUITE("code inside", more_than_half_of_the_samples_are_in_it, the_deepest_that_has_most_is_told,
          only_the_causes_ranks_and_places_count, the_call_that_tells_ill_paths_from_others)
