/*
 * Iterations with more collectives than a window has: a few are kept wholly, on all ranks the same
 * ones, in windows that stand for nothing; and those that stand for the run are the same as without
 * them. Each rank is a process of its own.
 */
#include "arena/arena.h"
#include "base/settings.h"
#include "windows/long_iterations.h"
#include "windows/window.h"
#include "windows/window_choice.h"
#include "windows/window_store.h"
#include "mpi_functions.h"
#include "check_main.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RANKS = 4, ITERATIONS = 3200, PERIOD = 16, WIDTH = 4 };
enum { COMPUTES = 10, REDUCES, SAVES, REFINES }; /* sites */

/* What the program does. */
static struct {
    unsigned long_every, collectives; /* each so many-th iteration has so many more collectives */
    unsigned behind;                  /* calls without a collective at the end of an iteration */
    bool marked;                      /* iterations are told */
} program;

static uint64_t now;
static unsigned short noise[3];

static void call(uint32_t site, uint64_t own_ns)
{
    const struct sca_op op = {.kind = SCA_OP_COLLECTIVE, .peer = -1, .number = now};
    struct sca_call made = {.function = SCA_FN_Allreduce, .site = site, .enter_ns = now + own_ns};
    now += own_ns + (uint64_t)(erand48(noise) * 2000);
    made.exit_ns = now;
    sca_window_op(&op);
    sca_window_call(&made, own_ns);
}

static void reduce(uint32_t site, uint64_t own_ns)
{
    call(site, own_ns);
    sca_window_collective(now);
}

static void iterate(unsigned i)
{
    bool is_long = program.long_every && (i + 1) % program.long_every == 0;
    call(COMPUTES, 20000);
    reduce(REDUCES, 10000);
    for (unsigned k = 0; is_long && k < program.collectives; k++)
        reduce((i + 1) / program.long_every % 2 ? SAVES : REFINES, 30000);
    for (unsigned k = 0; k < program.behind; k++)
        call(COMPUTES, 1000);
}

/* As rank `rank` sees it. */
static void run_as(unsigned rank, struct sca_candidates *list)
{
    sca_arena_close();
    ck_assert_int_ge(sca_arena_open(NULL, rank, RANKS), 0);
    now = sca_arena_header()->init_ns = 1000000;
    noise[0] = (unsigned short)rank;
    noise[1] = noise[2] = 0;
    sca_window_begin();
    for (unsigned i = 0; i < ITERATIONS; i++) {
        iterate(i);
        if (program.marked)
            sca_window_round();
    }
    sca_window_end();
    sca_window_choice_find(list);
}

/* In a process of its own, as its state is that of a process. */
static void ask(unsigned rank, struct sca_candidates *list)
{
    int tube[2];
    ck_assert_int_eq(pipe(tube), 0);
    pid_t child = fork();
    if (!child) {
        run_as(rank, list);
        for (size_t done = 0; done < sizeof *list;)
            done += (size_t)write(tube[1], (char *)list + done, sizeof *list - done);
        _exit(0);
    }
    for (size_t done = 0; done < sizeof *list;)
        done += (size_t)read(tube[0], (char *)list + done, sizeof *list - done);
    ck_assert_int_eq(waitpid(child, NULL, 0), child);
    close(tube[0]);
    close(tube[1]);
}

/* What all have; then the arena is rank 0's. */
static void join_all(struct sca_candidates *list)
{
    static struct sca_candidates sum;
    ask(RANKS - 1, &sum);
    for (unsigned rank = RANKS - 1; rank-- > 1;) {
        ask(rank, list);
        sca_window_choice_join(list, &sum);
        sum = *list;
    }
    run_as(0, list);
    sca_window_choice_join(list, &sum);
}

static void choose(struct sca_chosen *chosen)
{
    static struct sca_candidates list;
    join_all(&list);
    sca_window_choice_make(&list, RANKS, chosen);
}

