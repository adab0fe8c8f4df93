/* Sites whose call path passes a context twice. */
#include "check_main.h"
#include "timeline/recursive_sites.h"

enum { SITES = 3, NODES = 6, CALL = 4, INNER = 7 };

START_TEST(the_outermost_context_is_told)
{
    static struct sca_node nodes[NODES] = {{.parent = SCA_NONE}};
    static uint32_t vertex[NODES] = {0, CALL, INNER, CALL, INNER, SCA_NONE};
    static struct sca_site sites[SITES] = {{.node = SCA_NONE}, {.node = 2}, {.node = 5}};
    struct sca_profile profile = {.nodes = nodes, .nnodes = NODES, .sites = sites, .nsites = SITES};
    struct sca_ppg_run run = {.profile = &profile, .node_vertex = vertex};
    struct sca_workspace space = {0};
    for (uint32_t n = 1; n < NODES; n++)
        nodes[n].parent = n - 1;
    const uint32_t *of = sca_recursive_sites(&space, &run);
    ck_assert_uint_eq(of[0], SCA_NONE);
    ck_assert_uint_eq(of[1], SCA_NONE);
    ck_assert_uint_eq(of[2], CALL);
    sca_workspace_free(&space);
}
END_TEST

SCA_SUITE("recursive_sites", the_outermost_context_is_told)
