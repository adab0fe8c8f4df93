/* Worlds of one job: which communicators are one, and the profile of all. */
#include "profile/worlds.h"
#include "profile/worlds_link.h"
#include "sca_error.h"
#include "synthetic.h"
#include "check_main.h"
#include "temp_folder.h"

#include <stdio.h>
#include <stdlib.h>

enum { A_RANKS = 2, B_RANKS = 3 };

static char folder[TEMP_FOLDER];
static struct sca_profile *loaded[4];
static uint32_t nloaded;

static void begin(void)
{
    temp_folder(folder);
    nloaded = 0;
}

static void end(void)
{
    for (uint32_t i = 0; i < nloaded; i++)
        sca_profile_free(loaded[i]);
    temp_folder_drop(folder);
}

static const struct sca_profile *load(struct synth *s)
{
    char directory[TEMP_FOLDER + 16];
    snprintf(directory, sizeof directory, "%s/world%u", folder, nloaded);
    synth_write(s, directory);
    synth_free(s);
    ck_assert_msg(sca_profile_load_packed(directory, &loaded[nloaded]) == SCA_OK, "%s",
                  sca_error_message());
    return loaded[nloaded++];
}

/* A world with one communicator more, in which each rank has its own place; rank 0 tells `words`,
 * the others none of the moment. */
static struct synth *world(uint32_t nranks, uint64_t id, const char *kind, uint32_t remote,
                           const char *told)
{
    struct synth *s = synth_new(nranks);
    char words[128];
    uint32_t comm = synth_comm(s, id, nranks, kind);
    for (uint32_t r = 0; r < nranks; r++) {
        snprintf(words, sizeof words, "worlds inter %u%s", remote, r ? "" : told);
        synth_place(s, r, comm, r, words);
    }
    return s;
}

static const struct sca_profile *starts(double at, double took)
{
    char told[64];
    snprintf(told, sizeof told, " met %.9f after %.0f", at, took * 1e9);
    return load(world(A_RANKS, 10, "MPI_Comm_spawn", B_RANKS, told));
}

static const struct sca_profile *is_started(double at)
{
    char told[64];
    snprintf(told, sizeof told, " met %.9f after 0", at);
    return load(world(B_RANKS, 20, "MPI_Comm_get_parent", A_RANKS, told));
}

static uint32_t count_links(const struct sca_profile *const *profiles, uint32_t n)
{
    struct sca_worlds_link *links;
    uint32_t count;
    ck_assert_int_eq(sca_worlds_link(profiles, n, &links, &count), SCA_OK);
    free(links);
    return count;
}

START_TEST(words_are_read)
{
    struct sca_worlds_words w;
    ck_assert(
        sca_worlds_read("worlds inter 3 key 00000000000000ff met 100.250000000 after 5000000", &w));
    ck_assert(w.inter && w.met);
    ck_assert_uint_eq(w.remote, 3);
    ck_assert_uint_eq(w.key, 255);
    ck_assert_double_eq_tol(w.at, 100.25, 1e-9);
    ck_assert_double_eq_tol(w.took, 0.005, 1e-12);
    ck_assert(sca_worlds_read("worlds intra 0 of 000000000000000a as 2", &w));
    ck_assert(!w.inter && !w.met);
    ck_assert_uint_eq(w.parent, 10);
    ck_assert_uint_eq(w.order, 2);
    ck_assert(!sca_worlds_read("cart 4,2 periodic 1,0 at 3,1", &w));
    ck_assert(!sca_worlds_read("worlds", &w));
    ck_assert(!sca_worlds_read("", &w));
}
END_TEST

START_TEST(who_starts_is_joined_to_who_is_started)
{
    ck_assert(sca_profile_are_joined(starts(100.5, 0.5), is_started(100.4)));
    ck_assert(!sca_profile_are_joined(loaded[0], loaded[0]));
}
END_TEST

