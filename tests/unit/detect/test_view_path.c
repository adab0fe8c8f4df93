/* The causal path of a loop: iterations found in windows, their kinds, the path across ranks, and
 * loops that are none. */
#include "check_main.h"
#include "sca_error.h"
#include "synthetic.h"
#include "views/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Vertices; those of calls have their sites' numbers behind them. */
enum { MAIN, MAIN_LOOP, WORK, INNER, SEND, RECEIVE, SUM, TWIN, TWIN_INNER, VERTICES };
enum { SEND_SITE = 1, RECEIVE_SITE, SUM_SITE, SITES };
enum { MS = 1000000 };

static const struct sca_ppg_vertex vertices[VERTICES] = {
    [MAIN] = {.kind = SCA_ROOT, .name = "", .function = "main", .file = "a.c"},
    [MAIN_LOOP] = {.kind = SCA_LOOP, .name = "", .function = "main", .file = "s/a.c", .line = 10},
    [WORK] = {.parent = MAIN_LOOP,
              .kind = SCA_LOOP,
              .name = "",
              .function = "main",
              .file = "s/a.c",
              .line = 11},
    [INNER] = {.parent = MAIN_LOOP,
               .kind = SCA_LOOP,
               .name = "",
               .function = "main",
               .file = "s/a.c",
               .line = 14},
    [SEND] = {.parent = INNER,
              .kind = SCA_MPI,
              .name = "MPI_Send",
              .function = "main",
              .file = "s/a.c",
              .line = 15},
    [RECEIVE] = {.parent = INNER,
                 .kind = SCA_MPI,
                 .name = "MPI_Recv",
                 .function = "main",
                 .file = "s/a.c",
                 .line = 16},
    [SUM] = {.parent = MAIN_LOOP,
             .kind = SCA_MPI,
             .name = "MPI_Allreduce",
             .function = "main",
             .file = "s/a.c",
             .line = 20},
    [TWIN] = {.kind = SCA_LOOP, .name = "", .function = "main", .file = "s/a.c", .line = 30},
    [TWIN_INNER] = {.parent = TWIN,
                    .kind = SCA_LOOP,
                    .name = "",
                    .function = "main",
                    .file = "s/a.c",
                    .line = 30,
                    .nested = 1}};

static jmp_buf out_of_memory;
static struct sca_workspace space;
static struct synth *s;
static struct sca_profile *profile;
static struct sca_ppg_run run;
static struct sca_ppg ppg;
static struct sca_settings settings;
static struct sca_table table;
static uint32_t site_vertex[SITES], node_vertex[2 * SITES];

static void begin(void)
{
    static const char *const names[] = {"", "MPI_Send", "MPI_Recv", "MPI_Allreduce"};
    static const uint32_t places[] = {0, SEND, RECEIVE, SUM};
    space = (struct sca_workspace){.out_of_memory = &out_of_memory};
    s = synth_new(2);
    uint32_t exe = synth_module(s, "/tmp/prog", "00ff");
    site_vertex[0] = SCA_NONE;
    for (uint32_t i = SEND_SITE; i < SITES; i++)
        site_vertex[synth_site(s, synth_node(s, 0, exe, 0x1000 + i, SCA_NODE_RETURN), names[i])] =
            places[i];
}

struct script { /* a window of a rank, call by call */
    struct sca_event events[64];
    struct sca_op ops[64];
    uint32_t n;
};

static void call(struct script *w, uint32_t site, uint64_t gap_ns, struct sca_op op)
{
    w->ops[w->n] = op;
    w->events[w->n] = (struct sca_event){site, w->n, 1, gap_ns};
    w->n++;
}

/* One iteration of the main loop: rank 0 computes 10 ms and sends, rank 1 receives and computes 3
 * ms; `messages` times. Then all add up. */
static void iterate(struct script *w, uint32_t rank, uint64_t *number, uint64_t sum, int messages)
{
    for (int m = 0; m < messages; m++, ++*number)
        if (rank == 0)
            call(w, SEND_SITE, 10 * MS,
                 (struct sca_op){.kind = SCA_OP_SEND, .peer = 1, .number = *number, .bytes = 8});
        else
            call(w, RECEIVE_SITE, MS,
                 (struct sca_op){.kind = SCA_OP_RECV, .peer = 0, .number = *number, .bytes = 8});
    call(w, SUM_SITE, rank ? 3 * MS : MS,
         (struct sca_op){.kind = SCA_OP_COLLECTIVE, .peer = -1, .number = sum, .bytes = 8});
}

