#include "arena/arena.h"
#include "profile/image.h"
#include "sca_error.h"
#include "check_main.h"
#include "temp_folder.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char directory[TEMP_FOLDER], path[96];

static void setup(void)
{
    temp_folder(directory);
    snprintf(path, sizeof path, "%s/rank-3.part", directory);
}

static void teardown(void)
{
    sca_arena_close();
    temp_folder_drop(directory);
}

/* Reads the file as the loader does. */
static void view(struct sca_file *file, struct sca_tables *tables)
{
    ck_assert_int_eq(sca_part_map(path, file), SCA_OK);
    ck_assert_msg(sca_part_view(path, file, tables) == SCA_OK, "%s", sca_error_message());
}

START_TEST(a_fresh_arena_is_a_valid_part)
{
    struct sca_file file;
    struct sca_tables t;
    ck_assert_int_eq(sca_arena_open(path, 3, 8), 0);
    view(&file, &t);
    ck_assert_uint_eq(t.header.rank, 3);
    ck_assert_uint_eq(t.header.size, 8);
    ck_assert_uint_eq(t.header.state, SCA_RUNNING);
    ck_assert_uint_eq(t.header.table[SCA_T_NODES].count, 1);
    const struct sca_part_site *start = t.record[SCA_T_SITES];
    ck_assert_str_eq(sca_tables_string(&t, start->name), "MPI_Init");
    sca_part_unmap(&file);
}
END_TEST

START_TEST(each_site_and_interval_has_durations_beside_it)
{
    enum { N = 700 };
    struct sca_file file;
    struct sca_tables t;
    ck_assert_int_eq(sca_arena_open(path, 3, 8), 0);
    for (uint32_t i = 0; i < N; i++) { /* of the root, without a name */
        ck_assert_ptr_nonnull(sca_arena_next(SCA_T_SITES));
        sca_arena_durations(SCA_TIMED_SITES, sca_arena_commit(SCA_T_SITES))->classes[3] = i;
    }
    ck_assert_ptr_null(sca_arena_durations(SCA_TIMED_SITES, N + 1));
    view(&file, &t);
    ck_assert_uint_eq(t.durations[SCA_TIMED_SITES].n, N + 1);
    for (uint32_t i = 0; i < N; i++)
        ck_assert_uint_eq(t.durations[SCA_TIMED_SITES].live[i + 1].classes[3], i);
    sca_part_unmap(&file);
}
END_TEST

START_TEST(records_are_found_again_however_many)
{
    enum { N = 20000 };
    ck_assert_int_eq(sca_arena_open(path, 3, 8), 0);
    for (uint32_t i = 0; i < N; i++) {
        uint32_t key[] = {i % 7, i};
        ck_assert_uint_eq(sca_arena_find(SCA_T_INTERVALS, key, 2), i);
    }
    for (uint32_t i = 0; i < N; i++) {
        uint32_t key[] = {i % 7, i};
        ck_assert_uint_eq(sca_arena_find(SCA_T_INTERVALS, key, 2), i);
    }
    ck_assert_uint_eq(sca_arena_count(SCA_T_INTERVALS), N);
}
END_TEST

START_TEST(what_was_found_lately_is_no_other_record)
{
    enum { N = 300, ROUNDS = 3 };
    ck_assert_int_eq(sca_arena_open(path, 3, 8), 0);
    for (uint32_t round = 0; round < ROUNDS; round++)
        for (uint32_t i = 0; i < N; i++) {
            uint32_t peer[] = {i % 9, 0, i / 9, i % 2}, collective[] = {i % 9, 0, i / 9};
            ck_assert_uint_eq(sca_arena_find_again(SCA_T_PEERS, peer, 4), i);
            ck_assert_uint_eq(sca_arena_find_again(SCA_T_PEERS, peer, 4), i);
            ck_assert_uint_eq(sca_arena_find_again(SCA_T_COLLECTIVES, collective, 3), i);
            ck_assert_uint_eq(sca_arena_find(SCA_T_PEERS, peer, 4), i);
        }
    ck_assert_uint_eq(sca_arena_count(SCA_T_PEERS), N);
    sca_arena_close();
    unlink(path);
    uint32_t first[] = {7, 7, 7, 7}, later[] = {0, 0, 0, 0};
    ck_assert_int_eq(sca_arena_open(path, 3, 8), 0);
    ck_assert_uint_eq(sca_arena_find_again(SCA_T_PEERS, first, 4), 0);
    ck_assert_uint_eq(sca_arena_find_again(SCA_T_PEERS, later, 4), 1);
}
END_TEST

