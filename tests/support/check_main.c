#include "check_main.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define SECONDS "300"

Suite *one_case(const char *name, const TTest *const *tests, size_t count)
{
    Suite *suite = suite_create(name);
    TCase *tcase = tcase_create(name);
    for (size_t i = 0; i < count; i++)
        tcase_add_test(tcase, tests[i]);
    suite_add_tcase(suite, tcase);
    return suite;
}

int main(int argc, char **argv)
{
    const char *only = argc > 1 ? argv[1] : NULL;
    setenv("CK_DEFAULT_TIMEOUT", SECONDS, false); /* for what hangs, not for what is slow */
    SRunner *runner = srunner_create(test_suite());
    srunner_run(runner, NULL, only, CK_ENV);
    int run = srunner_ntests_run(runner), failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    if (run == 0) { /* nothing that was tested has not passed */
        fprintf(stderr, "%s: no test%s%s\n", argv[0], only ? " in case " : "", only ? only : "");
        return 2;
    }
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
