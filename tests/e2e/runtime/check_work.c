/*
 * check_work RUN: is what the run calls computation what each rank computed by its own clock
 * (RUN.work.RANK), in the intervals between calls and in the windows, which show all of the run?
 * Do the intervals make one way through the run? And it cost the program next to nothing to be
 * watched while it waited, where it looked so often that this is known.
 */
#include "sca_error.h"
#include "sca_profile.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define NEAR      0.15
#define BY_CHANCE 6e-3 /* seconds; a rank that loses its core again and again pays for it */
#define MANY      5000 /* calls, of which one in 64 is timed. How many looks a rank makes, and how */
#define MOST_NS   5e3  /* much of the run they are, other work on its core decides; ns of each */

static int bad(unsigned rank, const char *what, double is, double should)
{
    fprintf(stderr, "check_work: rank %u: %s: %g, not %g\n", rank, what, is, should);
    return 1;
}

static double read_work(const char *run, unsigned rank)
{
    char path[4096];
    double seconds = -1;
    snprintf(path, sizeof path, "%s.work.%u", run, rank);
    FILE *file = fopen(path, "r");
    if (file && fscanf(file, "%lf", &seconds) != 1)
        seconds = -1;
    if (file)
        fclose(file);
    return seconds;
}

static double work_in_intervals(const struct sca_rank *r)
{
    double ns = 0;
    for (uint32_t i = 0; i < r->nintervals; i++)
        ns += (double)(r->intervals[i].cpu_ns + r->intervals[i].blocked_ns);
    return ns * 1e-9;
}

static double work_in_windows(const struct sca_rank *r)
{
    double ns = 0;
    for (uint32_t w = 0; w < r->nwindows; w++)
        for (uint32_t e = 0; e < r->windows[w].nevents; e++)
            ns += (double)r->windows[w].events[e].gap_ns;
    return ns * 1e-9;
}

/* Calls, the first and the last aside, that were not left as often as they were come to. */
static double calls_without_way(const struct sca_profile *p, const struct sca_rank *r)
{
    int64_t *more = calloc(p->nsites + 1, sizeof *more);
    double calls = 0;
    for (uint32_t i = 0; more && i < r->nintervals; i++) {
        more[r->intervals[i].site] += (int64_t)r->intervals[i].count;
        more[r->intervals[i].previous] -= (int64_t)r->intervals[i].count;
    }
    for (uint32_t s = 0; more && s < p->nsites; s++)
        calls += s == 0 ? llabs(more[s] + 1) : llabs(more[s]);
    free(more);
    return calls - 1; /* the last is left for nowhere */
}

static int far_from(double is, double should)
{
    return fabs(is - should) > NEAR * should + BY_CHANCE;
}

int main(int argc, char **argv)
{
    struct sca_profile *p;
    int failed = 0;
    if (argc != 2)
        return SCA_EXIT_USAGE;
    if (sca_profile_load(argv[1], &p) < 0)
        return bad(0, sca_error_message(), 0, 0);
    for (unsigned r = 0; r < p->nranks; r++) {
        const struct sca_rank *rank = &p->ranks[r];
        double work = read_work(argv[1], r);
        double cost_ns = (double)rank->tool_ns / (double)(rank->mpi_calls + 1);
        if (work <= 0 || far_from(work_in_intervals(rank), work))
            failed = bad(r, "seconds of work in intervals", work_in_intervals(rank), work);
        if (far_from(work_in_windows(rank), work))
            failed = bad(r, "seconds of work in windows", work_in_windows(rank), work);
        if (calls_without_way(p, rank) > 0)
            failed = bad(r, "calls without a way", calls_without_way(p, rank), 0);
        if (rank->mpi_calls >= MANY && cost_ns > MOST_NS)
            failed = bad(r, "nanoseconds of own cost for each call", cost_ns, MOST_NS);
    }
    sca_profile_free(p);
    return failed;
}
