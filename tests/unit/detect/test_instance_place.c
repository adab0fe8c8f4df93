/* Which place an excess seen in windows is in: none, unless samples tell. */
#include "imbalance/instance_place.h"
#include "measured.h"
#include "check_main.h"

/* Two ranks compute in a loop and, some seconds long, in another. Where is an excess of as much? */
static struct sca_instance_place place_of(double seconds, uint32_t *other)
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
    struct sca_instance_place place = sca_instance_place_find(
        &d.space, &d.m[run], d.ends, (struct sca_call_pair){site, site, site}, seconds, 1);
    measured_close(&d);
    return place;
}

/* That it has as many seconds may be chance, as nothing tells in which instances they lie. */
START_TEST(as_many_seconds_tell_no_place)
{
    uint32_t other;
    struct sca_instance_place place = place_of(0.1, &other);
    ck_assert_uint_ne(place.vertex, other);
    ck_assert(!place.told && !place.alone);
}
END_TEST

SCA_SUITE("instance_place", as_many_seconds_tell_no_place)
