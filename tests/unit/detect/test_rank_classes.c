/* Ranks by behaviour and task activity graphs, of programs made by hand: a halo on a grid, a torus,
 * a master with workers, a sort by buckets as NAS IS. */
#include "activity/rank_classes.h"
#include "activity/rank_summary.h"
#include "activity/task_messages.h"
#include "sca_error.h"
#include "check_main.h"
#include "synthetic.h"
#include "temp_folder.h"

#include <math.h>
#include <stdlib.h>

enum {
    MAIN,
    LOOP,
    SEND,
    RECEIVE,
    ALLREDUCE,
    ALLTOALL,
    ALLTOALLV,
    BEGINS,
    ENDS,
    FINALIZE,
    VERTICES
};
enum { STEPS = 10, WIDTH = 5, HEIGHT = 4 };

static const char *const names[VERTICES] = {
    [SEND] = "MPI_Send",         [RECEIVE] = "MPI_Recv",        [ALLREDUCE] = "MPI_Allreduce",
    [ALLTOALL] = "MPI_Alltoall", [ALLTOALLV] = "MPI_Alltoallv", [FINALIZE] = "MPI_Finalize",
    [BEGINS] = "begin solve",    [ENDS] = "end solve"};
static struct sca_ppg_vertex vertices[VERTICES];
static uint32_t site_vertex[VERTICES], sites[VERTICES], ends[VERTICES];
static jmp_buf out_of_memory;
static struct sca_workspace space;
static struct synth *s;
static struct sca_profile *profile;
static struct sca_ppg_run run;
static struct sca_ppg ppg;
static struct sca_task_source source;
static struct sca_rank_classes classes;

/* Calls lie in one loop, but for MPI_Finalize. */
static void begin(uint32_t nranks)
{
    space = (struct sca_workspace){.out_of_memory = &out_of_memory};
    s = synth_new(nranks);
    uint32_t exe = synth_module(s, "/tmp/prog", "00ff"), n = 1;
    site_vertex[0] = SCA_NONE;
    for (uint32_t v = 0; v < VERTICES; v++) {
        vertices[v] = (struct sca_ppg_vertex){.kind = names[v] ? SCA_MPI : SCA_LOOP,
                                              .parent = v > LOOP && v < FINALIZE ? LOOP : MAIN,
                                              .name = names[v] ? names[v] : "",
                                              .function = "main",
                                              .file = "a.c",
                                              .line = 10 + v};
        if (!names[v])
            continue;
        sites[v] = synth_site(s, synth_node(s, 0, exe, 0x1000 + v, SCA_NODE_RETURN), names[v]);
        ck_assert_uint_eq(sites[v], n++);
        site_vertex[sites[v]] = v;
    }
    vertices[MAIN].kind = SCA_ROOT;
}

static void calls(uint32_t rank, uint32_t vertex, uint64_t count)
{
    synth_total(s, rank, sites[vertex], count, count * 1000, count * 8);
}

static void computes(uint32_t rank, uint32_t from, uint32_t to, uint64_t count, uint64_t ns)
{
    synth_interval(s, rank, from == MAIN ? 0 : sites[from], sites[to], count, ns);
}

static void steps(uint32_t rank, uint32_t from, uint32_t to, uint64_t count, uint64_t ns)
{
    const struct sca_part_sample record = {.previous = from == MAIN ? 0 : sites[from],
                                           .in_mpi = SCA_SAMPLE_STEP,
                                           .next = sites[to],
                                           .count = count,
                                           .length_ns = ns};
    synth_record(s, rank, &record);
}

static void message(uint32_t from, uint32_t to, uint64_t count)
{
    synth_peer(s, from,
               &(struct sca_part_peer){sites[SEND], 0, (int32_t)to, SCA_SENT, count, count * 8});
    synth_peer(
        s, to,
        &(struct sca_part_peer){sites[RECEIVE], 0, (int32_t)from, SCA_RECEIVED, count, count * 8});
}

