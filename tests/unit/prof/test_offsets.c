#include "finish/offsets.h"
#include "check_main.h"

#include <stdlib.h>

/* The other clock is 1000000 ahead; the answer was given somewhere between sending and return. */
START_TEST(the_error_of_a_round_trip_encloses_the_truth)
{
    for (uint64_t there = 0; there <= 401; there++) {
        uint64_t sent = 5000, answered = sent + there + 1000000;
        struct sca_offset offset = sca_offsets_of_round_trip(sent, answered, sent + 401);
        ck_assert_uint_eq(offset.error, 201);
        ck_assert_int_le(llabs(offset.ns + 1000000), (long long)offset.error);
    }
}
END_TEST

START_TEST(clocks_may_differ_by_more_than_they_show)
{
    const uint64_t year = 31536000000000000u;
    ck_assert_int_eq(sca_offsets_of_round_trip(100, year, 300).ns, 200 - (int64_t)year);
    ck_assert_int_eq(sca_offsets_of_round_trip(year, 200, year + 200).ns, (int64_t)year - 100);
}
END_TEST

SCA_SUITE("offsets", the_error_of_a_round_trip_encloses_the_truth,
          clocks_may_differ_by_more_than_they_show)
