/* Work that ranks do one after the other. */
#include "price/critical_path.h"
#include "replay_script.h"
#include "check_main.h"

enum { RANKS = 4 };

static struct script *s;
static struct staged st;
static uint32_t work, out_site, in_site, all;
static struct sca_ledger all_found;
static struct sca_finding_list found;

static void begin(uint32_t nranks)
{
    s = script_new(nranks);
    work = model_vertex(s->model, 0, SCA_LOOP, "", "main", 10);
    out_site = script_site(s, "MPI_Send", 20);
    in_site = script_site(s, "MPI_Recv", 21);
    all = script_site(s, "MPI_Barrier", 22);
    found = (struct sca_finding_list){0};
}

static uint32_t find_staged(double least)
{
    sca_ledger_begin(&st.space, &all_found);
    return sca_critical_path_find(&st.stage, least, &all_found, &found);
}

static uint32_t find(double least)
{
    script_stage(s, &st);
    return find_staged(least);
}

static void end(void)
{
    staged_end(s, &st);
}

/* Each waits for the rank before it, works for a second and lets the next one go; at last all meet
 * in a barrier. */
static void pass_token(uint32_t nranks)
{
    begin(nranks);
    for (uint32_t r = 0; r < nranks; r++) {
        bool last = r + 1 == nranks;
        if (r > 0)
            script_receive(s, r, 0, in_site, (int32_t)r - 1, 0);
        if (!last)
            script_send(s, r, 1, out_site, (int32_t)r + 1, 0);
        script_collective(s, r, last ? 1 : 0, all, SCA_ALL_TO_ALL, -1, 0);
        script_work(s, r, r > 0 ? in_site : all, last ? all : out_site, work, 1);
    }
}

/* Of four seconds on the path, four ranks at the same time would need one. */
START_TEST(a_token_makes_it_serial)
{
    pass_token(RANKS);
    ck_assert_uint_eq(find(1), 1);
    ck_assert_uint_eq(found.items[0]->vertex, work);
    ck_assert_int_eq(found.items[0]->category, SCA_CAUSE_SERIAL);
    ck_assert(found.items[0]->transform.alike);
    ck_assert_double_eq_tol(found.items[0]->ratio, 4, 1e-6);
    ck_assert_double_eq_tol(found.items[0]->excess, 3 * RANKS, 1e-6);
    ck_assert_uint_eq(found.items[0]->nranks, RANKS);
    for (uint32_t r = 0; r < RANKS; r++) {
        ck_assert_uint_eq(found.items[0]->ranks[r], r);
        ck_assert_double_eq_tol(found.items[0]->transform.factor[r], 0.25, 1e-6);
    }
    end();
}
END_TEST

START_TEST(it_must_be_worth_it)
{
    pass_token(RANKS);
    ck_assert_uint_eq(find(11.9), 1);
    end();
    pass_token(RANKS);
    ck_assert_uint_eq(find(12.1), 0);
    end();
}
END_TEST

/* How many are added beside one that is known at the place, or between two calls only. */
static uint32_t find_beside(enum sca_interval_part part, double excess)
{
    pass_token(RANKS);
    struct sca_finding known = (struct sca_finding){
        .vertex = work, .nvertices = 1, .vertices = &work, .excess = excess, .interval.part = part};
    const struct sca_finding *list[4] = {&known};
    found = (struct sca_finding_list){1, 4, list};
    uint32_t n = find(1);
    ck_assert_uint_eq(found.count, 1 + n);
    end();
    return n;
}

/* Twelve core-seconds are lost: four ranks that wait for 1.5 s of one are half of that. */
START_TEST(what_is_known_is_not_added)
{
    ck_assert_uint_eq(find_beside(SCA_NO_INTERVAL, 1.5), 0);
    ck_assert_uint_eq(find_beside(SCA_NO_INTERVAL, 1.4), 1);
    ck_assert_uint_eq(find_beside(SCA_ALL_OF_INTERVAL, 3), 1);
}
END_TEST

/* In each step so long between two barriers. */
static uint32_t find_in_steps(double (*seconds)(uint32_t rank, uint32_t step))
{
    begin(RANKS);
    for (uint32_t r = 0; r < RANKS; r++)
        for (uint32_t i = 0; i < 2 * RANKS; i++) {
            script_collective(s, r, seconds(r, i), all, SCA_ALL_TO_ALL, -1, i);
            model_work(s->model, s->run, r, all, all, 2 * RANKS, work, seconds(r, i));
        }
    uint32_t n = find(0.5);
    end();
    return n;
}

static double at_once(uint32_t rank, uint32_t step)
{
    return rank < RANKS && step % 2 ? 1 : 0.5;
}

static double in_turn(uint32_t rank, uint32_t step)
{
    return step % RANKS == rank ? 1 : 0.1;
}

static double on_one(uint32_t rank, uint32_t step)
{
    return rank == 2 && step < 2 * RANKS ? 1 : 0.1;
}