static void load(void)
{
    profile = synth_profile(s);
    run = (struct sca_ppg_run){
        .profile = profile, .nranks = profile->nranks, .site_vertex = site_vertex};
    ppg = (struct sca_ppg){
        .nvertices = VERTICES, .vertices = vertices, .nruns = 1, .runs = &run, .program = "prog"};
    sca_ppg_ends(&ppg, ends);
    source = (struct sca_task_source){.ppg = &ppg, .run = &run, .whole = profile, .ends = ends};
    source.opened = sca_workspace_opened(&space, profile);
}

static void classify(uint32_t wanted)
{
    sca_rank_classes_find(&space, &source, wanted, &classes);
}

static void end(void)
{
    sca_profile_free(profile);
    synth_free(s);
    sca_workspace_free(&space);
}

static const struct sca_rank_class *class_of(uint32_t rank)
{
    for (uint32_t i = 0; i < classes.n; i++)
        for (uint32_t k = 0; k < classes.of[i].n; k++)
            if (classes.of[i].ranks[k] == rank)
                return &classes.of[i];
    ck_abort_msg("rank %u is in no class", rank);
}

static uint32_t ranks_of(enum sca_rank_role role)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < classes.n; i++)
        n += classes.of[i].role == role ? classes.of[i].n : 0;
    return n;
}

/* Send and receive with each neighbour, then a sum. */
static void exchange(uint32_t rank, uint32_t neighbours, uint64_t ns)
{
    uint64_t n = (uint64_t)neighbours * STEPS;
    calls(rank, SEND, n);
    calls(rank, RECEIVE, n);
    calls(rank, ALLREDUCE, STEPS);
    calls(rank, FINALIZE, 1);
    computes(rank, MAIN, SEND, 1, 1000);
    computes(rank, SEND, RECEIVE, n, 1000);
    computes(rank, RECEIVE, SEND, n - STEPS, 1000);
    computes(rank, RECEIVE, ALLREDUCE, STEPS, ns);
    computes(rank, ALLREDUCE, SEND, STEPS - 1, 1000);
    computes(rank, ALLREDUCE, FINALIZE, 1, 1000);
}

