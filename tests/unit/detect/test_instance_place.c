/* Which place an excess seen in windows is in: one that has as much, if enough samples say so. */
#include "imbalance/instance_place.h"
#include "measured.h"
#include "check_main.h"

/* Two ranks compute in a loop and, some seconds long, in another. Where is an excess of as much? */
static uint32_t place_of(double seconds, uint32_t *other, enum sca_place_evidence *how)
{
    struct model *model = model_new();
    uint32_t work = model_vertex(model, 0, SCA_LOOP, "", "main", 10);
    *other = model_vertex(model, 0, SCA_LOOP, "", "main", 20);
    uint32_t sum = model_vertex(model, 0, SCA_MPI, "MPI_Allreduce", "main", 30);
    uint32_t run = model_run(model, 2), site = model_site(model, run, sum);
    for (uint32_t r = 0; r < 2; r++) {
        model_work(model, run, r, site, site, 100, work, 100 * seconds);
        model_work(model, run, r, site, site, 100, *other, seconds / 2);
    }
    struct measured d = measured_open(model);
    uint32_t place = sca_instance_place_vertex(
        &d.space, &d.m[run], d.ends, (struct sca_call_pair){site, site, site}, seconds, 1, how);
    measured_close(&d);
    return place;
}

START_TEST(a_place_that_has_as_much_is_it)
{
    uint32_t other;
    enum sca_place_evidence how;
    ck_assert_uint_eq(place_of(0.1, &other, &how), other);
    ck_assert_int_eq(how, SCA_PLACE_ALONE);
}
END_TEST

/* Five samples: it may have half of that, or twice. */
START_TEST(a_handful_of_samples_is_chance)
{
    uint32_t other;
    enum sca_place_evidence how;
    ck_assert_uint_ne(place_of(0.005, &other, &how), other);
    ck_assert_int_ne(how, SCA_PLACE_ALONE);
}
END_TEST

SCA_SUITE("instance_place", a_place_that_has_as_much_is_it, a_handful_of_samples_is_chance)
