#include "sca_error.h"
#include "synthetic.h"
#include "check_main.h"
#include "temp_folder.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char directory[TEMP_FOLDER];

static void make_directory(void)
{
    temp_folder(directory);
}

static void remove_directory(void)
{
    temp_folder_drop(directory);
}

/* Two ranks, one call path each way, one message between them. */
static struct synth *pair(void)
{
    struct synth *s = synth_new(2);
    uint32_t exe = synth_module(s, "/opt/prog", "00ffab");
    uint32_t main_ = synth_node(s, 0, exe, 0x1130, SCA_NODE_RETURN);
    uint32_t work = synth_node(s, main_, exe, 0x1140, SCA_NODE_PC);
    uint32_t send = synth_site(s, main_, "MPI_Send");
    uint32_t recv = synth_site(s, main_, "MPI_Recv");
    synth_total(s, 0, send, 100, 123456, 800);
    synth_total(s, 1, recv, 100, 654321, 800);
    synth_interval(s, 0, 0, send, 100, 1000000007);
    synth_sample(s, 0, work, send, false, 17);
    synth_peer(s, 0, &(struct sca_part_peer){send, 0, 1, SCA_SENT, 100, 800});
    synth_peer(s, 1, &(struct sca_part_peer){recv, 0, -1, SCA_RECEIVED, 100, 800});
    synth_message(s, 1,
                  &(struct sca_part_message){.hash = 0xfedcba9876543210,
                                             .peer = 0,
                                             .tag = -7,
                                             .direction = SCA_RECEIVED,
                                             .number = 3,
                                             .site = recv,
                                             .post_site = recv,
                                             .bytes = 8,
                                             .enter_ns = 50 << 10, /* whole ticks */
                                             .exit_ns = (50 << 10) + 400});
    return s;
}

static struct sca_profile *written_and_loaded(struct synth *s)
{
    struct sca_profile *p;
    synth_write(s, directory);
    ck_assert_msg(sca_profile_load(directory, &p) == SCA_OK, "%s", sca_error_message());
    return p;
}

static void check_pair(const struct sca_profile *p)
{
    ck_assert_uint_eq(p->nranks, 2);
    ck_assert_uint_eq(p->nnodes, 3);
    ck_assert_uint_eq(p->nsites, 3);
    ck_assert_str_eq(p->sites[0].function, "MPI_Init");
    ck_assert_str_eq(p->sites[1].function, "MPI_Send");
    ck_assert_str_eq(p->modules[0].build_id, "00ffab");
    ck_assert_uint_eq(p->nodes[2].offset, 0x1140);
    ck_assert_uint_eq(p->nodes[2].kind, SCA_NODE_PC);
    ck_assert_uint_eq(p->ranks[0].sites[1].time_ns, 123456);
    ck_assert_uint_eq(p->ranks[0].intervals[0].wall_ns, 1000000007);
    ck_assert_uint_eq(p->ranks[0].sample[0].count, 17);
    ck_assert_int_eq(p->ranks[1].peers[0].peer, -1);
    const struct sca_part_message *m = &p->ranks[1].messages[0];
    ck_assert_uint_ne(m->hash, 0);
    ck_assert_int_eq(m->tag, -7);
    ck_assert_uint_eq(m->exit_ns, (50 << 10) + 400);
    ck_assert_str_eq(p->ranks[1].host, "localhost");
    ck_assert_str_eq(sca_profile_meta(p, "program", ""), "synthetic");
    ck_assert_str_eq(sca_profile_meta(p, "no such key", "x"), "x");
}

START_TEST(a_finished_run_comes_back)
{
    struct synth *s = pair();
    struct sca_profile *p = synth_profile(s);
    check_pair(p);
    ck_assert(p->complete);
    sca_profile_free(p);
    synth_free(s);
}
END_TEST

START_TEST(minima_and_maxima_enclose_the_truth)
{
    struct synth *s = pair();
    struct sca_profile *p = synth_profile(s);
    const struct sca_part_interval *i = &p->ranks[0].intervals[0];
    ck_assert_uint_le(i->min_ns, 10000000);
    ck_assert_uint_ge(i->max_ns, 10000000);
    ck_assert_uint_ge(i->min_ns, 10000000 - 10000000 / 64);
    ck_assert_uint_le(i->max_ns, 10000000 + 10000000 / 64);
    sca_profile_free(p);
    synth_free(s);
}
END_TEST

