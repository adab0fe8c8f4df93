/* Pieces of work that a team hands out, on a core for each of its threads. */
#include "check_main.h"
#include "threads/pieces.h"

static struct sca_pieces pieces;

static void add(uint64_t ns)
{
    sca_pieces_end(&pieces, sca_pieces_take(&pieces, 0), ns);
}

/* All taken by one thread, as it had the only core. */
START_TEST(whoever_is_free_takes_the_next)
{
    uint64_t busy_ns[3] = {0};
    sca_pieces_clear(&pieces);
    for (int i = 0; i < 30; i++)
        add(10);
    ck_assert_uint_eq(sca_pieces_schedule(&pieces, busy_ns, 3).longest_ns, 100);
}
END_TEST

START_TEST(a_long_piece_that_is_taken_last_is_waited_for)
{
    uint64_t busy_ns[3] = {0};
    sca_pieces_clear(&pieces);
    for (int i = 0; i < 30; i++)
        add(10);
    add(200);
    ck_assert_uint_eq(sca_pieces_schedule(&pieces, busy_ns, 3).longest_ns, 300);
}
END_TEST

/* It ends last, but was taken first. */
START_TEST(a_long_piece_that_is_taken_first_is_hidden)
{
    uint64_t busy_ns[3] = {0};
    sca_pieces_clear(&pieces);
    uint32_t first = sca_pieces_take(&pieces, 0);
    for (int i = 0; i < 20; i++)
        add(10);
    sca_pieces_end(&pieces, first, 100);
    ck_assert_uint_eq(sca_pieces_schedule(&pieces, busy_ns, 3).longest_ns, 100);
}
END_TEST

START_TEST(who_has_work_of_its_own_leaves_them_to_others)
{
    uint64_t busy_ns[3] = {200, 0, 0};
    sca_pieces_clear(&pieces);
    for (int i = 0; i < 20; i++)
        add(10);
    ck_assert_uint_eq(sca_pieces_schedule(&pieces, busy_ns, 3).longest_ns, 200);
}
END_TEST

START_TEST(more_than_are_kept_are_divided)
{
    uint64_t busy_ns[2] = {0};
    sca_pieces_clear(&pieces);
    for (int i = 0; i < 3 * SCA_PIECES; i++)
        add(10);
    ck_assert_uint_eq(sca_pieces_schedule(&pieces, busy_ns, 2).longest_ns, 15 * SCA_PIECES);
}
END_TEST

/* ---- tasks that depend on others ---- */

static const char x, y;

static void task(uint32_t site, uint64_t ns, const void *on, enum sca_depend_kind kind)
{
    uint32_t made = sca_pieces_make_task(&pieces, site, &(struct sca_depend){on, kind}, 1);
    sca_pieces_end(&pieces, sca_pieces_take(&pieces, made), ns);
}

static struct sca_pieces_times schedule(unsigned size)
{
    uint64_t busy_ns[8] = {0};
    return sca_pieces_schedule(&pieces, busy_ns, size);
}

/* By however many threads. */
START_TEST(tasks_of_a_chain_are_done_one_after_the_other)
{
    sca_pieces_clear(&pieces);
    for (int i = 0; i < 8; i++)
        task(5, 10, &x, SCA_DEPEND_OUT);
    struct sca_pieces_times times = schedule(4);
    ck_assert_uint_eq(times.longest_ns, 80);
    ck_assert_uint_eq(times.chain_ns, 80);
    ck_assert_uint_eq(times.site, 5);
}
END_TEST

/* Also where they were taken in turn by the only thread that had a core. */
START_TEST(chains_of_their_own_are_done_at_once)
{
    sca_pieces_clear(&pieces);
    for (int i = 0; i < 8; i++) {
        task(5, 10, &x, SCA_DEPEND_OUT);
        task(6, 10, &y, SCA_DEPEND_OUT);
    }
    struct sca_pieces_times times = schedule(2);
    ck_assert_uint_eq(times.longest_ns, 80);
    ck_assert_uint_eq(times.chain_ns, 80);
}
END_TEST

START_TEST(who_reads_waits_for_the_writer_alone)
{
    sca_pieces_clear(&pieces);
    task(5, 30, &x, SCA_DEPEND_OUT);
    for (int i = 0; i < 4; i++)
        task(6, 10, &x, SCA_DEPEND_IN);
    task(7, 5, &x, SCA_DEPEND_OUT);
    struct sca_pieces_times times = schedule(4);
    ck_assert_uint_eq(times.longest_ns, 45);
    ck_assert_uint_eq(times.chain_ns, 45);
    ck_assert_uint_eq(times.site, 5); /* it has most of the chain */
    ck_assert_uint_eq(schedule(2).longest_ns, 55);
}
END_TEST

