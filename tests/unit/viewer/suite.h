/* Tests of the viewer, in a locale with all characters: VIEWER_SUITE(name, tests...). */
#ifndef SCA_TEST_VIEWER_SUITE_H
#define SCA_TEST_VIEWER_SUITE_H

#include "check_main.h"

#include <locale.h>
#include <stdlib.h>

#define VIEWER_SUITE(name, ...)                                                                    \
    Suite *test_suite(void)                                                                        \
    {                                                                                              \
        const TTest *const tests[] = {__VA_ARGS__};                                                \
        setlocale(LC_CTYPE, "C.UTF-8");                                                            \
        return one_case(name, tests, sizeof tests / sizeof *tests);                                \
    }

#endif
