/* Who sends to whom and what calls move, of programs whose numbers are known: a ring, a halo on a
 * torus, a master with workers, a broadcast. */
#include "check_main.h"
#include "communication/calls.h"
#include "communication/pairs.h"
#include "sca_error.h"
#include "synthetic.h"
#include "views/matrix.h"
#include "views/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SEND = 1, RECEIVE, BCAST, SITES, MAIN = 0 };

static jmp_buf out_of_memory;
static struct sca_workspace space;
static struct synth *s;
static struct sca_profile *profile;
static struct sca_ppg_run run;
static struct sca_ppg ppg;
static struct sca_settings settings;
static struct sca_table table;
static uint32_t site_vertex[SITES + 1], top;

/* Vertices have the numbers of their sites. */
static struct sca_ppg_vertex vertices[SITES] = {
    [MAIN] = {.kind = SCA_ROOT, .name = "", .function = "main", .file = "a.c"},
    [SEND] = {.kind = SCA_MPI, .name = "MPI_Send", .function = "main", .file = "a.c", .line = 11},
    [RECEIVE] =
        {.kind = SCA_MPI, .name = "MPI_Recv", .function = "main", .file = "a.c", .line = 12},
    [BCAST] = {
        .kind = SCA_MPI, .name = "MPI_Bcast", .function = "main", .file = "a.c", .line = 13}};

static void begin(uint32_t nranks)
{
    space = (struct sca_workspace){.out_of_memory = &out_of_memory};
    s = synth_new(nranks);
    uint32_t exe = synth_module(s, "/tmp/prog", "00ff");
    static const char *const names[] = {"", "MPI_Send", "MPI_Recv", "MPI_Bcast"};
    site_vertex[0] = SCA_NONE;
    for (uint32_t i = SEND; i < SITES; i++)
        site_vertex[synth_site(s, synth_node(s, 0, exe, 0x1000 + i, SCA_NODE_RETURN), names[i])] =
            i;
}

static void message(uint32_t from, uint32_t to, uint64_t count, uint64_t bytes)
{
    synth_peer(s, from, &(struct sca_part_peer){SEND, 0, (int32_t)to, SCA_SENT, count, bytes});
    synth_peer(s, to,
               &(struct sca_part_peer){RECEIVE, 0, (int32_t)from, SCA_RECEIVED, count, bytes});
}

static void load(void)
{
    profile = synth_profile(s);
    run = (struct sca_ppg_run){
        .profile = profile, .nranks = profile->nranks, .site_vertex = site_vertex};
    ppg = (struct sca_ppg){.nvertices = SITES,
                           .vertices = vertices,
                           .nruns = 1,
                           .runs = &run,
                           .program = "prog",
                           .path = "",
                           .build_id = ""};
}

static void view(void (*make)(const struct sca_view_input *, struct sca_table *), const char *name)
{
    const struct sca_view_input in = {&space, &ppg, &settings, top, NULL, NULL};
    table = (struct sca_table){.space = &space, .ppg = &ppg, .view = name};
    make(&in, &table);
    ck_assert_int_eq(table.status, SCA_OK);
}

static void has(const char *part)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    ck_assert_int_eq(sca_table_print(out, &table, false), SCA_OK);
    fclose(out);
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
        ck_assert_msg(strcspn(line, "\n") <= 80, "%s", line);
    ck_assert_msg(strstr(text, part) != NULL, "%s\n--- in ---\n%.2000s", part, text);
    free(text);
}

static void finish(void)
{
    sca_profile_free(profile);
    synth_free(s);
    sca_workspace_free(&space);
}

static const struct sca_cell *cell(uint32_t row, const char *key)
{
    ck_assert_uint_lt(row, table.nrows);
    for (uint32_t c = 0; c < table.ncolumns; c++)
        if (!strcmp(table.columns[c].key, key))
            return &table.rows[row].cells[c];
    ck_abort_msg("no column %s", key);
}

START_TEST(a_ring_is_the_diagonal_beside)
{
    struct sca_pairs pairs;
    begin(6);
    for (uint32_t r = 0; r < 6; r++)
        message(r, (r + 1) % 6, 50, 50 * 1000);
    load();
    sca_pairs_collect(&space, &run, &pairs);
    ck_assert_uint_eq(pairs.count, 6);
    ck_assert_uint_eq(pairs.messages, 300);
    ck_assert_uint_eq(pairs.bytes, 300000);
    for (uint32_t i = 0; i < 6; i++) {
        ck_assert_uint_eq(pairs.of[i].to, (pairs.of[i].from + 1) % 6);
        ck_assert_uint_eq(pairs.of[i].messages, 50);
        ck_assert_uint_eq(pairs.of[i].received, 50);
        ck_assert_uint_eq(pairs.of[i].received_bytes, 50000);
    }
    view(sca_view_communication, "communication");
    has("who sends to whom, 300 messages, 300 k bytes");
    has("          0        .  50.0 k       .       .       .       .\n");
    has("          5   50.0 k       .       .       .       .       .\n");
    finish();
}
END_TEST

