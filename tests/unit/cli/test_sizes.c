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

/* Threads are the scale then: of ranks, one number. */
START_TEST(with_threads_asked_for_there_is_one_size)
{
    struct sca_run_settings s = {.threads = {1, 4, 2}, .nthreads = 3};
    ck_assert_uint_eq(sca_sizes_threads(&s, 7), 4);
    sca_sizes_choose(&s, 32 / 4);
    ck_assert_uint_eq(s.nsizes, 1);
    ck_assert_uint_eq(s.sizes[0], 8);
    ck_assert_uint_eq(sca_sizes_threads(&(struct sca_run_settings){0}, 7), 7);
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

SCA_SUITE("sizes", powers_of_two_that_fit, with_threads_asked_for_there_is_one_size,
          what_was_asked_for_stays)