/* Four iterations, of which the last sends twice. */
static void record(uint64_t first, uint64_t begin_ns)
{
    for (uint32_t r = 0; r < 2; r++) {
        struct script w = {.n = 0};
        uint64_t number = 5 * first;
        for (uint64_t i = 0; i < 4; i++)
            iterate(&w, r, &number, first + i, i == 3 ? 2 : 1);
        synth_window(s, r,
                     &(struct sca_window){.iteration = first,
                                          .iterations = 4,
                                          .class_total = 1,
                                          .begin_ns = begin_ns,
                                          .end_ns = begin_ns + 100 * MS,
                                          .nevents = w.n,
                                          .nops = w.n,
                                          .events = w.events,
                                          .ops = w.ops});
    }
}

static int view(const char *loop)
{
    if (!profile)
        profile = synth_profile(s);
    static uint32_t no_shares[1];
    run = (struct sca_ppg_run){.profile = profile,
                               .nranks = profile->nranks,
                               .site_vertex = site_vertex,
                               .node_vertex = node_vertex,
                               .first_share = no_shares};
    ppg = (struct sca_ppg){.nvertices = VERTICES,
                           .vertices = (struct sca_ppg_vertex *)vertices,
                           .nruns = 1,
                           .runs = &run,
                           .program = "prog",
                           .path = "",
                           .build_id = ""};
    settings.loop = loop;
    const struct sca_view_input in = {&space, &ppg, &settings, 0, NULL, NULL};
    table = (struct sca_table){.space = &space, .ppg = &ppg, .view = "path"};
    sca_view_path(&in, &table);
    return table.status;
}

static const struct sca_cell *cell(uint32_t row, const char *key)
{
    ck_assert_uint_lt(row, table.nrows);
    for (uint32_t c = 0; c < table.ncolumns; c++)
        if (!strcmp(table.columns[c].key, key))
            return &table.rows[row].cells[c];
    ck_abort_msg("no column %s", key);
}

static void is_step(uint32_t row, uint32_t rank, uint32_t vertex, const char *then, double mean_s)
{
    ck_assert_double_eq(cell(row, "rank")->number, rank);
    ck_assert_ptr_eq(table.rows[row].place, &vertices[vertex]);
    ck_assert_str_eq(cell(row, "activity")->text, then);
    ck_assert_double_eq_tol(cell(row, "mean_s")->number, mean_s, 0.02 * mean_s);
}

/* A window of two calls, which ends with something else than the loop. */
static void record_two_calls(uint64_t first, uint32_t one, uint32_t other)
{
    for (uint32_t r = 0; r < 2; r++) {
        struct sca_event events[2] = {{one, 0, 0, MS}, {other, 0, 0, MS}};
        synth_window(s, r,
                     &(struct sca_window){.iteration = first,
                                          .iterations = 4,
                                          .class_total = 1,
                                          .begin_ns = 100 * first * MS,
                                          .end_ns = (100 * first + 9) * MS,
                                          .nevents = 2,
                                          .events = events});
    }
}

/* Iterations are a sum, and now and then a send before it. */
static void record_intervals(void)
{
    for (uint32_t r = 0; r < 2; r++) {
        synth_interval(s, r, SUM_SITE, SUM_SITE, 20, 20 * MS);
        synth_interval(s, r, SEND_SITE, SUM_SITE, 10, 10 * MS);
        synth_interval(s, r, SUM_SITE, SEND_SITE, 10, 10 * MS);
    }
}

static void finish(void)
{
    sca_profile_free(profile);
    profile = NULL;
    synth_free(s);
    sca_workspace_free(&space);
}

/* Rank 0's 10 ms, then rank 1's 3 ms, for it waited for the message. */
START_TEST(the_path_goes_from_rank_to_rank)
{
    begin();
    record(0, 0);
    record(100, 500 * MS);
    ck_assert_int_eq(view("a.c:10"), SCA_OK);
    ck_assert_str_eq(cell(0, "activity")->text, "kind");
    ck_assert_str_eq(table.rows[0].label, "kind 1: 6 of 8 iterations, on 2 ranks");
    ck_assert_double_eq_tol(cell(0, "seconds")->number, 0.013, 0.0003);
    is_step(1, 0, SEND, "message", 0.010);
    ck_assert_double_eq(cell(1, "to_rank")->number, 1);
    is_step(2, 1, SUM, "collective", 0.003);
    ck_assert_str_eq(table.rows[3].label, "kind 2: 2 of 8 iterations, on 2 ranks");
    is_step(4, 0, SEND, "message", 0.020);
    ck_assert_double_eq(cell(4, "count")->number, 2);
    is_step(5, 1, SUM, "collective", 0.003);
    ck_assert_uint_eq(table.nrows, 6);
    finish();
}
END_TEST

