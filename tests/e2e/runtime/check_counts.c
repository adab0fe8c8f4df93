/*
 * check_counts RUN FUNCTION=COUNT...: every rank made exactly so many calls. The parts must also
 * add up: times of all sites to the time in MPI, counts to the number of calls, and intervals
 * plus MPI to the recorded span, as far as one thread goes ("span" among the arguments).
 */
#include "sca_error.h"
#include "sca_profile.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failed;

static void expect(int good, unsigned rank, const char *what, double is, double should)
{
    if (!good) {
        fprintf(stderr, "check_counts: rank %u: %s is %.0f, not %.0f\n", rank, what, is, should);
        failed = 1;
    }
}

static uint64_t count_of(const struct sca_profile *p, const struct sca_rank *rank,
                         const char *function)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < rank->nsites; i++)
        if (!strcmp(p->sites[rank->sites[i].site].function, function))
            count += rank->sites[i].count;
    return count;
}

static void check_sums(const struct sca_rank *rank, unsigned r)
{
    uint64_t count = 0, time = 0;
    for (uint32_t i = 0; i < rank->nsites; i++) {
        count += rank->sites[i].count;
        time += rank->sites[i].time_ns;
    }
    expect(count == rank->mpi_calls, r, "calls of sites", (double)count, (double)rank->mpi_calls);
    expect(time == rank->mpi_ns, r, "time of sites", (double)time, (double)rank->mpi_ns);
}

/* All but the first moments, the last, and what the library took for itself. */
static void check_span(const struct sca_rank *rank, unsigned r)
{
    uint64_t sum = rank->mpi_ns;
    for (uint32_t i = 0; i < rank->nintervals; i++)
        sum += rank->intervals[i].wall_ns;
    bool good =
        sum <= rank->wall_ns && (double)(sum + rank->tool_ns) > 0.9 * (double)rank->wall_ns - 3e7;
    expect(good, r, "computation and MPI together", (double)sum, (double)rank->wall_ns);
}

int main(int argc, char **argv)
{
    struct sca_profile *p;
    if (argc < 2 || sca_profile_load(argv[1], &p) < 0) {
        fprintf(stderr, "check_counts: %s\n", argc < 2 ? "no run" : sca_error_message());
        return 1;
    }
    for (uint32_t r = 0; r < p->nranks; r++) {
        check_sums(&p->ranks[r], r);
        for (int i = 2; i < argc; i++) {
            char *equals = strchr(argv[i], '=');
            if (!equals) {
                check_span(&p->ranks[r], r);
                continue;
            }
            *equals = 0;
            uint64_t is = count_of(p, &p->ranks[r], argv[i]), should = strtoull(equals + 1, 0, 10);
            expect(is == should, r, argv[i], (double)is, (double)should);
            *equals = '=';
        }
    }
    sca_profile_free(p);
    return failed;
}