/* The same, chosen in another process. */
static void choose_apart(struct sca_chosen *chosen)
{
    int tube[2];
    ck_assert_int_eq(pipe(tube), 0);
    pid_t child = fork();
    if (!child) {
        choose(chosen);
        _exit(write(tube[1], chosen, sizeof *chosen) != sizeof *chosen);
    }
    ck_assert_int_eq(read(tube[0], chosen, sizeof *chosen), sizeof *chosen);
    waitpid(child, NULL, 0);
}

static uint32_t beside(const struct sca_chosen *chosen)
{
    uint32_t n = 0;
    for (uint64_t i = 0; i < chosen->count; i++)
        n += !chosen->window[i].total;
    return n;
}

/* World collectives before the iteration. */
static uint64_t collectives_before(unsigned i)
{
    return i + (program.long_every ? i / program.long_every * program.collectives : 0);
}

static bool has(const struct sca_chosen *chosen, uint64_t collectives)
{
    for (uint64_t i = 0; i < chosen->count; i++)
        if (sca_window_collectives(chosen->window[i].iteration) == collectives)
            return true;
    return false;
}

/* Long iterations that windows hold wholly, of one kind and of the other. */
static void count_whole(const struct sca_chosen *chosen, unsigned whole[2])
{
    for (unsigned i = program.long_every - 1; i < ITERATIONS; i += program.long_every) {
        uint64_t at = collectives_before(i) / WIDTH * WIDTH;
        while (at < collectives_before(i + 1) && has(chosen, at))
            at += WIDTH;
        whole[(i + 1) / program.long_every % 2] += at >= collectives_before(i + 1);
    }
}

/* What stands for the run is not touched by what is kept besides. */
static void stands_as_before(const struct sca_chosen *chosen)
{
    struct sca_chosen before;
    uint64_t at = 0;
    program.marked = false;
    choose_apart(&before);
    program.marked = true;
    ck_assert_uint_eq(beside(&before), 0);
    for (uint64_t i = 0; i < chosen->count; i++)
        if (chosen->window[i].total) {
            ck_assert_uint_lt(at, before.count);
            ck_assert_uint_eq(chosen->window[i].name, before.window[at].name);
            ck_assert_uint_eq(chosen->window[i].stratum, before.window[at].stratum);
            ck_assert_uint_eq(chosen->window[i].total, before.window[at++].total);
        }
    ck_assert_uint_eq(at, before.count);
}

START_TEST(rare_long_iterations_are_kept_wholly)
{
    struct sca_chosen chosen;
    for (program.collectives = 4; program.collectives <= 9; program.collectives++) {
        unsigned whole[2] = {0, 0};
        program.long_every = PERIOD;
        program.marked = true;
        program.behind = program.collectives % 3;
        choose_apart(&chosen);
        ck_assert_uint_gt(beside(&chosen), 0);
        ck_assert_uint_le(beside(&chosen), SCA_MOST_CHOSEN_BESIDE);
        count_whole(&chosen, whole);
        ck_assert_uint_ge(whole[0], 1);
        ck_assert_uint_ge(whole[1], 1);
        stands_as_before(&chosen);
    }
}
END_TEST

START_TEST(iterations_that_are_all_long_are_kept_wholly)
{
    struct sca_chosen chosen;
    unsigned whole[2] = {0, 0};
    program.long_every = 1;
    program.collectives = 19;
    program.marked = true;
    choose_apart(&chosen);
    count_whole(&chosen, whole);
    ck_assert_uint_ge(whole[0], 1);
    ck_assert_uint_ge(whole[1], 1);
    stands_as_before(&chosen);
}
END_TEST

START_TEST(others_leave_nothing_besides)
{
    struct sca_chosen chosen;
    program.marked = true;
    choose_apart(&chosen);
    ck_assert_uint_eq(beside(&chosen), 0);
    ck_assert_uint_eq(chosen.count, SCA_MOST_CHOSEN);
    program.long_every = PERIOD;
    program.collectives = 3; /* a window has four */
    choose_apart(&chosen);
    ck_assert_uint_eq(beside(&chosen), 0);
}
END_TEST

START_TEST(what_is_too_long_is_left_out)
{
    struct sca_chosen chosen;
    program.marked = true;
    program.long_every = PERIOD;
    program.collectives = 100;
    choose_apart(&chosen);
    ck_assert_uint_eq(beside(&chosen), 0);
    stands_as_before(&chosen);
}
END_TEST

