/* What the length of an instance says of how late its rank is. */
#include "imbalance/excess_by_length.h"
#include "replay_script.h"
#include "check_main.h"

enum { RANKS = 4, STEPS = 32 };

typedef double (*length_of)(uint32_t rank, uint32_t step);

/* All take a second, a rank in each step two. */
static double one_takes_longer(uint32_t rank, uint32_t step)
{
    return rank == step % RANKS ? 2 : 1;
}

/* All take as long as each other, now more, now less. */
static double all_take_longer(uint32_t rank, uint32_t step)
{
    return (step % 3 ? 1 : 3) + 0.01 * ((rank + step / 2) % 2);
}

/* All take three seconds at once, then each in its turn one. */
static double in_turn(uint32_t rank, uint32_t step)
{
    uint32_t turn = step % (RANKS + 1);
    return turn == RANKS ? 3 : rank == turn ? 1 : 1e-3;
}

static double slope_of(length_of length)
{
    struct script *s = script_new(RANKS);
    uint32_t work = model_vertex(s->model, 0, SCA_LOOP, "", "main", 10);
    uint32_t site = script_site(s, "MPI_Barrier", 20);
    for (uint32_t r = 0; r < RANKS; r++)
        for (uint32_t i = 0; i < STEPS; i++) {
            script_collective(s, r, length(r, i), site, SCA_ALL_TO_ALL, -1, i);
            model_work(s->model, s->run, r, site, site, STEPS, work, length(r, i));
        }
    struct played p;
    script_play(s, &p);
    struct sca_long_instances of = sca_long_instances_open(&p.space, &p.traces, RANKS);
    double slope = sca_excess_by_length(&of, site, site);
    script_end(s, &p);
    return slope;
}

START_TEST(a_longer_one_is_later_where_the_others_take_as_long_as_ever)
{
    ck_assert_double_eq_tol(slope_of(one_takes_longer), 1, 1e-6);
}
END_TEST

START_TEST(what_lengthens_all_says_nothing)
{
    ck_assert_double_eq_tol(slope_of(all_take_longer), 0, 0.01);
}
END_TEST

/* Samples find ranks for 3 s where none is late, for 1 s where one is by all of it. */
START_TEST(a_shorter_one_is_later_where_ranks_take_turns)
{
    ck_assert_double_eq_tol(slope_of(in_turn), -0.5, 0.01);
}
END_TEST

SCA_SUITE("excess_by_length", a_longer_one_is_later_where_the_others_take_as_long_as_ever,
          what_lengthens_all_says_nothing, a_shorter_one_is_later_where_ranks_take_turns)
