/* Copies of live states: what one side sends, the other has, in few bytes. */
#include "check_main.h"
#include "sca_copy.h"
#include "sca_error.h"
#include "sca_profile.h"
#include "synthetic.h"
#include "temp_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RANKS = 8, SITES = 20, FOREIGN_HOST = 12345 };

static char folder[TEMP_FOLDER];

static void begin(void)
{
    temp_folder(folder);
}

static void end(void)
{
    temp_folder_drop(folder);
}

/* So many iterations of a program with a call at each of some sites. */
static struct synth *after(uint64_t iterations)
{
    struct synth *s = synth_new(RANKS);
    uint32_t exe = synth_module(s, "/bin/program", "abcd");
    for (uint32_t i = 0; i < SITES; i++) {
        uint32_t node = synth_node(s, 0, exe, 0x10 + 8 * i, SCA_NODE_RETURN);
        uint32_t site = synth_site(s, node, i % 2 ? "MPI_Recv" : "MPI_Allreduce");
        for (uint32_t r = 0; r < RANKS; r++) {
            synth_total(s, r, site, iterations, iterations * (100000 + 777 * r), 64 * iterations);
            synth_interval(s, r, site - 1, site, iterations, iterations * (300000 + 1313 * r + i));
            synth_peer(s, r,
                       &(struct sca_part_peer){.site = site,
                                               .peer = (int32_t)((r + 1) % RANKS),
                                               .count = iterations,
                                               .bytes = 8 * iterations});
        }
    }
    for (uint32_t r = 0; r < RANKS; r++) {
        struct sca_part_header *h = synth_header(s, r);
        h->state = SCA_RUNNING;
        h->init_ns = 5000000123;
        h->process = FOREIGN_HOST;
        h->last_ns = 6000000000 + iterations * 1000000;
        h->present[0] = (struct sca_part_present){.turn = 2 * iterations + 1,
                                                  .detail = 2 * iterations + 1,
                                                  .enter_ns = 5999000000 + iterations * 1000000,
                                                  .site = 1,
                                                  .thread = 7,
                                                  .nawaited = 1,
                                                  .awaited = {{SCA_AWAITS_SENDER, 0, 3, 9}}};
    }
    return s;
}

static void take(uint64_t iterations, struct sca_copy now[RANKS])
{
    char path[600];
    struct synth *s = after(iterations);
    for (uint32_t r = 0; r < RANKS; r++) {
        synth_write_part(s, r, folder);
        snprintf(path, sizeof path, "%s/rank-%u.part", folder, r);
        ck_assert_int_eq(sca_copy_take(path, false, &now[r]), SCA_OK);
        ck_assert_uint_eq(now[r].rank, r);
        unlink(path);
    }
    synth_free(s);
}

struct ends {
    struct sca_copy sender[RANKS], receiver[RANKS];
};

static void drop(struct sca_copy copies[RANKS])
{
    for (uint32_t r = 0; r < RANKS; r++)
        sca_copy_free(&copies[r]);
}

/* The message, whose bytes are the caller's. */
static uint8_t *message(struct ends *e, uint64_t iterations, unsigned layers, size_t *length)
{
    struct sca_copy now[RANKS];
    struct sca_writer w;
    take(iterations, now);
    size_t bound = sca_copies_bound(now, RANKS);
    uint8_t *bytes = malloc(bound);
    sca_wire_writer_init(&w, bytes, bound);
    ck_assert_int_eq(sca_copies_send(e->sender, now, RANKS, layers, &w), SCA_OK);
    drop(now);
    *length = w.length;
    return bytes;
}

static void pass(struct ends *e, uint64_t iterations, unsigned layers)
{
    struct sca_reader r;
    size_t length;
    uint8_t *bytes = message(e, iterations, layers, &length);
    sca_wire_reader_init(&r, bytes, length);
    ck_assert_int_eq(sca_copies_receive(e->receiver, RANKS, &r), SCA_OK);
    free(bytes);
}

