/* Communication that itself grows with the ranks. */
#include "measured.h"
#include "measure/transfer.h"
#include "scaling/exchange_growth.h"
#include "check_main.h"

static struct measured d;
static uint32_t send;

/* Runs on 2, 4 and 8 ranks: each sends messages of a thousand bytes that take a second each. */
static uint32_t find(const uint64_t messages[3], double least, struct sca_exchanges *out)
{
    static struct sca_transfers transfers[3];
    struct model *model = model_new();
    uint32_t work = model_vertex(model, 0, SCA_LOOP, "", "main", 10);
    send = model_vertex(model, 0, SCA_MPI, "MPI_Send", "main", 20);
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t run = model_run(model, 2u << i), site = model_site(model, run, send);
        for (uint32_t r = 0; r < 2u << i; r++) {
            model_work(model, run, r, site, site, messages[i], work, 10);
            model_calls(model, run, r, site, messages[i], 1000 * messages[i], 1);
            model_sent(model, run, r, site, 0, messages[i]);
        }
    }
    d = measured_open(model);
    for (uint32_t i = 0; i < 3; i++)
        sca_transfer_measure(&d.space, &d.m[i], &transfers[i]);
    *out = (struct sca_exchanges){0};
    sca_exchange_growth_find(&d.space, d.m, transfers, 3, least, out);
    return out->count;
}

/* As many messages as ranks: eight seconds instead of two on the busiest rank. */
START_TEST(a_message_for_each_rank_grows)
{
    struct sca_exchanges found;
    ck_assert_uint_eq(find((uint64_t[]){2, 4, 8}, 1, &found), 1);
    ck_assert_uint_eq(found.items[0].vertex, send);
    ck_assert_uint_eq(found.items[0].ncalls, 1);
    ck_assert_double_eq_tol(found.items[0].fit.slope, 1, 1e-6);
    ck_assert_double_eq_tol(found.items[0].before, 2, 1e-6);
    ck_assert_double_eq_tol(found.items[0].after, 8, 1e-6);
    const double *seconds = sca_exchange_growth_seconds(&d.space, &d.m[2], &found.items[0]);
    ck_assert_double_eq_tol(seconds[7], 8, 1e-6);
    measured_close(&d);
}
END_TEST

START_TEST(as_many_messages_or_those_of_a_tree_are_usual)
{
    struct sca_exchanges found;
    ck_assert_uint_eq(find((uint64_t[]){8, 8, 8}, 1, &found), 0);
    measured_close(&d);
    ck_assert_uint_eq(find((uint64_t[]){8, 16, 24}, 1, &found), 0);
    measured_close(&d);
}
END_TEST

/* All eight ranks lose six seconds, whatever else is asked: never a thousand. */
START_TEST(what_takes_too_little_is_left_alone)
{
    struct sca_exchanges found;
    ck_assert_uint_eq(find((uint64_t[]){2, 4, 8}, 1000, &found), 0);
    ck_assert_ptr_null(sca_exchange_growth_per_call(&d.space, &d.m[2], &found));
    measured_close(&d);
}
END_TEST

SCA_SUITE("exchange_growth", a_message_for_each_rank_grows,
          as_many_messages_or_those_of_a_tree_are_usual, what_takes_too_little_is_left_alone)
