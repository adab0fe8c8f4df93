/* Each view against values computed by hand. */
#include "report/counters.h"
#include "sca_error.h"
#include "sca_phrase.h"
#include "synthetic_ppg.h"
#include "views/diff.h"
#include "views/figures.h"
#include "views/view.h"
#include "check_main.h"
#include "temp_folder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * main: step loop at 10, in it a call of solve at 12 (with a loop at 32 and MPI_Allreduce at 40)
 * and a loop at 15. Seconds of each rank: loop 32 takes 1, 2, 3, 6; loop 15 takes 1 each;
 * MPI_Allreduce 5, 4, 3, 0. In all 12 + 4 + 12 = 28.
 */
struct program {
    struct model *model;
    uint32_t step, call, loop, sum, other;
    const struct sca_ppg *ppg;
};

static const double loop_seconds[4] = {1, 2, 3, 6}, mpi_seconds[4] = {5, 4, 3, 0};

static uint32_t add_run(struct program *p, uint32_t nranks, double scale)
{
    uint32_t run = model_run(p->model, nranks), site = model_site(p->model, run, p->sum);
    for (uint32_t r = 0; r < nranks; r++) {
        model_work(p->model, run, r, site, site, 10, p->loop, scale * loop_seconds[r]);
        model_work(p->model, run, r, site, site, 10, p->other, scale);
    }
    return run;
}

static struct program new_program(const char *line_of_loop)
{
    struct program p = {.model = model_new()};
    p.step = model_vertex(p.model, 0, SCA_LOOP, "", "main", 10);
    p.call = model_vertex(p.model, p.step, SCA_CALL, "solve", "main", 12);
    p.loop = model_vertex(p.model, p.call, SCA_LOOP, "", "solve", (uint32_t)atoi(line_of_loop));
    p.sum = model_vertex(p.model, p.call, SCA_MPI, "MPI_Allreduce", "solve", 40);
    p.other = model_vertex(p.model, p.step, SCA_LOOP, "", "main", 15);
    return p;
}

static void complete(struct program *p)
{
    p->ppg = model_ppg(p->model);
    const struct sca_ppg_run *last = &p->ppg->runs[p->ppg->nruns - 1];
    for (uint32_t r = 0; r < 4; r++) {
        last->mpi[p->sum * 4 + r] = mpi_seconds[r];
        last->calls[p->sum] += 10;
    }
}

static jmp_buf out_of_memory;
static struct sca_workspace space;
static struct sca_settings settings = {.scaling = SCA_SCALING_STRONG, .max_loop_depth = 10};

static struct sca_table make(void (*view)(const struct sca_view_input *, struct sca_table *),
                             const struct sca_ppg *ppg, uint32_t top)
{
    struct sca_table table = {.space = &space, .ppg = ppg};
    const struct sca_view_input in = {&space, ppg, &settings, top, NULL, NULL};
    space.out_of_memory = &out_of_memory;
    view(&in, &table);
    return table;
}

static const struct sca_cell *cell(const struct sca_table *t, uint32_t row, const char *key)
{
    for (uint32_t c = 0; c < t->ncolumns; c++)
        if (!strcmp(t->columns[c].key, key))
            return &t->rows[row].cells[c];
    ck_abort_msg("no column %s", key);
    return NULL;
}

static void near(const struct sca_table *t, uint32_t row, const char *key, double expected)
{
    ck_assert_double_eq_tol(cell(t, row, key)->number, expected, 1e-6);
}

static void series(const struct sca_table *t, uint32_t row, const char *key, uint32_t n,
                   const double *expected)
{
    const struct sca_cell *c = cell(t, row, key);
    ck_assert_uint_eq(c->count, n);
    for (uint32_t i = 0; i < n; i++)
        ck_assert_double_eq_tol(c->series[i], expected[i], 1e-6);
}

static void finish(struct program *p)
{
    sca_workspace_free(&space);
    space = (struct sca_workspace){0};
    model_free(p->model);
}

static struct program one_run(void)
{
    struct program p = new_program("32");
    add_run(&p, 4, 1);
    complete(&p);
    return p;
}

START_TEST(the_hot_path_ends_where_time_spreads)
{
    struct program p = one_run();
    struct sca_table t = make(sca_view_hotpath, p.ppg, 0);
    /* main 28, step 28, solve 24; then loop and MPI_Allreduce have 12 each: half is enough. */
    ck_assert_uint_eq(t.nrows, 4);
    near(&t, 0, "core_s", 28);
    near(&t, 1, "core_s", 28);
    near(&t, 2, "core_s", 24);
    near(&t, 2, "share", 24.0 / 28);
    near(&t, 2, "own_core_s", 0);
    near(&t, 2, "mpi_core_s", 12);
    near(&t, 3, "core_s", 12);
    ck_assert_uint_eq(t.rows[3].place->line, 32);
    ck_assert_uint_eq(t.rows[3].depth, 3);
    finish(&p);
}
END_TEST