START_TEST(parts_are_a_profile_too)
{
    struct synth *s = pair();
    struct sca_profile *p;
    synth_header(s, 1)->state = SCA_RUNNING;
    synth_header(s, 1)->wall_ns = 0;
    synth_header(s, 1)->init_ns = 100;
    synth_header(s, 1)->last_ns = 350;
    synth_write_part(s, 0, directory);
    synth_write_part(s, 1, directory);
    ck_assert_int_eq(sca_profile_load(directory, &p), SCA_OK);
    check_pair(p);
    ck_assert(!p->complete);
    ck_assert(p->ranks[0].complete);
    ck_assert(p->ranks[1].present && !p->ranks[1].complete);
    ck_assert_uint_eq(p->ranks[1].wall_ns, 250);
    sca_profile_free(p);
    synth_free(s);
}
END_TEST

/* Rank 1's clock is 10 s ahead at Init and 2 us more so after the second the run takes. */
START_TEST(clocks_of_several_hosts_give_one_line_of_time)
{
    struct synth *s = pair();
    synth_header(s, 0)->init_ns = 5000;
    synth_header(s, 1)->init_ns = 10000007000;
    synth_rank_meta(s, 1, "node", "1");
    synth_rank_meta(s, 1, "address", "10.0.0.2");
    synth_rank_meta(s, 1, "clock.leader", "1");
    synth_rank_meta(s, 1, "clock.offset", "-10000000000");
    synth_rank_meta(s, 1, "clock.error", "300");
    synth_rank_meta(s, 0, "clock.end.1", "-10000002000 500");
    struct sca_profile *p = written_and_loaded(s);
    const struct sca_rank *rank = &p->ranks[1];
    ck_assert(p->ranks[0].begin_ns == 0 && p->ranks[0].clock == 0);
    ck_assert(p->ranks[0].drift == 0 && p->ranks[0].clock_error_ns == 0);
    ck_assert_int_eq(rank->begin_ns, 2000);
    ck_assert_uint_eq(rank->clock, 1);
    ck_assert_uint_eq(rank->clock_error_ns, 500);
    ck_assert_double_eq_tol(sca_rank_time(rank, 0), 2000, 1e-6);
    ck_assert_double_eq_tol(sca_rank_time(rank, rank->wall_ns), 2000 + 1e9 - 2000, 1e-3);
    ck_assert_uint_eq(rank->node, 1);
    ck_assert_str_eq(rank->address, "10.0.0.2");
    sca_profile_free(p);
    synth_free(s);
}
END_TEST

START_TEST(a_clock_that_could_not_be_compared_is_said_to_be_unknown)
{
    struct synth *s = pair();
    synth_header(s, 1)->init_ns = 10000007000;
    synth_rank_meta(s, 1, "clock.leader", "1");
    struct sca_profile *p = written_and_loaded(s);
    ck_assert(p->ranks[0].clock_known && !p->ranks[1].clock_known);
    ck_assert_int_eq(p->ranks[1].begin_ns, 0);
    sca_profile_free(p);
    synth_free(s);
}
END_TEST

/* 100 samples that stand for one period each and 100 for four: worth 147 equal ones. */
START_TEST(samples_of_unlike_weight_are_worth_fewer)
{
    struct synth *s = synth_new(3);
    for (uint32_t r = 0; r < 3; r++)
        synth_header(s, r)->samples = 500;
    synth_rank_meta(s, 0, "sampling.squares", "1700");
    synth_rank_meta(s, 1, "sampling.squares", "nonsense");
    struct sca_profile *p = synth_profile(s);
    ck_assert_double_eq_tol(p->ranks[0].samples * p->ranks[0].sample_worth, 147.06, 0.01);
    ck_assert_double_eq(p->ranks[1].sample_worth, 1);
    ck_assert_double_eq(p->ranks[2].sample_worth, 1);
    sca_profile_free(p);
    synth_free(s);
}
END_TEST

START_TEST(so_are_those_of_a_rank_that_was_killed)
{
    struct synth *s = pair();
    struct sca_profile *p;
    synth_header(s, 1)->samples = 500;
    synth_header(s, 1)->sample_squares = 1700;
    synth_write_part(s, 1, directory);
    ck_assert_int_eq(sca_profile_load(directory, &p), SCA_OK);
    ck_assert_double_eq_tol(p->ranks[1].samples * p->ranks[1].sample_worth, 147.06, 0.01);
    sca_profile_free(p);
    synth_free(s);
}
END_TEST

