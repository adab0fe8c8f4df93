/* How far neighbours in a sorted normal sample are apart. */
#include "stats/order_gap.h"
#include "check_main.h"

/* The means of the order statistics of four are 1.0294, 0.2970 and their negatives (Teichroew
 * 1956); of three 0.8463 and 0; of two one over the root of pi. */
START_TEST(gaps_are_those_of_the_tables)
{
    ck_assert_double_eq_tol(sca_order_gap(2, 1), 1.12838, 1e-4);
    ck_assert_double_eq_tol(sca_order_gap(3, 1), 0.84628, 1e-4);
    ck_assert_double_eq_tol(sca_order_gap(3, 2), 0.84628, 1e-4);
    ck_assert_double_eq_tol(sca_order_gap(4, 1), 1.02938 - 0.29701, 1e-4);
    ck_assert_double_eq_tol(sca_order_gap(4, 2), 2 * 0.29701, 1e-4);
}
END_TEST

SCA_SUITE("order_gap", gaps_are_those_of_the_tables)