static void grid(bool round_x, bool round_y, uint32_t slow)
{
    static const int32_t along[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    begin(WIDTH * HEIGHT);
    for (int32_t y = 0; y < HEIGHT; y++)
        for (int32_t x = 0; x < WIDTH; x++) {
            uint32_t rank = (uint32_t)(y * WIDTH + x), n = 0;
            for (int i = 0; i < 4; i++) {
                int32_t to_x = x + along[i][0], to_y = y + along[i][1];
                bool inside = to_x >= 0 && to_x < WIDTH && to_y >= 0 && to_y < HEIGHT;
                bool round = i < 2 ? round_x : round_y;
                if (!inside && !round)
                    continue;
                to_x = (to_x + WIDTH) % WIDTH;
                to_y = (to_y + HEIGHT) % HEIGHT;
                message(rank, (uint32_t)(to_y * WIDTH + to_x), STEPS);
                n++;
            }
            exchange(rank, n, (rank == slow ? 20 : 10) * 1000000ull);
        }
    load();
}

static void halo(bool torus, uint32_t slow)
{
    grid(torus, torus, slow);
}

/* ---- classes ---- */

START_TEST(halo_has_corners_borders_and_an_interior)
{
    halo(false, UINT32_MAX);
    classify(0);
    ck_assert_uint_eq(ranks_of(SCA_ROLE_CORNER), 4);
    ck_assert_uint_eq(ranks_of(SCA_ROLE_BORDER), 2 * (WIDTH - 2) + 2 * (HEIGHT - 2));
    ck_assert_uint_eq(ranks_of(SCA_ROLE_INTERIOR), (WIDTH - 2) * (HEIGHT - 2));
    ck_assert_uint_eq(classes.n, 9); /* four corners, four borders, as their peers lie */
    ck_assert_ptr_eq(class_of(6), class_of(13));
    ck_assert_ptr_ne(class_of(0), class_of(4));
    ck_assert(class_of(4)->role == SCA_ROLE_CORNER);
    ck_assert(class_of(2)->role == SCA_ROLE_BORDER);
    end();
}
END_TEST

START_TEST(ranks_of_one_graph_are_divided_by_times)
{
    halo(false, 7);
    classify(0);
    ck_assert_uint_eq(classes.n, 10);
    ck_assert_uint_eq(class_of(7)->n, 1);
    ck_assert(class_of(7)->by_times && class_of(6)->by_times && !class_of(7)->asked);
    ck_assert_uint_eq(class_of(6)->n, (WIDTH - 2) * (HEIGHT - 2) - 1);
    ck_assert_uint_eq(class_of(6)->shape, class_of(7)->shape);
    end();
}
END_TEST

START_TEST(torus_has_no_borders)
{
    halo(true, UINT32_MAX);
    classify(0);
    ck_assert_uint_eq(ranks_of(SCA_ROLE_NONE), WIDTH * HEIGHT);
    ck_assert_uint_eq(classes.n, 1);
    end();
}
END_TEST

/* Its borders are those of the dimension that ends, and it has no corners. */
START_TEST(cylinder_has_borders_at_its_ends)
{
    for (int round_x = 0; round_x < 2; round_x++) {
        grid(round_x, !round_x, UINT32_MAX);
        classify(0);
        ck_assert_uint_eq(ranks_of(SCA_ROLE_CORNER), 0);
        ck_assert_uint_eq(ranks_of(SCA_ROLE_BORDER), 2 * (round_x ? WIDTH : HEIGHT));
        ck_assert_uint_eq(ranks_of(SCA_ROLE_NONE), 0);
        ck_assert(class_of(round_x ? 2 : WIDTH)->role == SCA_ROLE_BORDER);
        ck_assert(class_of(round_x ? WIDTH : 2)->role == SCA_ROLE_INTERIOR);
        ck_assert_uint_eq(classes.n, 3); /* places along what goes round are all alike */
        end();
    }
}
END_TEST

/* The k-th worker computes k times as much. */
static void workers(uint32_t n, bool alike)
{
    begin(n + 2);
    for (uint32_t r = 1; r <= n; r++) {
        message(0, r, STEPS);
        message(r, 0, STEPS);
        calls(r, SEND, STEPS);
        calls(r, RECEIVE, STEPS);
        computes(r, MAIN, SEND, 1, 1000);
        computes(r, SEND, RECEIVE, STEPS, 1000);
        computes(r, RECEIVE, SEND, STEPS - 1, (alike ? 10 : 5 + r) * 1000000ull);
        computes(r, RECEIVE, FINALIZE, 1, 1000);
        calls(r, FINALIZE, 1);
    }
    calls(0, RECEIVE, (uint64_t)n * STEPS);
    calls(0, SEND, (uint64_t)n * STEPS);
    computes(0, MAIN, RECEIVE, 1, 1000);
    computes(0, RECEIVE, SEND, (uint64_t)n * STEPS, 1000);
    computes(0, SEND, RECEIVE, (uint64_t)n * STEPS - 1, 1000);
    computes(0, SEND, FINALIZE, 1, 1000);
    calls(0, FINALIZE, 1);
    computes(n + 1, MAIN, FINALIZE, 1, 1000);
    calls(n + 1, FINALIZE, 1);
    load();
}

START_TEST(master_workers_and_an_idle_rank)
{
    workers(6, true);
    classify(0);
    ck_assert_uint_eq(classes.n, 3);
    ck_assert(class_of(0)->role == SCA_ROLE_MASTER && class_of(0)->n == 1);
    ck_assert(class_of(1)->role == SCA_ROLE_WORKER && class_of(1)->n == 6);
    ck_assert(class_of(7)->role == SCA_ROLE_IDLE && class_of(7)->n == 1);
    classify(5); /* ranks that take the same are not divided */
    ck_assert_uint_eq(classes.n, 3);
    end();
}
END_TEST

START_TEST(classes_are_divided_as_asked)
{
    workers(6, false);
    classify(0);
    uint32_t natural = classes.n;
    classify(natural + 2);
    ck_assert_uint_eq(classes.n, natural + 2);
    ck_assert_uint_eq(classes.nnatural, natural);
    ck_assert_uint_eq(ranks_of(SCA_ROLE_WORKER), 6);
    classify(100);
    ck_assert_uint_eq(classes.n, 8); /* a class for each rank */
    end();
}
END_TEST

/* Of a run directory, rank by rank, in the place of the profile's tables. */
static void summarise(struct sca_workspace *kept, struct sca_rank_summary *summary)
{
    char directory[TEMP_FOLDER];
    struct sca_profile *each;
    struct sca_rank_taker taker = sca_rank_summary_taker(kept, summary);
    temp_folder(directory);
    synth_write(s, directory);
    ck_assert_int_eq(sca_profile_load_each(directory, &taker, &each), SCA_OK);
    ck_assert_uint_eq(each->nsites, profile->nsites);
    sca_profile_free(each);
    temp_folder_drop(directory);
}

static void check_same_classes(const struct sca_rank_classes *a, const struct sca_rank_classes *b)
{
    ck_assert_uint_eq(a->n, b->n);
    for (uint32_t i = 0; i < a->n; i++) {
        const struct sca_rank_class *x = &a->of[i], *y = &b->of[i];
        ck_assert(x->shape == y->shape && x->role == y->role && x->n == y->n &&
                  x->by_times == y->by_times);
        for (uint32_t k = 0; k < x->n; k++)
            ck_assert_uint_eq(x->ranks[k], y->ranks[k]);
    }
}

START_TEST(ranks_that_are_forgotten_have_the_same_classes)
{
    for (int program = 0; program < 3; program++) {
        struct sca_workspace kept = {0};
        struct sca_rank_summary summary;
        if (program == 2)
            workers(6, false);
        else
            halo(program == 1, 7);
        classify(0);
        const struct sca_rank_classes by_tables = classes;
        summarise(&kept, &summary);
        ck_assert_uint_eq(summary.nranks, profile->nranks);
        source.summary = &summary;
        source.opened = NULL;
        classify(0);
        check_same_classes(&by_tables, &classes);
        sca_workspace_free(&kept);
        end();
    }
}
END_TEST

/* Ranks that meet those whose number differs from theirs in one bit, and the first one. */
START_TEST(peers_are_seen_as_the_program_does)
{
    enum { N = 16 };
    begin(N);
    for (uint32_t r = 0; r < N; r++) {
        for (uint32_t bit = 1; bit < N; bit *= 2)
            synth_peer(s, r,
                       &(struct sca_part_peer){sites[SEND], 0, (int32_t)(r ^ bit), SCA_SENT, STEPS,
                                               STEPS * 8});
        synth_peer(s, r, &(struct sca_part_peer){sites[RECEIVE], 0, 0, SCA_RECEIVED, 1, 8});
        calls(r, SEND, 4 * STEPS);
        calls(r, RECEIVE, 1);
    }
    load();
    classify(0);
    ck_assert_uint_eq(classes.shapes.n, 1);
    ck_assert_uint_eq(classes.shapes.members[0], N);
    end();
}
END_TEST

/* ---- graphs ---- */

static void has_node(const struct sca_task_graph *g, uint32_t i, enum sca_task_kind kind,
                     uint32_t vertex, double count)
{
    ck_assert_uint_lt(i, g->nnodes);
    ck_assert_msg(g->nodes[i].kind == kind && g->nodes[i].vertex == vertex, "node %u", i);
    if (kind != SCA_TASK_START)
        ck_assert_double_eq(g->nodes[i].times.count, count);
}

static struct sca_task_times times_of(const struct sca_task_graph *g, enum sca_task_edge_kind kind,
                                      uint32_t from, uint32_t to)
{
    for (uint32_t i = 0; i < g->nedges; i++)
        if (g->edges[i].kind == kind && g->edges[i].from == from && g->edges[i].to == to)
            return g->edges[i].times;
    return (struct sca_task_times){0};
}

static double ways(const struct sca_task_graph *g, enum sca_task_edge_kind kind, uint32_t from,
                   uint32_t to)
{
    return times_of(g, kind, from, to).count;
}

/* IS: each iteration sums the sizes of buckets up, tells them to all, and sends the keys. */
START_TEST(bucket_sort_has_the_graph_of_its_source)
{
    begin(4);
    for (uint32_t r = 0; r < 4; r++) {
        calls(r, ALLREDUCE, STEPS);
        calls(r, ALLTOALL, STEPS);
        calls(r, ALLTOALLV, STEPS);
        calls(r, FINALIZE, 1);
        computes(r, MAIN, ALLREDUCE, 1, 1000);
        computes(r, ALLREDUCE, ALLTOALL, STEPS, 5000000);
        computes(r, ALLTOALL, ALLTOALLV, STEPS, 1000);
        computes(r, ALLTOALLV, ALLREDUCE, STEPS - 1, 9000000);
        computes(r, ALLTOALLV, FINALIZE, 1, 1000000);
    }
    load();
    struct sca_task_graph *g = sca_task_graph_begin(&space, &source);
    sca_task_graph_add(g, &source, 1);
    sca_task_graph_finish(g);
    ck_assert_uint_eq(g->nnodes, 7);
    has_node(g, 0, SCA_TASK_START, SCA_NONE, 1);
    has_node(g, 1, SCA_TASK_LOOP_ENTRY, LOOP, 1);
    has_node(g, 2, SCA_TASK_CALL, ALLREDUCE, STEPS);
    has_node(g, 3, SCA_TASK_CALL, ALLTOALL, STEPS);
    has_node(g, 4, SCA_TASK_CALL, ALLTOALLV, STEPS);
    has_node(g, 5, SCA_TASK_LOOP_EXIT, LOOP, 1);
    has_node(g, 6, SCA_TASK_END, FINALIZE, 1);
    ck_assert_double_eq(g->nodes[1].iterations, STEPS);
    ck_assert_double_eq(ways(g, SCA_TASK_COMPUTES, 2, 3), STEPS);
    ck_assert_double_eq(ways(g, SCA_TASK_COMPUTES, 4, 2), STEPS - 1);
    ck_assert_double_eq(ways(g, SCA_TASK_COMPUTES, 0, 2), 1);
    ck_assert_double_eq(ways(g, SCA_TASK_COMPUTES, 4, 6), 1);
    ck_assert_double_eq(ways(g, SCA_TASK_PASSES, 0, 1), 1);
    ck_assert_double_eq(ways(g, SCA_TASK_PASSES, 5, 6), 1);
    ck_assert_uint_eq(g->nedges, 5 + 4);
    classify(0);
    ck_assert_uint_eq(classes.n, 1);
    end();
}
END_TEST

/* Nodes and edges have other places then. */
START_TEST(edges_are_found_in_a_finished_graph)
{
    halo(false, UINT32_MAX);
    struct sca_task_graph *g = sca_task_graph_begin(&space, &source);
    for (uint32_t r = 0; r < WIDTH * HEIGHT; r++)
        sca_task_graph_add(g, &source, WIDTH * HEIGHT - 1 - r);
    sca_task_graph_finish(g);
    ck_assert_uint_gt(g->nedges, 4);
    for (uint32_t i = 0; i < g->nedges; i++) {
        const struct sca_task_edge *e = &g->edges[i];
        ck_assert_ptr_eq(sca_task_graph_find(g, e->kind, e->from, e->to), e);
    }
    ck_assert_ptr_null(sca_task_graph_find(g, SCA_TASK_COMPLETES, 0, 1));
    ck_assert_ptr_null(sca_task_graph_find(g, SCA_TASK_COMPUTES, g->nnodes - 1, 0));
    end();
}
END_TEST

START_TEST(messages_of_a_halo_are_exact)
{
    halo(false, UINT32_MAX);
    struct sca_task_messages of;
    sca_task_messages_between(&space, &source, 6, 7, &of);
    ck_assert_uint_eq(of.count, 1);
    ck_assert(of.of[0].known == SCA_TASK_EXACT && of.of[0].send == SEND &&
              of.of[0].receive == RECEIVE);
    ck_assert_double_eq(of.of[0].messages, STEPS);
    ck_assert_double_eq(of.of[0].bytes, STEPS * 8);
    sca_task_messages_between(&space, &source, 4, 5, &of); /* the ends of two rows */
    ck_assert_uint_eq(of.count, 0);
    end();
}
END_TEST

/* Two calls on both sides, and nothing recorded that tells which belong together. */
START_TEST(what_is_not_known_is_not_made_up)
{
    begin(2);
    for (int i = 0; i < 2; i++) {
        uint32_t send = sites[i ? ALLTOALL : SEND], receive = sites[i ? ALLTOALLV : RECEIVE];
        synth_peer(s, 0, &(struct sca_part_peer){send, 0, 1, SCA_SENT, 7, 56});
        synth_peer(s, 1, &(struct sca_part_peer){receive, 0, 0, SCA_RECEIVED, 7, 56});
    }
    load();
    struct sca_task_messages of;
    sca_task_messages_between(&space, &source, 0, 1, &of);
    ck_assert_uint_eq(of.count, 4);
    for (uint32_t i = 0; i < of.count; i++)
        ck_assert(of.of[i].send == SCA_NONE || of.of[i].receive == SCA_NONE);
    end();
}
END_TEST

static void keep(uint32_t send, uint32_t receive, int32_t tag, uint64_t number)
{
    synth_message(s, 0,
                  &(struct sca_part_message){.peer = 1,
                                             .tag = tag,
                                             .direction = SCA_SENT,
                                             .number = number,
                                             .site = sites[send],
                                             .bytes = 8});
    synth_message(s, 1,
                  &(struct sca_part_message){.peer = 0,
                                             .tag = tag,
                                             .direction = SCA_RECEIVED,
                                             .number = number,
                                             .site = sites[receive],
                                             .bytes = 8});
}

/* With a message of each kept, the totals say how many there are. */
START_TEST(totals_tell_messages_apart)
{
    begin(2);
    synth_peer(s, 0, &(struct sca_part_peer){sites[SEND], 0, 1, SCA_SENT, 5, 40});
    synth_peer(s, 0, &(struct sca_part_peer){sites[ALLTOALL], 0, 1, SCA_SENT, 9, 72});
    synth_peer(s, 1, &(struct sca_part_peer){sites[RECEIVE], 0, 0, SCA_RECEIVED, 5, 40});
    synth_peer(s, 1, &(struct sca_part_peer){sites[ALLTOALLV], 0, 0, SCA_RECEIVED, 9, 72});
    keep(SEND, RECEIVE, 1, 3);
    keep(ALLTOALL, ALLTOALLV, 2, 4);
    load();
    struct sca_task_messages of;
    sca_task_messages_between(&space, &source, 0, 1, &of);
    ck_assert_uint_eq(of.count, 2);
    for (uint32_t i = 0; i < 2; i++) {
        ck_assert(of.of[i].known == SCA_TASK_BY_TOTALS);
        ck_assert_double_eq(of.of[i].messages, of.of[i].send == SEND ? 5 : 9);
        ck_assert_uint_eq(of.of[i].receive, of.of[i].send == SEND ? RECEIVE : ALLTOALLV);
    }
    end();
}
END_TEST

/* Each iteration begins a phase, sums up, and ends the phase. */
START_TEST(named_phases_begin_and_end_where_the_program_says)
{
    begin(1);
    calls(0, ALLREDUCE, STEPS);
    calls(0, FINALIZE, 1);
    computes(0, MAIN, ALLREDUCE, 1, 1000);
    computes(0, ALLREDUCE, ALLREDUCE, STEPS - 1, 9000000);
    computes(0, ALLREDUCE, FINALIZE, 1, 1000000);
    steps(0, MAIN, BEGINS, 1, 1000);
    steps(0, BEGINS, ALLREDUCE, STEPS, 8000000);
    steps(0, ALLREDUCE, ENDS, STEPS, 1000000);
    steps(0, ENDS, BEGINS, STEPS - 1, 1000);
    steps(0, ENDS, FINALIZE, 1, 1000);
    load();
    struct sca_task_graph *g = sca_task_graph_begin(&space, &source);
    sca_task_graph_add(g, &source, 0);
    sca_task_graph_finish(g);
    ck_assert_uint_eq(g->nnodes, 7);
    has_node(g, 0, SCA_TASK_START, SCA_NONE, 1);
    has_node(g, 1, SCA_TASK_LOOP_ENTRY, LOOP, 1);
    has_node(g, 2, SCA_TASK_CALL, ALLREDUCE, STEPS);
    has_node(g, 3, SCA_TASK_BEGINS, BEGINS, STEPS);
    has_node(g, 4, SCA_TASK_ENDS, ENDS, STEPS);
    has_node(g, 5, SCA_TASK_LOOP_EXIT, LOOP, 1);
    has_node(g, 6, SCA_TASK_END, FINALIZE, 1);
    ck_assert_double_eq(g->nodes[1].iterations, STEPS);
    ck_assert_double_eq(ways(g, SCA_TASK_STEPS, 0, 3), 1);
    ck_assert_double_eq(ways(g, SCA_TASK_STEPS, 3, 2), STEPS);
    ck_assert_double_eq(ways(g, SCA_TASK_STEPS, 2, 4), STEPS);
    ck_assert_double_eq(ways(g, SCA_TASK_STEPS, 4, 3), STEPS - 1);
    ck_assert_double_eq(ways(g, SCA_TASK_STEPS, 4, 6), 1);
    ck_assert_double_eq_tol(times_of(g, SCA_TASK_STEPS, 3, 2).seconds, 0.008, 1e-9);
    ck_assert_double_eq(ways(g, SCA_TASK_COMPUTES, 2, 2), STEPS - 1);
    ck_assert_uint_eq(g->nedges, 5 + 3 + 4);
    end();
}
END_TEST

/* A phase in the outer loop around an inner one that makes all calls: its rounds stay unknown. */
START_TEST(a_named_phase_is_no_call_that_tells_rounds)
{
    enum { INNER = RECEIVE };
    begin(1);
    vertices[INNER] = vertices[LOOP];
    vertices[INNER].parent = LOOP;
    vertices[ALLREDUCE].parent = INNER;
    calls(0, ALLREDUCE, STEPS);
    computes(0, MAIN, ALLREDUCE, 1, 1000);
    computes(0, ALLREDUCE, ALLREDUCE, STEPS - 1, 9000000);
    steps(0, MAIN, BEGINS, 1, 1000);
    steps(0, BEGINS, ALLREDUCE, 2, 8000000);
    steps(0, ALLREDUCE, BEGINS, 1, 1000);
    load();
    struct sca_task_graph *g = sca_task_graph_begin(&space, &source);
    sca_task_graph_add(g, &source, 0);
    sca_task_graph_finish(g);
    has_node(g, 1, SCA_TASK_LOOP_ENTRY, LOOP, 1);
    ck_assert_double_nan(g->nodes[1].iterations);
    has_node(g, 4, SCA_TASK_BEGINS, BEGINS, 2);
    end();
}
END_TEST

SCA_SUITE("rank_classes", halo_has_corners_borders_and_an_interior,
          ranks_of_one_graph_are_divided_by_times, torus_has_no_borders,
          cylinder_has_borders_at_its_ends, master_workers_and_an_idle_rank,
          classes_are_divided_as_asked, ranks_that_are_forgotten_have_the_same_classes,
          peers_are_seen_as_the_program_does, bucket_sort_has_the_graph_of_its_source,
          edges_are_found_in_a_finished_graph, named_phases_begin_and_end_where_the_program_says,
          a_named_phase_is_no_call_that_tells_rounds, messages_of_a_halo_are_exact,
          what_is_not_known_is_not_made_up, totals_tell_messages_apart)