/* It is left with every iteration of the main loop, and goes round in the last one of a window. */
START_TEST(a_loop_in_the_main_loop_has_its_own_iterations)
{
    begin();
    record(0, 0);
    ck_assert_int_eq(view("s/a.c:14"), SCA_OK);
    ck_assert_str_eq(table.rows[0].label, "kind 1: 5 of 5 iterations, on 2 ranks");
    is_step(1, 0, SEND, "call", 0.010);
    ck_assert_uint_eq(table.nrows, 2);
    finish();
}
END_TEST

static void refused(const char *loop, int status, const char *why)
{
    ck_assert_int_eq(view(loop), status);
    ck_assert_msg(strstr(sca_error_message(), why) != NULL, "%s", sca_error_message());
}

START_TEST(what_is_no_loop_is_said)
{
    begin();
    record(0, 0);
    refused("a.c:15", SCA_EINVAL, "Did you mean a.c:14, a.c:11, a.c:10?");
    refused("b.c:10", SCA_EINVAL, "no such loop");
    refused("a.c", SCA_EINVAL, "no such loop");
    refused("a.c:30", SCA_EINVAL, "2 loops are there; --loop=a.c:30#1 is the outermost");
    refused("a.c:30#3", SCA_EINVAL, "there are 2 loops at a.c:30");
    refused("a.c:30#2", SCA_ENOTFOUND, "have no MPI call in this loop");
    refused("a.c:11", SCA_ENOTFOUND, "have no MPI call in this loop");
    finish();
}
END_TEST

START_TEST(a_run_without_windows_is_said)
{
    begin();
    refused("a.c:10", SCA_ENOTFOUND, "this run recorded no iterations");
    finish();
}
END_TEST

/* The calls of a window lie in the inner loop alone: it goes round with each of them. */
START_TEST(iterations_longer_than_windows_are_cut)
{
    begin();
    for (uint32_t r = 0; r < 2; r++) {
        struct sca_event event = {SUM_SITE, 0, 0, MS};
        synth_window(s, r,
                     &(struct sca_window){.iteration = 4,
                                          .iterations = 4,
                                          .class_total = 1,
                                          .end_ns = 10 * MS,
                                          .nevents = 1,
                                          .events = &event});
    }
    refused("a.c:10", SCA_ENOTFOUND, "no iteration was recorded wholly");
    finish();
}
END_TEST

/* The send that a window ends with is no iteration of its own. */
START_TEST(parts_of_iterations_are_no_kind_of_their_own)
{
    begin();
    record_intervals();
    record_two_calls(0, SUM_SITE, SUM_SITE);
    record_two_calls(100, SUM_SITE, SEND_SITE);
    record_two_calls(200, SEND_SITE, SUM_SITE);
    ck_assert_int_eq(view("a.c:10"), SCA_OK);
    ck_assert_str_eq(table.rows[0].label, "kind 1: 3 of 4 iterations, on 2 ranks");
    uint32_t kinds = 0;
    for (uint32_t i = 0; i < table.nrows; i++)
        kinds += table.rows[i].label && strstr(table.rows[i].label, "kind") != NULL;
    ck_assert_uint_eq(kinds, 2);
    finish();
}
END_TEST

/* Where no window has a whole one, parts are better than nothing. */
START_TEST(parts_count_where_nothing_is_whole)
{
    begin();
    record_intervals();
    record_two_calls(0, SUM_SITE, SEND_SITE);
    ck_assert_int_eq(view("a.c:10"), SCA_OK);
    ck_assert_str_eq(table.rows[0].label, "kind 1: 1 of 2 iterations, on 2 ranks");
    finish();
}
END_TEST

SCA_SUITE("view_path", the_path_goes_from_rank_to_rank,
          a_loop_in_the_main_loop_has_its_own_iterations, what_is_no_loop_is_said,
          a_run_without_windows_is_said, parts_of_iterations_are_no_kind_of_their_own,
          parts_count_where_nothing_is_whole, iterations_longer_than_windows_are_cut)
