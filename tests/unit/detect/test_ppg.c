/* The graph of synthetic runs of programs/halo.c, with and without its structure graph. */
#include "load/run_metrics.h"
#include "load/graph_build.h"
#include "symbols/attribution.h"
#include "graph/messages.h"
#include "sca_error.h"
#include "synthetic.h"
#include "check_main.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RELAX = 10, NORM = 17, REDUCE = 18, REFINE = 25, REDUCE_2 = 26 };
enum { STEP = 35, CALL_RELAX = 36, SEND = 38, RECV = 40, CALL_NORM = 41, CALL_REFINE = 43 };

/* ---- addresses by function and line ---- */

struct setting { /* a run being made, and its call paths */
    char program[4096];
    struct sca_attribution code; /* to find addresses with */
    struct synth *synth;
    uint32_t exe, main, relax, norm, send, recv, reduce, reduce_2, in_relax, in_norm;
};

/* The last address of a line: for a call behind it, the return address is one further. */
static uint64_t address_of(struct setting *s, const char *function, uint32_t line, bool call)
{
    uint64_t found = 0;
    for (uint64_t at = 0x1000; at < 0x2000; at++) {
        const struct sca_address_info *place;
        ck_assert_int_eq(sca_attribution_lookup(&s->code, 0, at, SCA_NODE_PC, &place), SCA_OK);
        const struct sca_frame *f = place->nframes ? &place->frames[place->nframes - 1] : NULL;
        if (!f || strcmp(place->frames[0].name, function) || f->line != line)
            continue;
        uint32_t kind = SCA_CALL;
        if (f->function != SCA_NO_FUNCTION)
            kind = s->code.psg.functions[f->function].vertices[f->vertex].kind;
        if (!call || kind == SCA_CALL || kind == SCA_MPI)
            found = at;
    }
    ck_assert_msg(found, "%s has no code of %s:%u", s->program, function, line);
    return found + call;
}

static uint32_t call_node(struct setting *s, uint32_t parent, const char *function, uint32_t line)
{
    return synth_node(s->synth, parent, s->exe, address_of(s, function, line, true),
                      SCA_NODE_RETURN);
}

static uint32_t pc_node(struct setting *s, uint32_t parent, const char *function, uint32_t line)
{
    return synth_node(s->synth, parent, s->exe, address_of(s, function, line, false), SCA_NODE_PC);
}

static uint32_t mpi_site(struct setting *s, uint32_t parent, const char *function, uint32_t line,
                         const char *name)
{
    return synth_site(s->synth, call_node(s, parent, function, line), name);
}

/* main's frames lie below a frame of no known module, as the C library's do. */
static void add_paths(struct setting *s)
{
    uint32_t start = synth_node(s->synth, 0, SCA_NONE, 0x1234, SCA_NODE_RETURN);
    uint32_t refine = call_node(s, start, "main", CALL_REFINE);
    s->relax = call_node(s, start, "main", CALL_RELAX);
    s->norm = call_node(s, start, "main", CALL_NORM);
    s->send = mpi_site(s, start, "main", SEND, "MPI_Send");
    s->recv = mpi_site(s, start, "main", RECV, "MPI_Recv");
    s->reduce = mpi_site(s, s->norm, "norm", REDUCE, "MPI_Allreduce");
    s->reduce_2 =
        mpi_site(s, call_node(s, call_node(s, refine, "refine", REFINE), "refine", REFINE),
                 "refine", REDUCE_2, "MPI_Allreduce");
    s->in_relax = pc_node(s, s->relax, "relax", RELAX);
    s->in_norm = pc_node(s, s->norm, "norm", NORM);
}

/* False: this build has no such program. */
static bool set_up(struct setting *s, const char *program, uint32_t ranks)
{
    snprintf(s->program, sizeof s->program, "%s/%s", TEST_PROGRAMS, program);
    if (access(s->program, R_OK))
        return false;
    struct sca_module module = {s->program, ""};
    s->code = (struct sca_attribution){0};
    ck_assert_int_eq(sca_attribution_add(&s->code, &module, true, &s->exe), SCA_OK);
    ck_assert_int_eq(sca_attribution_ready(&s->code), SCA_OK);
    s->synth = synth_new(ranks);
    synth_meta(s->synth, "program", "halo");
    synth_meta(s->synth, "path", s->program);
    s->exe = synth_module(s->synth, s->program, "");
    add_paths(s);
    sca_attribution_free(&s->code);
    return true;
}

