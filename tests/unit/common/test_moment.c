/* What ranks do at the moment their parts are read, and what they did since a snapshot. */
#include "check_main.h"
#include "profile/moment.h"
#include "sca_error.h"
#include "sca_profile.h"
#include "synthetic.h"
#include "temp_folder.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[TEMP_FOLDER];

static void begin(void)
{
    temp_folder(folder);
}

static void end(void)
{
    temp_folder_drop(folder);
}

/* One rank in MPI_Recv at site 1. */
static struct synth *waiting(void)
{
    struct synth *s = synth_new(1);
    uint32_t exe = synth_module(s, "/bin/program", "abcd");
    uint32_t site = synth_site(s, synth_node(s, 0, exe, 0x10, SCA_NODE_RETURN), "MPI_Recv");
    synth_total(s, 0, site, 5, 5000, 40);
    struct sca_part_header *h = synth_header(s, 0);
    h->state = SCA_RUNNING;
    h->init_ns = 1000;
    h->last_ns = 3000;
    h->wall_ns = 0;
    h->process = (uint32_t)getpid();
    h->present[0] = (struct sca_part_present){.turn = 7,
                                              .detail = 7,
                                              .enter_ns = 4000,
                                              .exit_ns = 3000,
                                              .site = site,
                                              .thread = 1,
                                              .nawaited = 1,
                                              .awaited = {{SCA_AWAITS_SENDER, 0, 0, 9}}};
    return s;
}

START_TEST(a_call_and_what_it_awaits_are_read)
{
    struct synth *s = waiting();
    struct sca_profile *p;
    synth_write_part(s, 0, folder);
    ck_assert_int_eq(sca_profile_load_packed(folder, &p), SCA_OK);
    const struct sca_moment *m = p->ranks[0].moment;
    ck_assert_ptr_nonnull(m);
    ck_assert_uint_eq(m->nactivities, 1);
    ck_assert(m->activities[0].inside);
    ck_assert_str_eq(p->sites[m->activities[0].site].function, "MPI_Recv");
    ck_assert_uint_eq(m->activities[0].since_ns, 4000);
    ck_assert_uint_eq(m->activities[0].nknown, 1);
    ck_assert_int_eq(m->activities[0].awaited[0].tag, 9);
    ck_assert_uint_eq(m->last_ns, 4000);
    sca_profile_free(p);
    synth_free(s);
}
END_TEST

START_TEST(between_calls_nothing_is_awaited)
{
    struct synth *s = waiting();
    struct sca_profile *p;
    synth_header(s, 0)->present[0].turn = 8;
    synth_write_part(s, 0, folder);
    ck_assert_int_eq(sca_profile_load_packed(folder, &p), SCA_OK);
    const struct sca_activity *a = p->ranks[0].moment->activities;
    ck_assert(!a->inside);
    ck_assert_uint_eq(a->nknown, 0);
    ck_assert_uint_eq(a->since_ns, 3000);
    sca_profile_free(p);
    synth_free(s);
}
END_TEST

START_TEST(indices_that_do_not_exist_are_unknown)
{
    struct synth *s = waiting();
    struct sca_profile *p;
    struct sca_part_present *present = &synth_header(s, 0)->present[0];
    present->site = 12345;
    present->awaited[0].comm = 77;
    present->nawaited = 1000;
    synth_write_part(s, 0, folder);
    ck_assert_int_eq(sca_profile_load_packed(folder, &p), SCA_OK);
    const struct sca_activity *a = p->ranks[0].moment->activities;
    ck_assert_uint_eq(a->site, SCA_NONE);
    ck_assert_uint_eq(a->awaited[0].comm, SCA_NONE);
    ck_assert_uint_eq(a->nknown, SCA_PRESENT_AWAITED);
    sca_profile_free(p);
    synth_free(s);
}
END_TEST

START_TEST(version_4_has_no_moment)
{
    struct synth *s = waiting();
    struct sca_profile *p;
    synth_header(s, 0)->version = 4;
    synth_header(s, 0)->header_size = SCA_PART_HEADER_4;
    synth_write_part(s, 0, folder);
    ck_assert_int_eq(sca_profile_load_packed(folder, &p), SCA_OK);
    ck_assert(p->ranks[0].present);
    ck_assert_ptr_null(p->ranks[0].moment);
    sca_profile_free(p);
    synth_free(s);
}
END_TEST

/* ---- while it is written ---- */

static struct sca_part_header live;
static volatile bool stop;