START_TEST(work_at_the_same_time_is_none)
{
    ck_assert_uint_eq(find_in_steps(at_once), 0);
}
END_TEST

/* Of four ranks one at a time has ten times as much: single steps are long, and no rank waits for
 * its turn. */
START_TEST(now_this_rank_now_that_is_no_order)
{
    ck_assert_uint_eq(find_in_steps(in_turn), 0);
}
END_TEST

/* Of rank 0 to the last: each block goes on when it is done. Of four ranks with six blocks the path
 * has nine. */
static void pass_blocks(uint32_t blocks)
{
    begin(RANKS);
    for (uint32_t r = 0; r < RANKS; r++) {
        script_collective(s, r, 0, all, SCA_ALL_TO_ALL, -1, 0);
        for (uint32_t i = 0; i < blocks; i++) {
            uint32_t after = r > 0 ? in_site : i > 0 ? out_site : all;
            if (r > 0)
                script_receive(s, r, 0, in_site, (int32_t)r - 1, i);
            if (r + 1 == RANKS)
                continue;
            script_send(s, r, 1, out_site, (int32_t)r + 1, i);
            script_work(s, r, after, out_site, work, 1);
        }
        script_collective(s, r, 0, all, SCA_ALL_TO_ALL, -1, 1);
    }
}

START_TEST(ranks_that_begin_late_behind_large_blocks_wait_for_the_order)
{
    pass_blocks(6);
    ck_assert_uint_eq(find(1), 1);
    ck_assert_uint_eq(found.items[0]->vertex, work);
    ck_assert_int_eq(found.items[0]->category, SCA_CAUSE_SERIAL);
    ck_assert_double_eq_tol(found.items[0]->ratio, 8 / (3 * 6 / 4.0), 1e-6);
    end();
    pass_blocks(15); /* two behind 15 are less than a quarter */
    ck_assert_uint_eq(find(1), 0);
    end();
}
END_TEST

/* A quarter of each turn is another place: each costs 3 s, which must be half of what all must. */
START_TEST(places_of_one_turn_count_together)
{
    begin(RANKS);
    uint32_t places[4] = {work};
    for (uint32_t i = 1; i < 4; i++)
        places[i] = model_vertex(s->model, 0, SCA_LOOP, "", "main", 10 + i);
    for (uint32_t r = 0; r < RANKS; r++) {
        bool last = r + 1 == RANKS;
        if (r > 0)
            script_receive(s, r, 0, in_site, (int32_t)r - 1, 0);
        if (!last)
            script_send(s, r, 1, out_site, (int32_t)r + 1, 0);
        script_collective(s, r, last ? 1 : 0, all, SCA_ALL_TO_ALL, -1, 0);
        for (uint32_t i = 0; i < 4; i++)
            script_work(s, r, r > 0 ? in_site : all, last ? all : out_site, places[i], 0.25);
    }
    ck_assert_uint_eq(find(5.9), 4);
    found = (struct sca_finding_list){0};
    ck_assert_uint_eq(find_staged(6.1), 0);
    end();
}
END_TEST

/* The last rank does before the barrier what the others do there behind their calls: all do that at
 * the same time. */
START_TEST(what_others_do_before_another_call_is_no_part_of_the_order)
{
    begin(RANKS);
    uint32_t rest = model_vertex(s->model, 0, SCA_LOOP, "", "main", 30);
    for (uint32_t r = 0; r < RANKS; r++) {
        bool last = r + 1 == RANKS;
        if (r > 0)
            script_receive(s, r, 0, in_site, (int32_t)r - 1, 0);
        if (!last)
            script_send(s, r, 1, out_site, (int32_t)r + 1, 0);
        script_collective(s, r, last ? 3 : 2, all, SCA_ALL_TO_ALL, -1, 0);
        script_work(s, r, r > 0 ? in_site : all, last ? all : out_site, work, 1);
        script_work(s, r, last ? in_site : out_site, all, rest, 2);
    }
    ck_assert_uint_eq(find(1), 1);
    ck_assert_uint_eq(found.items[0]->vertex, work);
    ck_assert_double_eq_tol(found.items[0]->excess, 3 * RANKS, 1e-6);
    end();
}
END_TEST

/* A master hands out pieces, one each, and takes the answers in the order given; twice. */
static const struct sca_finding *find_handed_out(const uint32_t order[2][RANKS - 1], bool shared)
{
    begin(RANKS);
    uint32_t first = out_site, answer = script_site(s, "MPI_Send", 40);
    for (uint32_t round = 0; round < 2; round++)
        for (uint32_t i = 0; i < RANKS - 1; i++) {
            uint32_t w = order[round][i];
            script_send(s, 0, 0, first, (int32_t)w, round);
            script_receive(s, 0, 0, in_site, (int32_t)w, round);
            script_receive(s, w, 0, in_site, 0, round);
            script_send(s, w, 1, answer, 0, round);
            model_work(s->model, s->run, w, in_site, answer, 2, work, 1);
            model_sent(s->model, s->run, w, answer, 0, 1);
        }
    for (uint32_t r = 0; r < RANKS; r++)
        script_collective(s, r, 0, all, SCA_ALL_TO_ALL, -1, 0);
    script_stage(s, &st);
    st.measure.shared = shared;
    ck_assert_uint_eq(find_staged(1), 1);
    return found.items[0];
}

