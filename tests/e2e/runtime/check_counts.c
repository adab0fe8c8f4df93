/*
 * check_counts RUN WHAT=NUMBER...: every rank made exactly so many calls of a function (MPI_X) or
 * moved so many bytes by it (bytes:MPI_X), or so often in it met the others (met:MPI_X); 1:MPI_X is
 * of rank 1 alone. The parts must also add up:
 * times of all sites to the time in MPI, counts to the number of calls, and intervals plus MPI to
 * the recorded span, as far as one thread goes ("span" among the arguments).
 */
#include "sca_error.h"
#include "sca_profile.h"
#include <stdbool.h>
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

static uint64_t meetings_in(const struct sca_profile *p, const struct sca_rank *rank,
                            const char *function)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < rank->ncollectives; i++)
        if (!strcmp(p->sites[rank->collectives[i].site].function, function))
            count += rank->collectives[i].count;
    return count;
}

static uint64_t total_of(const struct sca_profile *p, const struct sca_rank *rank, const char *what)
{
    uint64_t count = 0, bytes = 0;
    bool of_bytes = !strncmp(what, "bytes:", 6);
    if (!strncmp(what, "met:", 4))
        return meetings_in(p, rank, what + 4);
    for (uint32_t i = 0; i < rank->nsites; i++)
        if (!strcmp(p->sites[rank->sites[i].site].function, what + (of_bytes ? 6 : 0))) {
            count += rank->sites[i].count;
            bytes += rank->sites[i].bytes;
        }
    return of_bytes ? bytes : count;
}

/* "MPI_X=5" of every rank, "1:MPI_X=5" of rank 1. */
static void check_total(const struct sca_profile *p, unsigned r, const char *wanted)
{
    char what[64], *end;
    unsigned long only = strtoul(wanted, &end, 10);
    if (end != wanted && only != r)
        return;
    if (end != wanted)
        wanted = end + 1;
    size_t length = strcspn(wanted, "=");
    snprintf(what, sizeof what, "%.*s", (int)length, wanted);
    uint64_t is = total_of(p, &p->ranks[r], what), should = strtoull(wanted + length + 1, 0, 10);
    expect(is == should, r, what, (double)is, (double)should);
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
            if (strchr(argv[i], '='))
                check_total(p, r, argv[i]);
            else
                check_span(&p->ranks[r], r);
        }
    }
    sca_profile_free(p);
    return failed;
}