START_TEST(an_absent_rank_is_absent)
{
    struct synth *s = pair();
    struct sca_profile *p;
    synth_write_part(s, 1, directory);
    ck_assert_int_eq(sca_profile_load(directory, &p), SCA_OK);
    ck_assert_uint_eq(p->nranks, 2);
    ck_assert(!p->ranks[0].present && p->ranks[1].present);
    ck_assert_str_eq(p->ranks[0].host, "");
    ck_assert(!p->complete);
    sca_profile_free(p);
    synth_free(s);
}
END_TEST

START_TEST(a_damaged_part_costs_its_own_rank)
{
    struct synth *s = pair();
    struct sca_profile *p;
    char path[128];
    synth_write_part(s, 0, directory);
    synth_write_part(s, 1, directory);
    snprintf(path, sizeof path, "%s/rank-0.part", directory);
    ck_assert_int_eq(truncate(path, 100), 0);
    ck_assert_int_eq(sca_profile_load(directory, &p), SCA_OK);
    ck_assert(!p->ranks[0].present && p->ranks[1].present);
    ck_assert_ptr_nonnull(strstr(sca_profile_meta(p, "damaged", ""), "rank-0.part: byte 100"));
    sca_profile_free(p);
    synth_free(s);
}
END_TEST

/* Different address spaces, different order of discovery: the same paths. */
START_TEST(ranks_that_met_things_in_another_order_agree)
{
    struct synth *a = synth_new(2), *b = synth_new(2);
    struct sca_profile *p;
    uint32_t exe = synth_module(a, "/opt/prog", "01"), lib = synth_module(a, "/opt/lib.so", "");
    uint32_t x = synth_node(a, synth_node(a, 0, exe, 1, 0), lib, 2, 0);
    synth_total(a, 0, synth_site(a, x, "MPI_Barrier"), 1, 10, 0);
    synth_write_part(a, 0, directory);
    lib = synth_module(b, "/opt/lib.so", ""), exe = synth_module(b, "/copy/prog", "01");
    synth_site(b, 0, "MPI_Wtime");
    x = synth_node(b, synth_node(b, 0, exe, 1, 0), lib, 2, 0);
    synth_total(b, 1, synth_site(b, x, "MPI_Barrier"), 1, 20, 0);
    synth_write_part(b, 1, directory);
    ck_assert_int_eq(sca_profile_load(directory, &p), SCA_OK);
    ck_assert_uint_eq(p->nmodules, 2);
    ck_assert_uint_eq(p->nnodes, 3);
    ck_assert_uint_eq(p->nsites, 3);
    ck_assert_uint_eq(p->ncomms, 1);
    ck_assert_uint_eq(p->ranks[0].sites[1].site, p->ranks[1].sites[2].site);
    ck_assert_str_eq(p->modules[0].path, "/opt/prog");
    sca_profile_free(p);
    synth_free(a);
    synth_free(b);
}
END_TEST

START_TEST(a_library_loaded_twice_counts_once)
{
    struct synth *s = synth_new(1);
    uint32_t one = synth_module(s, "/opt/plugin.so", "77");
    uint32_t two = synth_module(s, "/opt/plugin.so", "77");
    synth_total(s, 0, synth_site(s, synth_node(s, 0, one, 5, 0), "MPI_Send"), 2, 10, 1);
    synth_total(s, 0, synth_site(s, synth_node(s, 0, two, 5, 0), "MPI_Send"), 3, 20, 2);
    struct sca_profile *p = synth_profile(s);
    ck_assert_uint_eq(p->nsites, 2);
    ck_assert_uint_eq(p->ranks[0].nsites, 2);
    ck_assert_uint_eq(p->ranks[0].sites[1].count, 5);
    ck_assert_uint_eq(p->ranks[0].sites[1].time_ns, 30);
    sca_profile_free(p);
    synth_free(s);
}
END_TEST

START_TEST(what_found_no_room_is_unknown_not_lost)
{
    struct synth *s = pair();
    synth_sample(s, 1, SCA_NONE, SCA_NONE, false, 9);
    synth_peer(s, 0, &(struct sca_part_peer){1, SCA_NONE, 1, SCA_SENT, 1, 1});
    struct sca_profile *p = synth_profile(s);
    ck_assert_uint_eq(p->ranks[1].sample[0].node, 0);
    ck_assert_uint_eq(p->ranks[1].sample[0].previous, 0);
    ck_assert_str_eq(p->comms[p->ranks[0].peers[1].comm].kind, "unknown");
    sca_profile_free(p);
    synth_free(s);
}
END_TEST

