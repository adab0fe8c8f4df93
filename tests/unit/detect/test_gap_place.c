/* Which place an excess seen in windows is in: one that has as much, if enough samples say so. */
#include "imbalance/instance_place.h"
#include "synthetic_ppg.h"
#include "check_main.h"

#include <stdlib.h>

/* Two ranks compute in a loop and, some seconds long, in another. Where is an excess of as much? */
static uint32_t place_of(double seconds, uint32_t *other, bool *alone)
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
    const struct sca_ppg *ppg = model_ppg(model);
    struct sca_room room = {0};
    jmp_buf out_of_memory;
    struct sca_measure m;
    room.out_of_memory = &out_of_memory;
    ck_assert(!setjmp(out_of_memory));
    sca_measure_run(&room, ppg, run, &m);
    uint32_t place = sca_gap_place(&m, sca_subtree_ends(&room, ppg), site, seconds, alone);
    sca_room_free(&room);
    model_free(model);
    return place;
}

START_TEST(a_place_that_has_as_much_is_it)
{
    uint32_t other;
    bool alone;
    ck_assert_uint_eq(place_of(0.1, &other, &alone), other);
    ck_assert(alone);
}
END_TEST

/* Five samples: it may have half of that, or twice. */
START_TEST(a_handful_of_samples_is_chance)
{
    uint32_t other;
    bool alone;
    ck_assert_uint_ne(place_of(0.005, &other, &alone), other);
    ck_assert(!alone);
}
END_TEST

SCA_SUITE("gap_place", a_place_that_has_as_much_is_it, a_handful_of_samples_is_chance)