START_TEST(writers_in_any_order_follow_those_before)
{
    sca_pieces_clear(&pieces);
    task(5, 30, &x, SCA_DEPEND_IN);
    for (int i = 0; i < 4; i++)
        task(6, 10, &x, SCA_DEPEND_SET);
    task(7, 5, &x, SCA_DEPEND_IN);
    ck_assert_uint_eq(schedule(4).longest_ns, 45);
}
END_TEST

START_TEST(a_task_that_has_waited_goes_on_before_those_that_follow)
{
    sca_pieces_clear(&pieces);
    uint32_t made = sca_pieces_make_task(&pieces, 5, &(struct sca_depend){&x, SCA_DEPEND_OUT}, 1);
    sca_pieces_end(&pieces, sca_pieces_take(&pieces, made), 10);
    add(1);
    sca_pieces_end(&pieces, sca_pieces_take(&pieces, made), 10);
    task(5, 10, &x, SCA_DEPEND_OUT);
    ck_assert_uint_eq(schedule(4).longest_ns, 30);
}
END_TEST

START_TEST(free_tasks_are_no_chain)
{
    sca_pieces_clear(&pieces);
    task(5, 10, &x, SCA_DEPEND_OUT);
    task(5, 10, &y, SCA_DEPEND_OUT);
    add(10);
    ck_assert(schedule(4).alone);
}
END_TEST

START_TEST(a_long_task_has_its_place)
{
    sca_pieces_clear(&pieces);
    for (int i = 0; i < 10; i++) {
        uint32_t made = sca_pieces_make_task(&pieces, i == 3 ? 6 : 5, NULL, 0);
        sca_pieces_end(&pieces, sca_pieces_take(&pieces, made), i == 3 ? 100 : 10);
    }
    struct sca_pieces_times times = schedule(4);
    ck_assert_uint_eq(times.longest_ns, 100);
    ck_assert_uint_eq(times.chain_ns, 100);
    ck_assert_uint_eq(times.site, 6);
    ck_assert(times.alone);
}
END_TEST

START_TEST(what_an_earlier_phase_wrote_is_done)
{
    sca_pieces_clear(&pieces);
    task(5, 30, &x, SCA_DEPEND_OUT);
    (void)schedule(2);
    sca_pieces_clear(&pieces);
    task(5, 10, &x, SCA_DEPEND_IN);
    ck_assert_uint_eq(schedule(2).longest_ns, 10);
}
END_TEST

START_TEST(a_number_of_no_task_is_none)
{
    sca_pieces_clear(&pieces);
    for (int i = 0; i < 3; i++)
        task(5, 10, &x, SCA_DEPEND_OUT);
    (void)schedule(2);
    sca_pieces_clear(&pieces);
    for (uint32_t stale = 3; stale; stale--)
        sca_pieces_end(&pieces, sca_pieces_take(&pieces, stale), 10);
    ck_assert_uint_eq(schedule(2).chain_ns, 0);
    ck_assert_uint_eq(schedule(2).longest_ns, 20);
}
END_TEST

START_TEST(without_room_tasks_are_free)
{
    sca_pieces_clear(&pieces);
    for (int i = 0; i < SCA_TASKS; i++)
        ck_assert_uint_ne(
            sca_pieces_make_task(&pieces, 5, &(struct sca_depend){&x, SCA_DEPEND_OUT}, 1), 0);
    ck_assert_uint_eq(sca_pieces_make_task(&pieces, 5, &(struct sca_depend){&x, SCA_DEPEND_OUT}, 1),
                      0);
}
END_TEST

SCA_SUITE("pieces", whoever_is_free_takes_the_next, a_long_piece_that_is_taken_last_is_waited_for,
          a_long_piece_that_is_taken_first_is_hidden, who_has_work_of_its_own_leaves_them_to_others,
          more_than_are_kept_are_divided, tasks_of_a_chain_are_done_one_after_the_other,
          chains_of_their_own_are_done_at_once, who_reads_waits_for_the_writer_alone,
          writers_in_any_order_follow_those_before,
          a_task_that_has_waited_goes_on_before_those_that_follow, free_tasks_are_no_chain,
          a_long_task_has_its_place, a_number_of_no_task_is_none,
          what_an_earlier_phase_wrote_is_done, without_room_tasks_are_free)