static struct sca_ppg *build(struct sca_profile *profile)
{
    struct sca_ppg *ppg;
    int status = sca_graph_build(&profile, 1, &(struct sca_graph_wish){.max_loop_depth = 10}, &ppg);
    ck_assert_msg(status == SCA_OK, "%s", sca_error_message());
    return ppg;
}

/* ---- reading the graph ---- */

static uint32_t find(const struct sca_ppg *g, uint32_t parent, uint32_t kind, const char *name)
{
    uint32_t found = SCA_NONE;
    for (uint32_t v = 1; v < g->nvertices; v++)
        if (g->vertices[v].parent == parent && g->vertices[v].kind == kind &&
            !strcmp(g->vertices[v].name, name)) {
            ck_assert_uint_eq(found, SCA_NONE);
            found = v;
        }
    ck_assert_msg(found != SCA_NONE, "no vertex of kind %u \"%s\" below %u", kind, name, parent);
    return found;
}

static void check_preorder(const struct sca_ppg *g)
{
    for (uint32_t v = 1; v < g->nvertices; v++) {
        ck_assert_uint_lt(g->vertices[v].parent, v);
        uint32_t up = v - 1;
        while (up && up != g->vertices[v].parent)
            up = g->vertices[up].parent;
        ck_assert_uint_eq(up, g->vertices[v].parent);
    }
    ck_assert_uint_eq(g->vertices[0].kind, SCA_ROOT);
}

static double at(const struct sca_ppg *g, const double *values, uint32_t vertex, uint32_t rank)
{
    return values[(size_t)vertex * g->runs[0].nranks + rank];
}

static double rank_sum(const struct sca_ppg *g, const double *values, uint32_t rank)
{
    double sum = 0;
    for (uint32_t v = 0; v < g->nvertices; v++)
        sum += at(g, values, v, rank);
    return sum;
}

static void put_away(struct setting *s, struct sca_ppg *g, struct sca_profile *p)
{
    sca_ppg_free(g);
    sca_profile_free(p);
    synth_free(s->synth);
}

/* ---- tests ---- */

static void add_samples(struct setting *s)
{
    for (uint32_t r = 0; r < 4; r++) {
        synth_sample(s->synth, r, s->in_relax, s->reduce, false, r == 3 ? 90 : 30);
        synth_sample(s->synth, r, s->in_norm, r % 2 ? s->send : s->recv, false, 7);
        synth_interval(s->synth, r, s->reduce, r % 2 ? s->send : s->recv, 9, 123456789 + r);
        synth_interval(s->synth, r, r % 2 ? s->send : s->recv, s->reduce, 10, 7654321);
        synth_total(s->synth, r, s->reduce, 10, 1000000 * (r + 1), 80);
    }
}

START_TEST(contexts_that_ran_form_the_tree)
{
    struct setting s;
    if (!set_up(&s, "graph_halo", 4))
        return;
    add_samples(&s);
    struct sca_profile *p = synth_profile(s.synth);
    struct sca_ppg *g = build(p);
    check_preorder(g);
    ck_assert_str_eq(g->vertices[0].name, "halo");
    ck_assert_str_eq(g->vertices[0].function, "main");
    ck_assert_uint_eq(g->nnotes, 0);
    uint32_t step = find(g, 0, SCA_LOOP, "");
    ck_assert_uint_eq(g->vertices[step].line, STEP);
    uint32_t relax = find(g, step, SCA_CALL, "relax"), norm = find(g, step, SCA_CALL, "norm");
    uint32_t branch = find(g, step, SCA_BRANCH, "");
    uint32_t send = find(g, branch, SCA_MPI, "MPI_Send");
    uint32_t recv = find(g, branch, SCA_MPI, "MPI_Recv");
    ck_assert(relax < branch && branch < send && send < recv && recv < norm);
    ck_assert_uint_ne(g->vertices[send].arm, g->vertices[recv].arm);
    uint32_t reduce = find(g, norm, SCA_MPI, "MPI_Allreduce");
    ck_assert_uint_eq(g->runs[0].site_vertex[s.reduce], reduce);
    ck_assert_uint_eq(g->runs[0].site_vertex[0], SCA_NONE);
    uint32_t outer = find(g, relax, SCA_LOOP, "");
    uint32_t inner = find(g, outer, SCA_LOOP, "");
    ck_assert_uint_eq(g->runs[0].node_vertex[s.in_relax], inner);
    ck_assert_uint_eq(g->vertices[inner].line, RELAX - 1);
    ck_assert_str_eq(g->vertices[inner].function, "relax");
    put_away(&s, g, p);
}
END_TEST

