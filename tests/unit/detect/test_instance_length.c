/* Which place long instances are longer by, told by how long the instances are that samples of it
 * lay in. */
#include "imbalance/instance_length.h"
#include "imbalance/instance_place.h"
#include "measured.h"
#include "check_main.h"

enum { RANKS = 4, PLACES = 3, NODES = PLACES, SAMPLES = 40 };

static const double MEAN = 1e-3; /* seconds of an instance */

/* In a loop around: three loops, one behind the other. */
struct program {
    struct model *model;
    uint32_t around, place[PLACES], run, site;
    struct sca_part_sample samples[RANKS][PLACES];
    uint32_t node_vertex[NODES];
};

static void make(struct program *p)
{
    p->model = model_new();
    p->around = model_vertex(p->model, 0, SCA_LOOP, "", "main", 5);
    for (uint32_t i = 0; i < PLACES; i++)
        p->node_vertex[i] = p->place[i] =
            model_vertex(p->model, p->around, SCA_LOOP, "", "main", 10 * (i + 1));
    uint32_t sum = model_vertex(p->model, p->around, SCA_MPI, "MPI_Allreduce", "main", 40);
    p->run = model_run(p->model, RANKS);
    p->site = model_site(p->model, p->run, sum);
    for (uint32_t r = 0; r < RANKS; r++)
        for (uint32_t i = 0; i < PLACES; i++)
            model_work(p->model, p->run, r, p->site, p->site, 3000, p->place[i],
                       3000 * MEAN / PLACES);
}

static void sample(struct program *p, uint32_t rank, uint32_t place, double length)
{
    p->samples[rank][place] =
        (struct sca_part_sample){.node = place,
                                 .previous = p->site,
                                 .next = p->site,
                                 .count = SAMPLES,
                                 .length_ns = (uint64_t)(SAMPLES * length * 1e9)};
}

static void on_all_ranks(struct program *p, double first, double second, double third)
{
    for (uint32_t r = 0; r < RANKS; r++) {
        double chance = 1 + 0.01 * (r % 2 ? 1 : -1);
        sample(p, r, 0, first * chance);
        sample(p, r, 1, second);
        sample(p, r, 2, third * (2 - chance));
    }
}

static double excess_by_length = 1;

/* By lengths alone; or, of an excess of so many seconds, by all that is known. */
static uint32_t place_told(const struct program *p, struct measured *d, double excess)
{
    struct sca_call_pair pair = {p->site, p->site, p->site};
    bool may[16];
    for (uint32_t v = 0; v < d->ppg->nvertices; v++)
        may[v] = true;
    if (excess > 0)
        return sca_instance_place_find(&d->space, &d->m[p->run], d->ends, pair, excess,
                                       excess_by_length)
            .vertex;
    return sca_instance_length_vertex(&d->space, &d->m[p->run], d->ends, pair, excess_by_length,
                                      may, 0.8);
}

static uint32_t place_of_excess(struct program *p, double excess)
{
    struct measured d = measured_open(p->model);
    struct sca_ppg_run run = *d.m[p->run].run;
    struct sca_profile profile = *run.profile;
    for (uint32_t r = 0; r < RANKS; r++) {
        profile.ranks[r].sample = p->samples[r];
        profile.ranks[r].nsamples = PLACES;
        profile.ranks[r].sample_period_ns = 1000000;
    }
    run.profile = &profile;
    run.node_vertex = p->node_vertex;
    d.m[p->run].run = &run;
    uint32_t place = place_told(p, &d, excess);
    for (uint32_t r = 0; r < RANKS; r++)
        profile.ranks[r].nsamples = 0;
    measured_close(&d);
    return place;
}

static uint32_t place_of(struct program *p)
{
    return place_of_excess(p, 0);
}

START_TEST(what_lies_in_long_instances_is_it)
{
    struct program p;
    make(&p);
    on_all_ranks(&p, MEAN, 1.3 * MEAN, MEAN);
    ck_assert_uint_eq(place_of(&p), p.place[1]);
}
END_TEST

/* Of the rest two samples, or three on each rank, are of a place in short instances: that the
 * others of the rest are longer than these says nothing. */
