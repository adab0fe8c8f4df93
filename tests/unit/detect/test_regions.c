/* Regions inside others are told apart from these, whose time has them. */
#include "threads/regions.h"
#include "synthetic.h"
#include "views/view.h"
#include "check_main.h"

#include <stdlib.h>
#include <string.h>

enum {
    MS = 1000000,
    OUTER = 3,
    INNER = 4,
    SUM = 5,
    TASK = 6,
    VERTICES = 7,
    TEAM = 2,
    INNER_TEAM = 3
};

static struct sca_ppg_run run;
static struct sca_profile *profile;
static uint32_t site_vertices[8], node_vertices[8];
static void *memory;

static void record(struct synth *s, uint32_t node, enum sca_part_sample_kind kind, uint32_t next,
                   uint16_t threads, uint64_t ns)
{
    struct sca_part_sample x = {
        .node = node, .in_mpi = kind, .thread = threads, .next = next, .count = 1, .length_ns = ns};
    synth_record(s, 0, &x);
}

/* Of 100 ms of regions 80 are one inside, which were 30 less with even threads. */
static void begin(void)
{
    struct synth *s = synth_new(1);
    uint32_t exe = synth_module(s, "/tmp/prog", "00ff");
    uint32_t at = synth_node(s, 0, exe, 0x1010, SCA_NODE_RETURN);
    uint32_t within = synth_node(s, 0, exe, 0x1020, SCA_NODE_RETURN);
    uint32_t outer = synth_site(s, at, "OpenMP region");
    uint32_t inner = synth_site(s, within, "OpenMP region");
    uint32_t sum = synth_site(s, synth_node(s, 0, exe, 0x1030, SCA_NODE_RETURN), "MPI_Allreduce");
    uint32_t made = synth_node(s, 0, exe, 0x1040, SCA_NODE_RETURN);
    uint32_t task = synth_site(s, made, "OpenMP task");
    synth_interval(s, 0, 0, sum, 1, 110 * MS);
    record(s, at, SCA_SAMPLE_REGION, sum, TEAM, 100 * MS);
    record(s, within, SCA_SAMPLE_INNER_REGION, sum, INNER_TEAM, 80 * MS);
    record(s, within, SCA_SAMPLE_INNER_UNEVEN, sum, INNER_TEAM, 30 * MS);
    record(s, made, SCA_SAMPLE_CHAIN, sum, TEAM, 20 * MS);
    profile = synth_profile(s);
    synth_free(s);
    site_vertices[outer] = OUTER;
    site_vertices[inner] = INNER;
    site_vertices[sum] = SUM;
    site_vertices[task] = TASK;
    run = (struct sca_ppg_run){.nranks = 1,
                               .profile = profile,
                               .site_vertex = site_vertices,
                               .node_vertex = node_vertices};
    memory = calloc(1, sca_rank_open_size(run.profile));
    ck_assert_int_eq(
        sca_intervals_open(&run.intervals, run.profile, sca_rank_open_init(memory, run.profile)),
        0);
}

static void stop(struct sca_workspace *space)
{
    sca_workspace_free(space);
    sca_intervals_free(&run.intervals);
    sca_profile_free(profile);
    free(memory);
}

START_TEST(a_region_inside_has_its_own_place_and_threads)
{
    jmp_buf no_memory;
    struct sca_workspace space = {.out_of_memory = &no_memory};
    const struct sca_ppg ppg = {.nvertices = VERTICES};
    struct sca_regions regions;
    begin();
    ck_assert(!setjmp(no_memory));
    sca_regions_read(&space, &ppg, &run, &regions);
    ck_assert_uint_eq(regions.n, 2);
    ck_assert_uint_eq(regions.cells[0].vertex, OUTER);
    ck_assert(!regions.cells[0].inner);
    ck_assert_uint_eq(regions.cells[1].vertex, INNER);
    ck_assert(regions.cells[1].inner);
    ck_assert_double_eq_tol(regions.cells[1].seconds[SCA_REGION_ALL], 0.080, 1e-9);
    ck_assert_double_eq_tol(regions.cells[1].seconds[SCA_REGION_UNEVEN], 0.030, 1e-9);
    ck_assert_uint_eq(regions.threads, TEAM);
    ck_assert_uint_eq(regions.inner_threads, INNER_TEAM);
    stop(&space);
}
END_TEST

static const struct sca_cell *cell(const struct sca_table *t, uint32_t row, const char *key)
{
    for (uint32_t c = 0; c < t->ncolumns; c++)
        if (!strcmp(t->columns[c].key, key))
            return &t->rows[row].cells[c];
    ck_abort_msg("no column %s", key);
}

/* The rank computes 110 ms, 10 of these outside. */
START_TEST(the_view_has_regions_tasks_and_what_is_outside)
{
    jmp_buf no_memory;
    struct sca_workspace space = {.out_of_memory = &no_memory};
    struct sca_ppg_vertex vertices[VERTICES] = {0};
    double comp[VERTICES] = {[OUTER] = 0.110}, blocked[VERTICES] = {0};
    begin();
    run.comp = comp;
    run.blocked = blocked;
    const struct sca_ppg ppg = {
        .nvertices = VERTICES, .vertices = vertices, .nruns = 1, .runs = &run, .program = "solver"};
    const struct sca_view_input in = {.space = &space, .ppg = &ppg};
    struct sca_table t = {.space = &space, .ppg = &ppg};
    ck_assert(!setjmp(no_memory));
    sca_view_regions(&in, &t);
    ck_assert_uint_eq(t.nrows, 4);
    ck_assert_str_eq(cell(&t, 0, "region")->text, "outer");
    ck_assert_double_eq_tol(cell(&t, 0, "time_s")->number, 0.100, 1e-9);
    ck_assert_double_eq_tol(cell(&t, 0, "share")->number, 100. / 110, 1e-9);
    ck_assert_str_eq(cell(&t, 1, "region")->text, "inner");
    ck_assert_double_eq_tol(cell(&t, 1, "ratio")->number, 80. / 50, 1e-9);
    ck_assert_str_eq(cell(&t, 2, "region")->text, "tasks");
    ck_assert_double_eq_tol(cell(&t, 2, "tasks_s")->number, 0.020, 1e-9);
    ck_assert_str_eq(cell(&t, 3, "region")->text, "outside");
    ck_assert_double_eq_tol(cell(&t, 3, "time_s")->number, 0.010, 1e-9);
    stop(&space);
}
END_TEST

START_TEST(tasks_that_depend_on_each_other_have_the_place_where_they_are_made)
{
    jmp_buf no_memory;
    struct sca_workspace space = {.out_of_memory = &no_memory};
    const struct sca_ppg ppg = {.nvertices = VERTICES};
    struct sca_regions regions;
    begin();
    ck_assert(!setjmp(no_memory));
    sca_regions_read(&space, &ppg, &run, &regions);
    ck_assert_uint_eq(regions.nchains, 1);
    ck_assert_uint_eq(regions.chains[0].vertex, TASK);
    ck_assert_uint_eq(regions.chains[0].threads, TEAM);
    ck_assert_double_eq_tol(regions.chains[0].seconds, 0.020, 1e-9);
    stop(&space);
}
END_TEST

SCA_SUITE("regions", the_view_has_regions_tasks_and_what_is_outside,
          tasks_that_depend_on_each_other_have_the_place_where_they_are_made,
          a_region_inside_has_its_own_place_and_threads)