/* One after the other it is either way. Of five that come after another, four come in the usual
 * order. */
START_TEST(who_comes_first_is_no_order_of_the_program_on_shared_cores)
{
    const uint32_t fixed[2][RANKS - 1] = {{1, 2, 3}, {1, 2, 3}},
                                    changing[2][RANKS - 1] = {{1, 2, 3}, {2, 1, 3}};
    ck_assert(!sca_finding_has(find_handed_out(fixed, true), SCA_EVIDENCE_DYNAMIC));
    end();
    ck_assert(!sca_finding_has(find_handed_out(changing, false), SCA_EVIDENCE_DYNAMIC));
    end();
    const struct sca_finding *c = find_handed_out(changing, true);
    const struct sca_evidence *e = sca_evidence_find(&c->evidence, SCA_EVIDENCE_DYNAMIC);
    ck_assert_ptr_nonnull(e);
    ck_assert_uint_eq(e->of, 0);
    ck_assert_double_eq_tol(e->number, 0.6, 1e-9);
    ck_assert(sca_finding_is_inconclusive(c));
    end();
}
END_TEST

/* The loop is called at two places: first by all ranks at once, then by one after the other. */
START_TEST(call_paths_on_which_all_do_it_at_once_are_not_in_turn)
{
    s = script_new(RANKS);
    uint32_t start_site = script_site(s, "MPI_Bcast", 4);
    uint32_t at_once_call = model_vertex(s->model, 0, SCA_CALL, "loop", "main", 5);
    uint32_t beside = model_vertex(s->model, at_once_call, SCA_LOOP, "", "loop", 10);
    all = script_site(s, "MPI_Barrier", 6);
    uint32_t in_turn_call = model_vertex(s->model, 0, SCA_CALL, "loop", "main", 7);
    work = model_vertex(s->model, in_turn_call, SCA_LOOP, "", "loop", 10);
    out_site = script_site(s, "MPI_Send", 20);
    in_site = script_site(s, "MPI_Recv", 21);
    uint32_t end_site = script_site(s, "MPI_Barrier", 22);
    found = (struct sca_finding_list){0};
    for (uint32_t r = 0; r < RANKS; r++) {
        bool last = r + 1 == RANKS;
        script_collective(s, r, 0, start_site, SCA_ALL_TO_ALL, -1, 0);
        script_collective(s, r, 3, all, SCA_ALL_TO_ALL, -1, 1);
        script_work(s, r, start_site, all, beside, 3);
        if (r > 0)
            script_receive(s, r, 0, in_site, (int32_t)r - 1, 0);
        if (!last)
            script_send(s, r, 1, out_site, (int32_t)r + 1, 0);
        script_collective(s, r, last ? 1 : 0, end_site, SCA_ALL_TO_ALL, -1, 2);
        script_work(s, r, r > 0 ? in_site : all, last ? end_site : out_site, work, 1);
    }
    ck_assert_uint_eq(find(4), 1);
    ck_assert_uint_eq(found.items[0]->vertex, work);
    ck_assert_uint_eq(found.items[0]->nvertices, 1);
    end();
}
END_TEST

START_TEST(what_one_rank_alone_puts_there_is_not_the_order)
{
    ck_assert_uint_eq(find_in_steps(on_one), 0);
}
END_TEST

/* Two ranks take turns: twice the mean. One is on the path alone with what it has anyway. */
START_TEST(of_two_ranks_and_of_one)
{
    pass_token(2);
    ck_assert_uint_eq(find(1.9), 1);
    ck_assert_double_eq_tol(found.items[0]->excess, 2, 1e-6);
    ck_assert_uint_eq(found.items[0]->nranks, 2);
    end();
    pass_token(1);
    ck_assert_uint_eq(find(0), 0);
    end();
}
END_TEST

SCA_SUITE("critical path", a_token_makes_it_serial, it_must_be_worth_it, what_is_known_is_not_added,
          work_at_the_same_time_is_none, now_this_rank_now_that_is_no_order,
          ranks_that_begin_late_behind_large_blocks_wait_for_the_order,
          places_of_one_turn_count_together,
          what_others_do_before_another_call_is_no_part_of_the_order,
          who_comes_first_is_no_order_of_the_program_on_shared_cores,
          call_paths_on_which_all_do_it_at_once_are_not_in_turn,
          what_one_rank_alone_puts_there_is_not_the_order, of_two_ranks_and_of_one)
