/* The main() of a test program with one case, for the viewer's tests: SCA_SUITE(name, tests...). */
#ifndef SCA_TEST_SUITE_H
#define SCA_TEST_SUITE_H

#include <check.h>
#include <locale.h>
#include <stdlib.h>

static int run_suite(const char *name, const TTest *const *tests, size_t count)
{
    Suite *suite = suite_create(name);
    TCase *tcase = tcase_create(name);
    tcase_set_timeout(tcase, 60);
    for (size_t i = 0; i < count; i++)
        tcase_add_test(tcase, tests[i]);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#define SCA_SUITE(name, ...)                                                                       \
    int main(void)                                                                                 \
    {                                                                                              \
        const TTest *const tests[] = {__VA_ARGS__};                                                \
        setlocale(LC_CTYPE, "C.UTF-8");                                                            \
        return run_suite(name, tests, sizeof tests / sizeof *tests);                               \
    }

#endif
