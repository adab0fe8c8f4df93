/* Pieces of work that a team hands out, on a core for each of its threads. */
#include "check_main.h"
#include "threads/pieces.h"

static struct sca_pieces pieces;

static void add(uint64_t ns)
{
    sca_pieces_end(&pieces, sca_pieces_take(&pieces), ns);
}

/* All taken by one thread, as it had the only core. */
START_TEST(whoever_is_free_takes_the_next)
{
    uint64_t busy_ns[3] = {0};
    sca_pieces_clear(&pieces);
    for (int i = 0; i < 30; i++)
        add(10);
    ck_assert_uint_eq(sca_pieces_schedule(&pieces, busy_ns, 3), 100);
}
END_TEST

START_TEST(a_long_piece_that_is_taken_last_is_waited_for)
{
    uint64_t busy_ns[3] = {0};
    sca_pieces_clear(&pieces);
    for (int i = 0; i < 30; i++)
        add(10);
    add(200);
    ck_assert_uint_eq(sca_pieces_schedule(&pieces, busy_ns, 3), 300);
}
END_TEST

/* It ends last, but was taken first. */
START_TEST(a_long_piece_that_is_taken_first_is_hidden)
{
    uint64_t busy_ns[3] = {0};
    sca_pieces_clear(&pieces);
    uint32_t first = sca_pieces_take(&pieces);
    for (int i = 0; i < 20; i++)
        add(10);
    sca_pieces_end(&pieces, first, 100);
    ck_assert_uint_eq(sca_pieces_schedule(&pieces, busy_ns, 3), 100);
}
END_TEST

START_TEST(who_has_work_of_its_own_leaves_them_to_others)
{
    uint64_t busy_ns[3] = {200, 0, 0};
    sca_pieces_clear(&pieces);
    for (int i = 0; i < 20; i++)
        add(10);
    ck_assert_uint_eq(sca_pieces_schedule(&pieces, busy_ns, 3), 200);
}
END_TEST

START_TEST(more_than_are_kept_are_divided)
{
    uint64_t busy_ns[2] = {0};
    sca_pieces_clear(&pieces);
    for (int i = 0; i < 3 * SCA_PIECES; i++)
        add(10);
    ck_assert_uint_eq(sca_pieces_schedule(&pieces, busy_ns, 2), 15 * SCA_PIECES);
}
END_TEST

SCA_SUITE("pieces", whoever_is_free_takes_the_next, a_long_piece_that_is_taken_last_is_waited_for,
          a_long_piece_that_is_taken_first_is_hidden, who_has_work_of_its_own_leaves_them_to_others,
          more_than_are_kept_are_divided)
