/* Places that are told by what is further inside. */
#include "confirm/told_inside.h"
#include "check_main.h"

enum { RANKS = 4, ROOT = 0, OUTER, INNER, BESIDE, VERTICES, ILL = 1 };

static const uint32_t ends[VERTICES] = {VERTICES, BESIDE, BESIDE, VERTICES};
static double inclusive[VERTICES * RANKS];
static struct sca_rank present[RANKS];
static struct sca_profile profile = {.nranks = RANKS, .ranks = present};
static const struct sca_ppg_run run = {.profile = &profile, .nranks = RANKS};
static const struct sca_measure m = {
    .run = &run, .nranks = RANKS, .npresent = RANKS, .inclusive = inclusive};
static uint32_t ranks[] = {ILL}, others[] = {2}, outer[] = {OUTER}, inner[] = {INNER, BESIDE};
static struct sca_workspace space;
static struct sca_ledger all;

/* Others take a second at each; the ill rank so much more, in the inner place and its other path.
 */
static void begin(double in_outer, double in_inner, double beside)
{
    const double more[VERTICES] = {0, in_outer, in_inner, beside};
    for (uint32_t r = 0; r < RANKS; r++) {
        present[r].present = true;
        for (uint32_t v = 0; v < VERTICES; v++)
            inclusive[v * RANKS + r] = 1 + (r == ILL ? more[v] : 0);
    }
    sca_ledger_begin(&space, &all);
}

static struct sca_finding at(uint32_t *vertices, uint32_t n, double excess)
{
    return (struct sca_finding){.vertex = vertices[0],
                                .nvertices = n,
                                .vertices = vertices,
                                .category = SCA_CAUSE_IMBALANCE,
                                .nranks = 1,
                                .ranks = ranks,
                                .excess = excess};
}

/* How many are open then. */
static uint32_t close_told(struct sca_finding around, struct sca_finding inside)
{
    sca_ledger_append(&all, &around);
    sca_ledger_append(&all, &inside);
    sca_told_inside_close(&space, &m, ends, &all);
    return all.open.count;
}

static void end(void)
{
    sca_workspace_free(&space);
}

START_TEST(what_has_four_fifths_of_it_tells_it)
{
    begin(1, 0.81, 0);
    ck_assert_uint_eq(close_told(at(outer, 1, 1), at(inner, 1, 0.81)), 1);
    ck_assert_uint_eq(all.open.items[0]->vertex, INNER);
    ck_assert_int_eq(all.outcomes[0].kind, SCA_OUTCOME_EXPLAINED);
    ck_assert_uint_eq(all.outcomes[0].of, 1);
    end();
    begin(1, 0.79, 0);
    ck_assert_uint_eq(close_told(at(outer, 1, 1), at(inner, 1, 0.79)), 2);
    end();
}
END_TEST

/* The inner place has more on a path of its own, which is no part of the outer one. */
START_TEST(other_paths_do_not_count)
{
    begin(1, 0.5, 3);
    ck_assert_uint_eq(close_told(at(outer, 1, 1), at(inner, 2, 3.5)), 2);
    end();
}
END_TEST

START_TEST(on_other_ranks_it_is_told_beside)
{
    struct sca_finding inside = at(inner, 1, 1);
    inside.ranks = others;
    begin(1, 1, 0);
    ck_assert_uint_eq(close_told(at(outer, 1, 1), inside), 2);
    end();
}
END_TEST

/* Nor does the one tell the other the other way round, or one that has no place. */
START_TEST(growth_and_intervals_are_left_alone)
{
    struct sca_finding growth = at(inner, 1, 1), interval = at(outer, 1, 1);
    growth.category = SCA_CAUSE_NONSCALABLE;
    begin(1, 1, 0);
    ck_assert_uint_eq(close_told(at(outer, 1, 1), growth), 2);
    end();
    interval.interval.part = SCA_ALL_OF_INTERVAL;
    begin(1, 1, 0);
    ck_assert_uint_eq(close_told(interval, at(inner, 1, 1)), 2);
    end();
}
END_TEST

SCA_SUITE("told_inside", what_has_four_fifths_of_it_tells_it, other_paths_do_not_count,
          on_other_ranks_it_is_told_beside, growth_and_intervals_are_left_alone)
