/* Of a cause between two calls: the vertices where its ranks spend more than the others. */
#include "report/cause_parts.h"
#include "measured.h"
#include "check_main.h"

enum { RANKS = 4, LOOPS = 6 };

static struct sca_cause_part parts[SCA_MOST_PARTS];
static uint32_t loops[LOOPS], around;
static double all;

/* Each rank has a second in every loop, rank 1 so much more; between the calls, and once before
 * them. */
static uint32_t find(const double *more, double off)
{
    static uint32_t ranks[] = {1};
    struct model *model = model_new();
    around = model_vertex(model, 0, SCA_LOOP, "", "main", 5);
    for (uint32_t i = 0; i < LOOPS; i++)
        loops[i] = model_vertex(model, around, SCA_LOOP, "", "main", 10 + i);
    uint32_t halo = model_vertex(model, around, SCA_MPI, "MPI_Sendrecv", "main", 20);
    uint32_t sum = model_vertex(model, around, SCA_MPI, "MPI_Allreduce", "main", 30);
    uint32_t run = model_run(model, RANKS);
    uint32_t first = model_site(model, run, halo), second = model_site(model, run, sum);
    for (uint32_t r = 0; r < RANKS; r++)
        for (uint32_t i = 0; i < LOOPS; i++) {
            model_work(model, run, r, 0, first, 1, loops[0], r == 1 ? 50 : 1);
            model_work(model, run, r, first, second, 1, loops[i], 1 + (r == 1 ? more[i] : 0));
        }
    struct measured d = measured_open(model);
    struct sca_analysis c = {.ppg = d.m->ppg, .space = &d.space, .measures = d.m, .last = run};
    const struct sca_finding cause = {.vertex = around,
                                      .nvertices = 1,
                                      .vertices = &around,
                                      .nranks = 1,
                                      .ranks = ranks,
                                      .interval = {.part = SCA_ALL_OF_INTERVAL,
                                                   .after = halo,
                                                   .before = sum,
                                                   .any = true,
                                                   .core = {.on = 1, .off = off}}};
    uint32_t n = sca_cause_parts_find(&c, &cause, parts, &all);
    measured_close(&d);
    return n;
}

START_TEST(the_largest_come_first_and_trifles_are_left_out)
{
    ck_assert_uint_eq(find((double[LOOPS]){1, 0, 6, 0.5, 2.5, 0}, 0), 3);
    ck_assert_uint_eq(parts[0].vertex, loops[2]);
    ck_assert_uint_eq(parts[1].vertex, loops[4]);
    ck_assert_uint_eq(parts[2].vertex, loops[0]);
    ck_assert_double_eq_tol(parts[0].excess, 6, 1e-6);
    ck_assert_double_eq_tol(all, 10, 1e-6);
}
END_TEST

START_TEST(no_more_than_four_are_kept)
{
    ck_assert_uint_eq(find((double[LOOPS]){2, 1, 3, 1.5, 2.5, 1.25}, 0), SCA_MOST_PARTS);
    ck_assert_uint_eq(parts[3].vertex, loops[3]);
}
END_TEST

START_TEST(time_off_the_core_has_no_places)
{
    ck_assert_uint_eq(find((double[LOOPS]){1, 0, 6, 0, 0, 0}, 2), 0);
}
END_TEST

Suite *test_suite(void)
{
    Suite *s = suite_create("cause_parts");
    TCase *c = tcase_create("parts");
    tcase_add_test(c, the_largest_come_first_and_trifles_are_left_out);
    tcase_add_test(c, no_more_than_four_are_kept);
    tcase_add_test(c, time_off_the_core_has_no_places);
    suite_add_tcase(s, c);
    return s;
}
