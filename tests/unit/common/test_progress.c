#include "sca_progress.h"
#include "check_main.h"
#include "played_clock.h"

#include <fcntl.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MS = 1000000 };

static int enough[2]; /* a pipe */

static void end_with_result(void)
{
    sca_progress_end();
    fputs("result", stderr);
    _exit(0);
}

/* Works for so many milliseconds of its clock, saying how far it is, then prints a result. */
static void work(long ms)
{
    played_clock(CLOCK_MONOTONIC_COARSE, 0);
    for (long i = 0; i < ms / 10; i++) {
        sca_progress("counting", (uint64_t)i, (uint64_t)ms / 10);
        played_clock_advance(10 * MS);
    }
    end_with_result();
}

/* One long call that says nothing itself, over as soon as `enough` was said of it; then a result.
 */
static void work_silently(long unused)
{
    char last;
    (void)unused;
    sca_progress_watch("parsing %s", "a");
    if (read(enough[0], &last, 1) != 1)
        _exit(1);
    sca_progress_watch("printing");
    end_with_result();
}

/* The same, over before its clock went on. */
static void work_briefly(long unused)
{
    (void)unused;
    played_clock(CLOCK_MONOTONIC_COARSE, 0);
    sca_progress_watch("parsing %s", "a");
    sca_progress_watch("printing");
    end_with_result();
}

/* All there is; when the mark has come, it is enough. */
static void read_all(int side, const char *mark, char *text, size_t size)
{
    size_t used = 0;
    ssize_t n;
    text[0] = '\0';
    while (used + 1 < size && (n = read(side, text + used, size - used - 1)) > 0) {
        used += (size_t)n;
        text[used] = '\0';
        if (mark && strstr(text, mark)) {
            ck_assert_int_eq(write(enough[1], "", 1), 1);
            mark = NULL;
        }
    }
}

static void on_terminal(void (*task)(long), long ms, const char *mark, char *text, size_t size)
{
    int side;
    ck_assert_int_eq(pipe(enough), 0);
    pid_t child = forkpty(&side, NULL, NULL, NULL);
    if (!child) {
        setenv("TERM", "xterm", 1);
        task(ms);
    }
    read_all(side, mark, text, size);
    waitpid(child, NULL, 0);
    close(side);
}

START_TEST(a_terminal_is_told_from_the_first_second_on_and_left_clean)
{
    char text[8192];
    on_terminal(work, 1500, NULL, text, sizeof text);
    ck_assert_str_eq(strstr(text, ": counting"),
                     strstr(text, ": counting  66 %\x1b[K\rtest_progress: counting  73 %"));
    const char end[] = "\r\x1b[Kresult";
    ck_assert_str_eq(text + strlen(text) - strlen(end), end);
}
END_TEST

START_TEST(a_silent_call_is_spoken_for)
{
    char text[8192];
    on_terminal(work_silently, 0, " s\x1b[K", text, sizeof text);
    unsigned seconds = 0;
    ck_assert_ptr_nonnull(strstr(text, ": parsing a, "));
    ck_assert_int_eq(sscanf(strstr(text, ": parsing a, "), ": parsing a, %u s\x1b[K", &seconds), 1);
    ck_assert_uint_ge(seconds, 1);
    ck_assert_ptr_null(strstr(text, "printing"));
    ck_assert_ptr_nonnull(strstr(text, "\r\x1b[Kresult"));
}
END_TEST

START_TEST(a_brief_call_is_not)
{
    char text[8192];
    on_terminal(work_briefly, 0, NULL, text, sizeof text);
    ck_assert_str_eq(text, "result");
}
END_TEST

START_TEST(short_work_says_nothing)
{
    char text[8192];
    on_terminal(work, 990, NULL, text, sizeof text);
    ck_assert_str_eq(text, "result");
}
END_TEST

START_TEST(a_file_is_told_nothing)
{
    int ends[2];
    char text[8192];
    ck_assert_int_eq(pipe(ends), 0);
    pid_t child = fork();
    if (!child) {
        dup2(ends[1], STDERR_FILENO);
        work(1300);
    }
    close(ends[1]);
    read_all(ends[0], NULL, text, sizeof text);
    waitpid(child, NULL, 0);
    close(ends[0]);
    ck_assert_str_eq(text, "result");
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("progress");
    TCase *tests = tcase_create("progress");
    tcase_add_test(tests, a_terminal_is_told_from_the_first_second_on_and_left_clean);
    tcase_add_test(tests, a_silent_call_is_spoken_for);
    tcase_add_test(tests, a_brief_call_is_not);
    tcase_add_test(tests, short_work_says_nothing);
    tcase_add_test(tests, a_file_is_told_nothing);
    suite_add_tcase(suite, tests);
    return suite;
}
