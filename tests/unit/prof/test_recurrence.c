/*
 * Loops told by call paths, on made-up programs whose loops are known: statements drawn at random,
 * run by ranks that stand in a line and so differ in their neighbours.
 */
#include "windows/recurrence.h"
#include "check_main.h"

#include <stdlib.h>
#include <sys/mman.h>

enum {
    RANKS = 5,
    MOST_STATEMENTS = 400,
    MOST_CALLS = 4096,
    DEEP = 3,
    MOST_ROUNDS = 4096,
    NOWHERE = -1
};

enum kind { CALL, TO_LEFT, TO_RIGHT, LOOP, PER_NEIGHBOUR, VARYING, SOMETIMES, KINDS };

/* A call, or a loop or condition around others; the next one behind it. */
struct statement {
    enum kind kind;
    uint32_t site, times;
    struct statement *body, *next;
};

static struct statement statements[MOST_STATEMENTS];
static uint32_t nstatements;
static unsigned short dice[3];

static uint32_t draw(uint32_t below)
{
    return (uint32_t)(erand48(dice) * below);
}

static struct statement *add(enum kind kind, uint32_t times, struct statement *body,
                             struct statement *next)
{
    struct statement *s = &statements[nstatements];
    ck_assert_uint_lt(nstatements, MOST_STATEMENTS);
    *s = (struct statement){kind, nstatements++, times, body, next};
    return s;
}

/* Some statements of the first `kinds`, most of them calls. */
static struct statement *draw_body(uint32_t kinds, unsigned depth)
{
    struct statement *all = NULL;
    for (uint32_t n = 1 + draw(4); n > 0; n--) {
        enum kind kind = depth ? draw(kinds) : draw(LOOP);
        struct statement *body = kind >= LOOP ? draw_body(kinds, depth - 1) : NULL;
        all = add(kind, 2 + draw(4), body, all);
    }
    return all;
}

/* What a rank does, and what its calls make of the learner. */
struct run {
    unsigned rank;
    struct sca_recurrence told;
    int step;                     /* of the main loop */
    const struct sca_witness *of; /* whose rounds these are: */
    int step_of[MOST_ROUNDS];     /* that the round began in; NOWHERE: it was of no delimiter yet */
};

static void begin_rounds(struct run *r)
{
    r->of = r->told.delimiter;
    for (uint32_t n = 0; n < MOST_ROUNDS; n++)
        r->step_of[n] = NOWHERE;
}

static void call(struct run *r, uint32_t site)
{
    if (!sca_recurrence_call(&r->told, site) || r->told.delimiter->rounds >= MOST_ROUNDS)
        return;
    if (r->of != r->told.delimiter)
        begin_rounds(r);
    r->step_of[r->told.delimiter->rounds] = r->step;
}

static uint32_t times_of(const struct run *r, const struct statement *s)
{
    switch (s->kind) {
    case TO_LEFT:
        return r->rank > 0;
    case TO_RIGHT:
        return r->rank < RANKS - 1;
    case LOOP:
        return s->times;
    case PER_NEIGHBOUR:
        return (r->rank > 0) + (r->rank < RANKS - 1);
    case VARYING:
        return s->times + (uint32_t)r->step % 3;
    case SOMETIMES:
        return (uint32_t)r->step % s->times == 0;
    default:
        return 1;
    }
}

static void go(struct run *r, const struct statement *s)
{
    for (; s; s = s->next)
        for (uint32_t i = times_of(r, s); i > 0; i--) {
            if (s->body)
                go(r, s->body);
            else
                call(r, s->site);
        }
}

static void play(struct run *r, unsigned rank, const struct statement *before,
                 const struct statement *body, int steps)
{
    *r = (struct run){.rank = rank, .step = NOWHERE};
    sca_recurrence_begin(&r->told, MOST_CALLS, 16, 2048);
    ck_assert_ptr_nonnull(r->told.headers);
    begin_rounds(r);
    go(r, before);
    for (r->step = 0; r->step < steps; r->step++)
        go(r, body);
    r->step = NOWHERE;
}

static void forget(struct run *r)
{
    munmap(r->told.headers, SCA_RECURRENCE_SITES * sizeof *r->told.headers +
                                SCA_RECURRENCE_DEPTH * sizeof *r->told.walk);
}

static void begin(unsigned seed)
{
    dice[0] = (unsigned short)seed;
    dice[1] = dice[2] = 7;
    nstatements = 0;
}

static struct statement *calls(uint32_t n, struct statement *next)
{
    while (n--)
        next = add(CALL, 0, NULL, next);
    return next;
}

static uint32_t rounds_of(const struct run *r)
{
    return r->told.delimiter ? r->told.delimiter->rounds : 0;
}

/* On every rank its delimiter is the main loop: its n-th round begins in step n. */
static void expect_steps(const struct statement *before, const struct statement *body, int steps)
{
    for (unsigned rank = 0; rank < RANKS; rank++) {
        static struct run r;
        play(&r, rank, before, body, steps);
        ck_assert_msg(rounds_of(&r) == (uint32_t)steps - 1, "rank %u: %u rounds of %d steps", rank,
                      rounds_of(&r), steps);
        forget(&r);
    }
}