START_TEST(windows_come_back_in_the_profiles_indices)
{
    struct synth *s = pair();
    uint32_t barrier = synth_site(s, 1, "MPI_Barrier");
    struct sca_op ops[] = {
        {.kind = SCA_OP_SEND, .peer = 1, .tag = 5, .number = 41, .bytes = 8},
        {.kind = SCA_OP_COLLECTIVE, .shape = SCA_ALL_TO_ALL, .peer = -1, .number = 7}};
    struct sca_event events[] = {{1, 0, 1, 1000}, {barrier, 1, 1, 2000000}};
    synth_window(s, 0,
                 &(struct sca_window){.iteration = 12,
                                      .iterations = 4,
                                      .duration_class = 20,
                                      .class_total = 99,
                                      .begin_ns = 5,
                                      .end_ns = 3000000,
                                      .nevents = 2,
                                      .nops = 2,
                                      .events = events,
                                      .ops = ops});
    struct sca_profile *p = synth_profile(s);
    ck_assert_uint_eq(p->ranks[0].nwindows, 1);
    ck_assert_uint_eq(p->ranks[1].nwindows, 0);
    const struct sca_window *w = &p->ranks[0].windows[0];
    ck_assert_uint_eq(w->iteration, 12);
    ck_assert_uint_eq(w->class_total, 99);
    ck_assert_uint_eq(w->nevents, 2);
    ck_assert_str_eq(p->sites[w->events[1].site].function, "MPI_Barrier");
    ck_assert_uint_ge(w->events[1].gap_ns, 1960000);
    ck_assert_uint_le(w->events[1].gap_ns, 2040000);
    const struct sca_op *send = &w->ops[w->events[0].first_op];
    ck_assert_int_eq(send->tag, 5);
    ck_assert_uint_eq(send->number, 41);
    ck_assert_str_eq(p->comms[send->comm].kind, "world");
    sca_profile_free(p);
    synth_free(s);
}
END_TEST

#define SAME(a, b, array, n)                                                                       \
    ck_assert_uint_eq((a)->n, (b)->n);                                                             \
    if ((a)->n)                                                                                    \
    ck_assert_mem_eq((a)->array, (b)->array, (a)->n * sizeof *(a)->array)

/* What a packed rank does not keep. */
static void forget(const struct sca_rank *rank)
{
    for (uint32_t i = 0; i < rank->nsites; i++)
        rank->sites[i].max_ns = 0;
    for (uint32_t i = 0; i < rank->nintervals; i++) {
        struct sca_part_interval *interval = &rank->intervals[i];
        interval->wall_ns = interval->min_ns = 0;
        if (interval->blocked_ns < interval->cpu_ns / 4)
            interval->max_ns = 0;
    }
}

static void check_same_rank(const struct sca_rank *a, const struct sca_rank *b)
{
    forget(a);
    SAME(a, b, sites, nsites);
    SAME(a, b, intervals, nintervals);
    SAME(a, b, sample, nsamples);
    SAME(a, b, peers, npeers);
    SAME(a, b, collectives, ncollectives);
    SAME(a, b, messages, nmessages);
    ck_assert_uint_eq(a->nwindows, b->nwindows);
    for (uint32_t w = 0; w < a->nwindows; w++) {
        SAME(&a->windows[w], &b->windows[w], events, nevents);
        SAME(&a->windows[w], &b->windows[w], ops, nops);
    }
}

/* Times of every length, with and without many digits. */
static void add_times(struct synth *s, uint32_t site)
{
    synth_sample_of(s, 1, 2, site, 3, 5);
    synth_sample_of(s, 1, 2, site, 1023, 6);
    for (uint32_t i = 0; i < 64; i++) {
        synth_interval(s, i % 2, i % 3, site, i + 1, (uint64_t)1 << i % 62);
        synth_interval(s, i % 2, site, i % 3, 3, ((uint64_t)0x9e3779b97f4a7c15 >> i % 60) >> 4);
        synth_sample(s, i % 2, i % 3, site, i % 5 == 0, 1 + i * i * i);
    }
}