START_TEST(recursion_uses_the_outermost_activation)
{
    struct setting s;
    if (!set_up(&s, "graph_halo", 4))
        return;
    struct sca_profile *p = synth_profile(s.synth);
    struct sca_ppg *g = build(p);
    uint32_t refine = find(g, 0, SCA_CALL, "refine");
    uint32_t reduce = find(g, refine, SCA_MPI, "MPI_Allreduce");
    ck_assert_uint_eq(g->runs[0].site_vertex[s.reduce_2], reduce);
    put_away(&s, g, p);
}
END_TEST

START_TEST(computation_keeps_its_exact_sums)
{
    struct setting s;
    if (!set_up(&s, "graph_halo", 4))
        return;
    add_samples(&s);
    struct sca_profile *p = synth_profile(s.synth);
    struct sca_ppg *g = build(p);
    const struct sca_ppg_run *run = &g->runs[0];
    ck_assert_int_eq(sca_run_metrics_fill_mpi_time(g), SCA_OK);
    for (uint32_t r = 0; r < 4; r++) {
        double expected = (123456789 + r + 7654321) * 1e-9, share = 0;
        ck_assert_double_eq_tol(rank_sum(g, run->comp, r), expected, 1e-15);
        for (uint32_t interval = 0; interval < run->intervals.n; interval++) {
            const uint32_t *first = &run->first_share[r * run->intervals.n + interval];
            for (uint32_t i = first[0]; i < first[1]; i++)
                share += run->shares[i].seconds;
        }
        ck_assert_double_eq_tol(share, expected, 1e-15);
        ck_assert_double_eq(at(g, run->mpi, run->site_vertex[s.reduce], r), 1e-3 * (r + 1));
    }
    ck_assert_uint_eq(run->calls[run->site_vertex[s.reduce]], 4 * 10);
    ck_assert_double_eq(run->samples[run->node_vertex[s.in_relax]], 3 * 30 + 90);
    put_away(&s, g, p);
}
END_TEST

START_TEST(samples_say_where_the_time_goes)
{
    struct setting s;
    if (!set_up(&s, "graph_halo", 4))
        return;
    for (uint32_t r = 0; r < 4; r++) {
        synth_interval(s.synth, r, s.reduce, s.reduce, 10, 1000000000);
        if (r == 3)
            continue; /* not one sample: it gets what the others have */
        synth_sample(s.synth, r, s.in_relax, s.reduce, false, r == 0 ? 50 : 100);
        synth_sample(s.synth, r, s.in_norm, s.reduce, false, r == 0 ? 50 : 0);
    }
    struct sca_profile *p = synth_profile(s.synth);
    struct sca_ppg *g = build(p);
    const struct sca_ppg_run *run = &g->runs[0];
    uint32_t relax = run->node_vertex[s.in_relax], norm = run->node_vertex[s.in_norm];
    ck_assert_double_eq_tol(at(g, run->comp, relax, 0), 0.5, 0.02);
    ck_assert_double_eq_tol(at(g, run->comp, relax, 1), 1.0, 0.02);
    ck_assert_double_eq_tol(at(g, run->comp, norm, 3), 1.0 / 6, 0.01);
    ck_assert_double_eq_tol(rank_sum(g, run->comp, 3), 1, 1e-12);
    double inclusive[64];
    sca_ppg_inclusive(g, run->comp, 4, 0, inclusive);
    ck_assert_double_eq_tol(inclusive[0], 1, 1e-12);
    ck_assert_double_eq_tol(inclusive[find(g, 0, SCA_LOOP, "")], 1, 1e-12);
    put_away(&s, g, p);
}
END_TEST