static struct sca_profile *load_copies(const struct sca_copy copies[RANKS])
{
    char path[600], parts[512];
    struct sca_profile *p;
    snprintf(parts, sizeof parts, "%s/there", folder);
    mkdir(parts, 0777);
    for (uint32_t r = 0; r < RANKS; r++) {
        snprintf(path, sizeof path, "%s/rank-%u.part", parts, r);
        unlink(path);
        ck_assert_int_eq(sca_copy_write(&copies[r], path), SCA_OK);
    }
    ck_assert_int_eq(sca_profile_load(parts, &p), SCA_OK);
    return p;
}

static struct sca_profile *load(struct ends *e)
{
    for (uint32_t r = 0; r < RANKS; r++)
        e->receiver[r].rank = r;
    return load_copies(e->receiver);
}

static void is_near(uint64_t seen, uint64_t true_value, uint64_t error)
{
    ck_assert_uint_le(seen, true_value + error);
    ck_assert_uint_ge(seen + error, true_value);
}

START_TEST(the_receiver_has_what_the_sender_has)
{
    struct ends e = {0};
    pass(&e, 100, 7);
    pass(&e, 180, 7);
    pass(&e, 200, 7);
    struct sca_profile *p = load(&e);
    for (uint32_t r = 0; r < RANKS; r++)
        for (uint32_t i = 0; i < SITES; i++) {
            const struct sca_rank *rank = &p->ranks[r];
            ck_assert_uint_eq(rank->sites[i + 1].count, 200);
            ck_assert_uint_eq(rank->sites[i + 1].bytes, 64 * 200);
            ck_assert_uint_eq(rank->peers[i].count, 200);
            is_near(rank->sites[i + 1].time_ns, 200ul * (100000 + 777 * r), 20 * 110000 / 4);
            is_near(rank->intervals[i].wall_ns, 200ul * (300000 + 1313 * r + i), 20 * 310000 / 4);
        }
    ck_assert_uint_eq(p->ranks[3].init_ns, 5000000123);
    const struct sca_moment *m = p->ranks[3].moment;
    ck_assert(m->activities[0].inside);
    ck_assert_str_eq(p->sites[m->activities[0].site].function, "MPI_Allreduce");
    ck_assert_uint_eq(m->activities[0].since_ns, 6199000000);
    ck_assert_int_eq(m->activities[0].awaited[0].peer, 3);
    ck_assert_str_eq(sca_profile_meta(p, "program", ""), "synthetic");
    sca_profile_free(p);
    drop(e.sender);
    drop(e.receiver);
}
END_TEST

START_TEST(layers_that_wait_come_later)
{
    struct ends e = {0};
    pass(&e, 100, 7);
    pass(&e, 200, SCA_COPY_MOMENT);
    struct sca_profile *p = load(&e);
    ck_assert_uint_eq(p->ranks[2].peers[4].count, 200);
    ck_assert_uint_eq(p->ranks[2].sites[4].count, 100);
    sca_profile_free(p);
    pass(&e, 200, SCA_COPY_MOMENT | SCA_COPY_TOTALS);
    p = load(&e);
    ck_assert_uint_eq(p->ranks[2].sites[4].count, 200);
    sca_profile_free(p);
    drop(e.sender);
    drop(e.receiver);
}
END_TEST

START_TEST(another_process_begins_anew)
{
    struct ends e = {0};
    pass(&e, 100, 7);
    for (uint32_t r = 0; r < RANKS; r++)
        e.sender[r].identity ^= 2; /* as if another one had been known */
    for (uint32_t r = 0; r < RANKS; r++)
        e.receiver[r].identity ^= 2;
    pass(&e, 7, 7);
    struct sca_profile *p = load(&e);
    ck_assert_uint_eq(p->ranks[5].sites[1].count, 7);
    ck_assert_uint_eq(p->ranks[5].nintervals, SITES);
    sca_profile_free(p);
    drop(e.sender);
    drop(e.receiver);
}
END_TEST

