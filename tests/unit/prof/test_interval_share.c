/* Where in an interval its own time lay, when the thread lost its core in it. */
#include "series/interval_share.h"
#include "check_main.h"

enum { US = 1000 };

static void divides(uint64_t part, uint64_t wall, uint64_t busy, double share)
{
    uint64_t part_ns = part * US;
    double found;
    sca_interval_shares(&part_ns, 1, wall * US, busy * US, &found);
    ck_assert_double_eq_tol(found, share, 1e-3);
}

START_TEST(with_its_core_time_is_wall_time)
{
    divides(250, 1000, 1000, 0.25);
    divides(1000, 1000, 1000, 1);
    divides(0, 1000, 1000, 0);
}
END_TEST

START_TEST(a_stall_lies_where_there_is_room_for_it)
{
    divides(2003, 16420, 2030, 2003. / 2030);  /* behind the moment */
    divides(15000, 15600, 5600, 5000. / 5600); /* before it */
    divides(22154, 22158, 2176, 2172. / 2176);
}
END_TEST

START_TEST(a_stall_with_room_on_both_sides_is_spread)
{
    divides(500, 1000, 800, 0.5);
    divides(750, 1000, 900, 0.75);
}
END_TEST

START_TEST(a_stall_longer_than_either_side_lies_on_the_longer_one)
{
    divides(899, 1000, 100, 0);
    divides(901, 1000, 90, 0);
    divides(101, 1000, 100, 1);
    divides(450, 1000, 400, 1);
}
END_TEST

/* What lay before a moment and what lay before its mirror image are all; neither is more than there
 * is room for. */
START_TEST(both_sides_together_are_all)
{
    enum { WALL = 1000 };
    for (uint64_t busy = 10; busy <= WALL; busy += 30)
        for (uint64_t part = 0; part <= WALL; part += 7) {
            uint64_t there = part, back = WALL - part;
            double before, behind;
            sca_interval_shares(&there, 1, WALL, busy, &before);
            sca_interval_shares(&back, 1, WALL, busy, &behind);
            ck_assert_double_eq_tol(before + behind, 1, part == WALL / 2 ? 1 : 1e-9);
            ck_assert_double_le(before * (double)busy, (double)part + 1e-6);
        }
}
END_TEST

/* Marks whose sums fall end a rank's series. */
START_TEST(a_later_moment_has_no_less)
{
    enum { WALL = 1000, N = SCA_INTERVAL_MOMENTS };
    for (uint64_t busy = 0; busy <= WALL; busy += 50)
        for (uint64_t step = 1; step < WALL / 4; step += 3) {
            uint64_t part[N];
            double share[N];
            for (uint64_t i = 0; i < N; i++)
                part[N - 1 - i] = i * i * step / 16;
            sca_interval_shares(part, N, WALL, busy, share);
            for (int i = 1; i < N; i++)
                ck_assert_double_le(share[i], share[i - 1] + 1e-12);
            ck_assert(share[0] <= 1 && share[N - 1] >= 0);
        }
}
END_TEST

static void known(uint64_t part, uint64_t part_cpu, struct sca_interval_parts wanted)
{
    enum { WALL = 1000, CPU = 300 };
    struct sca_interval_parts found =
        sca_interval_parts(part * US, part_cpu * US, WALL * US, CPU * US);
    ck_assert_double_eq_tol(found.computed, wanted.computed, 1e-6);
    ck_assert_double_eq_tol(found.off, wanted.off, 1e-6);
}

/* However many stalls there were, and on which sides. */
START_TEST(a_moment_whose_cpu_time_is_known_needs_no_guess)
{
    known(600, 299, (struct sca_interval_parts){299. / 300, 301. / 700});
    known(600, 0, (struct sca_interval_parts){0, 600. / 700});
    known(1000, 300, (struct sca_interval_parts){1, 1});
    known(10, 12, (struct sca_interval_parts){12. / 300, 0});
    ck_assert_double_eq(sca_interval_parts(5, 5, 5, 9).off, 1);
}
END_TEST

SCA_SUITE("interval_share", with_its_core_time_is_wall_time,
          a_stall_lies_where_there_is_room_for_it, a_stall_with_room_on_both_sides_is_spread,
          a_stall_longer_than_either_side_lies_on_the_longer_one, both_sides_together_are_all,
          a_later_moment_has_no_less, a_moment_whose_cpu_time_is_known_needs_no_guess)
