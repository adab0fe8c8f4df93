/* The user's cache: what was put is there until it is damaged or too much; nothing ever fails. */
#include "cache/structure_cache.h"
#include "check_main.h"
#include "temp_folder.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define KEY "0123abcd-g"

static char folder[TEMP_FOLDER];
static struct sca_structure_stack stacks[] = {{0, 0}, {0, 1}};
static struct sca_structure_row rows[] = {{0x1000, 1}, {0x1100, 0}};
static const struct sca_structure sample = {.psg = "graph",
                                            .psg_size = 6,
                                            .unit = 77,
                                            .stacks = stacks,
                                            .nstacks = 2,
                                            .rows = rows,
                                            .nrows = 2,
                                            .loops = 5};

static void set_up(void)
{
    temp_folder(folder);
    setenv("XDG_CACHE_HOME", folder, 1);
    setenv("HOME", "/nowhere", 1);
}

static void tear_down(void)
{
    temp_folder_drop(folder);
}

/* Of a file in the cache. */
static const char *path_of(const char *name)
{
    static char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/scalana/structure/%s", folder, name);
    return path;
}

static bool is_there(const char *name)
{
    return !access(path_of(name), F_OK);
}

static bool get(const char *key)
{
    struct sca_structure out;
    if (!sca_structure_cache_get(key, &out))
        return false;
    ck_assert_uint_eq(out.unit, sample.unit);
    ck_assert_uint_eq(out.loops, sample.loops);
    ck_assert_uint_eq(out.nrows, sample.nrows);
    ck_assert_uint_eq(out.rows[1].address, rows[1].address);
    ck_assert_mem_eq(out.psg, "graph", 6);
    sca_structure_free(&out);
    return true;
}

START_TEST(what_was_put_is_there)
{
    ck_assert(!get(KEY));
    sca_structure_cache_put(KEY, &sample);
    ck_assert(get(KEY));
    ck_assert(get(KEY)); /* and stays */
    ck_assert(!get("0123abcd"));
}
END_TEST

START_TEST(only_the_user_may_look)
{
    struct stat info;
    sca_structure_cache_put(KEY, &sample);
    ck_assert_int_eq(stat(path_of("."), &info), 0);
    ck_assert_uint_eq(info.st_mode & 0777, 0700);
    ck_assert_int_eq(stat(path_of(KEY), &info), 0);
    ck_assert_uint_eq(info.st_mode & 0777, 0600);
}
END_TEST