START_TEST(another_moment_or_another_size_is_another_world)
{
    const struct sca_profile *a = starts(100.5, 0.5);
    ck_assert(!sca_profile_are_joined(a, is_started(200)));
    const char *told = " met 100.4 after 0";
    ck_assert(!sca_profile_are_joined(
        a, load(world(B_RANKS + 1, 20, "MPI_Comm_get_parent", A_RANKS, told))));
}
END_TEST

/* Of two that fit, the nearer in time. */
START_TEST(each_child_has_its_own_parent)
{
    const struct sca_profile *far = is_started(103), *near = is_started(100.6),
                             *a = starts(100.5, 0.5);
    const struct sca_profile *all[] = {far, near, a};
    struct sca_worlds_link *links;
    uint32_t n;
    ck_assert_int_eq(sca_worlds_link(all, 3, &links, &n), SCA_OK);
    ck_assert_uint_eq(n, 1);
    ck_assert_uint_eq(links[0].world[0], 1);
    ck_assert_uint_eq(links[0].world[1], 2);
    free(links);
}
END_TEST

START_TEST(at_a_port_one_accepts_and_the_other_connects)
{
    const char *told = " key 00000000000000ff met 100.4 after 1000";
    const char *elsewhere = " key 00000000000000fe met 100.4 after 1000";
    const struct sca_profile *server = load(world(2, 10, "MPI_Comm_accept", 2, told));
    const struct sca_profile *client = load(world(2, 20, "MPI_Comm_connect", 2, told));
    ck_assert(sca_profile_are_joined(server, client));
    ck_assert(!sca_profile_are_joined(server, load(world(2, 10, "MPI_Comm_accept", 2, told))));
    ck_assert(!sca_profile_are_joined(server, load(world(2, 5, "MPI_Comm_connect", 2, elsewhere))));
}
END_TEST

/* A world of one rank that has joined another, and merged the two. */
static const struct sca_profile *merged(uint64_t id, uint32_t own_rank)
{
    struct synth *s = synth_new(1);
    char words[64];
    snprintf(words, sizeof words, "worlds intra 0 of %016llx as 0", (unsigned long long)id);
    synth_comm(s, id, 1, "MPI_Comm_join");
    synth_comm(s, id + 1, 2, "MPI_Intercomm_merge");
    synth_place(s, 0, 1, 0, "worlds inter 1 key 00000000000000ff met 5 after 1");
    synth_place(s, 0, 2, own_rank, words);
    return load(s);
}

START_TEST(what_is_made_of_it_joins_them_too)
{
    const struct sca_profile *all[] = {merged(10, 0), merged(20, 1)};
    ck_assert_uint_eq(count_links(all, 2), 2);
}
END_TEST

/* Rank 0 of the one sends to rank 2 of the other, and to a third world. */
static void exchange(struct synth *a, struct synth *b)
{
    uint32_t send = synth_site(a, 0, "MPI_Send"), recv = synth_site(b, 0, "MPI_Recv");
    const struct sca_part_message sent = {.hash = 77,
                                          .comm = 1,
                                          .peer = SCA_FOREIGN - 2,
                                          .site = send,
                                          .post_site = send,
                                          .direction = SCA_SENT};
    const struct sca_part_message got = {.hash = 77,
                                         .comm = 1,
                                         .peer = SCA_FOREIGN,
                                         .site = recv,
                                         .post_site = recv,
                                         .direction = SCA_RECEIVED};
    synth_total(a, 0, send, 5, 1000, 40);
    synth_total(b, 2, recv, 5, 1000, 40);
    synth_peer(a, 0, &(struct sca_part_peer){send, 1, SCA_FOREIGN - 2, SCA_SENT, 5, 40});
    synth_peer(a, 0, &(struct sca_part_peer){send, 1, SCA_FOREIGN - 9, SCA_SENT, 5, 40});
    synth_peer(a, 0, &(struct sca_part_peer){send, 0, 1, SCA_SENT, 5, 40});
    synth_peer(b, 2, &(struct sca_part_peer){recv, 1, SCA_FOREIGN, SCA_RECEIVED, 5, 40});
    synth_peer(b, 2, &(struct sca_part_peer){recv, 0, 1, SCA_RECEIVED, 5, 40});
    synth_collective(b, 2, &(struct sca_part_collective){recv, 1, SCA_FOREIGN - 1, 0, 1, 0});
    synth_message(a, 0, &sent);
    synth_message(b, 2, &got);
}