/* None of them may do harm; most are refused. */
START_TEST(damaged_messages_are_refused_or_read)
{
    struct ends e = {0};
    size_t length;
    uint8_t *bytes = message(&e, 100, 7, &length);
    uint32_t seed = 1, refused = 0;
    for (int i = 0; i < 300; i++) {
        struct sca_reader r;
        struct sca_copy got[RANKS] = {{0}};
        uint8_t *bad = malloc(length);
        memcpy(bad, bytes, length);
        for (int k = 0; k < 1 + i % 4; k++) {
            seed = seed * 1664525 + 1013904223;
            bad[seed % length] ^= (uint8_t)(1 + (seed >> 24) % 255);
        }
        sca_wire_reader_init(&r, bad, i % 3 ? length : seed % length);
        refused += sca_copies_receive(got, RANKS, &r) != SCA_OK;
        free(bad);
        drop(got);
    }
    ck_assert_uint_gt(refused, 100);
    free(bytes);
    drop(e.sender);
}
END_TEST

/* ---- series ---- */

enum { ITERATIONS = 40, OUTER = 1, INNER = 2 /* offsets of names in the strings */ };

/* Iterations that each end in phase 2, which lies in phase 1. */
static void add_series(struct sca_copy *copy)
{
    struct sca_copy_series *s = &copy->series;
    uint64_t own = 1000000 + 12345 * copy->rank;
    *s = (struct sca_copy_series){SCA_SERIES_COLLECTIVE, ITERATIONS + 1, 2, NULL, NULL};
    s->marks = calloc(s->nmarks, sizeof *s->marks);
    s->phases = calloc(s->nphases, sizeof *s->phases);
    for (uint32_t i = 0; i <= ITERATIONS; i++)
        s->marks[i] = (struct sca_part_mark){.end_ns = 7000000 + i * 3000000ul,
                                             .compute_ns = i * own,
                                             .mpi_ns = i * (3000000 - own),
                                             .kind = i * 0x123456789abcul,
                                             .number = i,
                                             .site = 1,
                                             .memory_kb = 4096 + i,
                                             .begins = !i,
                                             .phase = 2};
    s->phases[0] = (struct sca_part_phase){.name = OUTER, .count = 1, .end_ns = 900000000};
    s->phases[1] = (struct sca_part_phase){.name = INNER,
                                           .parent = 1,
                                           .count = 7 + copy->rank,
                                           .begin_ns = 7000000,
                                           .end_ns = 800000000,
                                           .compute_ns = 40 * own,
                                           .mpi_ns = 1000,
                                           .wall_ns = 90000000};
}

static void same_series(const struct sca_series *a, const struct sca_series *b)
{
    ck_assert_ptr_nonnull(a);
    ck_assert_ptr_nonnull(b);
    ck_assert_uint_eq(b->npoints, ITERATIONS);
    ck_assert_uint_eq(b->nranks, RANKS);
    ck_assert_uint_eq(a->npoints, b->npoints);
    ck_assert_mem_eq(a->points, b->points, a->npoints * sizeof *a->points);
    ck_assert_mem_eq(a->own, b->own, (size_t)a->nranks * a->nrank_points * sizeof *a->own);
    ck_assert_uint_eq(a->nphases, 2);
    ck_assert_uint_eq(b->nphases, 2);
    for (uint32_t i = 0; i < 2; i++) {
        ck_assert_str_eq(a->phases[i].name, b->phases[i].name);
        ck_assert_uint_eq(a->phases[i].count, b->phases[i].count);
        ck_assert_double_eq(a->phases[i].own.mean, b->phases[i].own.mean);
        ck_assert_double_eq(a->phases[i].span, b->phases[i].span);
    }
    ck_assert_uint_eq(b->phases[1].parent, 0);
    ck_assert_uint_eq(b->phases[1].count, 7 + RANKS - 1);
    ck_assert_uint_eq(b->points[5].phase, 1);
}

