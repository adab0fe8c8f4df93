#include "base/patience.h"
#include "check_main.h"
#include "played_clock.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

START_TEST(the_dead_are_seen_even_before_they_are_buried)
{
    int32_t pids[3] = {(int32_t)getpid(), 0, 0};
    pid_t child = fork();
    if (!child)
        for (;;)
            pause();
    pids[1] = (int32_t)child;
    sca_patience_watch(pids);
    ck_assert(!sca_patience_is_dead(0));
    ck_assert(!sca_patience_is_dead(1));
    ck_assert(!sca_patience_is_dead(2)); /* elsewhere: cannot be seen */
    kill(child, SIGKILL);
    siginfo_t info;
    ck_assert_int_eq(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT), 0);
    ck_assert(sca_patience_is_dead(1));
    ck_assert_int_eq(waitpid(child, NULL, 0), child);
    ck_assert(sca_patience_is_dead(1));
}
END_TEST

/* It looks once, after a quarter of a second, and is over after the 0.4 s. */
START_TEST(patience_ends)
{
    played_clock(CLOCK_MONOTONIC, 0);
    struct sca_patience p = sca_patience_begin(0.4);
    unsigned looks = 0, looked_ms = 0, ms = 0;
    for (; !sca_patience_is_over(&p); ms++) {
        if (sca_patience_looks(&p)) {
            looks++;
            looked_ms = ms;
        }
        played_clock_advance(1000000);
    }
    ck_assert_uint_ge(ms, 400);
    ck_assert_uint_le(ms, 401);
    ck_assert_uint_eq(looks, 1);
    ck_assert_uint_ge(looked_ms, 250);
    ck_assert_uint_le(looked_ms, 251);
}
END_TEST

/* Yields, naps, longer naps: each turn is counted. */
START_TEST(pauses_are_counted)
{
    unsigned turn = 0;
    for (unsigned i = 1; i <= 150; i++) {
        sca_patience_pause(&turn);
        ck_assert_uint_eq(turn, i);
    }
}
END_TEST

SCA_SUITE("patience", the_dead_are_seen_even_before_they_are_buried, patience_ends,
          pauses_are_counted)