START_TEST(without_samples_the_structure_says_where)
{
    struct setting s;
    if (!set_up(&s, "graph_halo", 2))
        return;
    synth_interval(s.synth, 0, 0, s.recv, 1, 1000);             /* into the loop: main itself */
    synth_interval(s.synth, 0, s.recv, s.reduce, 1, 20000);     /* within one step */
    synth_interval(s.synth, 0, s.reduce, s.recv, 1, 300000);    /* from one step to the next */
    synth_interval(s.synth, 0, s.reduce, s.reduce, 1, 4000000); /* a whole step */
    synth_interval(s.synth, 0, s.reduce, s.reduce_2, 1, 50000000);
    synth_interval(s.synth, 0, s.recv, s.send, 1, 600000000); /* arms exclude each other */
    struct sca_profile *p = synth_profile(s.synth);
    struct sca_ppg *g = build(p);
    uint32_t step = find(g, 0, SCA_LOOP, "");
    ck_assert_double_eq_tol(at(g, g->runs[0].comp, 0, 0), 50001000e-9, 1e-12);
    ck_assert_double_eq_tol(at(g, g->runs[0].comp, step, 0), 604320000e-9, 1e-12);
    put_away(&s, g, p);
}
END_TEST

START_TEST(time_off_the_core_is_no_samples_to_spread)
{
    struct setting s;
    if (!set_up(&s, "graph_halo", 1))
        return;
    synth_interval(s.synth, 0, s.recv, s.reduce, 10, 1000000000);
    synth_sample(s.synth, 0, s.in_norm, s.recv, false, 200);
    struct sca_profile *p = synth_profile(s.synth);
    p->ranks[0].intervals[0].blocked_ns = 500000000; /* it slept between Recv and Allreduce */
    struct sca_ppg *g = build(p);
    const struct sca_ppg_run *run = &g->runs[0];
    ck_assert_double_eq_tol(at(g, run->comp, run->node_vertex[s.in_norm], 0), 1, 1e-12);
    ck_assert_double_eq_tol(at(g, run->comp, find(g, 0, SCA_LOOP, ""), 0), 0.5, 1e-12);
    put_away(&s, g, p);
}
END_TEST

static struct sca_part_message message(uint32_t site, int peer, uint32_t direction, uint64_t number,
                                       uint64_t bytes, uint64_t enter)
{
    return (struct sca_part_message){.peer = peer,
                                     .direction = direction,
                                     .number = number,
                                     .site = site,
                                     .post_site = site,
                                     .bytes = bytes,
                                     .enter_ns = enter,
                                     .exit_ns = enter + 1000};
}

static void exchange(struct setting *s, uint32_t sender, uint32_t receiver, uint64_t number,
                     uint64_t received, uint64_t late)
{
    struct sca_part_message sent =
        message(s->send, (int)receiver, SCA_SENT, number, 8, 1000000 + late);
    struct sca_part_message got =
        message(s->recv, (int)sender, SCA_RECEIVED, number, received, 1000000);
    got.exit_ns += late + 1000000;
    synth_message(s->synth, sender, &sent);
    synth_message(s->synth, receiver, &got);
}