START_TEST(the_flat_profile_adds_up)
{
    struct program p = one_run();
    struct sca_table t = make(sca_view_flat, p.ppg, 0);
    ck_assert_uint_eq(t.nrows, 3);
    near(&t, 0, "core_s", 12);
    near(&t, 2, "core_s", 4);
    near(&t, 2, "cumulative_share", 1);
    ck_assert_uint_eq(t.rows[2].place->line, 15);
    uint32_t mpi = t.rows[0].place->kind == SCA_MPI ? 0 : 1;
    near(&t, mpi, "calls", 40);
    near(&t, 1 - mpi, "samples", 12000);
    finish(&p);
}
END_TEST

START_TEST(top_leaves_rows_out_and_says_so)
{
    struct program p = one_run();
    struct sca_table t = make(sca_view_flat, p.ppg, 1);
    ck_assert_uint_eq(t.nrows, 1);
    ck_assert_uint_eq(t.left_out, 2);
    finish(&p);
}
END_TEST

START_TEST(the_call_graph_shows_callers_and_callees)
{
    struct program p = one_run();
    struct sca_table t = make(sca_view_callgraph, p.ppg, 0);
    /* main > solve; main, solve > MPI_Allreduce; solve > MPI_Allreduce */
    static const struct {
        const char *label, *role;
        double seconds;
    } expected[] = {{"main", "function", 28},           {"to solve", "callee", 24},
                    {"from main", "caller", 24},        {"solve", "function", 24},
                    {"to MPI_Allreduce", "callee", 12}, {"from solve", "caller", 12},
                    {"MPI_Allreduce", "function", 12}};
    ck_assert_uint_eq(t.nrows, 7);
    for (uint32_t i = 0; i < 7; i++) {
        ck_assert_str_eq(t.rows[i].label, expected[i].label);
        ck_assert_str_eq(cell(&t, i, "role")->text, expected[i].role);
        near(&t, i, "core_s", expected[i].seconds);
    }
    near(&t, 0, "self_core_s", 4);
    near(&t, 3, "self_core_s", 12);
    finish(&p);
}
END_TEST

START_TEST(recursion_counts_once)
{
    struct program p = {.model = model_new()};
    p.call = model_vertex(p.model, 0, SCA_CALL, "walk", "main", 5);
    uint32_t inner = model_vertex(p.model, p.call, SCA_CALL, "walk", "walk", 9);
    uint32_t sum = model_vertex(p.model, inner, SCA_MPI, "MPI_Barrier", "walk", 11);
    uint32_t run = model_run(p.model, 2), site = model_site(p.model, run, sum);
    model_work(p.model, run, 0, site, site, 1, p.call, 2);
    model_work(p.model, run, 1, site, site, 1, inner, 3);
    struct sca_table t = make(sca_view_callgraph, model_ppg(p.model), 0);
    for (uint32_t i = 0; i < t.nrows; i++)
        if (!strcmp(t.rows[i].label, "walk")) {
            near(&t, i, "core_s", 5);
            near(&t, i, "self_core_s", 5);
        }
    finish(&p);
}
END_TEST

START_TEST(the_call_graph_has_regions_under_their_function)
{
    struct program p = {.model = model_new()};
    p.call = model_vertex(p.model, 0, SCA_CALL, "walk.omp_outlined", "main", 5);
    uint32_t body = model_vertex(p.model, p.call, SCA_CALL, "walk.omp_outlined_debug__", "walk", 5);
    uint32_t sum = model_vertex(p.model, 0, SCA_MPI, "MPI_Barrier", "main", 11);
    uint32_t run = model_run(p.model, 1), site = model_site(p.model, run, sum);
    model_work(p.model, run, 0, site, site, 1, body, 3);
    struct sca_table t = make(sca_view_callgraph, model_ppg(p.model), 0);
    static const char *const expected[] = {"main", "to OpenMP region in walk", "from main",
                                           "OpenMP region in walk", "MPI_Barrier"};
    ck_assert_uint_eq(t.nrows, 5);
    for (uint32_t i = 0; i < t.nrows; i++)
        ck_assert_str_eq(t.rows[i].label, expected[i]);
    near(&t, 3, "self_core_s", 3);
    finish(&p);
}
END_TEST

