/*
 * check_near RUN: topologies and neighbours of traffic_near.c on 4 ranks, against what MPI's
 * standard says of them: grids are numbered row by row, and who neighbours whom.
 */
#include "sca_error.h"
#include "sca_profile.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS = 4, ROUNDS = 10, CALLS = 2 * ROUNDS };

/* How often rank s sends to rank d: grid of 2 x 2, reversed, periodic along rows; the next two; a
 * chain. In a row of two, the one below is the one above. */
static unsigned expected(int s, int d)
{
    int a = RANKS - 1 - s, b = RANKS - 1 - d;
    unsigned grid = (a % 2 == b % 2 && a != b) + 2u * (a / 2 == b / 2 && a != b);
    unsigned directed = d == (s + 1) % RANKS || d == (s + 2) % RANKS;
    return CALLS * (grid + directed + (abs(s - d) == 1));
}

static int bad(uint32_t rank, const char *what, const char *detail)
{
    fprintf(stderr, "check_near: rank %u: %s %s\n", rank, what, detail);
    return 1;
}

static int check_topologies(const struct sca_rank *r, uint32_t rank)
{
    char grid[64], graph[64], ring[64], line[192];
    unsigned found = 0;
    uint32_t at = RANKS - 1 - rank;
    snprintf(grid, sizeof grid, "cart 2,2 periodic 0,1 at %u,%u name a grid", at / 2, at % 2);
    static const char *const chain[RANKS] = {"1 to 1", "2 to 0,2", "2 to 1,3", "1 to 2"};
    snprintf(graph, sizeof graph, "graph degree %s", chain[rank]);
    snprintf(ring, sizeof ring, "dist_graph in 2 out 2 to %u,%u", (rank + 1) % RANKS,
             (rank + 2) % RANKS);
    snprintf(
        line, sizeof line,
        "cart 1,1,1,1,1,1,1,4,1,1,1,1,1,1,1,1,1,1,1,1 periodic 0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,"
        "0,0,0 at 0,0,0,0,0,0,0,%u,0,0,0,0,0,0,0,0,0,0,0,0 name line of 20",
        rank);
    for (uint32_t i = 0; i < r->ncomms; i++) {
        const char *has = r->topologies[i];
        if (!*has)
            continue;
        if (strcmp(has, grid) && strcmp(has, graph) && strcmp(has, ring) && strcmp(has, line))
            return bad(rank, "unexpected topology", has);
        found++;
    }
    return found == 4 ? 0 : bad(rank, "topologies are missing", "");
}

static int check_messages(const struct sca_profile *p)
{
    unsigned sent[RANKS][RANKS] = {0}, received[RANKS][RANKS] = {0};
    for (uint32_t r = 0; r < RANKS; r++)
        for (uint32_t w = 0; w < p->ranks[r].nwindows; w++)
            for (uint32_t i = 0; i < p->ranks[r].windows[w].nops; i++) {
                const struct sca_op *op = &p->ranks[r].windows[w].ops[i];
                if (op->tag != SCA_TAG_NEIGHBOUR)
                    continue;
                sent[r][op->peer] += op->kind == SCA_OP_SEND;
                received[op->peer][r] += op->kind == SCA_OP_RECV;
            }
    for (int s = 0; s < RANKS; s++)
        for (int d = 0; d < RANKS; d++)
            if (sent[s][d] != expected(s, d) || received[s][d] != expected(s, d)) {
                fprintf(stderr, "check_near: %d to %d: %u and %u, not %u\n", s, d, sent[s][d],
                        received[s][d], expected(s, d));
                return 1;
            }
    return 0;
}

int main(int argc, char **argv)
{
    struct sca_profile *p;
    int failed = 0;
    if (argc != 2)
        return SCA_EXIT_USAGE;
    if (sca_profile_load(argv[1], &p) < 0)
        return bad(0, sca_error_message(), "");
    for (uint32_t r = 0; r < RANKS; r++)
        failed |= check_topologies(&p->ranks[r], r);
    failed |= check_messages(p);
    sca_profile_free(p);
    return failed;
}
