/* What each number of a segment says to what is guessed of it. */
#include "base/degrees.h"
#include "apportion/segment.h"
#include "check_main.h"
#include "guessed.h"

#include <math.h>

static struct sca_segment segment(double samples, double seconds)
{
    static struct sca_weight own;
    own = (struct sca_weight){IN_ALL, AT_FIRST, samples, 0};
    return guessed_segment(IN_ALL, &own, samples > 0, seconds);
}

static bool may_be_odd(double samples, double seconds, double usual)
{
    struct guessed *g = guessed_open(NULL, 0);
    struct sca_segment s = segment(samples, seconds);
    s.usual = usual;
    sca_guesses_make(&g->of, &s);
    bool odd = g->of.n > 1;
    guessed_close(g);
    return odd;
}

/* That it is more than chance is likelier than one in twenty from 8.4 % on. */
START_TEST(by_its_time_or_its_samples_it_may_be_odd)
{
    ck_assert(!may_be_odd(0, 1, 1));
    ck_assert(!may_be_odd(19, 1.08, 1) && may_be_odd(19, 1.09, 1));
    ck_assert(!may_be_odd(19, 0.92, 1) && may_be_odd(19, 0.91, 1));
    ck_assert(!may_be_odd(19, 2.16, 2) && may_be_odd(19, 2.18, 2));
    ck_assert(!may_be_odd(19.9, 1, 1) && may_be_odd(20, 1, 1));
}
END_TEST

/* Where others take nothing, nothing is known to be compared with. */
START_TEST(without_a_usual_time_only_samples_tell)
{
    ck_assert(!may_be_odd(19, 3, 0));
    ck_assert(may_be_odd(20, 3, 0));
    struct guessed *g = guessed_open(NULL, 0);
    struct sca_segment s = segment(20, 3);
    s.usual = 0;
    sca_guesses_make(&g->of, &s);
    ck_assert_uint_gt(g->of.n, 1);
    ck_assert_double_eq(g->of.ratio, 1);
    guessed_close(g);
}
END_TEST

START_TEST(its_samples_go_to_their_places_of_the_interval)
{
    const struct sca_weight own[] = {{IN_ALL, AT_LOOP, 3, 0}, {IN_ALL, AT_LAST, 4, 0}};
    struct guessed *g = guessed_open(NULL, 0);
    struct sca_segment s = guessed_segment(IN_ALL, own, 2, 4);
    sca_guesses_make(&g->of, &s);
    ck_assert_uint_eq(g->of.count, 4);
    ck_assert_double_eq(g->of.samples, 7);
    ck_assert_double_eq(g->of.ratio, 0.25);
    const double expected[] = {3, 0, 0, 4};
    for (int i = 0; i < 4; i++)
        ck_assert_double_eq(g->of.own[i], expected[i]);
    s = guessed_segment(IN_CALL, own, 0, 4);
    sca_guesses_make(&g->of, &s);
    ck_assert_uint_eq(g->of.first, g->pool.first[IN_CALL]);
    ck_assert(g->of.count == 2 && g->of.own[0] == 0 && g->of.own[1] == 0);
    guessed_close(g);
}
END_TEST

/* It and another rank are as unusual, with eight samples each at the last place. */
static double said(double of_other, double unusual, double seconds)
{
    const struct sca_weight own = {IN_ALL, AT_LAST, 8, 0};
    const struct guessed_rank both[] = {{&own, 1, unusual}, {&own, 1, of_other}};
    struct guessed *g = guessed_open(both, 2);
    struct sca_segment s = guessed_segment(IN_ALL, &own, 1, seconds);
    s.unusual = unusual;
    sca_guesses_make(&g->of, &s);
    double found = g->of.said;
    bool likewise = g->of.n > 2 && g->of.guess[2].likewise;
    ck_assert(likewise == (found > 0));
    guessed_close(g);
    return found;
}

/* Twenty samples of the other say as much as is known without. */
START_TEST(others_that_are_unusual_alike_are_heard)
{
    ck_assert_double_eq_tol(said(1, 1, 2), 8.0 / 28, 1e-12);
    ck_assert_double_eq_tol(said(-1, -1, 0.5), 8.0 / 28, 1e-12);
    ck_assert_double_eq(said(-1, 1, 2), 0); /* it takes longer, the other shorter */
    ck_assert_double_eq(said(1, -1, 0.5), 0);
    ck_assert_double_eq(said(0.5, 1, 2), 0); /* the other is usual still, */
    ck_assert_double_gt(said(0.51, 1, 2), 0);
    ck_assert_double_eq(said(1, 0.5, 2), 0); /* or itself */
    ck_assert_double_gt(said(1, 0.51, 2), 0);
}
END_TEST

START_TEST(what_such_others_do_is_foretold)
{
    const struct sca_weight own = {IN_ALL, AT_LAST, 8, 0};
    const struct guessed_rank both[] = {{&own, 1, 1}, {&own, 1, 1}};
    struct guessed *g = guessed_open(both, 2);
    struct sca_segment s = guessed_segment(IN_ALL, &own, 1, 2);
    sca_guesses_make(&g->of, &s);
    const struct sca_guess *guess = &g->of.guess[2];
    double differs = SCA_EVEN_ODDS * 16 / 17, said = 8.0 / 28;
    double slower = (1 - differs) * (1 - said), rest = differs * (1 - said / 2);
    ck_assert(guess->likewise && guess->vertex == SCA_NONE);
    ck_assert_double_eq_tol(guess->prior, 1 - slower - rest, 1e-12);
    ck_assert_double_eq_tol(g->of.guess[0].prior, slower, 1e-12);
    /* Half a sample is imagined: of that an eighth anyhow, and half by 32 of 72 of all intervals.
     */
    ck_assert_double_eq_tol(guessed_part(g, guess, 3), (8 + 0.5 * (0.125 + 16.0 / 72)) / 8.5,
                            1e-12);
    guessed_close(g);
}
END_TEST

SCA_SUITE("stretch", by_its_time_or_its_samples_it_may_be_odd,
          without_a_usual_time_only_samples_tell, its_samples_go_to_their_places_of_the_interval,
          others_that_are_unusual_alike_are_heard, what_such_others_do_is_foretold)
