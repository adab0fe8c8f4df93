/* Locks of windows in virtual time: who waits for whom, and until when. */
#include "replay/lock_turns.h"
#include "replay/wait_state.h"
#include "replay_script.h"
#include "check_main.h"

static struct script *s;
static struct played p;
static uint32_t lock, unlock, end;

static void begin(uint32_t nranks)
{
    s = script_new(nranks);
    lock = script_site(s, "MPI_Win_lock", 20);
    unlock = script_site(s, "MPI_Win_unlock", 21);
    end = script_site(s, "MPI_Allreduce", 22);
}

static void use(uint32_t rank, double interval, uint32_t site, uint8_t shape, int32_t target)
{
    script_call(s, rank, interval, site);
    script_op(s, rank, (struct sca_op){.kind = SCA_OP_LOCK, .shape = shape, .peer = target});
}

/* Asks after `before` seconds, and has it for `held`. */
static void have(uint32_t rank, double before, double held, uint8_t shape, int32_t target)
{
    use(rank, before, lock, shape, target);
    use(rank, held, unlock, SCA_LOCK_RELEASE, target);
}

static void play(void)
{
    for (uint32_t r = 0; r < s->nranks; r++)
        script_collective(s, r, 0, end, SCA_ALL_TO_ALL, -1, 0);
    script_play(s, &p);
}

static void ck_left(uint32_t rank, uint32_t i, double seconds)
{
    ck_assert_double_eq_tol(played_left(&p, rank, i), seconds, 1e-9);
}

START_TEST(they_have_it_in_the_order_in_which_they_ask)
{
    begin(3);
    have(0, 3, 10, SCA_LOCK_EXCLUSIVE, 1);
    have(1, 1, 10, SCA_LOCK_EXCLUSIVE, 1);
    have(2, 2, 10, SCA_LOCK_EXCLUSIVE, 1);
    play();
    ck_left(1, 0, 1);
    ck_left(2, 0, 11);
    ck_left(0, 0, 21);
    ck_assert_double_eq_tol(p.replay.end, 31, 1e-9);
    ck_assert_uint_eq(p.replay.forced, 0);
    script_end(s, &p);
}
END_TEST

START_TEST(locks_of_other_targets_are_others)
{
    begin(2);
    have(0, 0, 10, SCA_LOCK_EXCLUSIVE, 0);
    have(1, 0, 10, SCA_LOCK_EXCLUSIVE, 1);
    play();
    ck_assert_double_eq_tol(p.replay.end, 10, 1e-9);
    script_end(s, &p);
}
END_TEST

START_TEST(readers_have_it_together_and_a_writer_alone)
{
    begin(4);
    have(0, 0, 5, SCA_LOCK_SHARED, 0);
    have(1, 1, 5, SCA_LOCK_SHARED, 0);
    have(2, 2, 5, SCA_LOCK_EXCLUSIVE, 0);
    have(3, 10, 5, SCA_LOCK_SHARED, 0);
    play();
    ck_left(1, 0, 1);
    ck_left(2, 0, 6);
    ck_left(3, 0, 11);
    script_end(s, &p);
}
END_TEST

static void use_all(uint32_t rank, double interval, uint32_t site, uint8_t shape)
{
    script_call(s, rank, interval, site);
    script_op(s, rank, (struct sca_op){.kind = SCA_OP_LOCK, .shape = shape, .peer = -1});
}

START_TEST(who_locks_all_waits_for_each_who_has_one_alone)
{
    begin(4);
    have(0, 0, 5, SCA_LOCK_EXCLUSIVE, 0);
    have(1, 0, 7, SCA_LOCK_EXCLUSIVE, 1);
    use_all(2, 1, lock, SCA_LOCK_SHARED_ALL);
    use_all(2, 10, unlock, SCA_LOCK_RELEASE_ALL);
    have(3, 8, 1, SCA_LOCK_EXCLUSIVE, 0);
    play();
    ck_left(2, 0, 7);
    ck_left(3, 0, 17);
    script_end(s, &p);
}
END_TEST

