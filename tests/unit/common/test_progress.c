#include "sca_progress.h"
#include "check_main.h"

#include <fcntl.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Works for so many milliseconds, saying how far it is, then prints a result. */
static void work(long ms)
{
    struct timespec pause = {.tv_nsec = 10000000};
    for (long i = 0; i < ms / 10; i++) {
        sca_progress("counting", (uint64_t)i, (uint64_t)ms / 10);
        nanosleep(&pause, NULL);
    }
    sca_progress_end();
    fputs("result", stderr);
    _exit(0);
}

/* One long call that says nothing itself, then a result. */
static void work_silently(long ms)
{
    struct timespec pause = {ms / 1000, ms % 1000 * 1000000};
    sca_progress_watch("parsing %s", "a");
    nanosleep(&pause, NULL);
    sca_progress_watch("printing");
    sca_progress_end();
    fputs("result", stderr);
    _exit(0);
}

static void read_all(int side, char *text, size_t size)
{
    size_t used = 0;
    ssize_t n;
    while (used + 1 < size && (n = read(side, text + used, size - used - 1)) > 0)
        used += (size_t)n;
    text[used] = '\0';
}

static void on_terminal(void (*task)(long), long ms, char *text, size_t size)
{
    int side;
    pid_t child = forkpty(&side, NULL, NULL, NULL);
    if (!child) {
        setenv("TERM", "xterm", 1);
        task(ms);
    }
    read_all(side, text, size);
    waitpid(child, NULL, 0);
    close(side);
}

START_TEST(a_terminal_is_told_from_the_first_second_on_and_left_clean)
{
    char text[8192];
    on_terminal(work, 1500, text, sizeof text);
    ck_assert_ptr_nonnull(strstr(text, ": counting  "));
    ck_assert_ptr_nonnull(strstr(text, " %\x1b[K"));
    const char end[] = "\r\x1b[Kresult";
    ck_assert_str_eq(text + strlen(text) - strlen(end), end);
}
END_TEST

START_TEST(a_silent_call_is_spoken_for)
{
    char text[8192];
    on_terminal(work_silently, 3600, text, sizeof text); /* a busy machine may miss a second */
    ck_assert(strstr(text, ": parsing a, 2 s\x1b[K") || strstr(text, ": parsing a, 3 s\x1b[K"));
    ck_assert_ptr_null(strstr(text, "printing"));
    ck_assert_ptr_nonnull(strstr(text, "\r\x1b[Kresult"));
    on_terminal(work_silently, 100, text, sizeof text);
    ck_assert_str_eq(text, "result");
}
END_TEST

START_TEST(short_work_says_nothing)
{
    char text[8192];
    on_terminal(work, 100, text, sizeof text);
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
    read_all(ends[0], text, sizeof text);
    waitpid(child, NULL, 0);
    close(ends[0]);
    ck_assert_str_eq(text, "result");
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("progress");
    TCase *tests = tcase_create("progress");
    tcase_set_timeout(tests, 30);
    tcase_add_test(tests, a_terminal_is_told_from_the_first_second_on_and_left_clean);
    tcase_add_test(tests, a_silent_call_is_spoken_for);
    tcase_add_test(tests, short_work_says_nothing);
    tcase_add_test(tests, a_file_is_told_nothing);
    suite_add_tcase(suite, tests);
    return suite;
}
