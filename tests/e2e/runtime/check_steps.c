/*
 * check_steps RUN STEPS...: each rank went these ways into, through and out of named phases and no
 * others: "FROM>TO:COUNT", by the names of calls and of places.
 */
#include "sca_error.h"
#include "sca_profile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int bad(uint32_t rank, const char *what, const char *of)
{
    fprintf(stderr, "check_steps: rank %u: %s: %s\n", rank, what, of);
    return 1;
}

static uint64_t count_of(const struct sca_profile *p, uint32_t rank, const char *from,
                         const char *to)
{
    uint64_t count = 0;
    const struct sca_rank *r = &p->ranks[rank];
    for (uint32_t i = 0; i < r->nsamples; i++)
        if (r->sample[i].in_mpi == SCA_SAMPLE_STEP &&
            !strcmp(p->sites[r->sample[i].previous].function, from) &&
            !strcmp(p->sites[r->sample[i].next].function, to))
            count += r->sample[i].count;
    return count;
}

/* Of all ways together: what is left over is no expected one. */
static uint64_t count_all(const struct sca_rank *r)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < r->nsamples; i++)
        if (r->sample[i].in_mpi == SCA_SAMPLE_STEP)
            count += r->sample[i].count;
    return count;
}

static int check_rank(const struct sca_profile *p, uint32_t rank, char **steps, int n)
{
    uint64_t expected = 0, count;
    int faults = 0;
    for (int i = 0; i < n; i++) {
        char from[80], to[80];
        if (sscanf(steps[i], "%79[^>]>%79[^:]:%" SCNu64, from, to, &count) != 3)
            return bad(rank, "no step", steps[i]);
        if (count_of(p, rank, from, to) != count)
            faults += bad(rank, "not so often", steps[i]);
        expected += count;
    }
    if (!faults && count_all(&p->ranks[rank]) != expected)
        faults += bad(rank, "other steps", "");
    return faults;
}

int main(int argc, char **argv)
{
    struct sca_profile *p;
    int faults = 0;
    if (argc < 2 || sca_profile_load(argv[1], &p) < 0)
        return bad(0, "cannot be read", argc < 2 ? "nothing" : sca_error_message());
    for (uint32_t r = 0; r < p->nranks; r++)
        faults += check_rank(p, r, argv + 2, argc - 2);
    sca_profile_free(p);
    return faults ? EXIT_FAILURE : EXIT_SUCCESS;
}