START_TEST(a_loop_comes_round_with_its_first_call)
{
    begin(0);
    expect_steps(calls(5, NULL), calls(1, NULL), 40);
    expect_steps(calls(5, NULL), calls(7, NULL), 40);
}
END_TEST

/* Receives and sends, one for each neighbour, and one call that waits for all. */
START_TEST(loops_over_neighbours_are_not_the_steps)
{
    begin(0);
    struct statement *last = calls(1, NULL);
    struct statement *sends = add(PER_NEIGHBOUR, 0, calls(1, NULL), last);
    expect_steps(NULL, add(PER_NEIGHBOUR, 0, calls(1, NULL), sends), 60);
}
END_TEST

/* As in a line of ranks: the first has no left neighbour, the last no right one. */
START_TEST(ranks_may_differ_in_all_their_calls)
{
    begin(0);
    struct statement *right = add(TO_RIGHT, 0, NULL, NULL);
    expect_steps(calls(3, NULL), add(TO_LEFT, 0, NULL, right), 60);
}
END_TEST

START_TEST(what_comes_in_some_steps_is_no_end_of_them)
{
    begin(0);
    struct statement *some = add(SOMETIMES, 2, calls(1, NULL), calls(2, NULL));
    expect_steps(NULL, calls(2, some), 100);
}
END_TEST

START_TEST(steps_in_each_of_which_a_collective_is_left_are_its_own)
{
    struct sca_recurrence r;
    sca_recurrence_begin(&r, MOST_CALLS, 16, 2048);
    for (uint32_t step = 0; step < 1000; step++) {
        for (uint32_t site = 0; site < 5; site++)
            ck_assert(!sca_recurrence_call(&r, site));
        sca_recurrence_forget(&r);
    }
    ck_assert_ptr_null(r.delimiter);
}
END_TEST

/* One of ten steps ends with a collective, whose first call may be the header or come before it. */
START_TEST(steps_go_on_behind_a_collective_now_and_then)
{
    struct sca_recurrence r;
    uint32_t rounds = 0;
    sca_recurrence_begin(&r, MOST_CALLS, 4, 2048);
    for (uint32_t step = 0; step < 1000; step++) {
        for (uint32_t site = 0; site < 5; site++)
            rounds += sca_recurrence_call(&r, site) || sca_recurrence_resumes(&r, site);
        if (step % 10 == 9)
            sca_recurrence_forget(&r);
        if (step % 30 == 29)
            sca_recurrence_forget(&r); /* two of them */
    }
    ck_assert_uint_eq(r.delimiter->rounds, 999);
    ck_assert_uint_ge(rounds, 999 - 4);
    ck_assert(!sca_recurrence_resumes(&r, 1));
}
END_TEST

enum { FIRST = 10, SECOND = 20, PATIENCE = 64, FEW = 60 };

static void repeat(struct sca_recurrence *r, uint32_t first_site, uint32_t calls, uint32_t rounds)
{
    for (uint32_t i = 0; i < rounds; i++)
        for (uint32_t site = 0; site < calls; site++)
            sca_recurrence_call(r, first_site + site);
}

/* As world collectives are followed, for the series. */
START_TEST(a_loop_behind_another_is_told_from_its_second_round_on)
{
    struct sca_recurrence r;
    sca_recurrence_begin(&r, UINT32_MAX, 2, PATIENCE);
    repeat(&r, FIRST, 2, FEW);
    ck_assert_ptr_nonnull(r.delimiter);
    ck_assert_uint_eq(r.header, FIRST);
    ck_assert_uint_eq(r.delimiter->rounds, FEW - 1);
    repeat(&r, SECOND, 2, 2);
    ck_assert_uint_eq(r.header, FIRST);
    repeat(&r, SECOND, 2, 1);
    ck_assert_uint_eq(r.header, SECOND);
    repeat(&r, SECOND, 2, FEW - 3);
    ck_assert_uint_eq(r.delimiter->rounds, FEW - 1);
}
END_TEST

/* In each 20th iteration, from the 20th on, 30 rounds of another loop. */
START_TEST(a_loop_within_another_has_no_iterations_of_its_own)
{
    struct sca_recurrence r;
    sca_recurrence_begin(&r, UINT32_MAX, 2, PATIENCE);
    for (uint32_t i = 1; i <= 100; i++) {
        repeat(&r, FIRST, 2, 1);
        repeat(&r, SECOND, 1, i % 20 ? 0 : 30);
        if (i > 20 && i % 20 == 2) /* it is taken back */
            ck_assert_uint_eq(r.header, FIRST);
    }
    ck_assert_uint_eq(r.header, FIRST);
}
END_TEST

static bool may_always_call(uint32_t header, uint32_t site)
{
    (void)header;
    (void)site;
    return true;
}

