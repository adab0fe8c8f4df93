/*
 * check_asks RUN: calls that MPI answers at once are counted, and no interval begins or ends at
 * them: from one barrier to the next there is one, with all computation, by the rank's own clock
 * (RUN.work.RANK), and samples.
 */
#include "sca_error.h"
#include "sca_profile.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NEARLY_ALL 0.8
enum { ROUNDS = 400 };

static int bad(uint32_t rank, const char *what, uint64_t number)
{
    fprintf(stderr, "check_asks: rank %u: %s %" PRIu64 "\n", rank, what, number);
    return 1;
}

static int is(const struct sca_profile *p, uint32_t site, const char *function)
{
    return !strcmp(p->sites[site].function, function);
}

static uint64_t calls(const struct sca_profile *p, const struct sca_rank *r, const char *function)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < r->nsites; i++)
        n += is(p, r->sites[i].site, function) ? r->sites[i].count : 0;
    return n;
}

static double read_work_ns(const char *run, uint32_t rank)
{
    char path[4096];
    double seconds = 0;
    snprintf(path, sizeof path, "%s.work.%u", run, rank);
    FILE *file = fopen(path, "r");
    if (file && fscanf(file, "%lf", &seconds) != 1)
        seconds = 0;
    if (file)
        fclose(file);
    return 1e9 * seconds;
}

static int check_rank(const struct sca_profile *p, const char *run, uint32_t rank)
{
    const struct sca_rank *r = &p->ranks[rank];
    uint64_t between = 0, own_ns = 0;
    double work_ns = read_work_ns(run, rank);
    for (uint32_t i = 0; i < r->nintervals; i++) {
        const struct sca_part_interval *x = &r->intervals[i];
        if (strstr(p->sites[x->site].function, "MPI_Comm_") ||
            (x->previous && strstr(p->sites[x->previous].function, "MPI_Comm_")))
            return bad(rank, "an interval at a question, times", x->count);
        if (x->previous && is(p, x->previous, "MPI_Barrier") && is(p, x->site, "MPI_Barrier")) {
            between += x->count;
            own_ns += x->cpu_ns;
        }
    }
    if (between != ROUNDS - 1)
        return bad(rank, "intervals between barriers:", between);
    if (calls(p, r, "MPI_Comm_size") != ROUNDS - 1 || calls(p, r, "MPI_Comm_rank") != ROUNDS - 1)
        return bad(rank, "questions:", calls(p, r, "MPI_Comm_size"));
    for (uint32_t i = 1; i + 1 < (p->series ? p->series->npoints : 0); i++)
        if (p->series->points[i].kind != p->series->points[1].kind)
            return bad(rank, "iterations of several kinds, from", p->series->points[i].number);
    if (!p->series || p->series->npoints < ROUNDS / 8)
        return bad(rank, "points of the series:", p->series ? p->series->npoints : 0);
    if (work_ns <= 0 || (double)own_ns < NEARLY_ALL * work_ns)
        return bad(rank, "less than the work is in the intervals, ns:", own_ns);
    return 0;
}

int main(int argc, char **argv)
{
    struct sca_profile *p;
    int faults = 0;
    if (argc != 2 || sca_profile_load(argv[1], &p) < 0) {
        fprintf(stderr, "check_asks: %s\n", argc == 2 ? sca_error_message() : "one directory");
        return EXIT_FAILURE;
    }
    for (uint32_t rank = 0; rank < p->nranks; rank++)
        faults += check_rank(p, argv[1], rank);
    sca_profile_free(p);
    return faults ? EXIT_FAILURE : EXIT_SUCCESS;
}
