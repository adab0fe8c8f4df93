/* Summaries of parts of the ranks, united in any order and grouping, are that of all: the view of
 * classes is the same to the byte. Programs, parts and order are drawn by lot, always the same. */
#include "activity/rank_summary.h"
#include "check_main.h"
#include "sca_error.h"
#include "synthetic.h"
#include "temp_folder.h"
#include "views/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS = 72, SITES = 7, KINDS = 5, INTERVALS = 12, PEERS = 6, MOST_PARTS = 64, TRIES = 24 };

struct made_rank {
    struct sca_rank rank;
    struct sca_site_total sites[SITES];
    struct sca_part_interval intervals[INTERVALS];
    struct sca_part_peer peers[PEERS];
};

static struct sca_ppg_vertex vertices[] = {
    {.kind = SCA_ROOT, .name = "", .function = "main", .file = "a.c"},
    {.kind = SCA_MPI, .name = "MPI_Send", .function = "main", .file = "a.c", .line = 1},
    {.kind = SCA_MPI, .name = "MPI_Recv", .function = "main", .file = "a.c", .line = 2},
    {.kind = SCA_MPI, .name = "MPI_Barrier", .function = "main", .file = "a.c", .line = 3}};
enum { VERTICES = sizeof vertices / sizeof *vertices };

static uint32_t site_vertex[SITES]; /* two call paths to each vertex of a call */
static struct made_rank made[RANKS];
static uint64_t lot;
static jmp_buf out_of_memory; /* nobody jumps there */

static uint32_t draw(uint32_t below)
{
    lot = lot * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((lot >> 33) % below);
}

static void shuffle(uint32_t *list, uint32_t n)
{
    for (uint32_t i = n; i > 1; i--) {
        uint32_t k = draw(i), swapped = list[k];
        list[k] = list[i - 1];
        list[i - 1] = swapped;
    }
}

/* ---- a program ---- */

static void make_calls(struct made_rank *m, uint32_t kind, bool backwards)
{
    for (uint32_t i = 0; i < SITES; i++) {
        uint32_t site = backwards ? SITES - 1 - i : i;
        m->sites[m->rank.nsites++] = (struct sca_site_total){
            .site = site, .count = (kind >> (site % 3)) % 2 || !kind ? 3 : 0};
    }
}

/* Some counts fit in a float, some do not. */
static void make_intervals(struct made_rank *m, uint32_t kind, bool backwards)
{
    for (uint32_t i = 0; i < INTERVALS; i++) {
        uint32_t at = backwards ? INTERVALS - 1 - i : i;
        m->intervals[m->rank.nintervals++] = (struct sca_part_interval){
            .previous = at % SITES,
            .site = (at * (kind + 1) + 1) % SITES,
            .count = (at + kind) % 3,
            .cpu_ns = draw(4) ? 1000 * (1 + draw(3)) : 40000000001ull + draw(1000),
            .blocked_ns = draw(8) ? 0 : 77};
    }
}

static int32_t peer_of(uint32_t r, uint32_t kind, uint32_t i)
{
    switch (kind) {
    case 0:
        return (int32_t)((r + 1 + i) % RANKS);
    case 1:
        return (int32_t)((r ^ 1u << i) % RANKS);
    case 2:
        return 0;
    case 3:
        return i % 2 ? -1 : -2;
    default:
        return (int32_t)draw(RANKS);
    }
}

static void make_peers(struct made_rank *m, uint32_t r, uint32_t kind)
{
    for (uint32_t i = 0; i < PEERS - kind % 2; i++)
        m->peers[m->rank.npeers++] =
            (struct sca_part_peer){.site = 1 + i % (SITES - 1),
                                   .peer = peer_of(r, kind, i % 3),
                                   .direction = i % 2 ? SCA_SENT : SCA_RECEIVED,
                                   .count = draw(60) ? 2 : 0};
}

static void make_ranks(void)
{
    for (uint32_t i = 1; i < SITES; i++)
        site_vertex[i] = 1 + (i - 1) % (VERTICES - 1);
    site_vertex[0] = SCA_NONE;
    uint32_t kinds = 1 + draw(KINDS);
    for (uint32_t r = 0; r < RANKS; r++) {
        struct made_rank *m = &made[r];
        uint32_t kind = draw(kinds);
        bool backwards = draw(2);
        *m = (struct made_rank){.rank = {.present = draw(20) != 0}};
        make_calls(m, kind, backwards);
        make_intervals(m, kind, backwards);
        make_peers(m, r, kind);
        m->rank.sites = m->sites;
        m->rank.intervals = m->intervals;
        m->rank.peers = m->peers;
    }
}

/* ---- its summaries ---- */

struct part {
    struct sca_workspace space;
    struct sca_rank_summary summary;
};

static void add_if_present(struct part *p, uint32_t r)
{
    if (made[r].rank.present)
        sca_rank_summary_add(&p->summary, r, &made[r].rank);
}

static struct part *begin_part(void)
{
    struct part *p = calloc(1, sizeof *p);
    ck_assert_ptr_nonnull(p);
    p->space.out_of_memory = &out_of_memory;
    sca_rank_summary_begin(&p->space, RANKS, &p->summary);
    return p;
}