/* As the runtime does it (prof/calls/present_call.h): what belongs to a turn has its number. */
static void *write_on(void *unused)
{
    struct sca_part_present *p = &live.present[0];
    (void)unused;
    for (uint64_t turn = 2; !stop; turn += 2) {
        p->enter_ns = turn + 1;
        p->site = (uint32_t)turn + 1;
        __atomic_store_n(&p->turn, turn + 1, __ATOMIC_RELEASE);
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
        __atomic_store_n(&p->detail, 0, __ATOMIC_RELAXED);
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
        p->awaited[0].tag = (int32_t)turn + 1;
        __atomic_store_n(&p->detail, turn + 1, __ATOMIC_RELEASE);
        p->exit_ns = turn + 2;
        __atomic_store_n(&p->turn, turn + 2, __ATOMIC_RELEASE);
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
    }
    return NULL;
}

static void check_whole(const struct sca_part_present *p)
{
    if (p->exit_ns == UINT64_MAX || !p->turn) /* it was too busy, or has not begun */
        return;
    if (p->turn & 1) {
        ck_assert_uint_eq(p->enter_ns, p->turn);
        ck_assert_uint_eq(p->site, (uint32_t)p->turn);
        if (p->detail == p->turn)
            ck_assert_int_eq(p->awaited[0].tag, (int32_t)p->turn);
    } else {
        ck_assert_uint_eq(p->exit_ns, p->turn);
    }
}

START_TEST(a_record_that_is_written_is_read_whole)
{
    pthread_t writer;
    struct sca_part_header seen;
    live.present[0].thread = 1;
    ck_assert_int_eq(pthread_create(&writer, NULL, write_on, NULL), 0);
    for (int i = 0; i < 20000; i++) {
        sca_moment_read_header(&live, sizeof live, &seen);
        check_whole(&seen.present[0]);
    }
    stop = true;
    pthread_join(writer, NULL);
}
END_TEST

/* ---- since a snapshot ---- */

static const char *snapshot_of(struct synth *s)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/early", folder);
    mkdir(path, 0777);
    synth_write_part(s, 0, path);
    return path;
}

static struct synth *after(uint64_t calls, uint64_t last_ns)
{
    struct synth *s = waiting();
    synth_total(s, 0, 1, calls, 1000 * calls, 8 * calls);
    synth_header(s, 0)->last_ns = last_ns;
    synth_header(s, 0)->mpi_calls = calls;
    return s;
}

START_TEST(what_came_before_a_snapshot_is_left_out)
{
    struct synth *early = waiting(), *late = waiting();
    struct sca_profile *p;
    struct sca_part_header *h = synth_header(late, 0);
    h->last_ns = 9000;
    h->mpi_calls = 12;
    synth_header(early, 0)->mpi_calls = 5;
    synth_write_part(late, 0, folder);
    ck_assert_int_eq(sca_profile_load_since(folder, snapshot_of(early), &p), SCA_OK);
    ck_assert_uint_eq(p->ranks[0].wall_ns, 6000);
    ck_assert_uint_eq(p->ranks[0].mpi_calls, 7);
    ck_assert_str_eq(sca_profile_meta(p, "since", ""), snapshot_of(early));
    sca_profile_free(p);
    synth_free(early);
    synth_free(late);
}
END_TEST

START_TEST(a_snapshot_of_another_run_is_refused)
{
    struct synth *early = waiting(), *late = after(7, 9000);
    struct sca_profile *p;
    synth_header(early, 0)->init_ns = 999;
    synth_write_part(late, 0, folder);
    ck_assert_int_eq(sca_profile_load_since(folder, snapshot_of(early), &p), SCA_EMISMATCH);
    ck_assert_ptr_nonnull(strstr(sca_error_message(), "early/rank-0.part"));
    synth_free(early);
    synth_free(late);
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("moment");
    TCase *tests = tcase_create("moment");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_test(tests, a_call_and_what_it_awaits_are_read);
    tcase_add_test(tests, between_calls_nothing_is_awaited);
    tcase_add_test(tests, indices_that_do_not_exist_are_unknown);
    tcase_add_test(tests, version_4_has_no_moment);
    tcase_add_test(tests, a_record_that_is_written_is_read_whole);
    tcase_add_test(tests, what_came_before_a_snapshot_is_left_out);
    tcase_add_test(tests, a_snapshot_of_another_run_is_refused);
    suite_add_tcase(suite, tests);
    return suite;
}