/* 256 ranks, four neighbours each: 64 lines, of four ranks each. */
START_TEST(a_halo_of_many_ranks_is_shown_in_blocks)
{
    enum { SIDE = 16 };
    struct sca_pairs pairs;
    struct sca_pair_blocks blocks;
    double sum = 0;
    begin(SIDE * SIDE);
    for (uint32_t y = 0; y < SIDE; y++)
        for (uint32_t x = 0; x < SIDE; x++) {
            message(y * SIDE + x, y * SIDE + (x + 1) % SIDE, 10, 80);
            message(y * SIDE + x, y * SIDE + (x + SIDE - 1) % SIDE, 10, 80);
            message(y * SIDE + x, (y + 1) % SIDE * SIDE + x, 10, 8000);
            message(y * SIDE + x, (y + SIDE - 1) % SIDE * SIDE + x, 10, 8000);
        }
    load();
    sca_pairs_collect(&space, &run, &pairs);
    ck_assert_uint_eq(pairs.count, 4 * SIDE * SIDE);
    sca_pairs_by_block(&space, &pairs, SCA_MATRIX_MOST, &blocks);
    ck_assert_uint_eq(blocks.count, 64);
    ck_assert_uint_eq(blocks.ranks, 4);
    for (uint32_t i = 0; i < 64 * 64; i++)
        sum += blocks.bytes[i];
    ck_assert_double_eq(sum, (double)pairs.bytes);
    ck_assert_double_eq(blocks.messages[0], 6 * 10); /* within ranks 0 to 3 */
    ck_assert_double_eq(blocks.bytes[4], 4 * 8000);  /* to ranks 16 to 19 */
    view(sca_view_communication, "communication");
    ck_assert_uint_eq(table.nrows, 4 * SIDE * SIDE);
    top = 3;
    view(sca_view_communication, "communication");
    top = 0;
    ck_assert_uint_eq(table.left_out, 4 * SIDE * SIDE - 3);
    has("        0-3|.. .@");
    has("A sign");
    finish();
}
END_TEST

START_TEST(a_master_is_a_row_and_a_column)
{
    begin(4);
    for (uint32_t w = 1; w < 4; w++) {
        message(0, w, 100 * w, 100 * w * 256);
        message(w, 0, 100 * w, 100 * w * 16);
    }
    load();
    view(sca_view_communication, "communication");
    has("          0        .  25.6 k  51.2 k  76.8 k\n");
    has("          3   4.80 k       .       .       .\n");
    ck_assert_uint_eq(table.nrows, 6);
    ck_assert_double_eq(cell(0, "from")->number, 0);
    ck_assert_double_eq(cell(0, "to")->number, 3);
    ck_assert_double_eq(cell(0, "mean_bytes")->number, 256);
    finish();
}
END_TEST

START_TEST(what_nobody_received_is_said)
{
    begin(2);
    message(0, 1, 5, 40);
    synth_peer(s, 0, &(struct sca_part_peer){SEND, 0, 1, SCA_SENT, 2, 16});
    synth_peer(s, 0, &(struct sca_part_peer){SEND, 0, -1, SCA_SENT, 3, 24});
    synth_peer(s, 1, &(struct sca_part_peer){SEND, 0, SCA_FOREIGN - 2, SCA_SENT, 4, 32});
    load();
    view(sca_view_communication, "communication");
    ck_assert_double_eq(cell(0, "messages")->number, 7);
    ck_assert_double_eq(cell(0, "received")->number, 5);
    has("received: 5 messages, 40 bytes");
    has("1 pair of ranks sent and received different numbers");
    has("4 messages to or from ranks of another MPI_COMM_WORLD are in no pair.");
    has("3 messages are in no pair: the partner could not be identified.");
    finish();
}
END_TEST

