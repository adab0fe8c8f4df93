/* A run rank by rank: each has what it has in the profile, which keeps none of it. */
#include "sca_error.h"
#include "sca_profile_each.h"
#include "synthetic.h"
#include "check_main.h"
#include "temp_folder.h"

#include <string.h>

static char directory[TEMP_FOLDER];

struct handed_over {
    const struct sca_profile *whole;
    uint32_t n;
};

static int check_rank(void *of, const struct sca_profile *so_far, uint32_t index,
                      const struct sca_rank *rank)
{
    struct handed_over *h = of;
    const struct sca_rank *whole = &h->whole->ranks[index];
    ck_assert_uint_eq(so_far->nranks, h->whole->nranks);
    ck_assert_uint_eq(rank->nsites, whole->nsites);
    ck_assert_uint_eq(rank->nintervals, whole->nintervals);
    ck_assert_uint_eq(rank->npeers, whole->npeers);
    for (uint32_t i = 0; i < rank->nsites; i++)
        ck_assert(rank->sites[i].site == whole->sites[i].site &&
                  rank->sites[i].count == whole->sites[i].count);
    for (uint32_t i = 0; i < rank->nintervals; i++) {
        const struct sca_part_interval *a = &rank->intervals[i], *b = &whole->intervals[i];
        ck_assert(a->previous == b->previous && a->site == b->site && a->count == b->count &&
                  a->cpu_ns == b->cpu_ns && a->blocked_ns == b->blocked_ns);
    }
    for (uint32_t i = 0; i < rank->npeers; i++) {
        const struct sca_part_peer *a = &rank->peers[i], *b = &whole->peers[i];
        ck_assert(a->site == b->site && a->peer == b->peer && a->direction == b->direction &&
                  a->count == b->count && a->comm == b->comm);
    }
    h->n++;
    return index == 6 ? SCA_EINVAL : SCA_OK;
}

/* Rank 3 has other counts, rank 5 a call of its own; the others differ in times alone. */
static struct synth *mostly_alike(uint32_t nranks)
{
    struct synth *s = synth_new(nranks);
    uint32_t exe = synth_module(s, "/opt/prog", "00ffab");
    uint32_t main_ = synth_node(s, 0, exe, 0x1130, SCA_NODE_RETURN);
    uint32_t send = synth_site(s, main_, "MPI_Send"), recv = synth_site(s, main_, "MPI_Recv");
    uint32_t other = synth_site(s, synth_node(s, main_, exe, 0x1140, SCA_NODE_RETURN), "MPI_Bcast");
    for (uint32_t r = 0; r < nranks; r++) {
        synth_total(s, r, send, r == 3 ? 7 : 9, 1000 + r, 800);
        synth_total(s, r, recv, 9, 2000 + r, 800);
        synth_total(s, r, other, r == 5 ? 1 : 0, r == 5 ? 500 : 0, 0);
        synth_interval(s, r, 0, send, 1, 5000 * (r + 1));
        synth_stalled(s, r, send, recv, 9, 90000 + r, 300, 20000);
        synth_sample(s, r, main_, send, false, 17);
        synth_peer(s, r,
                   &(struct sca_part_peer){send, 0, (int32_t)((r + 1) % nranks), SCA_SENT,
                                           r == 3 ? 7 : 9, 800});
        synth_peer(s, r, &(struct sca_part_peer){recv, 0, -1, SCA_RECEIVED, 9, 800});
    }
    return s;
}

static struct sca_profile *loaded(void)
{
    struct sca_profile *p;
    ck_assert_msg(sca_profile_load(directory, &p) == SCA_OK, "%s", sca_error_message());
    return p;
}

static struct sca_profile *handed_over(const struct sca_profile *whole)
{
    struct handed_over h = {whole, 0};
    struct sca_rank_taker taker = {check_rank, &h};
    struct sca_profile *each;
    ck_assert_int_eq(sca_profile_load_each(directory, &taker, &each), SCA_OK);
    ck_assert_uint_eq(h.n, whole->nranks);
    ck_assert_uint_eq(each->nsites, whole->nsites);
    ck_assert_uint_eq(each->nnodes, whole->nnodes);
    ck_assert(!memcmp(each->nodes, whole->nodes, whole->nnodes * sizeof *whole->nodes));
    for (uint32_t r = 0; r < whole->nranks; r++) {
        ck_assert(each->ranks[r].present && !each->ranks[r].nintervals);
        ck_assert_uint_eq(each->ranks[r].wall_ns, whole->ranks[r].wall_ns);
        ck_assert_uint_eq(each->ranks[r].longest_ns, whole->ranks[r].intervals[1].cpu_ns);
    }
    return each;
}

START_TEST(ranks_are_handed_over_one_by_one)
{
    struct synth *s = mostly_alike(6);
    temp_folder(directory);
    synth_write(s, directory);
    struct sca_profile *whole = loaded(), *each = handed_over(whole);
    ck_assert(each->complete);
    sca_profile_free(each);
    sca_profile_free(whole);
    synth_free(s);
    temp_folder_drop(directory);
}
END_TEST

START_TEST(so_are_those_of_a_killed_run)
{
    struct synth *s = mostly_alike(6);
    temp_folder(directory);
    for (uint32_t r = 0; r < 6; r++)
        synth_write_part(s, r, directory);
    struct sca_profile *whole = loaded(), *each = handed_over(whole);
    sca_profile_free(each);
    sca_profile_free(whole);
    synth_free(s);
    temp_folder_drop(directory);
}
END_TEST

START_TEST(who_is_handed_ranks_may_stop)
{
    struct synth *s = mostly_alike(8);
    temp_folder(directory);
    synth_write(s, directory);
    struct sca_profile *whole = loaded(), *each = NULL;
    struct handed_over h = {whole, 0};
    struct sca_rank_taker taker = {check_rank, &h};
    ck_assert_int_eq(sca_profile_load_each(directory, &taker, &each), SCA_EINVAL);
    ck_assert_ptr_null(each);
    ck_assert_uint_eq(h.n, 7);
    sca_profile_free(whole);
    synth_free(s);
    temp_folder_drop(directory);
}
END_TEST

/* What was read of it is no damage. */
START_TEST(so_may_who_is_handed_those_of_a_killed_run)
{
    struct synth *s = mostly_alike(8);
    temp_folder(directory);
    for (uint32_t r = 0; r < 8; r++)
        synth_write_part(s, r, directory);
    struct sca_profile *whole = loaded(), *each = NULL;
    struct handed_over h = {whole, 0};
    struct sca_rank_taker taker = {check_rank, &h};
    ck_assert_int_eq(sca_profile_load_each(directory, &taker, &each), SCA_EINVAL);
    ck_assert_uint_eq(h.n, 7);
    sca_profile_free(whole);
    synth_free(s);
    temp_folder_drop(directory);
}
END_TEST

SCA_SUITE("profile_each", ranks_are_handed_over_one_by_one, so_are_those_of_a_killed_run,
          who_is_handed_ranks_may_stop, so_may_who_is_handed_those_of_a_killed_run)
