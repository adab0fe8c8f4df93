/* Which run is meant. */
#include "check_main.h"
#include "follow/find_run.h"
#include "sca_error.h"
#include "temp_folder.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[TEMP_FOLDER];

/* In a folder of its own, which has no runs. */
static void begin(void)
{
    temp_folder(folder);
    ck_assert_int_eq(chdir(folder), 0);
}

static void end(void)
{
    ck_assert_int_eq(chdir("/"), 0);
    temp_folder_drop(folder);
}

/* A rank's part, written at that second. */
static void run(const char *result, const char *name, int second)
{
    char path[TEMP_FOLDER];
    mkdir(result, 0700);
    snprintf(path, sizeof path, "%s/%s", result, name);
    mkdir(path, 0700);
    strcat(path, "/rank-0.part");
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    ck_assert_int_ge(fd, 0);
    const struct timespec times[2] = {{second, 0}, {second, 0}};
    ck_assert_int_eq(futimens(fd, times), 0);
    close(fd);
}

static void finds(const char *operand, const char *expected)
{
    char *found = sca_find_run(operand);
    ck_assert_ptr_nonnull(found);
    ck_assert_str_eq(found, expected);
    free(found);
}

START_TEST(the_newest_is_found_whatever_its_name)
{
    begin();
    run("scalana-solver", "8p", 100);
    run("monday", "4p-2", 200);
    finds(NULL, "monday/4p-2");
    run(".", "mine", 300);
    finds(NULL, "mine");
    run("scalana-solver", "16p", 400);
    finds(NULL, "scalana-solver/16p");
    end();
}
END_TEST

START_TEST(a_program_has_its_own)
{
    begin();
    run("scalana-solver", "8p", 100);
    run("monday", "8p", 200);
    run(".", "scalana-solver-4p", 150);
    finds("solver", "scalana-solver-4p");
    finds("monday", "monday/8p");
    finds("scalana-solver", "scalana-solver/8p");
    end();
}
END_TEST

START_TEST(what_is_no_run_is_not_taken)
{
    begin();
    mkdir("sources", 0700);
    mkdir("sources/8p", 0700);
    ck_assert_ptr_null(sca_find_run(NULL));
    ck_assert_ptr_nonnull(strstr(sca_error_message(), "no run here"));
    ck_assert_ptr_null(sca_find_run("solver"));
    end();
}
END_TEST

SCA_SUITE("live_find_run", the_newest_is_found_whatever_its_name, a_program_has_its_own,
          what_is_no_run_is_not_taken)
