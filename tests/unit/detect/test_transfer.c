/* What communication moves and takes beside waiting. */
#include "measure/transfer.h"
#include "measured.h"
#include "check_main.h"

enum { RANKS = 3 };

static struct measured d;
static uint32_t send;

/* Each rank has ten calls; the last one sends `more` times as many messages of as many bytes. */
static void measure(const double *shortest, uint64_t more)
{
    struct model *model = model_new();
    send = model_vertex(model, 0, SCA_MPI, "MPI_Send", "main", 20);
    uint32_t run = model_run(model, RANKS), site = model_site(model, run, send);
    for (uint32_t r = 0; r < RANKS; r++) {
        uint64_t times = r + 1 == RANKS ? more : 1;
        model_calls(model, run, r, site, 10 * times, 10000 * times, shortest[r]);
        model_sent(model, run, r, site, 0, 10 * times);
    }
    d = measured_open(model);
}

START_TEST(the_busiest_rank_counts)
{
    struct sca_transfers t;
    measure((double[RANKS]){1e-3, 1e-3, 1e-3}, 4);
    sca_transfer_measure(&d.space, &d.m[0], &t);
    ck_assert_double_eq(t.messages[send], 40);
    ck_assert_double_eq(t.calls[send], 40);
    ck_assert_double_eq(t.bytes[send], 40000);
    ck_assert_double_eq(t.messages[0], 0);
    measured_close(&d);
}
END_TEST

/* Of calls that move as much the median of the ranks' shortest: 2 ms. */
START_TEST(one_ranks_luck_is_not_the_network)
{
    double seconds[RANKS], per_call[RANKS * 2] = {0};
    bool in[64] = {false};
    measure((double[RANKS]){1e-6, 2e-3, 0.5}, 1);
    in[send] = true;
    sca_transfer_seconds(&d.space, &d.m[0], in, seconds, per_call);
    for (uint32_t r = 0; r < RANKS; r++) {
        ck_assert_double_eq_tol(seconds[r], 0.02, 1e-9);
        ck_assert_double_eq_tol(per_call[2 * r + 1], 2e-3, 1e-9);
    }
    in[send] = false;
    sca_transfer_seconds(&d.space, &d.m[0], in, seconds, NULL);
    ck_assert_double_eq(seconds[0], 0);
    measured_close(&d);
}
END_TEST

/* Of calls of 2 ms that wait for 1.5 ms each time, half a millisecond is left. */
START_TEST(what_always_waits_is_no_transfer)
{
    double seconds[RANKS], waited[RANKS * 2] = {0, 0, 0, 1.5e-3, 0, 9};
    bool in[64] = {false};
    measure((double[RANKS]){2e-3, 2e-3, 2e-3}, 1);
    in[send] = true;
    d.m[0].waited = waited;
    sca_transfer_seconds(&d.space, &d.m[0], in, seconds, NULL);
    ck_assert_double_eq_tol(seconds[0], 0.02, 1e-9);
    ck_assert_double_eq_tol(seconds[1], 0.005, 1e-9);
    ck_assert_double_eq(seconds[2], 0);
    measured_close(&d);
}
END_TEST

SCA_SUITE("transfer", the_busiest_rank_counts, one_ranks_luck_is_not_the_network,
          what_always_waits_is_no_transfer)
