/* What a person calls an object that only a symbol names. */
#include "check_main.h"
#include "symbols/object_name.h"

static const struct {
    const char *symbol;
    uint64_t offset;
    const char *written;
} cases[] = {{"table_lock", 0, "table_lock"},
             {"cells", 128, "cells+128"},
             {"guard.0", 0, "guard"},
             {"guard.12.lto_priv.0", 0, "guard.12.lto_priv"},
             {"_ZN5store4gridE", 40, "store::grid+40"},
             {"_ZZ4mainE5inner", 0, "main::inner"},
             {".gomp_critical_user_update", 0, "critical section update"},
             {".gomp_critical_user_update.var", 8, "critical section update"},
             {".gomp_critical_user_.var", 0, "unnamed critical section"},
             {"__fields_MOD_guard", 0, "fields::guard"},
             {"_QMfieldsEguard", 0, "fields::guard"},
             {"_QFEguard", 0, "guard"},
             {"1234", 0, "1234"},
             {".0", 0, ".0"}};

START_TEST(symbols_are_written_as_in_the_source)
{
    struct sca_arena arena = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_str_eq(sca_object_name_written(&arena, cases[i].symbol, cases[i].offset),
                         cases[i].written);
    sca_arena_free(&arena);
}
END_TEST

SCA_SUITE("object_name", symbols_are_written_as_in_the_source)