static void write_file(const char *name, const char *text, size_t length)
{
    FILE *file = fopen(path_of(name), "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(text, 1, length, file), length);
    fclose(file);
}

START_TEST(a_damaged_file_is_removed)
{
    sca_structure_cache_put(KEY, &sample);
    ck_assert_int_eq(truncate(path_of(KEY), 20), 0);
    ck_assert(!get(KEY));
    ck_assert(!is_there(KEY));
    sca_structure_cache_put(KEY, &sample); /* and made anew */
    ck_assert(get(KEY));
    write_file(KEY, "SCASTRUC\0\143", 10); /* of another release */
    ck_assert(!get(KEY));
    ck_assert(!is_there(KEY));
}
END_TEST

START_TEST(a_file_is_replaced)
{
    struct sca_structure other = sample;
    other.unit = 78;
    sca_structure_cache_put(KEY, &other);
    sca_structure_cache_put(KEY, &sample);
    ck_assert(get(KEY));
}
END_TEST

/* A file full of nothing, used that many seconds ago. */
static void keep(const char *name, off_t size, long ago)
{
    struct timespec times[2];
    write_file(name, "", 0);
    ck_assert_int_eq(truncate(path_of(name), size), 0);
    clock_gettime(CLOCK_REALTIME, &times[0]);
    times[0].tv_sec -= ago;
    times[1] = times[0];
    ck_assert_int_eq(utimensat(AT_FDCWD, path_of(name), times, 0), 0);
}

enum { MB = 1 << 20, MOST = SCA_CACHE_MOST >> 20 };

START_TEST(what_was_used_longest_ago_goes_first)
{
    sca_structure_cache_put(KEY, &sample);
    keep("newer", (off_t)(MOST - 100) * MB, 100);
    keep("oldest", (off_t)150 * MB, 300);
    keep("old", (off_t)50 * MB, 200);
    sca_structure_cache_put("another", &sample);
    ck_assert(!is_there("oldest"));
    ck_assert(is_there("old") && is_there("newer") && is_there(KEY) && is_there("another"));
}
END_TEST

START_TEST(within_the_bound_nothing_goes)
{
    sca_structure_cache_put(KEY, &sample);
    keep("oldest", (off_t)(MOST - 1) * MB, 1000);
    sca_structure_cache_put("another", &sample);
    ck_assert(is_there("oldest") && is_there(KEY));
}
END_TEST

START_TEST(what_is_asked_for_counts_as_used)
{
    struct timespec long_ago[2] = {{1000, 0}, {1000, 0}};
    sca_structure_cache_put(KEY, &sample);
    ck_assert_int_eq(utimensat(AT_FDCWD, path_of(KEY), long_ago, 0), 0);
    keep("big", (off_t)MOST * MB, 100);
    ck_assert(get(KEY));
    sca_structure_cache_put("another", &sample);
    ck_assert(!is_there("big"));
    ck_assert(is_there(KEY) && is_there("another"));
}
END_TEST

START_TEST(what_is_no_file_of_the_cache_stays)
{
    sca_structure_cache_put(KEY, &sample);
    ck_assert_int_eq(mkdir(path_of("folder"), 0700), 0);
    keep("big", (off_t)(MOST + 1) * MB, 100);
    ck_assert(!get("big")); /* too large to be one */
    keep("big", (off_t)(MOST + 1) * MB, 100);
    sca_structure_cache_put(KEY, &sample);
    ck_assert(is_there("folder"));
    ck_assert(!is_there("big"));
    ck_assert(!get("folder"));
}
END_TEST

START_TEST(without_a_variable_it_is_in_the_home)
{
    char path[TEMP_FOLDER + 64];
    snprintf(path, sizeof path, "%s/.cache/scalana/structure/" KEY, folder);
    setenv("HOME", folder, 1);
    unsetenv("XDG_CACHE_HOME");
    sca_structure_cache_put(KEY, &sample);
    ck_assert_int_eq(access(path, F_OK), 0);
    ck_assert(get(KEY));
    setenv("XDG_CACHE_HOME", "relative", 1); /* is to be ignored */
    ck_assert(get(KEY));
}
END_TEST

START_TEST(without_a_home_there_is_none)
{
    unsetenv("XDG_CACHE_HOME");
    unsetenv("HOME");
    sca_structure_cache_put(KEY, &sample);
    ck_assert(!get(KEY));
    setenv("HOME", "relative", 1);
    sca_structure_cache_put(KEY, &sample);
    ck_assert(!get(KEY));
    ck_assert(access("relative", F_OK));
}
END_TEST

/* Not even the superuser makes folders there. */
START_TEST(where_nothing_can_be_written_nothing_fails)
{
    char path[TEMP_FOLDER + 8], far[PATH_MAX + 8];
    setenv("XDG_CACHE_HOME", "/proc/self", 1);
    sca_structure_cache_put(KEY, &sample);
    ck_assert(!get(KEY));
    snprintf(path, sizeof path, "%s/file", folder);
    fclose(fopen(path, "w"));
    setenv("XDG_CACHE_HOME", path, 1);
    sca_structure_cache_put(KEY, &sample);
    ck_assert(!get(KEY));
    memset(far, 'x', sizeof far - 1);
    far[0] = '/';
    far[sizeof far - 1] = '\0';
    setenv("XDG_CACHE_HOME", far, 1);
    sca_structure_cache_put(KEY, &sample);
    ck_assert(!get(KEY));
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("structure_cache");
    TCase *tcase = tcase_create("structure_cache");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, what_was_put_is_there);
    tcase_add_test(tcase, only_the_user_may_look);
    tcase_add_test(tcase, a_damaged_file_is_removed);
    tcase_add_test(tcase, a_file_is_replaced);
    tcase_add_test(tcase, what_was_used_longest_ago_goes_first);
    tcase_add_test(tcase, within_the_bound_nothing_goes);
    tcase_add_test(tcase, what_is_asked_for_counts_as_used);
    tcase_add_test(tcase, what_is_no_file_of_the_cache_stays);
    tcase_add_test(tcase, without_a_variable_it_is_in_the_home);
    tcase_add_test(tcase, without_a_home_there_is_none);
    tcase_add_test(tcase, where_nothing_can_be_written_nothing_fails);
    suite_add_tcase(suite, tcase);
    return suite;
}
