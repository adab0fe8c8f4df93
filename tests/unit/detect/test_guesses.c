/* What may explain a rank's time in an interval: which guesses are made, how likely they are before
 * samples are seen, and what parts they foretell. */
#include "base/degrees.h"
#include "check_main.h"
#include "guessed.h"

#include <math.h>

/* That half or twice the time is not chance: four times what is as often chance as not. */
#define ODDS (16.0 / 17)

static struct guessed *g;
static struct sca_guesses *d;

static void begin(void)
{
    g = guessed_open(NULL, 0);
    d = &g->of;
}

static void end(void)
{
    guessed_close(g);
}

static bool make(uint32_t interval, const struct sca_weight *own, size_t n, double seconds)
{
    const struct sca_segment s = guessed_segment(interval, own, n, seconds);
    sca_guesses_make(d, &s);
    return d->n > 1;
}

static const struct sca_guess *guess_of(uint32_t vertex)
{
    return guessed_at(g, vertex);
}

static void check_parts(const struct sca_guess *of, const double *parts)
{
    for (size_t i = 0; i < 4; i++)
        ck_assert_double_eq_tol(guessed_part(g, of, i), parts[i], 3e-3);
}

static double sum_of_priors(void)
{
    double sum = 0;
    for (unsigned i = 0; i < d->n; i++)
        sum += d->guess[i].prior;
    return sum;
}

START_TEST(the_widest_interval_says_how_much_room_there_must_be)
{
    const struct sca_pool none = {.first = (size_t[]){0}};
    ck_assert_uint_eq(sca_guesses_most_places(&g->pool), GUESSED_VERTICES - AT_MANY);
    ck_assert_uint_eq(sca_guesses_most_places(&none), 1);
}
END_TEST

START_TEST(who_takes_the_usual_time_does_the_usual)
{
    ck_assert(!make(IN_ALL, &(struct sca_weight){IN_ALL, AT_FIRST, 5, 0}, 1, 1));
    ck_assert_uint_eq(d->n, 1);
    ck_assert_uint_eq(d->guess[0].vertex, SCA_NONE);
    ck_assert(!d->guess[0].likewise);
    ck_assert_double_eq(d->guess[0].prior, 1);
    ck_assert_double_eq(d->guess[0].alike, g->pool.alike[IN_ALL]);
    check_parts(&d->guess[0], (const double[]){0.25, 0.25, 0.25, 0.25});
}
END_TEST

/* A slow core, or a difference; of that a fifth is work that nobody else does. */
START_TEST(without_samples_no_place_is_guessed)
{
    ck_assert(make(IN_ALL, NULL, 0, 2));
    ck_assert_uint_eq(d->n, 2);
    ck_assert_double_eq_tol(d->guess[0].prior, 1 - SCA_EVEN_ODDS * ODDS, 1e-12);
    ck_assert_double_eq_tol(d->guess[1].prior, 0.2 * SCA_EVEN_ODDS * ODDS, 1e-12);
    ck_assert_double_eq(d->guess[1].alike, 1);
    ck_assert(make(IN_ALL, NULL, 0, 1 + SCA_QUARTER)); /* as often chance as not */
    ck_assert_double_eq_tol(d->guess[0].prior, 1 - SCA_EVEN_ODDS / 2, 1e-12);
}
END_TEST

START_TEST(the_only_place_has_all_of_it)
{
    ck_assert(make(IN_LAST, &(struct sca_weight){IN_LAST, AT_LAST, 4, 0}, 1, 2));
    ck_assert_uint_eq(d->n, 2);
    ck_assert_double_eq_tol(sum_of_priors(), 1, 1e-12);
    ck_assert_double_eq_tol(d->guess[1].prior, 0.2 * SCA_EVEN_ODDS * ODDS, 1e-12);
}
END_TEST

/* The places [from, to) of the interval. */
static bool is_about(const struct sca_guess *guess, size_t from, size_t to)
{
    bool is = true;
    for (size_t i = 0; i < d->count; i++)
        is &= guess->in[i] == (i >= from && i < to);
    return is;
}

START_TEST(where_its_samples_are_and_around_it)
{
    ck_assert(make(IN_ALL, &(struct sca_weight){IN_ALL, AT_FIRST, 1, 0}, 1, 2));
    ck_assert_uint_eq(d->n, 4);
    const struct sca_guess *first = guess_of(AT_FIRST), *call = guess_of(AT_CALL);
    ck_assert(first && is_about(first, 1, 2));
    ck_assert(call && is_about(call, 1, 3));
    ck_assert_double_eq_tol(first->prior, 0.4 * SCA_EVEN_ODDS * ODDS, 1e-12);
    ck_assert_double_eq(first->prior, call->prior);
    ck_assert_double_eq_tol(sum_of_priors(), 1, 1e-12);
    check_parts(&d->guess[0], (const double[]){0.25, 0.25, 0.25, 0.25});
    check_parts(first, (const double[]){0.125, 0.625, 0.125, 0.125}); /* of two seconds one more */
    check_parts(call, (const double[]){0.125, 0.375, 0.375, 0.125});
}
END_TEST