/* What the parts have, their copies have, and those of another host. */
START_TEST(series_come_whole)
{
    struct ends e = {0};
    struct sca_copy now[RANKS];
    char path[600];
    take(100, now);
    for (uint32_t r = 0; r < RANKS; r++)
        add_series(&now[r]);
    struct sca_profile *before = load_copies(now), *p;
    pass(&e, 100, 7);
    for (uint32_t r = 0; r < RANKS; r++) {
        uint8_t bytes[20000];
        struct sca_copy again;
        struct sca_writer w;
        struct sca_reader reader;
        snprintf(path, sizeof path, "%s/there/rank-%u.part", folder, r);
        ck_assert_int_eq(sca_copy_take(path, true, &again), SCA_OK);
        ck_assert_uint_le(sca_copy_series_bound(&again), sizeof bytes);
        sca_wire_writer_init(&w, bytes, sca_copy_series_bound(&again));
        sca_copy_series_send(&again, &w);
        sca_wire_reader_init(&reader, bytes, w.length);
        ck_assert(!w.failed);
        ck_assert_int_eq(sca_copy_series_receive(&e.receiver[r], &reader), SCA_OK);
        ck_assert_uint_eq(sca_wire_left(&reader), 0);
        sca_copy_free(&again);
    }
    p = load(&e);
    same_series(before->series, p->series);
    sca_profile_free(p);
    sca_copy_series_drop(&e.receiver[3]);
    p = load(&e);
    ck_assert_uint_eq(p->series->nranks, RANKS - 1);
    sca_profile_free(p);
    sca_profile_free(before);
    drop(now);
    drop(e.sender);
    drop(e.receiver);
}
END_TEST

/* A world of very many ranks: each has fewer points, as in a profile. */
START_TEST(series_of_many_ranks_are_thinned)
{
    struct sca_copy now[RANKS], again;
    char path[600];
    take(100, now);
    add_series(&now[0]);
    struct sca_copy_series *s = &now[0].series;
    free(s->marks);
    s->nmarks = SCA_SERIES_MARKS;
    s->marks = calloc(s->nmarks, sizeof *s->marks);
    for (uint32_t i = 0; i < s->nmarks; i++)
        s->marks[i] = (struct sca_part_mark){.end_ns = 1000 * i, .number = i, .begins = !i};
    now[0].header.size = 1 << 16;
    snprintf(path, sizeof path, "%s/rank-0.part", folder);
    ck_assert_int_eq(sca_copy_write(&now[0], path), SCA_OK);
    ck_assert_int_eq(sca_copy_take(path, true, &again), SCA_OK);
    ck_assert_uint_le(again.series.nmarks, 64);
    ck_assert_uint_ge(again.series.nmarks, 32);
    ck_assert_uint_eq(again.series.marks[again.series.nmarks - 1].number, SCA_SERIES_MARKS - 1);
    sca_copy_free(&again);
    drop(now);
}
END_TEST

START_TEST(damaged_series_are_refused_or_read)
{
    struct sca_copy now = {0}, got = {0};
    uint8_t bytes[20000], bad[20000];
    struct sca_writer w;
    uint32_t seed = 7, refused = 0;
    add_series(&now);
    sca_wire_writer_init(&w, bytes, sizeof bytes);
    sca_copy_series_send(&now, &w);
    for (int i = 0; i < 300; i++) {
        struct sca_reader r;
        memcpy(bad, bytes, w.length);
        seed = seed * 1664525 + 1013904223;
        bad[(seed >> 8) % (i % 2 ? 8 : w.length)] ^= (uint8_t)(1 + (seed >> 24) % 255);
        sca_wire_reader_init(&r, bad, i % 3 ? w.length : (seed >> 8) % w.length);
        int status = sca_copy_series_receive(&got, &r);
        refused += status != SCA_OK;
        ck_assert(status == SCA_OK || (!got.series.nmarks && !got.series.marks));
    }
    ck_assert_uint_gt(refused, 90);
    sca_copy_free(&got);
    sca_copy_free(&now);
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("copy");
    TCase *tests = tcase_create("copy");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_test(tests, the_receiver_has_what_the_sender_has);
    tcase_add_test(tests, layers_that_wait_come_later);
    tcase_add_test(tests, another_process_begins_anew);
    tcase_add_test(tests, damaged_messages_are_refused_or_read);
    tcase_add_test(tests, series_come_whole);
    tcase_add_test(tests, series_of_many_ranks_are_thinned);
    tcase_add_test(tests, damaged_series_are_refused_or_read);
    suite_add_tcase(suite, tests);
    return suite;
}
