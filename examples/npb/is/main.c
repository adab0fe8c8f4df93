/* Makes keys, ranks them in every iteration, sorts them once at the end. */
#include "is.h"

#include <stdlib.h>

static const struct npb_kernel kernel = {
    .name = "is",
    .iterations = {IS_TURNS, IS_TURNS, IS_TURNS, IS_TURNS},
    .plants = 1u << NPB_PLANT_DELAY,
};

static const struct is_class classes[NPB_CLASSES] = {
    {16,
     11,
     9,
     {{48427, 0, 1}, {17148, 18, 1}, {23627, 346, 1}, {62548, 64917, -1}, {4431, 65463, -1}}},
    {20,
     16,
     10,
     {{357773, 1247, 1},
      {934767, 11696, 1},
      {875723, 1039987, -1},
      {898999, 1043896, -1},
      {404505, 1048018, -1}}},
    {23,
     19,
     10,
     {{2112377, 103, 1},
      {662041, 17522, 1},
      {5336171, 123927, 1},
      {3642833, 8288933, -1},
      {4250760, 8388265, -1}}},
    {25,
     21,
     10,
     {{41869, 33422937, -1},
      {812306, 10244, 1},
      {5102857, 59149, 1},
      {18232239, 33135281, -1},
      {26860214, 99, 1}}},
};

static void make_arrays(struct is *is)
{
    int ranks = is->run->size;
    size_t sizes = is->buckets + IS_TEST_KEYS;

    is->keys = npb_alloc(is->count, sizeof *is->keys);
    is->bucketed = npb_alloc(is->count, sizeof *is->bucketed);
    is->size = npb_alloc(sizes, sizeof *is->size);
    is->total = npb_alloc(sizes, sizeof *is->total);
    is->place = npb_alloc(is->buckets, sizeof *is->place);
    is->give_count = npb_alloc(ranks, sizeof *is->give_count);
    is->give_place = npb_alloc(ranks, sizeof *is->give_place);
    is->take_count = npb_alloc(ranks, sizeof *is->take_count);
    is->take_place = npb_alloc(ranks, sizeof *is->take_place);
    is->below = npb_alloc((size_t)1 << is->problem->largest_log, sizeof *is->below);
}

static void release(struct is *is)
{
    int *arrays[] = {is->keys,       is->bucketed,   is->size,       is->total,
                     is->place,      is->give_count, is->give_place, is->take_count,
                     is->take_place, is->below,      is->received};

    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
}

enum { PASSES = 4 /* over the keys in an iteration, about, for a planted delay */ };

static void set_up(struct is *is)
{
    struct npb_run *run = is->run;

    is->count = (1 << is->problem->keys_log) / run->size;
    is->buckets = 1 << is->problem->buckets_log;
    is->shift = is->problem->largest_log - is->problem->buckets_log;
    make_arrays(is);
    is_make_keys(is);
    if (npb_plant_here(run, NPB_PLANT_DELAY, run->rank == run->size / 2))
        is->delay_keys = npb_plant_share(run, (double)PASSES * is->count * run->size);
}

/* Each test key is seen by one rank in each iteration; each rank is in order. */
static bool all_passed(const struct is *is)
{
    long passed = 0;

    MPI_Reduce(&is->passed, &passed, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    return passed == (long)IS_TEST_KEYS * is->run->iterations + is->run->size;
}

int main(int argc, char **argv)
{
    struct npb_run run;

    if (!npb_start(&run, &kernel, argc, argv))
        return npb_stop(&run);

    struct is is = {.run = &run, .problem = &classes[run.class_index]};
    if (run.size > 1 << is.problem->buckets_log) {
        npb_refuse(&run, "%d ranks are too many for %d buckets", run.size,
                   1 << is.problem->buckets_log);
        return npb_stop(&run);
    }
    set_up(&is);

    double start = npb_clock_start();
    for (int iteration = 1; iteration <= run.iterations; iteration++)
        is_rank_keys(&is, iteration);
    double seconds = npb_clock_stop(start);

    is_check_order(&is);
    bool verified = all_passed(&is);
    release(&is);
    return npb_finish(&run, seconds, verified);
}