START_TEST(imbalance_has_ranks_percentiles_and_a_histogram)
{
    struct program p = one_run();
    struct sca_table t = make(sca_view_imbalance, p.ppg, 0);
    /* 1, 2, 3, 6: mean 3, loss (6 - 3) * 4; the even loop comes last */
    ck_assert_uint_eq(t.nrows, 2);
    near(&t, 0, "loss_core_s", 12);
    near(&t, 0, "loss_share", 12.0 / 28);
    near(&t, 0, "max_over_mean", 2);
    near(&t, 0, "mean_s", 3);
    series(&t, 0, "top_ranks", 4, (double[]){3, 2, 1, 0});
    series(&t, 0, "top_ranks_s", 4, (double[]){6, 3, 2, 1});
    series(&t, 0, "percentiles_s", 7, (double[]){1, 1.15, 1.75, 2.5, 3.75, 5.55, 6});
    series(&t, 0, "histogram", 10, (double[]){1, 0, 1, 0, 1, 0, 0, 0, 0, 1});
    near(&t, 1, "loss_core_s", 0);
    finish(&p);
}
END_TEST

START_TEST(efficiency_is_against_the_smallest_run)
{
    struct program p = new_program("32");
    add_run(&p, 2, 4); /* loop 32: 4 and 8, loop 15: 4 each */
    add_run(&p, 4, 1);
    complete(&p);
    struct sca_table t = make(sca_view_efficiency, p.ppg, 0);
    uint32_t row = 0;
    while (t.rows[row].place->line != 32)
        row++;
    /* mean 6 s on 2 ranks, 3 s on 4: speedup 2 of 2 */
    series(&t, row, "ranks", 2, (double[]){2, 4});
    series(&t, row, "seconds_per_rank", 2, (double[]){6, 3});
    series(&t, row, "speedup", 2, (double[]){1, 2});
    series(&t, row, "efficiency", 2, (double[]){1, 1});
    near(&t, row, "loss_core_s", 0);
    /* all: 10 s on 2 ranks, 7 s on 4 with MPI; 28 core-s instead of 20 */
    series(&t, 0, "efficiency", 2, (double[]){1, 5.0 / 7});
    near(&t, 0, "loss_core_s", 8);
    settings.scaling = SCA_SCALING_WEAK;
    t = make(sca_view_efficiency, p.ppg, 0);
    series(&t, 0, "efficiency", 2, (double[]){1, 10.0 / 7});
    settings.scaling = SCA_SCALING_STRONG;
    finish(&p);
}
END_TEST

/* Of runs that were replayed, what ranks waited stands for the clock's time in MPI. */
START_TEST(efficiency_takes_replayed_waits)
{
    struct program p = new_program("32");
    add_run(&p, 2, 4);
    add_run(&p, 4, 1);
    complete(&p);
    double *waits[2] = {NULL, calloc(p.ppg->nvertices, sizeof(double))}, own[2] = {0};
    for (uint32_t v = 0; v < p.ppg->nvertices; v++)
        for (uint32_t run = 0; run < 2; run++)
            for (uint32_t r = 0; r < p.ppg->runs[run].nranks; r++)
                own[run] += p.ppg->runs[run].comp[(size_t)v * p.ppg->runs[run].nranks + r];
    waits[1][1] = 8;
    const struct sca_view_input in = {&space, p.ppg, &settings, 0, (const double *const *)waits,
                                      NULL};
    struct sca_table t = {.space = &space, .ppg = p.ppg};
    space.out_of_memory = &out_of_memory;
    sca_view_efficiency(&in, &t);
    ck_assert_double_eq_tol(cell(&t, 0, "seconds_per_rank")->series[1], (own[1] + 8) / 4, 1e-6);
    ck_assert_double_eq_tol(cell(&t, 0, "seconds_per_rank")->series[0], own[0] / 2, 1e-6);
    free(waits[1]);
    finish(&p);
}
END_TEST

START_TEST(ranks_that_compute_longer_wait_less)
{
    struct program p = one_run();
    struct sca_table t = make(sca_view_correlation, p.ppg, 0);
    /* computation 2, 3, 4, 7 and MPI 5, 4, 3, 0: a straight line */
    ck_assert_str_eq(t.rows[0].label, "computation of the rank");
    near(&t, 0, "r_computation", 1);
    near(&t, 0, "r_mpi_time", -1);
    ck_assert(isnan(cell(&t, 0, "r_mpi_calls")->number));
    for (uint32_t i = 0; i < t.nrows; i++)
        if (t.rows[i].place && t.rows[i].place->line == 32)
            near(&t, i, "r_mpi_time", -1);
    ck_assert_double_eq_tol(
        sca_figures_correlation((double[]){1, 2, 3, 4}, (double[]){1, 3, 2, 4}, 4), 0.8, 1e-9);
    finish(&p);
}
END_TEST

