/* POP's efficiencies: computation scaling, split up by counters. */
#include "report/efficiency.h"
#include "measured.h"
#include "check_main.h"

#include <math.h>

enum { RUNS = 2, MOST = 4, SAMPLES = 2 };

static struct sca_part_sample samples[RUNS][MOST][SAMPLES];
static struct sca_rank ranks[RUNS][MOST];
static struct sca_profile profiles[RUNS];
static struct sca_ppg_run runs[RUNS];
static struct sca_measure measures[RUNS];
static struct sca_account accounts[RUNS];
static struct sca_report_efficiency rows[RUNS];

/* A run in which each rank computes so long with so many events, and has as many more in MPI. */
static void set_run(uint32_t i, uint32_t nranks, double seconds, uint64_t instructions,
                    uint64_t cycles)
{
    profiles[i] = (struct sca_profile){.nranks = nranks,
                                       .ranks = ranks[i],
                                       .metrics = {"PAPI_L2_DCM", "PAPI_TOT_CYC", "PAPI_TOT_INS"},
                                       .nmetrics = 3};
    for (uint32_t r = 0; r < nranks; r++) {
        for (int in_mpi = 0; in_mpi < SAMPLES; in_mpi++)
            samples[i][r][in_mpi] = (struct sca_part_sample){
                .in_mpi = in_mpi != 0, .count = 1, .metric = {7, cycles, instructions}};
        ranks[i][r] =
            (struct sca_rank){.present = true, .sample = samples[i][r], .nsamples = SAMPLES};
    }
    runs[i] = (struct sca_ppg_run){.profile = &profiles[i], .nranks = nranks};
    measures[i] = (struct sca_measure){.run = &runs[i], .nranks = nranks};
    accounts[i] =
        (struct sca_account){.ranks = nranks, .useful = nranks * seconds, .parallel = 0.5};
}

static const struct sca_report_efficiency *fill(enum sca_scaling mode)
{
    struct sca_workspace space = test_room();
    struct sca_ppg ppg = {.nruns = RUNS, .runs = runs};
    struct sca_report report = {.efficiency = rows};
    struct sca_analysis c = {.ppg = &ppg,
                             .space = &space,
                             .measures = measures,
                             .last = 1,
                             .accounts = accounts,
                             .report = &report,
                             .growths = {.mode = mode}};
    for (uint32_t i = 0; i < RUNS; i++)
        sca_efficiency_fill(&c, i);
    sca_workspace_free(&space);
    return &rows[1];
}

static void check_product(const struct sca_report_efficiency *e)
{
    ck_assert_double_eq_tol(e->global, e->parallel * e->computation, 1e-12);
    ck_assert_double_eq_tol(e->computation, e->instructions * e->ipc * e->frequency, 1e-12);
}

/* Four ranks take half as long as two, which is no gain in all, for they have 1.25 times the
 * instructions; cycles are the same, and so is the frequency. */
START_TEST(computation_is_instructions_ipc_and_frequency)
{
    set_run(0, 2, 8, 800, 1600);
    set_run(1, 4, 4, 500, 800);
    const struct sca_report_efficiency *e = fill(SCA_SCALING_STRONG);
    ck_assert_double_eq_tol(e->computation, 1, 1e-12);
    ck_assert_double_eq_tol(e->instructions, 0.8, 1e-12);
    ck_assert_double_eq_tol(e->ipc, 1.25, 1e-12);
    ck_assert_double_eq_tol(e->frequency, 1, 1e-12);
    check_product(e);
    ck_assert_double_eq(rows[0].instructions, 1);
    ck_assert_double_eq(rows[0].global, 0.5);
}
END_TEST

START_TEST(a_slower_clock_is_frequency)
{
    set_run(0, 2, 8, 800, 1600);
    set_run(1, 4, 10, 800, 1600);
    const struct sca_report_efficiency *e = fill(SCA_SCALING_WEAK);
    ck_assert_double_eq_tol(e->computation, 0.8, 1e-12);
    ck_assert_double_eq_tol(e->instructions, 1, 1e-12);
    ck_assert_double_eq_tol(e->frequency, 0.8, 1e-12);
    check_product(e);
}
END_TEST

START_TEST(what_a_run_did_not_count_is_unknown)
{
    set_run(0, 2, 8, 800, 1600);
    set_run(1, 4, 4, 400, 800);
    profiles[1].nmetrics = 2; /* cycles, but no instructions */
    const struct sca_report_efficiency *e = fill(SCA_SCALING_STRONG);
    ck_assert(isnan(e->instructions) && isnan(e->ipc));
    ck_assert_double_eq_tol(e->frequency, 1, 1e-12);
    profiles[0].nmetrics = 0;
    e = fill(SCA_SCALING_STRONG);
    ck_assert(isnan(e->instructions) && isnan(e->ipc) && isnan(e->frequency));
    ck_assert_double_eq_tol(e->computation, 1, 1e-12);
}
END_TEST

/* Two nodes: 4 and 2 seconds, 1 and 1. The mean is 2, the first node's 3, the busiest rank's 4. */
START_TEST(load_balance_is_that_within_nodes_and_between_them)
{
    static double total[MOST] = {4, 2, 1, 1}, blocked[MOST];
    set_run(0, 1, 8, 100, 100);
    set_run(1, 4, 2, 100, 100);
    for (uint32_t r = 0; r < 4; r++)
        ranks[1][r].node = r / 2;
    measures[1].rank_total = total;
    measures[1].rank_blocked = blocked;
    measures[1].npresent = 4;
    accounts[1].load_balance = 0.5;
    const struct sca_report_efficiency *e = fill(SCA_SCALING_STRONG);
    ck_assert_double_eq_tol(e->load_balance_between, 2.0 / 3, 1e-12);
    ck_assert_double_eq_tol(e->load_balance_within, 3.0 / 4, 1e-12);
    ck_assert(isnan(rows[0].load_balance_within));
}
END_TEST

SCA_SUITE("efficiency", load_balance_is_that_within_nodes_and_between_them,
          computation_is_instructions_ipc_and_frequency, a_slower_clock_is_frequency,
          what_a_run_did_not_count_is_unknown)
