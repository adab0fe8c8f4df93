/* POP's efficiencies of a part of a series agree with each other, whatever is known. */
#include "check_main.h"
#include "timeline/efficiency_over_time.h"

#include <math.h>

/* The slowest of the recorded iterations computes for this part of them. */
static struct sca_part_efficiency of(double part, bool shared)
{
    const struct sca_recorded_point recorded = {
        .iterations = part > 0 ? 10 : 0, .own = 10, .own_max = 20, .span = 20 / fmax(part, 0.1)};
    return sca_part_efficiency_of(1, 2, 4, shared, &recorded);
}

static void agree(struct sca_part_efficiency e)
{
    ck_assert_double_eq_tol(e.parallel, e.load_balance * e.communication, 1e-12);
    ck_assert_double_eq_tol(e.communication, e.serialisation * e.transfer, 1e-12);
}

START_TEST(transfer_is_what_serialisation_leaves)
{
    const struct sca_part_efficiency e = of(0.8, false);
    agree(e);
    ck_assert_double_eq_tol(e.load_balance, 0.5, 1e-12);
    ck_assert_double_eq_tol(e.serialisation, 0.8, 1e-12);
    ck_assert_double_eq_tol(e.transfer, 0.625, 1e-12);
    ck_assert_double_eq_tol(e.parallel, 0.25, 1e-12);
    ck_assert_double_eq(e.recorded, 10);
}
END_TEST

START_TEST(a_replay_lasts_no_longer_than_the_clock_said)
{
    const struct sca_part_efficiency e = of(0.4, false);
    agree(e);
    ck_assert_double_eq_tol(e.serialisation, 0.5, 1e-12);
    ck_assert_double_eq_tol(e.transfer, 1, 1e-12);
}
END_TEST

START_TEST(on_shared_cores_there_is_no_transfer)
{
    const struct sca_part_efficiency e = of(0.8, true);
    ck_assert(isnan(e.transfer));
    ck_assert_double_eq_tol(e.communication, 0.8, 1e-12);
    ck_assert_double_eq_tol(e.parallel, 0.4, 1e-12);
}
END_TEST

START_TEST(without_windows_serialisation_is_not_known)
{
    const struct sca_part_efficiency own = of(0, false), shared = of(0, true);
    ck_assert(isnan(own.serialisation) && isnan(own.transfer) && isnan(shared.parallel));
    ck_assert_double_eq_tol(own.parallel, 0.25, 1e-12);
    ck_assert_double_eq_tol(shared.load_balance, 0.5, 1e-12);
    ck_assert_double_eq(own.recorded, 0);
}
END_TEST

SCA_SUITE("efficiency_over_time", transfer_is_what_serialisation_leaves,
          a_replay_lasts_no_longer_than_the_clock_said, on_shared_cores_there_is_no_transfer,
          without_windows_serialisation_is_not_known)