static void word(uint32_t rank, double interval, uint8_t shape, int32_t tag, uint64_t time_ns)
{
    script_call(s, rank, interval, lock);
    script_op(s, rank,
              (struct sca_op){
                  .kind = SCA_OP_LOCK, .shape = shape, .peer = 0, .tag = tag, .number = time_ns});
}

/* By the clock of the run; in the replay it is the order that counts. */
START_TEST(who_looks_at_a_word_waits_for_who_set_it_last)
{
    begin(3);
    word(0, 4, SCA_LOCK_SET, 1, 1000);
    word(0, 1, SCA_LOCK_SET, 2, 1500);
    word(1, 9, SCA_LOCK_SET, 1, 9000);
    word(2, 1, SCA_LOCK_SEEN, 1, 2000);
    word(2, 1, SCA_LOCK_SEEN, 1, 9500);
    play();
    ck_left(2, 0, 4);
    ck_left(2, 1, 9);
    uint32_t event = sca_replay_at(&p.replay, 2, 0);
    ck_assert_uint_eq(p.replay.waited_for[event], sca_replay_at(&p.replay, 0, 0));
    ck_assert_int_eq(sca_wait_state_classify(&p.replay, p.measure.run, event),
                     SCA_WAIT_LATE_SENDER);
    script_end(s, &p);
}
END_TEST

START_TEST(words_that_nobody_else_set_keep_nobody)
{
    begin(2);
    word(0, 1, SCA_LOCK_SEEN, 1, 2000);
    word(1, 5, SCA_LOCK_SET, 1, 3000);
    play();
    ck_left(0, 0, 1);
    ck_assert_uint_eq(p.replay.forced, 0);
    script_end(s, &p);
}
END_TEST

/* Of who asks while others are far ahead in the search, not in time. */
START_TEST(who_comes_later_in_time_does_not_go_first)
{
    begin(2);
    have(0, 0, 1, SCA_LOCK_EXCLUSIVE, 0);
    have(0, 9, 1, SCA_LOCK_EXCLUSIVE, 0);
    have(1, 2, 3, SCA_LOCK_EXCLUSIVE, 0);
    play();
    ck_left(1, 0, 2);
    ck_left(0, 2, 10);
    script_end(s, &p);
}
END_TEST

START_TEST(what_the_trace_cuts_off_keeps_nobody)
{
    begin(2);
    use(0, 1, unlock, SCA_LOCK_RELEASE, 0); /* taken before the trace */
    use(0, 1, lock, SCA_LOCK_EXCLUSIVE, 0); /* let go after it */
    have(1, 5, 1, SCA_LOCK_EXCLUSIVE, 0);
    play();
    ck_left(1, 0, 5);
    ck_assert_uint_eq(p.replay.forced, 0);
    script_end(s, &p);
}
END_TEST

START_TEST(the_wait_has_a_class_of_its_own)
{
    begin(2);
    have(0, 0, 10, SCA_LOCK_EXCLUSIVE, 0);
    have(1, 1, 10, SCA_LOCK_EXCLUSIVE, 0);
    play();
    uint32_t event = sca_replay_at(&p.replay, 1, 0);
    ck_assert_uint_eq(p.replay.waited_for[event], sca_replay_at(&p.replay, 0, 1));
    ck_assert_int_eq(sca_wait_state_classify(&p.replay, p.measure.run, event),
                     SCA_WAIT_LOCK_CONTENTION);
    ck_assert_str_eq(sca_wait_state_class_name(SCA_WAIT_LOCK_CONTENTION), "lock-contention");
    script_end(s, &p);
}
END_TEST

SCA_SUITE("lock_turns", they_have_it_in_the_order_in_which_they_ask,
          locks_of_other_targets_are_others, readers_have_it_together_and_a_writer_alone,
          who_comes_later_in_time_does_not_go_first, what_the_trace_cuts_off_keeps_nobody,
          the_wait_has_a_class_of_its_own, who_locks_all_waits_for_each_who_has_one_alone,
          who_looks_at_a_word_waits_for_who_set_it_last, words_that_nobody_else_set_keep_nobody)