START_TEST(few_samples_are_no_group)
{
    static const struct {
        uint32_t ranks, samples;
    } few[] = {{2, 1}, {RANKS, 3}};
    for (size_t i = 0; i < sizeof few / sizeof *few; i++) {
        struct program p;
        make(&p);
        on_all_ranks(&p, MEAN, 1.3 * MEAN, MEAN);
        for (uint32_t r = 0; r < RANKS; r++) {
            uint32_t n = r < few[i].ranks ? few[i].samples : 0;
            p.samples[r][2].count = n;
            p.samples[r][2].length_ns = (uint64_t)(n * 0.5 * MEAN * 1e9);
        }
        ck_assert_uint_eq(place_of(&p), p.place[1]);
    }
}
END_TEST

/* A sample lengthens the instance that it lies in, whatever the place. */
START_TEST(what_lengthens_all_alike_tells_no_place)
{
    struct program p;
    make(&p);
    on_all_ranks(&p, 1.2 * MEAN, 1.2 * MEAN, 1.2 * MEAN);
    ck_assert_uint_eq(place_of(&p), 0);
    make(&p);
    on_all_ranks(&p, 1.2 * MEAN, 1.2 * MEAN, 1.5 * MEAN);
    ck_assert_uint_eq(place_of(&p), p.place[2]);
}
END_TEST

/* Samples that come later in an instance see a little more of it. */
START_TEST(what_differs_hardly_is_no_second_place)
{
    struct program p;
    make(&p);
    on_all_ranks(&p, MEAN, 1.3 * MEAN, 1.05 * MEAN);
    ck_assert_uint_eq(place_of(&p), p.place[1]);
}
END_TEST

START_TEST(of_two_that_take_longer_it_is_what_encloses_them)
{
    struct program p;
    make(&p);
    on_all_ranks(&p, 1.3 * MEAN, MEAN, 1.3 * MEAN);
    ck_assert_uint_eq(place_of(&p), p.around);
}
END_TEST

/* Where a longer instance says that its rank is not late, it is what lies in short ones. */
START_TEST(what_lies_in_short_instances_is_it_where_these_are_late)
{
    struct program p;
    make(&p);
    on_all_ranks(&p, MEAN, 0.5 * MEAN, 1.1 * MEAN);
    excess_by_length = -1;
    ck_assert_uint_eq(place_of(&p), p.place[1]);
    make(&p);
    excess_by_length = 0;
    ck_assert_uint_eq(place_of(&p), 0);
    excess_by_length = 1;
}
END_TEST

/* One rank in four says so, by far; the others do not. */
START_TEST(chance_tells_no_place)
{
    struct program p;
    make(&p);
    on_all_ranks(&p, MEAN, MEAN, MEAN);
    sample(&p, 2, 1, 1.3 * MEAN);
    ck_assert_uint_eq(place_of(&p), 0);
}
END_TEST

/* A profile that does not know lengths. */
START_TEST(without_lengths_there_is_none)
{
    struct program p;
    make(&p);
    on_all_ranks(&p, 0, 0, 0);
    ck_assert_uint_eq(place_of(&p), 0);
}
END_TEST

/* The third loop alone has as many seconds as the excess. */
static uint32_t place_of_as_much_as_the_third(double first, double second)
{
    struct program p;
    make(&p);
    for (uint32_t r = 0; r < RANKS; r++)
        for (uint32_t i = 0; i < 2; i++)
            model_work(p.model, p.run, r, p.site, p.site, 0, p.place[i], 3000 * MEAN);
    on_all_ranks(&p, first, second, MEAN);
    uint32_t place = place_of_excess(&p, RANKS * 3000 * MEAN / PLACES);
    return place == p.place[0] ? 1 : place == p.place[2] ? 3 : 0;
}

/* Of two loops that take longer it is what encloses them, and the third as well. */
START_TEST(what_encloses_a_place_does_not_name_it)
{
    ck_assert_uint_eq(place_of_as_much_as_the_third(1.3 * MEAN, 1.3 * MEAN), 0);
}
END_TEST

START_TEST(longer_instances_name_the_place_not_as_many_seconds)
{
    ck_assert_uint_ne(place_of_as_much_as_the_third(MEAN, MEAN), 3);
    ck_assert_uint_eq(place_of_as_much_as_the_third(2 * MEAN, MEAN), 1);
}
END_TEST

SCA_SUITE("instance_length", what_encloses_a_place_does_not_name_it,
          longer_instances_name_the_place_not_as_many_seconds, what_lies_in_long_instances_is_it,
          few_samples_are_no_group, what_lengthens_all_alike_tells_no_place,
          what_differs_hardly_is_no_second_place, of_two_that_take_longer_it_is_what_encloses_them,
          what_lies_in_short_instances_is_it_where_these_are_late, chance_tells_no_place,
          without_lengths_there_is_none)