START_TEST(messages_join_both_sides)
{
    struct setting s;
    if (!set_up(&s, "graph_halo", 4))
        return;
    struct sca_part_peer sent_to_0 = {s.send, 0, 0, SCA_SENT, 10, 80};
    struct sca_part_peer from_1 = {s.recv, 0, 1, SCA_RECEIVED, 10, 80};
    struct sca_part_peer sent_to_2 = {s.send, 0, 2, SCA_SENT, 5, 40};
    struct sca_part_peer from_3 = {s.recv, 0, 3, SCA_RECEIVED, 5, 40};
    synth_peer(s.synth, 1, &sent_to_0);
    synth_peer(s.synth, 0, &from_1);
    synth_peer(s.synth, 3, &sent_to_2);
    synth_peer(s.synth, 2, &from_3);
    exchange(&s, 1, 0, 4, 8, 2000000);
    exchange(&s, 1, 0, 7, 8, 4000000);
    exchange(&s, 3, 2, 1, 9, 0);                /* sizes differ: not the same message */
    synth_header(s.synth, 1)->init_ns = 500000; /* its times begin later than rank 0's */
    struct sca_profile *p = synth_profile(s.synth);
    struct sca_ppg *g = build(p);
    const struct sca_ppg_run *run = &g->runs[0];
    struct sca_arena arena = {0};
    struct sca_messages to_0, to_2;
    ck_assert_int_eq(sca_messages_between(&arena, run, 1, 0, &to_0), SCA_OK);
    ck_assert_int_eq(sca_messages_between(&arena, run, 3, 2, &to_2), SCA_OK);
    ck_assert_uint_eq(to_0.count, 1);
    ck_assert_uint_eq(to_2.count, 1);
    const struct sca_ppg_message *joined = &to_0.edges[0], *guessed = &to_2.edges[0];
    ck_assert_uint_eq(joined->receive_rank, 0);
    ck_assert_uint_eq(joined->send_rank, 1);
    ck_assert_uint_eq(joined->receive_vertex, run->site_vertex[s.recv]);
    ck_assert_uint_eq(joined->send_vertex, run->site_vertex[s.send]);
    ck_assert_uint_eq(joined->count, 10);
    ck_assert_uint_eq(joined->bytes, 80);
    ck_assert_double_eq_tol(joined->late_s, 0.0035, 2e-6);
    ck_assert_uint_eq(guessed->receive_rank, 2);
    ck_assert_uint_eq(guessed->send_rank, 3);
    ck_assert_uint_eq(guessed->send_vertex, run->site_vertex[s.send]);
    ck_assert_uint_eq(guessed->count, 5);
    ck_assert(isnan(guessed->late_s));
    sca_arena_free(&arena);
    put_away(&s, g, p);
}
END_TEST

START_TEST(without_graph_it_is_recovered)
{
    struct setting s;
    ck_assert(set_up(&s, "halo_plain", 4));
    add_samples(&s);
    struct sca_profile *p = synth_profile(s.synth);
    struct sca_ppg *g = build(p);
    check_preorder(g);
    ck_assert_uint_eq(g->nnotes, 1);
    ck_assert_ptr_nonnull(strstr(g->notes[0], "recovered from machine code"));
    uint32_t steps = find(g, 0, SCA_LOOP, "");
    uint32_t relax = find(g, steps, SCA_CALL, "relax"), norm = find(g, steps, SCA_CALL, "norm");
    ck_assert_uint_lt(relax, norm);
    ck_assert_uint_eq(g->vertices[relax].line, CALL_RELAX);
    uint32_t line = g->runs[0].node_vertex[s.in_relax];
    while (line && g->vertices[line].kind != SCA_LOOP)
        line = g->vertices[line].parent;
    ck_assert_uint_eq(g->vertices[g->vertices[line].parent].kind, SCA_LOOP); /* a nest of two */
    ck_assert_uint_eq(g->vertices[g->vertices[line].parent].parent, relax);
    ck_assert_uint_eq(g->vertices[line].line, RELAX - 1);
    find(g, norm, SCA_MPI, "MPI_Allreduce");
    find(g, find(g, 0, SCA_CALL, "refine"), SCA_MPI, "MPI_Allreduce");
    put_away(&s, g, p);
}
END_TEST

/* Some address of the file that lines are known of. */
static uint64_t address_in(const char *path)
{
    struct sca_attribution code = {0};
    struct sca_module module = {path, ""};
    const struct sca_address_info *place = NULL;
    uint64_t at = 0x1000;
    uint32_t index;
    ck_assert_int_eq(sca_attribution_add(&code, &module, false, &index), SCA_OK);
    ck_assert_int_eq(sca_attribution_ready(&code), SCA_OK);
    for (; at < 0x4000 && !(place && place->nframes && place->frames->line); at++)
        ck_assert_int_eq(sca_attribution_lookup(&code, index, at, SCA_NODE_PC, &place), SCA_OK);
    ck_assert_uint_lt(at, 0x4000);
    sca_attribution_free(&code);
    return at - 1;
}