START_TEST(a_record_is_not_there_before_its_commit)
{
    ck_assert_int_eq(sca_arena_open(path, 3, 8), 0);
    struct sca_part_message *m = sca_arena_next(SCA_T_MESSAGES);
    m->hash = 5;
    ck_assert_uint_eq(sca_arena_count(SCA_T_MESSAGES), 0);
    m = sca_arena_next(SCA_T_MESSAGES);
    ck_assert_uint_eq(m->hash, 0);
    ck_assert_uint_eq(sca_arena_commit(SCA_T_MESSAGES), 0);
    ck_assert_uint_eq(sca_arena_count(SCA_T_MESSAGES), 1);
}
END_TEST

START_TEST(a_full_table_drops_and_counts)
{
    struct sca_file file;
    struct sca_tables t;
    ck_assert_int_eq(sca_arena_open(path, 3, 8), 0);
    uint32_t capacity = sca_arena_header()->table[SCA_T_COMMS].capacity;
    for (uint32_t i = 0; i < capacity + 10; i++) {
        uint32_t key[] = {i, 1};
        uint32_t index = sca_arena_find(SCA_T_COMMS, key, 2);
        ck_assert_uint_eq(index, i < capacity ? i : SCA_NONE);
    }
    view(&file, &t);
    ck_assert_uint_eq(t.header.table[SCA_T_COMMS].dropped, 10);
    sca_part_unmap(&file);
}
END_TEST

START_TEST(strings_are_stored_once)
{
    char text[32];
    ck_assert_int_eq(sca_arena_open(path, 3, 8), 0);
    ck_assert_uint_eq(sca_arena_string(""), 0);
    uint32_t first = sca_arena_string("MPI_Send");
    for (int i = 0; i < 3000; i++) {
        snprintf(text, sizeof text, "function %d", i);
        ck_assert_uint_eq(sca_arena_string(text), sca_arena_string(text));
    }
    ck_assert_uint_eq(sca_arena_string("MPI_Send"), first);
    ck_assert_str_eq((char *)sca_arena_table(SCA_T_STRINGS) + first, "MPI_Send");
}
END_TEST

/* The shortest strings are the most: the index must end before its slots do. */
START_TEST(strings_end_when_there_is_no_room)
{
    char text[16];
    uint32_t last = 0, i;
    ck_assert_int_eq(sca_arena_open(path, 3, 8), 0);
    for (i = 0; i < 1000000 && last != SCA_NONE; i++) {
        snprintf(text, sizeof text, "%x", i);
        last = sca_arena_string(text);
    }
    ck_assert_uint_eq(last, SCA_NONE);
    ck_assert_uint_gt(sca_arena_header()->table[SCA_T_STRINGS].dropped, 0);
    ck_assert_uint_eq(sca_arena_string("0"), sca_arena_string("0"));
}
END_TEST

START_TEST(what_was_recorded_survives_a_kill)
{
    struct sca_file file;
    struct sca_tables t;
    pid_t child = fork();
    if (!child) {
        uint32_t key[] = {0, 0, 1};
        if (sca_arena_open(path, 3, 8))
            _exit(1);
        struct sca_part_sample *samples = sca_arena_table(SCA_T_SAMPLES);
        samples[sca_arena_find(SCA_T_SAMPLES, key, 3)].count = 42;
        sca_arena_meta("key", "value");
        raise(SIGKILL);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFSIGNALED(status));
    view(&file, &t);
    ck_assert_uint_eq(((const struct sca_part_sample *)t.record[SCA_T_SAMPLES])->count, 42);
    ck_assert_mem_eq(t.record[SCA_T_META], "key\0value", 10);
    sca_part_unmap(&file);
}
END_TEST

START_TEST(disk_is_used_as_records_come)
{
    struct stat st;
    ck_assert_int_eq(sca_arena_open(path, 3, 8), 0);
    ck_assert_int_eq(stat(path, &st), 0);
    ck_assert_int_lt(st.st_blocks * 512, 128 << 10);
}
END_TEST