START_TEST(what_holds_all_places_is_no_guess)
{
    ck_assert(make(IN_CALL, &(struct sca_weight){IN_CALL, AT_FIRST, 1, 0}, 1, 2));
    ck_assert_uint_eq(d->n, 3);
    ck_assert_ptr_nonnull(guess_of(AT_FIRST));
    ck_assert_ptr_null(guess_of(AT_CALL));
}
END_TEST

/* Others spend a quarter of a second at each place. */
START_TEST(a_fast_rank_lacks_no_more_than_a_place_takes)
{
    const struct sca_weight own[] = {
        {IN_ALL, AT_LOOP, 3, 0}, {IN_ALL, AT_SECOND, 3, 0}, {IN_ALL, AT_LAST, 3, 0}};
    ck_assert(make(IN_ALL, own, 3, 0.8));
    ck_assert_ptr_nonnull(guess_of(AT_FIRST));
    check_parts(guess_of(AT_FIRST), (const double[]){0.3125, 0.0625, 0.3125, 0.3125});
    ck_assert(make(IN_ALL, own, 3, 0.7));
    ck_assert_ptr_null(guess_of(AT_FIRST));
    ck_assert_ptr_nonnull(guess_of(AT_CALL));
    ck_assert(make(IN_ALL, own, 3, 0.45));
    ck_assert_uint_eq(d->n, 2);
}
END_TEST

START_TEST(a_slight_difference_needs_no_place)
{
    const struct sca_weight own = {IN_ALL, AT_FIRST, 20, 0};
    ck_assert(make(IN_ALL, &own, 1, 1.01));
    ck_assert_uint_eq(d->n, 2);
    ck_assert(make(IN_ALL, &own, 1, 1.03));
    ck_assert_ptr_nonnull(guess_of(AT_FIRST));
}
END_TEST

/* The likelihood of one sample is its place's part; of two there, if ranks are not alike, more than
 * that part's square. */
START_TEST(samples_are_as_likely_as_their_places)
{
    make(IN_ALL, &(struct sca_weight){IN_ALL, AT_FIRST, 1, 0}, 1, 2);
    ck_assert_double_eq_tol(d->guess[0].likelihood, log(0.25), 0.01);
    ck_assert_double_eq_tol(guess_of(AT_FIRST)->likelihood, log(0.625), 0.01);
    ck_assert_double_eq_tol(guess_of(AT_CALL)->likelihood, log(0.375), 0.01);
    make(IN_ALL, &(struct sca_weight){IN_ALL, AT_FIRST, 2, 0}, 1, 2);
    ck_assert_double_eq_tol(d->guess[1].likelihood, log(0.25 * 1.25 / 2), 0.01);
}
END_TEST

START_TEST(three_places_that_differ_most_are_guessed)
{
    const uint32_t at = AT_MANY + 1;
    const struct sca_weight own[] = {{IN_MANY, at, 2, 0},
                                     {IN_MANY, at + 2, 5, 0},
                                     {IN_MANY, at + 4, 3, 0},
                                     {IN_MANY, at + 6, 4, 0}};
    make(IN_MANY, own, 4, 2);
    ck_assert_uint_eq(d->n, 2 + SCA_MOST_DEVIANTS);
    ck_assert_ptr_null(guess_of(at));
    ck_assert(guess_of(at + 2) && guess_of(at + 4) && guess_of(at + 6));
}
END_TEST

START_TEST(places_that_differ_as_much_are_all_guessed)
{
    const struct sca_weight own[] = {{IN_ALL, AT_FIRST, 3, 0}, {IN_ALL, AT_LAST, 3, 0}};
    ck_assert(make(IN_ALL, own, 2, 2));
    ck_assert(guess_of(AT_FIRST) && guess_of(AT_LAST));
}
END_TEST

/* Half of what is imagined in an interval is at all places alike, half by what all intervals have
 * at the same lines: here eight samples and three times sixteen. */
START_TEST(what_may_be_missed_is_where_others_are_elsewhere)
{
    ck_assert_double_eq_tol(d->elsewhere[0], 0.125 + 4.0 / 56, 1e-12);
    ck_assert_double_eq_tol(d->elsewhere[1], 0.125 + 8.0 / 56, 1e-12);
    ck_assert_double_eq_tol(d->elsewhere[g->pool.first[IN_LAST]], 1, 1e-12);
}
END_TEST

Suite *test_suite(void)
{
    const TTest *const tests[] = {the_widest_interval_says_how_much_room_there_must_be,
                                  who_takes_the_usual_time_does_the_usual,
                                  without_samples_no_place_is_guessed,
                                  the_only_place_has_all_of_it,
                                  where_its_samples_are_and_around_it,
                                  what_holds_all_places_is_no_guess,
                                  a_fast_rank_lacks_no_more_than_a_place_takes,
                                  a_slight_difference_needs_no_place,
                                  samples_are_as_likely_as_their_places,
                                  three_places_that_differ_most_are_guessed,
                                  places_that_differ_as_much_are_all_guessed,
                                  what_may_be_missed_is_where_others_are_elsewhere};
    Suite *suite = suite_create("guesses");
    TCase *tcase = tcase_create("guesses");
    tcase_add_checked_fixture(tcase, begin, end);
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        tcase_add_test(tcase, tests[i]);
    suite_add_tcase(suite, tcase);
    return suite;
}
