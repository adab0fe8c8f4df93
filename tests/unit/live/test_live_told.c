/* A cause is told once for as long as it is there. */
#include "check_main.h"
#include "follow/told.h"

static struct sca_told told;

/* A look finds these; the first one is the worst. */
static bool look(char *first, char *second)
{
    char *keys[] = {first, second};
    sca_told_keep(&told, keys, second ? 2 : first ? 1 : 0);
    return first && sca_told_is_new(&told, first);
}

static void end(void)
{
    sca_told_free(&told);
}

START_TEST(one_that_stays_is_told_once)
{
    ck_assert(look("imbalance a.c:3, rank 1", NULL));
    ck_assert(!look("imbalance a.c:3, rank 1", NULL));
    ck_assert(!look("imbalance a.c:3, rank 1", "serial b.c:9, rank 0"));
}
END_TEST

START_TEST(another_one_is_told)
{
    ck_assert(look("imbalance a.c:3, rank 1", NULL));
    ck_assert(look("imbalance a.c:3, rank 2", NULL));
    ck_assert(look("imbalance a.c:4, rank 2", NULL));
}
END_TEST

START_TEST(two_that_change_places_are_told_once)
{
    ck_assert(look("imbalance a.c:3, rank 1", "serial b.c:9, rank 0"));
    ck_assert(look("serial b.c:9, rank 0", "imbalance a.c:3, rank 1"));
    ck_assert(!look("imbalance a.c:3, rank 1", "serial b.c:9, rank 0"));
    ck_assert(!look("serial b.c:9, rank 0", "imbalance a.c:3, rank 1"));
}
END_TEST

START_TEST(one_that_comes_back_is_told_again)
{
    ck_assert(look("imbalance a.c:3, rank 1", NULL));
    ck_assert(!look(NULL, NULL));
    ck_assert(look("imbalance a.c:3, rank 1", NULL));
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("live_told");
    TCase *tests = tcase_create("live_told");
    tcase_add_checked_fixture(tests, NULL, end);
    tcase_add_test(tests, one_that_stays_is_told_once);
    tcase_add_test(tests, another_one_is_told);
    tcase_add_test(tests, two_that_change_places_are_told_once);
    tcase_add_test(tests, one_that_comes_back_is_told_again);
    suite_add_tcase(suite, tests);
    return suite;
}