static struct sca_diff_side side_of(struct program *p)
{
    static struct sca_figures f[2];
    static int n;
    struct sca_figures *mine = &f[n++ % 2];
    space.out_of_memory = &out_of_memory;
    sca_figures_of(&space, p->ppg, 0, mine);
    return (struct sca_diff_side){.name = "run",
                                  .program = "model",
                                  .ranks = 4,
                                  .nvertices = p->ppg->nvertices,
                                  .vertices = p->ppg->vertices,
                                  .own = mine->own};
}

START_TEST(a_moved_loop_is_the_same_loop)
{
    struct program before = one_run(), after = new_program("35"); /* three lines further down */
    add_run(&after, 4, 0.5);
    complete(&after);
    struct sca_diff_side a = side_of(&before), b = side_of(&after);
    struct sca_table t = {.space = &space};
    sca_diff_view(&a, &b, 0, &t);
    /* 28 before; 6 + 2 + 12 after */
    near(&t, 0, "before_core_s", 28);
    near(&t, 0, "after_core_s", 20);
    near(&t, 0, "change", -8.0 / 28);
    near(&t, 1, "change_core_s", -6);
    near(&t, 1, "before_line", 32);
    ck_assert_uint_eq(t.rows[1].place->line, 35);
    near(&t, 2, "change_core_s", -2);
    near(&t, 3, "change_core_s", 0);
    model_free(after.model);
    finish(&before);
}
END_TEST

static struct sca_ppg_vertex loop_at(uint32_t line, uint32_t end_line)
{
    return (struct sca_ppg_vertex){.kind = SCA_LOOP,
                                   .name = "",
                                   .function = "solve",
                                   .file = "solve.c",
                                   .line = line,
                                   .end_line = end_line};
}

/* The first loop was the trouble and went; those after it moved up, one of them grew. */
START_TEST(a_loop_that_is_gone_is_none_of_the_others)
{
    struct sca_ppg_vertex before[] = {loop_at(1, 99), loop_at(11, 11), loop_at(20, 22),
                                      loop_at(30, 35)};
    struct sca_ppg_vertex after[] = {loop_at(1, 99), loop_at(18, 20), loop_at(28, 36)};
    struct sca_diff_side a = {.nvertices = 4, .vertices = before},
                         b = {.nvertices = 3, .vertices = after};
    space.out_of_memory = &out_of_memory;
    const uint32_t *to = sca_diff_match(&space, &a, &b);
    ck_assert_uint_eq(to[1], SCA_NONE);
    ck_assert_uint_eq(to[2], 1);
    ck_assert_uint_eq(to[3], 2);
    sca_workspace_free(&space);
}
END_TEST

START_TEST(what_is_new_or_gone_is_told)
{
    struct program before = one_run(), after = {.model = model_new()};
    after.step = model_vertex(after.model, 0, SCA_LOOP, "", "main", 10);
    after.loop = model_vertex(after.model, after.step, SCA_LOOP, "", "main", 15);
    after.sum = model_vertex(after.model, after.step, SCA_MPI, "MPI_Barrier", "main", 20);
    after.other = after.loop;
    add_run(&after, 4, 1);
    complete(&after);
    struct sca_diff_side a = side_of(&before), b = side_of(&after);
    struct sca_table t = {.space = &space};
    uint32_t gone = 0, fresh = 0;
    sca_diff_view(&a, &b, 0, &t);
    for (uint32_t i = 1; i < t.nrows; i++) {
        gone += strstr(t.rows[i].label, "(gone)") != NULL;
        fresh += strstr(t.rows[i].label, "(new)") != NULL;
    }
    ck_assert_uint_eq(gone, 2); /* loop 32, MPI_Allreduce */
    ck_assert_uint_eq(fresh, 1);
    model_free(after.model);
    finish(&before);
}
END_TEST

