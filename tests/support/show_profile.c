/* Prints what a run directory holds, a line a fact, for scripts to look at. */
#include "sca_error.h"
#include "sca_profile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void show_rank(const struct sca_profile *p, uint32_t i)
{
    const struct sca_rank *r = &p->ranks[i];
    printf("rank %u: present %d complete %d calls %" PRIu64 " samples %" PRIu64 " wall_ns %" PRIu64
           " host %s address %s node %u clock %u begin_ns %" PRId64 " error_ns %" PRIu64
           " drift %g\n",
           i, r->present, r->complete, r->mpi_calls, r->samples, r->wall_ns, r->host,
           r->address[0] ? r->address : "-", r->node, r->clock, r->begin_ns, r->clock_error_ns,
           r->drift);
    printf("rank %u: cores %s\n", i, r->core_use);
    for (uint32_t k = 0; k < r->nsites; k++)
        printf("rank %u: site %s count %" PRIu64 " bytes %" PRIu64 "\n", i,
               p->sites[r->sites[k].site].function, r->sites[k].count, r->sites[k].bytes);
    for (uint32_t w = 0; w < r->nwindows; w++)
        printf("rank %u: window collectives %" PRIu64 " loop %u number %u iterations %u calls %u\n",
               i, r->windows[w].iteration >> 32, (unsigned)(r->windows[w].iteration >> 29 & 7),
               (unsigned)(r->windows[w].iteration & ((1 << 29) - 1)), r->windows[w].iterations,
               r->windows[w].nevents);
}

int main(int argc, char **argv)
{
    struct sca_profile *p;
    if (argc != 2 || sca_profile_load(argv[1], &p) < 0) {
        fprintf(stderr, "show_profile: %s\n", argc == 2 ? sca_error_message() : "one directory");
        return EXIT_FAILURE;
    }
    printf("complete %d ranks %u sites %u nodes %u comms %u\n", p->complete, p->nranks, p->nsites,
           p->nnodes, p->ncomms);
    for (uint32_t i = 0; i < p->nmeta; i++)
        printf("meta %s=%s\n", p->meta[i].key, p->meta[i].value);
    for (uint32_t i = 0; i < p->nranks; i++)
        show_rank(p, i);
    sca_profile_free(p);
    return EXIT_SUCCESS;
}