START_TEST(a_broadcast_is_a_collective)
{
    begin(4);
    for (uint32_t r = 0; r < 4; r++) {
        synth_total(s, r, BCAST, 10, 2000000, 80000);
        synth_collective(
            s, r,
            &(struct sca_part_collective){.site = BCAST, .root = 0, .count = 10, .bytes = 80000});
    }
    load();
    view(sca_view_communication, "communication");
    has("No rank sent a message to another one.");
    has("Ranks called them 40 times, with 320 k bytes of their own");
    view(sca_view_messages, "messages");
    ck_assert_uint_eq(table.nrows, 1);
    ck_assert_str_eq(cell(0, "way")->text, "collective");
    ck_assert_double_eq(cell(0, "messages")->number, 40);
    ck_assert_double_eq(cell(0, "mean_bytes")->number, 8000);
    ck_assert_double_eq(cell(0, "calls")->number, 40);
    ck_assert_double_eq_tol(cell(0, "mean_s")->number, 2e-4, 1e-7);
    ck_assert(isnan(cell(0, "sd_s")->number));
    ck_assert(isnan(cell(0, "sd_bytes")->number));
    ck_assert_double_eq(cell(0, "by_size_class")->series[sca_size_class(8000)], 40);
    has("size of each n/a");
    finish();
}
END_TEST

/* All four messages were recorded, of 100, 100, 300 and 500 bytes: 250 on average. */
START_TEST(sizes_seen_one_by_one_have_a_spread)
{
    static const uint64_t sizes[] = {100, 100, 300, 500};
    struct sca_op ops[4];
    struct sca_event events[4];
    begin(2);
    message(0, 1, 4, 1000);
    synth_total(s, 0, SEND, 4, 4000, 1000);
    for (uint32_t i = 0; i < 4; i++) {
        ops[i] = (struct sca_op){.kind = SCA_OP_SEND, .peer = 1, .number = i, .bytes = sizes[i]};
        events[i] = (struct sca_event){.site = SEND, .first_op = i, .nops = 1, .gap_ns = 1000};
    }
    synth_window(s, 0,
                 &(struct sca_window){.iteration = 1,
                                      .iterations = 4,
                                      .class_total = 1,
                                      .end_ns = 100000,
                                      .nevents = 4,
                                      .nops = 4,
                                      .events = events,
                                      .ops = ops});
    load();
    view(sca_view_messages, "messages");
    uint32_t sent = strcmp(cell(0, "way")->text, "sent") != 0;
    ck_assert_double_eq(cell(sent, "recorded_messages")->number, 4);
    ck_assert_double_eq(cell(sent, "min_bytes")->number, 100);
    ck_assert_double_eq(cell(sent, "max_bytes")->number, 500);
    ck_assert_double_eq_tol(cell(sent, "sd_bytes")->number, sqrt(110000.0 / 3), 1e-9);
    ck_assert_double_eq(cell(sent, "by_size_class")->series[sca_size_class(100)], 2);
    ck_assert_double_eq(cell(sent, "by_size_class")->series[sca_size_class(300)], 2);
    ck_assert_double_eq(cell(!sent, "by_size_class")->series[sca_size_class(250)], 4);
    has("size 100 B to 500 B, sd 191 B");
    finish();
}
END_TEST

/* As if all had been seen one by one. */
START_TEST(spreads_of_two_ranks_are_one)
{
    static const double first[] = {1, 2, 6}, second[] = {10, 30};
    struct sca_spread all = {0}, a = {0}, b = {0}, merged = {0};
    for (int i = 0; i < 3; i++) {
        sca_spread_add(&all, first[i]);
        sca_spread_add(&a, first[i]);
    }
    for (int i = 0; i < 2; i++) {
        sca_spread_add(&all, second[i]);
        sca_spread_add(&b, second[i]);
    }
    sca_spread_merge(&merged, 0, 7, 7);
    sca_spread_merge(&merged, a.count, a.mean, a.squares);
    sca_spread_merge(&merged, b.count, b.mean, b.squares);
    ck_assert_double_eq_tol(merged.mean, all.mean, 1e-12);
    ck_assert_double_eq_tol(sca_spread_deviation(&merged), sca_spread_deviation(&all), 1e-12);
}
END_TEST

START_TEST(classes_are_powers_of_four)
{
    ck_assert_uint_eq(sca_size_class(0), 0);
    ck_assert_uint_eq(sca_size_class(1), 1);
    ck_assert_uint_eq(sca_size_class(3), 1);
    ck_assert_uint_eq(sca_size_class(4), 2);
    ck_assert_uint_eq(sca_size_class(1023), 5);
    ck_assert_uint_eq(sca_size_class(1e30), SCA_SIZE_CLASSES - 1);
    ck_assert_double_eq(sca_size_class_begin(0), 0);
    ck_assert_double_eq(sca_size_class_begin(1), 1);
    ck_assert_double_eq(sca_size_class_begin(6), 1024);
}
END_TEST

SCA_SUITE("communication", a_ring_is_the_diagonal_beside, a_halo_of_many_ranks_is_shown_in_blocks,
          a_master_is_a_row_and_a_column, what_nobody_received_is_said, a_broadcast_is_a_collective,
          sizes_seen_one_by_one_have_a_spread, spreads_of_two_ranks_are_one,
          classes_are_powers_of_four)
