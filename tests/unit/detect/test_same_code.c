/* Gaps that the same code runs in. */
#include "measure/same_code.h"
#include "check_main.h"

enum { RANKS = 4, GAPS = 4, STEP, OTHER_STEP, VERTICES };

/* Gap 0: a loop and a trifle; 1: the same loop before another call; 2: other code; 3: other code
 * with a little of the loop. */
static struct sca_ppg_share shares[RANKS * GAPS * 2];
static uint32_t first_share[RANKS * GAPS + 1];

static void put(uint32_t *n, uint32_t vertex, double seconds)
{
    shares[(*n)++] = (struct sca_ppg_share){.vertex = vertex, .seconds = seconds};
}

static struct sca_ppg_run run_of(void)
{
    uint32_t n = 0;
    for (uint32_t r = 0; r < RANKS; r++) {
        first_share[r * GAPS] = n;
        put(&n, STEP, 1);
        put(&n, OTHER_STEP, 0.1);
        first_share[r * GAPS + 1] = n;
        put(&n, STEP, r ? 0.01 : 0.02);
        first_share[r * GAPS + 2] = n;
        put(&n, OTHER_STEP, 1);
        first_share[r * GAPS + 3] = n;
        put(&n, STEP, 0.2);
        put(&n, OTHER_STEP, 0.8);
    }
    first_share[RANKS * GAPS] = n;
    return (struct sca_ppg_run){
        .nranks = RANKS, .intervals = {.n = GAPS}, .first_share = first_share, .shares = shares};
}

START_TEST(a_loop_before_another_call_is_the_same_code)
{
    struct sca_workspace space = {0};
    struct sca_ppg ppg = {.nvertices = VERTICES};
    struct sca_ppg_run run = run_of();
    bool on[GAPS] = {true};
    sca_same_code_add(&space, &ppg, &run, on);
    ck_assert(on[0] && on[1]);
    ck_assert(!on[2] && !on[3]);
    sca_workspace_free(&space);
}
END_TEST

START_TEST(of_no_interval_there_is_none)
{
    struct sca_workspace space = {0};
    struct sca_ppg ppg = {.nvertices = VERTICES};
    struct sca_ppg_run run = run_of();
    bool on[GAPS] = {false};
    sca_same_code_add(&space, &ppg, &run, on);
    for (int interval = 0; interval < GAPS; interval++)
        ck_assert(!on[interval]);
    sca_workspace_free(&space);
}
END_TEST

SCA_SUITE("same code", a_loop_before_another_call_is_the_same_code, of_no_interval_there_is_none)
