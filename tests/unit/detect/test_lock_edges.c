/* Edges of locks go from thread to thread as far as the run tells; their sum is what is waited. */
#include "library/lock_edges.h"
#include "synthetic.h"
#include "check_main.h"

#include <stdlib.h>

enum { MS = 1000000, HOLDER = 40, WAITER = 41, SUM = 42, FIRST = 7, SECOND = 900 };

static struct sca_ppg_run run;
static struct sca_profile *profile;
static uint32_t vertices[8];
static void *memory;
static struct sca_ppg_object object = {.name = "table_lock", .file = ""};

/* Threads wait 10 ms; of 6 ms it is known that thread 900 waited for 7. No site has these numbers.
 */
static void begin(void)
{
    struct synth *s = synth_new(1);
    uint32_t exe = synth_module(s, "/tmp/prog", "00ff");
    uint32_t take = synth_node(s, 0, exe, 0x1010, SCA_NODE_RETURN);
    uint32_t wait = synth_node(s, 0, exe, 0x1020, SCA_NODE_RETURN);
    uint32_t holder = synth_site(s, take, "pthread_mutex_lock");
    uint32_t waiter = synth_site(s, wait, "omp_set_lock");
    uint32_t lock = synth_site(s, wait, "OpenMP lock");
    uint32_t sum = synth_site(s, synth_node(s, 0, exe, 0x1030, SCA_NODE_RETURN), "MPI_Allreduce");
    struct sca_part_sample record = {.node = wait,
                                     .in_mpi = SCA_SAMPLE_LOCK,
                                     .thread = 1,
                                     .next = sum,
                                     .count = 5,
                                     .length_ns = 10 * MS};
    synth_interval(s, 0, 0, sum, 1, 100 * MS);
    synth_record(s, 0, &record);
    record.node = take;
    record.in_mpi = SCA_SAMPLE_HOLDER;
    synth_record(s, 0, &record);
    synth_record(s, 0,
                 &(struct sca_part_sample){.node = wait,
                                           .previous = holder,
                                           .in_mpi = SCA_SAMPLE_HANDED_OVER,
                                           .thread = SECOND,
                                           .next = sca_part_hand_over(FIRST, 1),
                                           .count = 3,
                                           .length_ns = 6 * MS});
    uint32_t at = synth_node(s, 0, exe, 0x4040, SCA_NODE_OBJECT + SCA_NODE_PC);
    synth_record(s, 0,
                 &(struct sca_part_sample){
                     .node = at, .in_mpi = SCA_SAMPLE_LOCK_AT, .thread = 1, .count = 1});
    profile = synth_profile(s);
    run = (struct sca_ppg_run){.nranks = 1, .profile = profile, .site_vertex = vertices};
    for (uint32_t n = 0; n < profile->nnodes; n++)
        if (profile->nodes[n].kind & SCA_NODE_OBJECT)
            object.node = n;
    run.objects = &object;
    run.nobjects = 1;
    synth_free(s);
    vertices[holder] = HOLDER;
    vertices[waiter] = vertices[lock] = WAITER;
    vertices[sum] = SUM;
    memory = calloc(1, sca_rank_open_size(run.profile));
    ck_assert_int_eq(
        sca_intervals_open(&run.intervals, run.profile, sca_rank_open_init(memory, run.profile)),
        0);
}

static void stop(void)
{
    sca_intervals_free(&run.intervals);
    sca_profile_free(profile);
    free(memory);
}

START_TEST(threads_are_told_of_what_was_handed_over)
{
    struct sca_lock_edges edges;
    begin();
    ck_assert_int_eq(sca_lock_edges_find(&run, 0, 1, &edges), 0);
    ck_assert_uint_eq(edges.n, 2);
    for (uint32_t i = 0; i < 2; i++) {
        ck_assert_uint_eq(edges.of[i].from_context, HOLDER);
        ck_assert_uint_eq(edges.of[i].to_context, WAITER);
        ck_assert_uint_eq(edges.of[i].to_location, 0);
        ck_assert_str_eq(edges.of[i].lock, "table_lock");
    }
    ck_assert_uint_eq(edges.of[0].from_thread, FIRST);
    ck_assert_uint_eq(edges.of[0].to_thread, SECOND);
    ck_assert_double_eq_tol(edges.of[0].seconds, 0.006, 1e-9);
    ck_assert_uint_eq(edges.of[1].from_thread, SCALANA_NONE);
    ck_assert_uint_eq(edges.of[1].to_thread, SCALANA_NONE);
    ck_assert_double_eq_tol(edges.of[1].seconds, 0.004, 1e-9);
    free(edges.of);
    stop();
}
END_TEST

START_TEST(of_other_locations_there_are_none)
{
    struct sca_lock_edges edges;
    begin();
    ck_assert_int_eq(sca_lock_edges_find(&run, 1, 1, &edges), 0);
    ck_assert_uint_eq(edges.n, 0);
    free(edges.of);
    stop();
}
END_TEST

SCA_SUITE("lock_edges", threads_are_told_of_what_was_handed_over, of_other_locations_there_are_none)