START_TEST(a_library_without_graph_is_told)
{
    struct setting s;
    char library[sizeof s.program];
    if (!set_up(&s, "graph_halo", 4))
        return;
    snprintf(library, sizeof library, "%s/nested_o2", TEST_PROGRAMS);
    add_samples(&s); /* 208 */
    synth_sample(s.synth, 0,
                 synth_node(s.synth, s.relax, synth_module(s.synth, library, ""),
                            address_in(library), SCA_NODE_PC),
                 s.reduce, false, 52);
    struct sca_profile *p = synth_profile(s.synth);
    struct sca_ppg *g = build(p);
    ck_assert_uint_eq(g->nnotes, 1);
    ck_assert_ptr_nonnull(strstr(g->notes[0], "recovered from machine code"));
    ck_assert_ptr_nonnull(strstr(g->notes[0], "nested_o2"));
    put_away(&s, g, p);
}
END_TEST

static int try_build(const char *path, const char *build_id, const char *program)
{
    struct synth *synth = synth_new(1);
    struct sca_ppg *g = NULL;
    synth_meta(synth, "program", program);
    synth_meta(synth, "path", path);
    uint32_t exe = synth_module(synth, path, build_id);
    synth_site(synth, synth_node(synth, 0, exe, 0x1150, SCA_NODE_RETURN), "MPI_Barrier");
    struct sca_profile *p = synth_profile(synth);
    int status = sca_graph_build(&p, 1, &(struct sca_graph_wish){.max_loop_depth = 10}, &g);
    sca_ppg_free(g);
    sca_profile_free(p);
    synth_free(synth);
    return status;
}

START_TEST(a_changed_or_missing_binary_is_an_error)
{
    char program[4096];
    snprintf(program, sizeof program, "%s/halo_plain", TEST_PROGRAMS);
    ck_assert_int_eq(try_build(program, "00112233445566778899aabbccddeeff", "halo"), SCA_EMISMATCH);
    ck_assert_ptr_nonnull(strstr(sca_error_message(), "00112233445566778899aabbccddeeff"));
    ck_assert_ptr_nonnull(strstr(sca_error_message(), program));
    ck_assert_int_eq(try_build("/nowhere/halo", "00", "halo"), SCA_ENOTFOUND);
    ck_assert_ptr_nonnull(strstr(sca_error_message(), "/nowhere/halo"));
    ck_assert_int_eq(try_build("/etc/passwd", "", "passwd"), SCA_EFORMAT);
}
END_TEST

START_TEST(a_stripped_binary_still_has_a_graph)
{
    char program[4096];
    snprintf(program, sizeof program, "%s/halo_stripped", TEST_PROGRAMS);
    ck_assert_int_eq(try_build(program, "", "halo"), SCA_OK);
}
END_TEST

START_TEST(runs_of_different_programs_do_not_mix)
{
    struct synth *synths[2];
    struct sca_profile *profiles[2];
    struct sca_ppg *g = NULL;
    for (int i = 0; i < 2; i++) {
        synths[i] = synth_new(1);
        synth_meta(synths[i], "program", i ? "lu" : "cg");
        profiles[i] = synth_profile(synths[i]);
    }
    ck_assert_int_eq(
        sca_graph_build(profiles, 2, &(struct sca_graph_wish){.max_loop_depth = 10}, &g),
        SCA_EMISMATCH);
    ck_assert_ptr_nonnull(strstr(sca_error_message(), "\"cg\""));
    ck_assert_ptr_nonnull(strstr(sca_error_message(), "\"lu\""));
    for (int i = 0; i < 2; i++) {
        sca_profile_free(profiles[i]);
        synth_free(synths[i]);
    }
}
END_TEST

Suite *test_suite(void)
{
    Suite *s = suite_create("ppg");
    TCase *c = tcase_create("ppg");
    tcase_add_test(c, contexts_that_ran_form_the_tree);
    tcase_add_test(c, recursion_uses_the_outermost_activation);
    tcase_add_test(c, computation_keeps_its_exact_sums);
    tcase_add_test(c, samples_say_where_the_time_goes);
    tcase_add_test(c, without_samples_the_structure_says_where);
    tcase_add_test(c, time_off_the_core_is_no_samples_to_spread);
    tcase_add_test(c, messages_join_both_sides);
    tcase_add_test(c, without_graph_it_is_recovered);
    tcase_add_test(c, a_library_without_graph_is_told);
    tcase_add_test(c, a_changed_or_missing_binary_is_an_error);
    tcase_add_test(c, a_stripped_binary_still_has_a_graph);
    tcase_add_test(c, runs_of_different_programs_do_not_mix);
    suite_add_tcase(s, c);
    return s;
}
