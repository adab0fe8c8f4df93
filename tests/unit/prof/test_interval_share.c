/* Where in an interval its own time lay, when the thread lost its core in it. */
#include "series/interval_share.h"
#include "check_main.h"

enum { US = 1000 };

static void divides(uint64_t part, uint64_t wall, uint64_t busy, double share)
{
    ck_assert_double_eq_tol(sca_interval_share(part * US, wall * US, busy * US), share, 1e-3);
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

SCA_SUITE("interval_share", with_its_core_time_is_wall_time,
          a_stall_lies_where_there_is_room_for_it, a_stall_with_room_on_both_sides_is_spread)
