/* Periodic snapshots: what is kept, and what happens where they cannot be written. */
#include "arena/arena.h"
#include "arena/snapshot.h"
#include "base/settings.h"
#include "check_main.h"
#include "temp_folder.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[TEMP_FOLDER];

static void begin(void)
{
    char path[128];
    temp_folder(folder);
    snprintf(path, sizeof path, "%s/rank-0.part", folder);
    ck_assert_int_eq(sca_arena_open(path, 0, 1), 0);
    sca_arena_header()->init_ns = 1000000000u;
    sca_settings.snapshot_s = 10;
    sca_settings.log = SCA_LOG_QUIET;
}

static void end(void)
{
    sca_snapshot_end();
    sca_arena_close();
    temp_folder_drop(folder);
}

static void at(uint64_t seconds)
{
    uint64_t now_ns = sca_arena_header()->init_ns + seconds * 1000000000u;
    if (now_ns >= sca_snapshot_due_ns)
        sca_snapshot_take(now_ns);
}

static int is_there(unsigned seconds)
{
    char path[128];
    snprintf(path, sizeof path, "%s/snapshots/%us/rank-0.part", folder, seconds);
    return !access(path, R_OK);
}

static unsigned count(void)
{
    char path[128];
    unsigned n = 0;
    snprintf(path, sizeof path, "%s/snapshots", folder);
    DIR *dir = opendir(path);
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        n += entry->d_name[0] != '.';
    if (dir)
        closedir(dir);
    return n;
}

START_TEST(one_is_taken_when_it_is_due)
{
    sca_snapshot_begin(folder);
    at(9);
    ck_assert_uint_eq(count(), 0);
    at(10);
    ck_assert(is_there(10));
    at(11);
    at(19);
    ck_assert_uint_eq(count(), 1);
    at(27);
    ck_assert(is_there(20));
}
END_TEST

START_TEST(a_rank_that_was_long_without_a_call_takes_one)
{
    sca_snapshot_begin(folder);
    at(47);
    ck_assert_uint_eq(count(), 1);
    ck_assert(is_there(40));
    at(50);
    ck_assert(is_there(50));
}
END_TEST

START_TEST(it_is_a_copy_that_says_so)
{
    struct sca_part_header h;
    char path[128];
    sca_arena_meta("program", "test");
    sca_snapshot_begin(folder);
    at(10);
    snprintf(path, sizeof path, "%s/snapshots/10s/rank-0.part", folder);
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fread(&h, sizeof h, 1, file), 1);
    fclose(file);
    ck_assert_str_eq(h.magic, SCA_PART_MAGIC);
    ck_assert_uint_eq(h.state, SCA_SNAPSHOT);
    ck_assert_uint_eq(h.table[SCA_T_META].count, sizeof "program" + sizeof "test");
    ck_assert_uint_eq(sca_arena_header()->state, SCA_RUNNING);
}
END_TEST

START_TEST(there_are_never_many)
{
    sca_snapshot_begin(folder);
    for (uint64_t s = 0; s <= 100000; s += 5) {
        at(s);
        ck_assert_uint_lt(count(), SCA_MOST_SNAPSHOTS);
    }
    ck_assert_uint_ge(count(), SCA_MOST_SNAPSHOTS / 2 - 1);
}
END_TEST

START_TEST(where_it_cannot_be_written_there_are_no_more)
{
    sca_snapshot_begin("/proc");
    at(10);
    ck_assert(sca_snapshot_due_ns == UINT64_MAX);
}
END_TEST

START_TEST(none_unless_asked_for)
{
    sca_settings.snapshot_s = 0;
    sca_snapshot_begin(folder);
    ck_assert(sca_snapshot_due_ns == UINT64_MAX);
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("snapshot");
    TCase *tests = tcase_create("snapshot");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_test(tests, one_is_taken_when_it_is_due);
    tcase_add_test(tests, a_rank_that_was_long_without_a_call_takes_one);
    tcase_add_test(tests, it_is_a_copy_that_says_so);
    tcase_add_test(tests, there_are_never_many);
    tcase_add_test(tests, where_it_cannot_be_written_there_are_no_more);
    tcase_add_test(tests, none_unless_asked_for);
    suite_add_tcase(suite, tests);
    return suite;
}
