/* Processes that end early together, on a pipe in place of standard error. */
#include "finish/farewell.h"
#include "base/say.h"
#include "check_main.h"
#include "played_clock.h"
#include "temp_folder.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { RANKS = 8, RIGHTS = 0600, LOOKS = 40 };

static char directory[TEMP_FOLDER], note[sizeof directory + 16];
static int said[2];

static void setup(void)
{
    temp_folder(directory);
    snprintf(note, sizeof note, "%s/incomplete", directory);
    ck_assert_int_eq(pipe(said), 0);
    ck_assert_int_eq(dup2(said[1], STDERR_FILENO), STDERR_FILENO);
    sca_settings.log = SCA_LOG_INFO;
    sca_say_begin();
}

static void teardown(void)
{
    temp_folder_drop(directory);
}

/* Why is what is said, here. */
static void speak(const char *line)
{
    sca_farewell(directory, SCA_LOG_INFO, line, line);
}

static pid_t speaker(const char *line)
{
    pid_t child = fork();
    if (!child) {
        speak(line);
        _exit(0);
    }
    return child;
}

/* One of another rank, which has the turn and is killed, or not, before it speaks. */
static int take_turn(void)
{
    int fd = open(note, O_RDWR | O_CREAT, RIGHTS);
    ck_assert_int_eq(flock(fd, LOCK_EX), 0);
    return fd;
}

static const char *all_said(void)
{
    static char text[4096];
    ck_assert_int_eq(fcntl(said[0], F_SETFL, O_NONBLOCK), 0);
    ssize_t n = read(said[0], text, sizeof text - 1);
    text[n > 0 ? n : 0] = '\0';
    return text;
}

/* The same, as soon as there is anything: until then who speaks waits for its reader. */
static const char *next_said(void)
{
    ck_assert_int_eq(poll(&(struct pollfd){.fd = said[0], .events = POLLIN}, 1, -1), 1);
    return all_said();
}

START_TEST(one_speaks_for_all)
{
    played_clock(CLOCK_MONOTONIC, 0); /* nobody's patience ends */
    for (int i = 0; i < RANKS; i++)
        speaker("gone");
    ck_assert_str_eq(next_said(), "scalana: gone\n");
    while (wait(NULL) > 0)
        ;
    ck_assert_str_eq(all_said(), "");
}
END_TEST

START_TEST(the_note_is_of_who_spoke)
{
    char text[64] = "";
    speak("rank 12 went first");
    speak("rank 3 went then");
    int fd = open(note, O_RDONLY);
    ck_assert_int_gt(read(fd, text, sizeof text - 1), 0);
    close(fd);
    ck_assert_str_eq(text, "rank 12 went first");
    ck_assert_str_eq(all_said(), "scalana: rank 12 went first\n");
}
END_TEST

/* Until who waits for a turn has seen often enough that it is not there: each look reads the clock.
 */
static void await_looks(void)
{
    for (uint64_t before = played_clock_readings(); played_clock_readings() < before + LOOKS;)
        sched_yield();
}

START_TEST(nobody_goes_before_it_is_said)
{
    played_clock(CLOCK_MONOTONIC, 0);
    int fd = take_turn();
    pid_t other = speaker("other");
    await_looks();
    ck_assert_int_eq(waitpid(other, NULL, WNOHANG), 0);
    ck_assert_int_eq(write(fd, "why", 3), 3);
    ck_assert_int_eq(flock(fd, LOCK_UN), 0); /* the other has it open, too */
    close(fd);
    ck_assert_int_eq(waitpid(other, NULL, 0), other);
    ck_assert_str_eq(all_said(), "");
}
END_TEST

/* Has the turn when this returns, and keeps it. */
static pid_t silent_one(void)
{
    int turn[2];
    char taken;
    ck_assert_int_eq(pipe(turn), 0);
    pid_t child = fork();
    if (!child) {
        take_turn();
        ck_assert_int_eq(write(turn[1], "", 1), 1);
        for (;;)
            pause();
    }
    ck_assert_int_eq(read(turn[0], &taken, 1), 1);
    return child;
}

START_TEST(the_next_one_speaks_for_who_was_killed)
{
    played_clock(CLOCK_MONOTONIC, 0);
    pid_t first = silent_one(), next = speaker("next");
    await_looks();
    ck_assert_str_eq(all_said(), "");
    kill(first, SIGKILL);
    ck_assert_str_eq(next_said(), "scalana: next\n");
    ck_assert_int_eq(waitpid(next, NULL, 0), next);
}
END_TEST

START_TEST(who_never_speaks_is_not_waited_for)
{
    played_clock(CLOCK_MONOTONIC, 10000000);
    int fd = take_turn();
    speak("late");
    ck_assert_uint_gt(played_clock_readings(), LOOKS); /* but for half a second */
    ck_assert_str_eq(all_said(), "scalana: late\n");
    close(fd);
}
END_TEST

START_TEST(where_no_note_fits_one_speaks_too)
{
    struct rlimit usual, none;
    getrlimit(RLIMIT_FSIZE, &usual);
    none = (struct rlimit){0, usual.rlim_max};
    setrlimit(RLIMIT_FSIZE, &none);
    speak("first");
    speak("second");
    setrlimit(RLIMIT_FSIZE, &usual);
    ck_assert_str_eq(all_said(), "scalana: first\n");
}
END_TEST

START_TEST(without_a_directory_each_speaks)
{
    ck_assert_int_eq(rmdir(directory), 0);
    speak("first");
    ck_assert_str_eq(all_said(), "scalana: first\n");
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("farewell");
    TCase *tests = tcase_create("farewell");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, one_speaks_for_all);
    tcase_add_test(tests, the_note_is_of_who_spoke);
    tcase_add_test(tests, nobody_goes_before_it_is_said);
    tcase_add_test(tests, the_next_one_speaks_for_who_was_killed);
    tcase_add_test(tests, who_never_speaks_is_not_waited_for);
    tcase_add_test(tests, where_no_note_fits_one_speaks_too);
    tcase_add_test(tests, without_a_directory_each_speaks);
    suite_add_tcase(suite, tests);
    return suite;
}
