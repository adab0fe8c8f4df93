#include "base/patience.h"
#include "check_main.h"

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

START_TEST(patience_ends)
{
    struct sca_patience p = sca_patience_begin(0.4);
    unsigned turn = 0, looks = 0;
    ck_assert(!sca_patience_is_over(&p));
    double begin = sca_patience_now();
    for (; !sca_patience_is_over(&p); sca_patience_pause(&turn))
        looks += sca_patience_looks(&p);
    ck_assert_double_ge(sca_patience_now() - begin, 0.39);
    ck_assert_uint_eq(looks, 1);
    ck_assert_uint_gt(turn, 128);
}
END_TEST

SCA_SUITE("patience", the_dead_are_seen_even_before_they_are_buried, patience_ends)
