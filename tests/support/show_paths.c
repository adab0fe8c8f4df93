/* Prints the calls, intervals and samples of a run with their call paths, for scripts: a path is
 * FILE+OFFSET, the innermost first, of return addresses one less. */
#include "sca_error.h"
#include "sca_profile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void show_path(const struct sca_profile *p, uint32_t node)
{
    for (; node; node = p->nodes[node].parent) {
        const struct sca_node *n = &p->nodes[node];
        if (n->module == SCA_NONE)
            printf(" ?");
        else
            printf(" %s+%" PRIx64, base(p->modules[n->module].path),
                   n->offset - (!(n->kind & SCA_NODE_PC)));
    }
    printf("\n");
}

static const char *function(const struct sca_profile *p, uint32_t site)
{
    return site < p->nsites ? p->sites[site].function : "-";
}

static void show_rank(const struct sca_profile *p, uint32_t i)
{
    const struct sca_rank *r = &p->ranks[i];
    for (uint32_t k = 0; k < r->nsites; k++) {
        const struct sca_site_total *s = &r->sites[k];
        printf("rank %u: call %s count %" PRIu64 " time_ns %" PRIu64 " path", i,
               function(p, s->site), s->count, s->time_ns);
        show_path(p, p->sites[s->site].node);
    }
    for (uint32_t k = 0; k < r->nintervals; k++) {
        const struct sca_part_interval *v = &r->intervals[k];
        printf("rank %u: interval %s %s count %" PRIu64 " own_ns %" PRIu64 "\n", i,
               function(p, v->previous), function(p, v->site), v->count, v->cpu_ns + v->blocked_ns);
    }
    for (uint32_t k = 0; k < r->nsamples; k++) {
        const struct sca_part_sample *s = &r->sample[k];
        printf("rank %u: sample %s %s in_mpi %u count %" PRIu64 " path", i,
               function(p, s->previous), s->next ? function(p, s->next) : "-", s->in_mpi, s->count);
        show_path(p, s->node);
    }
}

int main(int argc, char **argv)
{
    struct sca_profile *p;
    if (argc != 2 || sca_profile_load(argv[1], &p) < 0) {
        fprintf(stderr, "show_paths: %s\n", argc == 2 ? sca_error_message() : "one directory");
        return EXIT_FAILURE;
    }
    for (uint32_t i = 0; i < p->nranks; i++)
        show_rank(p, i);
    sca_profile_free(p);
    return EXIT_SUCCESS;
}
