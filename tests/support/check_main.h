/*
 * The main() of every test with Check: a test file defines test_suite(), and scalana_unit() links
 * the rest. Run by itself it takes the name of a test case, to run that one only:
 *
 *     test_sort            all of it
 *     test_sim hiccup      one case
 *
 * Variables of Check's own (CK_FORK=no, CK_VERBOSITY=verbose) are heeded.
 */
#ifndef SCA_TEST_CHECK_MAIN_H
#define SCA_TEST_CHECK_MAIN_H

#include <check.h>

/* What the test file has to tell. */
Suite *test_suite(void);

/* A suite of one case of the same name, of `count` tests. */
Suite *one_case(const char *name, const TTest *const *tests, size_t count);

/* At the end of a file whose tests need no more than that. */
#define SCA_SUITE(name, ...)                                                                       \
    Suite *test_suite(void)                                                                        \
    {                                                                                              \
        const TTest *const tests[] = {__VA_ARGS__};                                                \
        return one_case(name, tests, sizeof tests / sizeof *tests);                                \
    }

#endif
