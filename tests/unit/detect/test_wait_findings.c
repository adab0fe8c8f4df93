/* Threads that the first ones wait for: what is charged, and to whom. */
#include "threads/wait_findings.h"
#include "check_main.h"
#include "measured.h"

#include <string.h>

enum { RANKS = 2, THREADS = 4 };

static struct model *model;
static uint32_t load, use, join, alike, extra, in_run, site;
static struct measured d;
static struct sca_thread_use waits[RANKS], work[RANKS * THREADS * 2];
static struct sca_thread_waits all;
static double helped[8], locked[8];
static bool has_regions[8];
static struct sca_ledger ledger;

/* From start to the collective each rank takes so long. */
static void begin(double seconds)
{
    model = model_new();
    load = model_vertex(model, 0, SCA_LOOP, "", "load", 10);
    use = model_vertex(model, 0, SCA_LOOP, "", "use", 20);
    join = model_vertex(model, 0, SCA_CALL, "pthread_join", "main", 30);
    uint32_t sum = model_vertex(model, 0, SCA_MPI, "MPI_Allreduce", "main", 31);
    alike = model_vertex(model, model_vertex(model, 0, SCA_CALL, "work", "main", 40), SCA_LOOP, "",
                         "work", 5);
    extra = model_vertex(model, model_vertex(model, 0, SCA_CALL, "work", "main", 41), SCA_LOOP, "",
                         "work", 5);
    in_run = model_run(model, RANKS);
    site = model_site(model, in_run, sum);
    for (uint32_t r = 0; r < RANKS; r++)
        model_work(model, in_run, r, 0, site, 10, use, seconds);
    d = measured_open(model);
    memset(locked, 0, sizeof locked);
    all = (struct sca_thread_waits){.waits = {.of = waits},
                                    .work = {.of = work},
                                    .helped = helped,
                                    .locked = locked,
                                    .has_regions = has_regions};
}

static uint32_t interval(void)
{
    return sca_intervals_number(&d.m[0].run->intervals, 0, site);
}

static void computes(uint32_t rank, uint16_t thread, uint32_t vertex, double seconds)
{
    work[all.work.n++] = (struct sca_thread_use){.rank = rank,
                                                 .interval = interval(),
                                                 .vertex = vertex,
                                                 .thread = thread,
                                                 .seconds = seconds};
}

static void awaits(uint32_t rank, uint16_t thread, double seconds)
{
    waits[all.waits.n++] = (struct sca_thread_use){
        .rank = rank, .interval = interval(), .vertex = join, .thread = thread, .seconds = seconds};
}

static void find(void)
{
    sca_ledger_begin(&d.space, &ledger);
    sca_wait_findings_of(&d.space, &d.m[0], &all, 0.01, &ledger);
}

static void ck_one(uint32_t vertex, double seconds)
{
    ck_assert_uint_eq(ledger.count, 1);
    ck_assert_uint_eq(ledger.all[0]->vertex, vertex);
    ck_assert_double_eq_tol(ledger.all[0]->excess, seconds, 1e-6);
}

/* One thread loads tables, and all use them. */
START_TEST(what_all_threads_do_alike_is_nobodys_excess)
{
    begin(2);
    for (uint32_t r = 0; r < RANKS; r++) {
        computes(r, 1, load, 1);
        for (uint16_t t = 1; t < THREADS; t++)
            computes(r, t, use, 1);
        awaits(r, 1, 2);
    }
    find();
    ck_one(load, RANKS * (2 - 4.0 / 3));
    measured_close(&d);
}
END_TEST

/* All compute in a function, and one of them calls it from another line as well. */
START_TEST(of_a_place_the_call_path_that_only_one_has_is_the_cause)
{
    begin(4);
    for (uint32_t r = 0; r < RANKS; r++) {
        computes(r, 1, alike, 1);
        computes(r, 2, alike, 1);
        computes(r, 2, extra, 3);
        computes(r, 3, alike, 1);
        awaits(r, 2, 4);
    }
    find();
    ck_one(extra, RANKS * 2.0);
    measured_close(&d);
}
END_TEST

START_TEST(what_locks_make_of_it_is_no_uneven_work)
{
    begin(2);
    for (uint32_t r = 0; r < RANKS; r++) {
        for (uint16_t t = 1; t < THREADS; t++)
            computes(r, t, use, 1);
        awaits(r, 1, 2);
        locked[r * d.m[0].run->intervals.n + interval()] = 1;
    }
    find();
    ck_assert_uint_eq(ledger.count, 0);
    measured_close(&d);
}
END_TEST

static void share_out(void)
{
    begin(3);
    for (uint32_t r = 0; r < RANKS; r++) {
        computes(r, 0, use, 3);
        computes(r, 1, use, 1);
    }
}

START_TEST(the_first_thread_may_have_most_of_what_is_shared_out)
{
    share_out();
    find();
    ck_one(use, RANKS * 1.0);
    measured_close(&d);
}
END_TEST

START_TEST(on_shared_cores_that_is_chance)
{
    share_out();
    d.m[0].shared = true;
    find();
    ck_assert_uint_eq(ledger.count, 0);
    measured_close(&d);
}
END_TEST

START_TEST(the_first_thread_may_have_work_of_its_own)
{
    begin(3);
    for (uint32_t r = 0; r < RANKS; r++) {
        computes(r, 0, load, 3);
        computes(r, 1, use, 1);
    }
    find();
    ck_assert_uint_eq(ledger.count, 0);
    measured_close(&d);
}
END_TEST

SCA_SUITE("wait findings", what_all_threads_do_alike_is_nobodys_excess,
          of_a_place_the_call_path_that_only_one_has_is_the_cause,
          what_locks_make_of_it_is_no_uneven_work,
          the_first_thread_may_have_most_of_what_is_shared_out, on_shared_cores_that_is_chance,
          the_first_thread_may_have_work_of_its_own)
