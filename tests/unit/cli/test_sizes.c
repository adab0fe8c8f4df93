#include "check_main.h"
#include "plan/sizes.h"

/* What is chosen for so many slots. */
static struct sca_run_settings chosen(unsigned slots)
{
    struct sca_run_settings settings = {0};
    sca_sizes_choose(&settings, slots);
    return settings;
}

START_TEST(powers_of_two_that_fit)
{
    static const struct {
        unsigned slots, sizes[3], count;
    } cases[] = {
        {1, {1, 2}, 2},     {2, {1, 2}, 2},          {3, {1, 2}, 2}, {4, {1, 2, 4}, 3},
        {12, {2, 4, 8}, 3}, {128, {32, 64, 128}, 3}, {0, {1, 2}, 2}, {200, {32, 64, 128}, 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sca_run_settings s = chosen(cases[i].slots);
        ck_assert_uint_eq(s.nsizes, cases[i].count);
        for (unsigned k = 0; k < s.nsizes; k++)
            ck_assert_uint_eq(s.sizes[k], cases[i].sizes[k]);
    }
}
END_TEST

START_TEST(what_was_asked_for_stays)
{
    struct sca_run_settings s = {.sizes = {6, 3}, .nsizes = 2};
    sca_sizes_choose(&s, 64);
    ck_assert_uint_eq(s.nsizes, 2);
    ck_assert_uint_eq(sca_sizes_largest(&s), 6);
}
END_TEST

SCA_SUITE("sizes", powers_of_two_that_fit, what_was_asked_for_stays)