static bool has_thread(const struct sca_rank *rank, uint16_t thread, uint64_t count)
{
    for (uint32_t i = 0; i < rank->nsamples; i++)
        if (rank->sample[i].thread == thread)
            return rank->sample[i].count == count && !rank->sample[i].in_mpi;
    return false;
}

START_TEST(packed_ranks_open_as_they_were)
{
    struct synth *s = pair();
    add_times(s, 1);
    struct sca_op ops[] = {{.kind = SCA_OP_SEND, .peer = 1, .tag = -5, .number = 41, .bytes = 8},
                           {.kind = SCA_OP_COLLECTIVE, .shape = SCA_PREFIX, .peer = -1}};
    struct sca_event events[] = {{1, 0, 1, 1000}, {2, 1, 1, 2000000}};
    struct sca_window window = {
        .iteration = 1, .iterations = 1, .end_ns = 9, .nevents = 2, .nops = 2};
    window.events = events;
    window.ops = ops;
    synth_window(s, 1, &window);
    window.iteration = 2;
    synth_window(s, 1, &window);
    struct sca_profile *plain = written_and_loaded(s), *packed;
    ck_assert_int_eq(sca_profile_load_packed(directory, &packed), SCA_OK);
    struct sca_opened *opened = sca_rank_open_init(calloc(1, sca_rank_open_size(packed)), packed);
    for (int again = 0; again < 2; again++)
        for (uint32_t r = 0; r < 2; r++) {
            const struct sca_rank *rank = sca_rank_open(opened, r, SCA_OPEN_ALL);
            ck_assert_uint_eq(rank->sample[rank->nsamples - 1].thread, 0);
            ck_assert(r == 0 || has_thread(rank, 1023, 6));
            check_same_rank(&plain->ranks[r], rank);
            ck_assert_int_eq(sca_rank_open_keep(packed, r, rank), SCA_OK);
        }
    free(opened);
    sca_profile_free(packed);
    sca_profile_free(plain);
    synth_free(s);
}
END_TEST

START_TEST(totals_have_neither_windows_nor_messages)
{
    struct synth *s = pair();
    add_times(s, 1);
    struct sca_op op = {.kind = SCA_OP_SEND, .peer = 1, .number = 41, .bytes = 8};
    struct sca_event event = {1, 0, 1, 1000};
    synth_window(s, 1,
                 &(struct sca_window){.iteration = 1,
                                      .iterations = 1,
                                      .end_ns = 9,
                                      .nevents = 1,
                                      .nops = 1,
                                      .events = &event,
                                      .ops = &op});
    struct sca_profile *plain = written_and_loaded(s), *totals;
    ck_assert_int_eq(sca_profile_load_totals(directory, &totals), SCA_OK);
    struct sca_opened *opened = sca_rank_open_init(calloc(1, sca_rank_open_size(totals)), totals);
    ck_assert_uint_eq(plain->ranks[1].nwindows, 1);
    for (uint32_t r = 0; r < 2; r++) {
        struct sca_rank expected = plain->ranks[r];
        expected.nwindows = expected.nmessages = 0;
        check_same_rank(&expected, sca_rank_open(opened, r, SCA_OPEN_ALL));
    }
    free(opened);
    sca_profile_free(totals);
    sca_profile_free(plain);
    synth_free(s);
}
END_TEST

/* Of two ranks that differ in one number of a table; what is changed is nobody else's. */
START_TEST(opened_ranks_have_their_own_numbers)
{
    struct synth *s = pair();
    for (uint32_t i = 0; i < 8; i++)
        for (uint32_t rank = 0; rank < 2; rank++)
            synth_interval(s, rank, i % 3, 1, i + 1, i == 5 && rank ? 77 : 1000 * (i + 1));
    struct sca_profile *plain = written_and_loaded(s), *packed;
    ck_assert_int_eq(sca_profile_load_packed(directory, &packed), SCA_OK);
    struct sca_opened *opened = sca_rank_open_init(calloc(1, sca_rank_open_size(packed)), packed);
    for (uint32_t turn = 0; turn < 6; turn++) {
        const struct sca_rank changed = sca_rank_open_to_change(opened, turn % 2);
        for (uint32_t i = 0; turn > 2 && i < changed.nintervals; i++)
            changed.intervals[i].count = changed.intervals[i].site = 12345;
        check_same_rank(&plain->ranks[!(turn % 2)],
                        sca_rank_open(opened, !(turn % 2), SCA_OPEN_ALL));
        check_same_rank(&plain->ranks[turn % 2], sca_rank_open(opened, turn % 2, SCA_OPEN_ALL));
    }
    free(opened);
    sca_profile_free(packed);
    sca_profile_free(plain);
    synth_free(s);
}
END_TEST

