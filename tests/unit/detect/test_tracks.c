/* Threads beside the first that call MPI: what they compute is on a track of their own, the first
 * thread's has it no more, and messages go from thread to thread. */
#include "load/tracks.h"
#include "replay/rank_idle.h"
#include "trace/trace_synthesis.h"
#include "synthetic.h"
#include "check_main.h"

#include <math.h>
#include <stdlib.h>

enum { MS = 1000000, FEW = 10, MANY = 50, LATE_MS = 4 };

static struct sca_profile *profile;
static struct sca_opened *opened;
static void *memory;
static uint32_t own, end, other, place, join; /* sites; nodes of the other thread's and the join */

static void add_exchanges(struct synth *s, uint32_t rank, uint32_t site, uint64_t count)
{
    for (uint32_t way = 0; way < 2; way++)
        synth_peer(s, rank,
                   &(struct sca_part_peer){.site = site,
                                           .peer = 1 - (int)rank,
                                           .direction = way ? SCA_SENT : SCA_RECEIVED,
                                           .count = count,
                                           .bytes = 8 * count});
}

/* The first thread exchanges FEW times and computes 1 ms before each; thread 1 does MANY times, and
 * on rank 0 computes LATE_MS. Then the first waits 150 ms: 100 or 40 ms for what that one
 * computes, the rest while it is in MPI. */
static void add_rank(struct synth *s, uint32_t rank)
{
    const uint64_t each = rank ? MS : LATE_MS * MS, helped = rank ? 40 * MS : 100 * MS;
    synth_interval(s, rank, 0, own, 1, 1 * MS);
    synth_interval(s, rank, own, own, FEW - 1, (FEW - 1) * MS);
    synth_stalled(s, rank, other, other, MANY - 1, (MANY - 1) * each + 7 * MS, 7 * MS, 9 * MS);
    synth_stalled(s, rank, own, end, 1, 150 * MS, 150 * MS - helped, 150 * MS);
    add_exchanges(s, rank, own, FEW);
    add_exchanges(s, rank, other, MANY);
    synth_record(s, rank,
                 &(struct sca_part_sample){
                     .node = place, .previous = other, .thread = 1, .next = other, .count = 300});
    const struct sca_part_sample waits = {.node = join,
                                          .previous = own,
                                          .in_mpi = SCA_SAMPLE_THREAD,
                                          .thread = 1,
                                          .next = end,
                                          .count = 1,
                                          .length_ns = helped};
    synth_record(s, rank, &waits);
}

static void begin(void)
{
    struct synth *s = synth_new(2);
    uint32_t exe = synth_module(s, "/tmp/prog", "00ff");
    uint32_t main_ = synth_node(s, 0, exe, 0x1000, SCA_NODE_RETURN);
    uint32_t start = synth_node(s, 0, exe, 0x2000, SCA_NODE_RETURN);
    uint32_t path = synth_node(s, start, exe, 0x2010, SCA_NODE_RETURN);
    synth_comm(s, 1, 2, "MPI_COMM_WORLD");
    own = synth_site(s, synth_node(s, main_, exe, 0x1010, SCA_NODE_RETURN), "MPI_Sendrecv");
    end = synth_site(s, synth_node(s, main_, exe, 0x1020, SCA_NODE_RETURN), "MPI_Finalize");
    other = synth_site(s, synth_node(s, path, SCA_NONE, 1, SCA_NODE_THREAD), "MPI_Sendrecv");
    place = synth_node(s, start, exe, 0x2020, SCA_NODE_PC);
    join = synth_node(s, main_, exe, 0x1030, SCA_NODE_RETURN);
    synth_site(s, join, "pthread_join");
    add_rank(s, 0);
    add_rank(s, 1);
    profile = synth_profile(s);
    synth_free(s);
    memory = calloc(1, sca_rank_open_size(profile));
    opened = sca_rank_open_init(memory, profile);
    ck_assert_int_eq(sca_tracks_divide(profile, opened), 0);
}

static void stop(void)
{
    sca_profile_free(profile);
    free(memory);
}

static const struct sca_part_interval *interval(uint32_t previous, uint32_t site)
{
    const struct sca_rank *rank = sca_rank_open(opened, 0, SCA_OPEN_ALL);
    for (uint32_t i = 0; i < rank->nintervals; i++)
        if (rank->intervals[i].previous == previous && rank->intervals[i].site == site)
            return &rank->intervals[i];
    return NULL;
}

START_TEST(a_site_knows_the_thread_and_the_call_path)
{
    begin();
    ck_assert_uint_eq(profile->sites[own].thread, 0);
    ck_assert_uint_eq(profile->sites[other].thread, 1);
    ck_assert_uint_eq(profile->nodes[profile->sites[other].node].kind, SCA_NODE_RETURN);
    ck_assert_uint_eq(profile->nodes[profile->sites[other].node].offset, 0x2010);
    stop();
}
END_TEST

START_TEST(what_a_thread_computes_between_its_calls_is_not_the_firsts)
{
    begin();
    ck_assert_uint_eq(interval(other, other)->cpu_ns, (MANY - 1) * LATE_MS * MS);
    ck_assert_uint_eq(interval(other, other)->blocked_ns, 0); /* 7 ms that it slept */
    const struct sca_part_interval *wait = interval(own, end);
    ck_assert_uint_eq(wait->cpu_ns, 0);
    ck_assert_uint_eq(wait->blocked_ns, 0); /* that one waited in MPI for 50 ms */
    stop();
}
END_TEST

struct play {
    struct sca_workspace space;
    struct sca_event_sequence sequences[2];
    struct sca_trace trace;
    struct sca_replay replay;
};

static jmp_buf out_of_memory;