START_TEST(what_was_not_counted_is_told_with_the_reason)
{
    struct sca_metadata meta[] = {
        {"metrics", "PAPI_TOT_INS,PAPI_L1_DCM"},
        {"metrics.absent", "PAPI_VEC_DP,PAPI_X"},
        {"metrics.multiplexed", "1"},
        {"sampling", "perf::TASK-CLOCK; PAPI_TOT_CYC: no counter of cycles"}};
    struct sca_profile profile = {.directory = "run", .meta = meta, .nmeta = 4}, plain = {0};
    char text[SCA_PHRASE];
    ck_assert_str_eq(sca_counters_absent(text, &profile),
                     "Events not counted in run, though requested: PAPI_VEC_DP, PAPI_X. Samples "
                     "came from perf::TASK-CLOCK (PAPI_TOT_CYC: no counter of cycles). The "
                     "commands papi_avail and papi_native_avail list the events of a machine.");
    ck_assert_str_eq(
        sca_counters_estimated(text, &profile),
        "run requested more events than there are hardware counters. The counters were "
        "multiplexed, and the counts of PAPI_TOT_INS, PAPI_L1_DCM are estimates.");
    meta[3].value = "timer; perf::TASK-CLOCK: EACCES";
    ck_assert_str_eq(sca_counters_timer(text, &profile),
                     "Samples in run came from a timer (perf::TASK-CLOCK: EACCES). On shared cores "
                     "a timer misses some loops, and lines inside a cause are not certain. Allow "
                     "perf for complete samples: sysctl kernel.perf_event_paranoid=2.");
    ck_assert_str_eq(sca_counters_timer(text, &plain), "");
    ck_assert_str_eq(sca_counters_absent(text, &plain), "");
    ck_assert_str_eq(sca_counters_estimated(text, &plain), "");
}
END_TEST

/* A report of a run that shared cores: 8 ranks x 2.5 s as if they had not, one MPI call. */
static const char *shared_report(const char *path, double duration_s, double wait_core_s)
{
    FILE *file = fopen(path, "w");
    fprintf(
        file,
        "{\"schema\":\"scalana-report/1\",\"program\":{\"name\":\"model\"},\"runs\":[{\"ranks\":8,"
        "\"wall_s\":9,\"oversubscribed\":true,\"account\":{\"is_virtual\":true,\"duration_s\":%g,"
        "\"base_core_s\":%g}}],\"root_causes\":[],\"vertices\":[{\"kind\":\"root\",\"run_s\":[4]},"
        "{\"kind\":\"mpi\",\"name\":\"MPI_Barrier\",\"line\":9,\"parent\":0,\"run_s\":[60]}],"
        "\"waits\":[{\"vertex\":1,\"class\":\"wait-at-barrier\",\"wait_core_s\":%g}]}",
        duration_s, 8 * duration_s, wait_core_s);
    fclose(file);
    return path;
}

START_TEST(reports_of_runs_that_shared_cores_are_compared_without_the_wall_clock)
{
    char directory[TEMP_FOLDER], paths[2][TEMP_FOLDER + 8];
    struct sca_diff_side sides[2] = {{0}};
    struct sca_table t = {.space = &space};
    space.out_of_memory = &out_of_memory;
    temp_folder(directory);
    for (int i = 0; i < 2; i++) {
        snprintf(paths[i], sizeof paths[i], "%s/%d.json", directory, i);
        shared_report(paths[i], i ? 1 : 2.5, i ? 4 : 16);
        ck_assert_int_eq(sca_diff_open(&space, paths[i], &(struct sca_settings){0}, &sides[i]),
                         SCA_OK);
    }
    sca_diff_view(&sides[0], &sides[1], 0, &t);
    near(&t, 0, "before_core_s", 20);
    near(&t, 0, "after_core_s", 8);
    near(&t, 1, "before_core_s", 16);
    near(&t, 1, "after_core_s", 4);
    near(&t, 2, "before_core_s", 4);
    for (int i = 0; i < 2; i++)
        sca_diff_close(&sides[i]);
    temp_folder_drop(directory);
}
END_TEST

SCA_SUITE("views", the_hot_path_ends_where_time_spreads, the_flat_profile_adds_up,
          top_leaves_rows_out_and_says_so, the_call_graph_shows_callers_and_callees,
          recursion_counts_once, the_call_graph_has_regions_under_their_function,
          imbalance_has_ranks_percentiles_and_a_histogram, efficiency_is_against_the_smallest_run,
          efficiency_takes_replayed_waits, ranks_that_compute_longer_wait_less,
          a_moved_loop_is_the_same_loop, a_loop_that_is_gone_is_none_of_the_others,
          what_is_new_or_gone_is_told, what_was_not_counted_is_told_with_the_reason,
          reports_of_runs_that_shared_cores_are_compared_without_the_wall_clock)
