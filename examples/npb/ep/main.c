/*
 * EP: embarrassingly parallel. Makes pairs of Gaussian deviates from pairs of
 * uniform random numbers, and counts them in square annuli around the origin.
 * The ranks talk to each other at the end only.
 */
#include "../common/npb.h"

#include <math.h>

enum { ANNULI = 10, BLOCK_PAIRS = 1 << 16 };

static const struct npb_kernel kernel = {
    .name = "ep",
    .iterations = {1, 1, 1, 1},
    .plants = 1u << NPB_PLANT_DELAY | 1u << NPB_PLANT_UNDIVIDED,
};

struct ep_class {
    int pairs_log;
    double sum_x, sum_y; /* of all deviates */
};

static const struct ep_class classes[NPB_CLASSES] = {
    {24, -3.247834652034740e3, -6.958407078382297e3},
    {25, -2.863319731645753e3, -6.320053679109499e3},
    {28, -4.295875165629892e3, -1.580732573678431e4},
    {30, 4.033815542441498e4, -2.660669192809235e4},
};

static const uint64_t first_seed = 271828183;
static const double tolerance = 1e-8;

struct tally {
    double sum_x, sum_y;
    double count[ANNULI];
};

/* The polar method: keeps the points inside the unit circle and stretches them. */
static void tally_block(struct tally *tally, uint64_t seed)
{
    for (int pair = 0; pair < BLOCK_PAIRS; pair++) {
        double x = 2 * npb_random(&seed, NPB_MULTIPLIER) - 1;
        double y = 2 * npb_random(&seed, NPB_MULTIPLIER) - 1;
        double square = x * x + y * y;
        if (square > 1)
            continue;
        double stretch = sqrt(-2 * log(square) / square);
        x *= stretch;
        y *= stretch;
        tally->count[(int)fmax(fabs(x), fabs(y))]++;
        tally->sum_x += x;
        tally->sum_y += y;
    }
}

/* Pairs that one rank draws and does not count. */
static double draw_in_vain(uint64_t seed, long pairs)
{
    double last = 0;

    for (long pair = 0; pair < pairs; pair++) { /* PLANT delay */
        double x = npb_random(&seed, NPB_MULTIPLIER);
        double y = npb_random(&seed, NPB_MULTIPLIER);
        last += sqrt(log1p(x * x + y * y));
    }
    return last;
}

/* What every rank does in full, though each could do a part. */
static double draw_undivided(uint64_t seed, long pairs)
{
    double sum = 0;

    for (long pair = 0; pair < pairs; pair++) { /* PLANT undivided */
        double x = npb_random(&seed, NPB_MULTIPLIER);
        double y = npb_random(&seed, NPB_MULTIPLIER);
        sum += sqrt(log1p(x * x + y * y));
    }
    return sum;
}

static void plant(struct npb_run *run, long blocks)
{
    long pairs = npb_plant_share(run, (double)blocks * BLOCK_PAIRS);

    if (npb_plant_here(run, NPB_PLANT_DELAY, run->rank == run->size / 2))
        run->plant.sink = draw_in_vain(first_seed, pairs);
    if (npb_plant_here(run, NPB_PLANT_UNDIVIDED, true))
        run->plant.sink = draw_undivided(first_seed, pairs);
}

static void tally_blocks(struct tally *tally, const struct npb_run *run, long blocks)
{
    long first = blocks * run->rank / run->size;
    long end = blocks * (run->rank + 1) / run->size;

    for (long block = first; block < end; block++)
        tally_block(tally, npb_random_skip(first_seed, NPB_MULTIPLIER, 2 * block * BLOCK_PAIRS));
}

static void add_up(struct tally *tally)
{
    MPI_Allreduce(MPI_IN_PLACE, &tally->sum_x, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &tally->sum_y, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, tally->count, ANNULI, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void print_tally(const struct npb_run *run, const struct tally *tally)
{
    npb_say(run, "sums  %.15e %.15e\n", tally->sum_x, tally->sum_y);
    for (int annulus = 0; annulus < ANNULI; annulus++)
        npb_say(run, "%4d  %.0f\n", annulus, tally->count[annulus]);
}

int main(int argc, char **argv)
{
    struct npb_run run;
    struct tally tally = {0};

    if (!npb_start(&run, &kernel, argc, argv))
        return npb_stop(&run);

    const struct ep_class *problem = &classes[run.class_index];
    long blocks = (1L << problem->pairs_log) / BLOCK_PAIRS;
    if (run.size > blocks) {
        npb_refuse(&run, "%d ranks are too many for %ld blocks of pairs", run.size, blocks);
        return npb_stop(&run);
    }
    double start = npb_clock_start();
    for (int iteration = 0; iteration < run.iterations; iteration++) {
        tally = (struct tally){0};
        tally_blocks(&tally, &run, blocks);
        plant(&run, blocks);
        add_up(&tally);
    }
    double seconds = npb_clock_stop(start);

    print_tally(&run, &tally);
    return npb_finish(&run, seconds,
                      npb_close(tally.sum_x, problem->sum_x, tolerance) &&
                          npb_close(tally.sum_y, problem->sum_y, tolerance));
}