static void play(struct play *p)
{
    struct sca_walk walk;
    *p = (struct play){.space.out_of_memory = &out_of_memory};
    p->trace = (struct sca_trace){.nranks = 2, .weight = 1, .sequences = p->sequences};
    sca_trace_synthesis_open(&p->space, profile, &walk);
    for (uint32_t r = 0; r < 2; r++)
        ck_assert_double_eq(sca_trace_synthesis_of_rank(&walk, &p->space, r, &p->sequences[r]), 0);
    sca_replay_trace_number(&p->space, &p->trace);
    sca_replay_open(&p->space, &p->trace, sca_links_build(&p->space, &p->trace), 0, &p->replay);
    ck_assert_uint_eq(p->replay.forced, 0);
    sca_replay_run(&p->replay);
}

START_TEST(each_thread_goes_its_own_way_until_the_end)
{
    struct play p;
    begin();
    play(&p);
    ck_assert_uint_eq(p.trace.nlocations, 4);
    ck_assert_uint_eq(p.sequences[0].nothers, 1);
    double last = (MANY - 1) * LATE_MS * 1e-3;
    ck_assert_double_eq_tol(p.replay.end, last, 1e-9);
    /* While a rank's first thread waits, it is idle only as far as its second one waits, too. */
    struct sca_rank_idle idle = sca_rank_idle_find(&p.space, &p.replay);
    ck_assert_double_eq_tol(idle.beside[0], FEW * 1e-3, 1e-9);
    uint32_t begins = (FEW + LATE_MS - 1) / LATE_MS; /* rank 1's second thread, each LATE_MS */
    ck_assert_double_eq_tol(idle.sum, last - FEW * 1e-3 - (MANY - 1 - begins) * 1e-3, 1e-9);
    sca_workspace_free(&p.space);
    stop();
}
END_TEST

START_TEST(messages_go_from_thread_to_thread)
{
    struct play p;
    uint32_t waits = 0;
    begin();
    play(&p);
    for (uint32_t i = p.sequences[1].others[0]; i + 1 < p.sequences[1].nevents; i++) {
        uint32_t event = sca_replay_at(&p.replay, 1, i), by = p.replay.waited_for[event];
        if (by == SCA_NO_EVENT)
            continue;
        ck_assert_uint_eq(sca_replay_rank(&p.replay, by), 0);
        ck_assert_uint_eq(sca_replay_event(&p.replay, by).site, other);
        waits++;
    }
    ck_assert_uint_eq(waits, MANY - 1); /* nobody computes before the first */
    sca_workspace_free(&p.space);
    stop();
}
END_TEST

/* The first thread computes 10 ms, creates the other one, computes 1 ms, joins it, and 3 ms more.
 * The other one computes 7 ms, 2 of them before its first call and 1 after the last. */
static void begin_edges(void)
{
    struct synth *s = synth_new(1);
    uint32_t exe = synth_module(s, "/tmp/prog", "00ff");
    uint32_t main_ = synth_node(s, 0, exe, 0x1000, SCA_NODE_RETURN);
    uint32_t at = synth_node(s, main_, exe, 0x1010, SCA_NODE_RETURN);
    uint32_t thread = synth_node(s, at, SCA_NONE, 1, SCA_NODE_THREAD);
    synth_comm(s, 1, 1, "MPI_COMM_WORLD");
    uint32_t create = synth_site(s, at, "thread create");
    uint32_t joins =
        synth_site(s, synth_node(s, main_, exe, 0x1020, SCA_NODE_RETURN), "thread join");
    uint32_t start = synth_site(s, thread, "thread start");
    uint32_t ends = synth_site(s, thread, "thread end");
    other = synth_site(s, thread, "MPI_Test");
    end = synth_site(s, main_, "MPI_Finalize");
    synth_interval(s, 0, 0, create, 1, 10 * MS);
    synth_interval(s, 0, create, joins, 1, 1 * MS);
    synth_interval(s, 0, joins, end, 1, 3 * MS);
    synth_interval(s, 0, start, other, 1, 2 * MS);
    synth_interval(s, 0, other, other, 4, 4 * MS);
    synth_interval(s, 0, other, ends, 1, 1 * MS);
    for (uint32_t i = 0; i < 3; i++)
        synth_total(s, 0, (uint32_t[]){create, joins, ends}[i], 1, 0, 0);
    profile = synth_profile(s);
    synth_free(s);
}

START_TEST(a_thread_begins_when_it_is_created_and_is_awaited_where_it_is_joined)
{
    struct sca_workspace space = {.out_of_memory = &out_of_memory};
    struct sca_event_sequence sequence;
    struct sca_trace trace = {.nranks = 1, .weight = 1, .sequences = &sequence};
    struct sca_replay replay;
    struct sca_walk walk;
    begin_edges();
    sca_trace_synthesis_open(&space, profile, &walk);
    ck_assert_double_eq(sca_trace_synthesis_of_rank(&walk, &space, 0, &sequence), 0);
    sca_replay_trace_number(&space, &trace);
    sca_replay_open(&space, &trace, sca_links_build(&space, &trace), 0, &replay);
    ck_assert_uint_eq(replay.forced, 0);
    sca_replay_run(&replay);
    ck_assert_double_eq_tol(replay.end, (10 + 7 + 3) * 1e-3, 1e-9);
    sca_workspace_free(&space);
    sca_profile_free(profile);
}
END_TEST

SCA_SUITE("tracks", a_site_knows_the_thread_and_the_call_path,
          what_a_thread_computes_between_its_calls_is_not_the_firsts,
          each_thread_goes_its_own_way_until_the_end, messages_go_from_thread_to_thread,
          a_thread_begins_when_it_is_created_and_is_awaited_where_it_is_joined)