/* In each 20th iteration three more calls, behind its own or before it. */
START_TEST(calls_of_each_20th_iteration_make_no_other_loop)
{
    for (uint32_t ahead = 0; ahead < 2; ahead++) {
        struct sca_recurrence r;
        sca_recurrence_begin(&r, UINT32_MAX, 2, PATIENCE);
        r.may_call = may_always_call;
        for (uint32_t i = 0; i < 400; i++) {
            if (ahead && i % 20 == 0)
                repeat(&r, SECOND, 3, 1);
            repeat(&r, FIRST, 1, 1);
            if (!ahead && i % 20 == 19)
                repeat(&r, SECOND, 3, 1);
        }
        ck_assert_uint_eq(r.header, FIRST);
        ck_assert_uint_ge(r.delimiter->rounds, 399 - 20 * ahead);
    }
}
END_TEST

START_TEST(four_stages_are_a_step)
{
    struct sca_recurrence r;
    sca_recurrence_begin(&r, UINT32_MAX, 2, PATIENCE);
    r.may_call = may_always_call;
    for (uint32_t i = 0; i < 100; i++) {
        repeat(&r, FIRST, 1, 4);
        repeat(&r, SECOND, 1, 1);
    }
    ck_assert_uint_eq(r.delimiter->site, SECOND);
    ck_assert_uint_eq(r.delimiter->rounds, 99);
}
END_TEST

/* 12 rounds of one, then 30 of another, again and again. */
START_TEST(a_loop_around_two_others_has_the_iterations)
{
    struct sca_recurrence r;
    sca_recurrence_begin(&r, UINT32_MAX, 2, PATIENCE);
    r.may_call = may_always_call;
    for (uint32_t i = 0; i < 25; i++) {
        repeat(&r, FIRST, 1, 12);
        repeat(&r, SECOND, 2, 30);
    }
    ck_assert_uint_eq(r.header, FIRST);
    ck_assert_uint_eq(r.delimiter->site, SECOND + 1);
    ck_assert_uint_eq(r.delimiter->rounds, 24);
}
END_TEST

/* The main loop of every drawn program has calls of all ranks at its ends. */
START_TEST(steps_are_told_whatever_is_in_them)
{
    for (unsigned seed = 1; seed <= 50; seed++) {
        begin(seed);
        struct statement *before = draw_body(VARYING, DEEP);
        struct statement *body = calls(1, draw_body(SOMETIMES, DEEP));
        struct statement *last = body;
        while (last->next)
            last = last->next;
        last->next = calls(1, NULL);
        expect_steps(before, body, 2200 + (int)draw(100));
    }
}
END_TEST

/* Which ranks of a run say the same, and which of these begin a round in another step than rank 0.
 */
struct tally {
    uint32_t alike, apart;
};

static bool is_apart(const struct run *a, const struct run *b)
{
    for (uint32_t n = 1; n < MOST_ROUNDS; n++)
        if (a->step_of[n] != NOWHERE && b->step_of[n] != NOWHERE && a->step_of[n] != b->step_of[n])
            return true;
    return false;
}

static struct tally compare(uint32_t kinds, unsigned programs)
{
    static struct run r[RANKS];
    struct tally tally = {0};
    for (unsigned seed = 1; seed <= programs; seed++) {
        begin(seed);
        const struct statement *before = draw_body(kinds, DEEP), *body = draw_body(kinds, DEEP);
        int steps = 40 + (int)draw(100);
        for (unsigned rank = 0; rank < RANKS; rank++) {
            play(&r[rank], rank, before, body, steps);
            bool alike = rounds_of(&r[0]) && rounds_of(&r[0]) == rounds_of(&r[rank]);
            tally.alike += rank && alike;
            tally.apart += rank && alike && is_apart(&r[0], &r[rank]);
        }
        for (unsigned rank = 0; rank < RANKS; rank++)
            forget(&r[rank]);
    }
    return tally;
}

/* Whatever the ranks' neighbours, and if a rank has no call in the main loop but in inner ones. */
START_TEST(ranks_that_count_alike_cut_alike)
{
    struct tally tally = compare(VARYING, 3000);
    ck_assert_uint_gt(tally.alike, 3000);
    ck_assert_uint_eq(tally.apart, 0);
}
END_TEST

/* Where steps differ, a rank may see nothing but what comes in every second one, and others count
 * as many of something else: rare enough for the detector to look out for it (window_cut.h). */
START_TEST(ranks_seldom_count_alike_by_chance)
{
    struct tally tally = compare(KINDS, 1000);
    ck_assert_uint_gt(tally.alike, 1000);
    ck_assert_uint_le(tally.apart, tally.alike / 50);
}
END_TEST

SCA_SUITE("recurrence", a_loop_comes_round_with_its_first_call,
          loops_over_neighbours_are_not_the_steps, ranks_may_differ_in_all_their_calls,
          what_comes_in_some_steps_is_no_end_of_them,
          steps_in_each_of_which_a_collective_is_left_are_its_own,
          steps_go_on_behind_a_collective_now_and_then,
          a_loop_behind_another_is_told_from_its_second_round_on,
          a_loop_within_another_has_no_iterations_of_its_own,
          calls_of_each_20th_iteration_make_no_other_loop, four_stages_are_a_step,
          a_loop_around_two_others_has_the_iterations, steps_are_told_whatever_is_in_them,
          ranks_that_count_alike_cut_alike, ranks_seldom_count_alike_by_chance)