static void end_part(struct part *p)
{
    sca_workspace_free(&p->space);
    free(p);
}

static struct part *one_by_one(void)
{
    struct part *p = begin_part();
    for (uint32_t r = 0; r < RANKS; r++)
        add_if_present(p, r);
    return p;
}

/* Two that are drawn become one until one is left; what went into another is gone. */
static struct part *along_a_tree(uint32_t nparts)
{
    struct part *parts[MOST_PARTS];
    uint32_t order[RANKS];
    for (uint32_t i = 0; i < nparts; i++)
        parts[i] = begin_part();
    for (uint32_t r = 0; r < RANKS; r++)
        order[r] = r;
    shuffle(order, RANKS);
    for (uint32_t i = 0; i < RANKS; i++)
        add_if_present(parts[draw(nparts)], order[i]);
    for (; nparts > 1; nparts--) {
        uint32_t from = draw(nparts), to = (from + 1 + draw(nparts - 1)) % nparts;
        sca_rank_summary_unite(&parts[to]->summary, &parts[from]->summary);
        end_part(parts[from]);
        parts[from] = parts[nparts - 1];
    }
    return parts[0];
}

/* ---- the view ---- */

struct text {
    char *bytes;
    size_t n;
};

static struct text read_all(const char *path)
{
    struct text out;
    FILE *in = fopen(path, "r"), *to = open_memstream(&out.bytes, &out.n);
    ck_assert(in && to);
    for (int c; (c = getc(in)) != EOF;)
        putc(c, to);
    fclose(in);
    fclose(to);
    return out;
}

static struct text view_of(const struct sca_ppg *ppg, const struct sca_rank_summary *summary)
{
    struct sca_workspace space = {.out_of_memory = &out_of_memory};
    struct sca_settings settings = {.classes = 9};
    const struct sca_view_input in = {
        .space = &space, .ppg = ppg, .settings = &settings, .summary = summary};
    struct sca_table table = {.space = &space, .ppg = ppg, .view = "classes"};
    char folder[TEMP_FOLDER], path[TEMP_FOLDER + 16];
    temp_folder(folder);
    snprintf(path, sizeof path, "%s/view.json", folder);
    sca_view_classes(&in, &table);
    ck_assert_int_eq(sca_table_write(&table, path), SCA_OK);
    struct text out = read_all(path);
    temp_folder_drop(folder);
    sca_workspace_free(&space);
    return out;
}

static void check_program(const struct sca_ppg *ppg)
{
    static const uint32_t nparts[] = {2, 3, 5, 17, MOST_PARTS};
    make_ranks();
    struct part *whole = one_by_one();
    struct text expected = view_of(ppg, &whole->summary);
    ck_assert_ptr_nonnull(strstr(expected.bytes, "\"ranks\""));
    for (uint32_t i = 0; i < sizeof nparts / sizeof *nparts; i++) {
        struct part *united = along_a_tree(nparts[i]);
        struct text got = view_of(ppg, &united->summary);
        ck_assert_msg(got.n == expected.n && !memcmp(got.bytes, expected.bytes, got.n),
                      "%u parts make another view than ranks one by one", nparts[i]);
        free(got.bytes);
        end_part(united);
    }
    free(expected.bytes);
    end_part(whole);
}

START_TEST(parts_in_any_order_are_the_whole)
{
    struct synth *s = synth_new(RANKS);
    struct sca_profile *profile = synth_profile(s);
    profile->nsites = SITES;
    struct sca_ppg_run run = {.profile = profile, .nranks = RANKS, .site_vertex = site_vertex};
    struct sca_ppg ppg = {.nvertices = VERTICES,
                          .vertices = vertices,
                          .nruns = 1,
                          .runs = &run,
                          .program = "prog",
                          .path = "",
                          .build_id = ""};
    for (uint32_t i = 0; i < TRIES; i++) {
        lot = i;
        check_program(&ppg);
    }
    sca_profile_free(profile);
    synth_free(s);
}
END_TEST

/* ---- who is there twice, or not at all ---- */

START_TEST(who_is_there_stays)
{
    lot = 1;
    make_ranks();
    struct part *a = begin_part(), *b = begin_part();
    made[3].rank.present = true;
    add_if_present(a, 3);
    uint64_t before = made[3].intervals[1].cpu_ns;
    made[3].intervals[1].cpu_ns += 5000;
    add_if_present(b, 3);
    double own = a->summary.own_ns[3];
    sca_rank_summary_unite(&a->summary, &b->summary);
    ck_assert_double_eq(a->summary.own_ns[3], own);
    made[3].intervals[1].cpu_ns = before;
    end_part(a);
    end_part(b);
}
END_TEST

START_TEST(nothing_adds_nothing)
{
    struct sca_workspace empty = {0};
    struct sca_rank_summary nobody;
    struct part *a = begin_part();
    sca_rank_summary_taker(&empty, &nobody);
    sca_rank_summary_unite(&a->summary, &nobody);
    for (uint32_t r = 0; r < RANKS; r++)
        ck_assert_uint_eq(a->summary.graph[r], SCA_NONE);
    end_part(a);
}
END_TEST

SCA_SUITE("rank_summary", parts_in_any_order_are_the_whole, who_is_there_stays,
          nothing_adds_nothing)
