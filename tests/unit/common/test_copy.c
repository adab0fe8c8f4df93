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
        ck_assert_int_eq(sca_copy_take(path, &now[r]), SCA_OK);
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

static struct sca_profile *load(struct ends *e)
{
    char path[600], parts[512];
    struct sca_profile *p;
    snprintf(parts, sizeof parts, "%s/there", folder);
    mkdir(parts, 0777);
    for (uint32_t r = 0; r < RANKS; r++) {
        snprintf(path, sizeof path, "%s/rank-%u.part", parts, r);
        unlink(path);
        e->receiver[r].rank = r;
        ck_assert_int_eq(sca_copy_write(&e->receiver[r], path), SCA_OK);
    }
    ck_assert_int_eq(sca_profile_load(parts, &p), SCA_OK);
    return p;
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

Suite *test_suite(void)
{
    Suite *suite = suite_create("copy");
    TCase *tests = tcase_create("copy");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_test(tests, the_receiver_has_what_the_sender_has);
    tcase_add_test(tests, layers_that_wait_come_later);
    tcase_add_test(tests, another_process_begins_anew);
    tcase_add_test(tests, damaged_messages_are_refused_or_read);
    suite_add_tcase(suite, tests);
    return suite;
}