START_TEST(an_unwritable_place_leaves_memory)
{
    ck_assert_int_eq(sca_arena_open("/proc/none/rank-3.part", 3, 8), 1);
    ck_assert_int_ne(sca_arena_error(), 0);
    uint32_t key[] = {1, 2};
    ck_assert_uint_eq(sca_arena_find(SCA_T_INTERVALS, key, 2), 0);
}
END_TEST

START_TEST(a_limit_on_file_sizes_leaves_memory_and_no_signal)
{
    struct rlimit limit = {4096, 4096};
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    ck_assert_int_eq(sca_arena_open(path, 3, 8), 1);
    ck_assert_int_eq(access(path, F_OK), -1);
}
END_TEST

/* No blocks to be had any more: the table ends, the rest goes on. */
START_TEST(a_table_that_cannot_grow_is_full)
{
    ck_assert_int_eq(sca_arena_open(path, 3, 8), 0);
    ck_assert_ptr_nonnull(sca_arena_next(SCA_T_PEERS));
    sca_arena_commit(SCA_T_PEERS);
    ck_assert_int_eq(truncate(path, 4096), 0); /* whatever is beyond cannot be touched any more */
    ck_assert_int_eq(unlink(path), 0);
    uint32_t before = sca_arena_header()->table[SCA_T_WINDOWS].capacity;
    ck_assert_ptr_null(sca_arena_next(SCA_T_WINDOWS));
    ck_assert_uint_gt(before, 0);
    ck_assert_uint_eq(sca_arena_header()->table[SCA_T_WINDOWS].capacity, 0);
    ck_assert_uint_eq(sca_arena_header()->table[SCA_T_WINDOWS].dropped, 1);
}
END_TEST

/* As when the application has become another user, or has no descriptor left. */
START_TEST(a_file_without_a_name_still_grows)
{
    ck_assert_int_eq(sca_arena_open(path, 3, 8), 0);
    ck_assert_int_eq(unlink(path), 0);
    uint32_t capacity = sca_arena_header()->table[SCA_T_PEERS].capacity, records = 0;
    while (sca_arena_next(SCA_T_PEERS)) {
        sca_arena_commit(SCA_T_PEERS);
        records++;
    }
    ck_assert_uint_eq(records, capacity);
}
END_TEST

START_TEST(the_name_outlives_a_chdir)
{
    char here[4096];
    ck_assert_ptr_nonnull(getcwd(here, sizeof here));
    ck_assert_int_eq(chdir(directory), 0);
    ck_assert_int_eq(sca_arena_open("rank-3.part", 3, 8), 0);
    ck_assert_int_eq(chdir(here), 0);
    ck_assert_ptr_nonnull(sca_arena_next(SCA_T_WINDOWS));
}
END_TEST

START_TEST(before_it_is_open_everything_is_full)
{
    uint32_t key[] = {1, 2};
    ck_assert_ptr_null(sca_arena_header());
    ck_assert_uint_eq(sca_arena_find(SCA_T_INTERVALS, key, 2), SCA_NONE);
    ck_assert_uint_eq(sca_arena_string("x"), SCA_NONE);
    ck_assert_ptr_null(sca_arena_next(SCA_T_NODES));
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("arena");
    TCase *tcase = tcase_create("arena");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, a_fresh_arena_is_a_valid_part);
    tcase_add_test(tcase, each_site_and_interval_has_durations_beside_it);
    tcase_add_test(tcase, records_are_found_again_however_many);
    tcase_add_test(tcase, what_was_found_lately_is_no_other_record);
    tcase_add_test(tcase, a_record_is_not_there_before_its_commit);
    tcase_add_test(tcase, a_full_table_drops_and_counts);
    tcase_add_test(tcase, strings_are_stored_once);
    tcase_add_test(tcase, strings_end_when_there_is_no_room);
    tcase_add_test(tcase, what_was_recorded_survives_a_kill);
    tcase_add_test(tcase, disk_is_used_as_records_come);
    tcase_add_test(tcase, an_unwritable_place_leaves_memory);
    tcase_add_test(tcase, a_limit_on_file_sizes_leaves_memory_and_no_signal);
    tcase_add_test(tcase, a_table_that_cannot_grow_is_full);
    tcase_add_test(tcase, a_file_without_a_name_still_grows);
    tcase_add_test(tcase, the_name_outlives_a_chdir);
    tcase_add_test(tcase, before_it_is_open_everything_is_full);
    suite_add_tcase(suite, tcase);
    return suite;
}