/* As if each of these windows had come from 128 ranks: bytes are for what stands for the run. */
START_TEST(many_ranks_leave_little_room_besides)
{
    enum { MANY = 128 };
    static struct sca_candidates list;
    struct sca_chosen all, chosen;
    uint64_t bytes = 0;
    program.marked = true;
    program.long_every = PERIOD;
    program.collectives = 6;
    join_all(&list);
    sca_window_choice_make(&list, RANKS, &all);
    for (unsigned i = 0; i < list.count; i++)
        list.window[i].bytes = sca_window_space_of(MANY) / 18;
    sca_window_choice_make(&list, MANY, &chosen);
    ck_assert_uint_eq(chosen.count - beside(&chosen), SCA_MOST_CHOSEN);
    ck_assert_uint_gt(beside(&all), 2);
    ck_assert_uint_le(beside(&chosen), 2);
    for (unsigned i = 0; i < list.count; i++)
        list.window[i].bytes = 40 << 10;
    sca_window_choice_make(&list, MANY, &chosen);
    for (unsigned i = 0; i < chosen.count; i++)
        bytes += 40 << 10;
    ck_assert_uint_le(bytes, sca_window_space_of(MANY));
}
END_TEST

/* The arena has the windows, and their bytes without a gap. */
START_TEST(what_is_chosen_stays)
{
    struct sca_chosen chosen;
    uint32_t bytes = 0;
    program.marked = true;
    program.long_every = PERIOD;
    program.collectives = 6;
    choose(&chosen);
    sca_window_choice_apply(&chosen);
    const struct sca_part_window *windows = sca_arena_table(SCA_T_WINDOWS);
    ck_assert_uint_eq(sca_arena_count(SCA_T_WINDOWS), chosen.count);
    for (unsigned i = 0; i < chosen.count; i++) {
        ck_assert_uint_eq(windows[i].events_offset, bytes);
        bytes += windows[i].events_size;
    }
    ck_assert_uint_eq(sca_arena_count(SCA_T_EVENTS), bytes);
}
END_TEST

static struct sca_long_iteration drawn(uint64_t kind, uint64_t i)
{
    return (struct sca_long_iteration){kind, (uint64_t)(erand48(noise) * 1e15), i, i + 1};
}

/* In whatever order they come: of each kind those with the smallest hash. */
START_TEST(each_kind_has_its_share)
{
    enum { N = 400 };
    struct sca_long_iteration all[N];
    uint64_t least[2] = {UINT64_MAX, UINT64_MAX};
    sca_long_iterations_begin();
    for (unsigned i = 0; i < N; i++) {
        unsigned kind = i % 20 == 0;
        all[i] = drawn(kind, 2ul * i);
        least[kind] = all[i].hash < least[kind] ? all[i].hash : least[kind];
        bool kept = sca_long_iterations_add(all[i]);
        ck_assert_int_eq(kept, sca_long_iterations_have(all[i].first));
    }
    unsigned of[2] = {0, 0};
    const struct sca_long_iteration *at;
    for (uint32_t i = 0; (at = sca_long_iterations_get(i)); i++)
        of[at->kind]++;
    ck_assert_uint_eq(of[0], SCA_LONG_ITERATIONS / 2);
    ck_assert_uint_eq(of[1], SCA_LONG_ITERATIONS / 2);
    for (uint32_t i = 0; i < 2; i++)
        ck_assert_uint_eq(sca_long_iterations_get(i)->hash,
                          least[sca_long_iterations_get(i)->kind]);
    while (sca_long_iterations_drop())
        ck_assert_ptr_nonnull(sca_long_iterations_get(0));
    ck_assert_ptr_null(sca_long_iterations_get(0));
}
END_TEST

SCA_SUITE("long iterations", rare_long_iterations_are_kept_wholly,
          iterations_that_are_all_long_are_kept_wholly, others_leave_nothing_besides,
          what_is_too_long_is_left_out, many_ranks_leave_little_room_besides, what_is_chosen_stays,
          each_kind_has_its_share)