START_TEST(nothing_there_is_not_found)
{
    struct sca_profile *p;
    ck_assert_int_eq(sca_profile_load("/no/such/run", &p), SCA_ENOTFOUND);
    ck_assert_ptr_nonnull(strstr(sca_error_message(), "/no/such/run"));
    ck_assert_int_eq(sca_profile_load(directory, &p), SCA_ENOTFOUND);
    ck_assert_ptr_null(p);
}
END_TEST

START_TEST(a_pipe_is_refused_not_waited_for)
{
    struct sca_profile *p;
    char path[256];
    snprintf(path, sizeof path, "%s/" SCA_PROFILE_FILE, directory);
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    ck_assert_int_eq(sca_profile_load(directory, &p), SCA_EIO);
    ck_assert_ptr_nonnull(strstr(sca_error_message(), "not a regular file"));
    unlink(path);
}
END_TEST

START_TEST(a_newer_release_is_said_to_be_one)
{
    struct synth *s = pair();
    struct sca_profile *p;
    synth_header(s, 0)->version = SCA_PART_VERSION + 1;
    synth_write_part(s, 0, directory);
    ck_assert_int_eq(sca_profile_load(directory, &p), SCA_EVERSION);
    synth_free(s);
}
END_TEST

START_TEST(ranks_alike_take_little_room)
{
    struct synth *s = synth_new(128);
    uint32_t exe = synth_module(s, "/opt/some/longer/path/to/a/program", "0123456789abcdef");
    for (uint32_t i = 0; i < 60; i++) {
        uint32_t node = synth_node(s, 0, exe, 0x1000 + 37 * i, SCA_NODE_RETURN);
        uint32_t site = synth_site(s, node, i % 2 ? "MPI_Irecv" : "MPI_Send");
        for (uint32_t rank = 0; rank < 128; rank++) {
            synth_total(s, rank, site, 75 * 26, 1000003ull * (i + 1) * (rank % 7 + 1), 14000);
            synth_interval(s, rank, site, site, 75 * 26, 1700023ull * (rank + i + 1));
        }
    }
    struct stat st;
    char path[128];
    synth_write(s, directory);
    snprintf(path, sizeof path, "%s/" SCA_PROFILE_FILE, directory);
    ck_assert_int_eq(stat(path, &st), 0);
    ck_assert_int_lt(st.st_size, 128 * 800);
    synth_free(s);
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("profile");
    TCase *tcase = tcase_create("profile");
    tcase_add_checked_fixture(tcase, make_directory, remove_directory);
    tcase_add_test(tcase, a_finished_run_comes_back);
    tcase_add_test(tcase, minima_and_maxima_enclose_the_truth);
    tcase_add_test(tcase, parts_are_a_profile_too);
    tcase_add_test(tcase, clocks_of_several_hosts_give_one_line_of_time);
    tcase_add_test(tcase, a_clock_that_could_not_be_compared_is_said_to_be_unknown);
    tcase_add_test(tcase, samples_of_unlike_weight_are_worth_fewer);
    tcase_add_test(tcase, so_are_those_of_a_rank_that_was_killed);
    tcase_add_test(tcase, an_absent_rank_is_absent);
    tcase_add_test(tcase, a_damaged_part_costs_its_own_rank);
    tcase_add_test(tcase, ranks_that_met_things_in_another_order_agree);
    tcase_add_test(tcase, a_library_loaded_twice_counts_once);
    tcase_add_test(tcase, what_found_no_room_is_unknown_not_lost);
    tcase_add_test(tcase, windows_come_back_in_the_profiles_indices);
    tcase_add_test(tcase, packed_ranks_open_as_they_were);
    tcase_add_test(tcase, totals_have_neither_windows_nor_messages);
    tcase_add_test(tcase, opened_ranks_have_their_own_numbers);
    tcase_add_test(tcase, nothing_there_is_not_found);
    tcase_add_test(tcase, a_pipe_is_refused_not_waited_for);
    tcase_add_test(tcase, a_newer_release_is_said_to_be_one);
    tcase_add_test(tcase, ranks_alike_take_little_room);
    suite_add_tcase(suite, tcase);
    return suite;
}