static struct sca_profile *joint(void)
{
    struct sca_profile *all;
    struct synth *a = world(A_RANKS, 10, "MPI_Comm_spawn", B_RANKS, " met 9.5 after 500000000");
    struct synth *b = world(B_RANKS, 20, "MPI_Comm_get_parent", A_RANKS, " met 9.4 after 0");
    exchange(a, b);
    const struct sca_profile *worlds[] = {load(a), load(b)};
    ck_assert_msg(sca_profile_load_worlds(worlds, 2, &all) == SCA_OK, "%s", sca_error_message());
    return all;
}

static void check_peers(const struct sca_rank *sender, const struct sca_rank *receiver)
{
    ck_assert_int_eq(sender->peers[0].peer, 4);
    ck_assert_int_eq(sender->peers[1].peer, SCA_FOREIGN - 9); /* of a world that is not here */
    ck_assert_int_eq(sender->peers[2].peer, 1);
    ck_assert_int_eq(receiver->peers[0].peer, 0);
    ck_assert_int_eq(receiver->peers[1].peer, A_RANKS + 1);
    ck_assert_int_eq(receiver->collectives[0].root, 1);
    ck_assert_uint_eq(sender->peers[0].comm, receiver->peers[0].comm);
    ck_assert_uint_ne(sender->peers[2].comm, receiver->peers[1].comm); /* two MPI_COMM_WORLDs */
    ck_assert_uint_eq(sender->messages[0].hash, receiver->messages[0].hash);
    ck_assert_int_eq(sender->messages[0].peer, 4);
    ck_assert_int_eq(receiver->messages[0].peer, 0);
}

START_TEST(together_they_are_one_run)
{
    struct sca_profile *all = joint();
    void *memory[2];
    struct sca_opened *opened[2];
    for (int i = 0; i < 2; i++) {
        memory[i] = calloc(1, sca_rank_open_size(all));
        opened[i] = sca_rank_open_init(memory[i], all);
    }
    ck_assert_uint_eq(all->nranks, A_RANKS + B_RANKS);
    ck_assert_uint_eq(all->nworlds, 2);
    ck_assert_uint_eq(all->worlds[1].first, A_RANKS);
    ck_assert_uint_eq(all->worlds[1].nranks, B_RANKS);
    ck_assert(all->complete);
    check_peers(sca_rank_open(opened[0], 0, SCA_OPEN_ALL),
                sca_rank_open(opened[1], 4, SCA_OPEN_ALL));
    for (uint32_t c = 0; c < all->ncomms; c++)
        ck_assert(!all->comms[c].joins_worlds);
    free(memory[0]);
    free(memory[1]);
    sca_profile_free(all);
}
END_TEST

Suite *test_suite(void)
{
    const TTest *const tests[] = {words_are_read,
                                  who_starts_is_joined_to_who_is_started,
                                  another_moment_or_another_size_is_another_world,
                                  each_child_has_its_own_parent,
                                  at_a_port_one_accepts_and_the_other_connects,
                                  what_is_made_of_it_joins_them_too,
                                  together_they_are_one_run};
    Suite *suite = suite_create("worlds");
    TCase *tcase = tcase_create("worlds");
    tcase_add_checked_fixture(tcase, begin, end);
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        tcase_add_test(tcase, tests[i]);
    suite_add_tcase(suite, tcase);
    return suite;
}
