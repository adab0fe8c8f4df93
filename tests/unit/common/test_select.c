/* Values at some places of a list, as sorting it would put them there. */
#include "base/select.h"
#include "check_main.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 300, PLACES = 8 };

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void check(const double *values, uint32_t n)
{
    const uint32_t places[PLACES] = {0, n / 20, n / 4, n / 4, n / 2, n - 1 - n / 20, n - 1, n / 3};
    double sorted[MOST], selected[MOST];
    memcpy(sorted, values, n * sizeof *values);
    memcpy(selected, values, n * sizeof *values);
    qsort(sorted, n, sizeof *sorted, by_value);
    sca_select_places(selected, n, places, PLACES);
    for (int i = 0; i < PLACES; i++)
        ck_assert_double_eq(selected[places[i]], sorted[places[i]]);
    qsort(selected, n, sizeof *selected, by_value);
    ck_assert_mem_eq(selected, sorted, n * sizeof *sorted);
}

static double scattered(uint32_t i)
{
    return (double)(i * 2654435761u % 1009);
}

static double falling(uint32_t i)
{
    return -(double)i;
}

static double rising(uint32_t i)
{
    return i;
}

static double few(uint32_t i)
{
    return i % 3;
}

static double one_apart(uint32_t i)
{
    return i == 5 ? 8 : 1;
}

START_TEST(what_is_selected_is_what_sorting_puts_there)
{
    static double (*const of[])(uint32_t) = {scattered, falling, rising, few, one_apart};
    for (size_t k = 0; k < sizeof of / sizeof *of; k++)
        for (uint32_t n = 1; n <= MOST; n++) {
            double values[MOST];
            for (uint32_t i = 0; i < n; i++)
                values[i] = of[k](i);
            check(values, n);
        }
}
END_TEST

START_TEST(without_values_or_places_nothing_moves)
{
    double values[] = {3, 1, 2};
    sca_select_places(values, 0, NULL, 0);
    sca_select_places(values, 3, NULL, 0);
    ck_assert(values[0] == 3 && values[1] == 1 && values[2] == 2);
}
END_TEST

SCA_SUITE("select", what_is_selected_is_what_sorting_puts_there,
          without_values_or_places_nothing_moves)
