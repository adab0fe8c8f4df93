#include "finish/rundir.h"
#include "base/settings.h"
#include "check_main.h"
#include "temp_folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

START_TEST(defaults_without_environment)
{
    sca_settings_read();
    ck_assert(sca_settings.enable);
    ck_assert_uint_eq(sca_settings.frequency, 200);
    ck_assert_str_eq(sca_settings.events, "");
    ck_assert_ptr_null(sca_settings.output);
    ck_assert_int_eq(sca_settings.log, SCA_LOG_INFO);
    ck_assert_str_eq(sca_settings.warnings, "");
}
END_TEST

START_TEST(values_are_taken)
{
    setenv("SCALANA_ENABLE", "0", 1);
    setenv("SCALANA_OUTPUT", "here", 1);
    setenv("SCALANA_FREQUENCY", "0", 1);
    setenv("SCALANA_EVENTS", "PAPI_TOT_INS,perf::CONTEXT-SWITCHES", 1);
    setenv("SCALANA_BUDGET", "0.5", 1);
    setenv("SCALANA_LOG", "quiet", 1);
    sca_settings_read();
    ck_assert(!sca_settings.enable);
    ck_assert_str_eq(sca_settings.output, "here");
    ck_assert_uint_eq(sca_settings.frequency, 0);
    ck_assert_str_eq(sca_settings.events, "PAPI_TOT_INS,perf::CONTEXT-SWITCHES");
    ck_assert_double_eq(sca_settings.budget, 0.5);
    ck_assert_int_eq(sca_settings.log, SCA_LOG_QUIET);
    ck_assert_str_eq(sca_settings.warnings, "");
}
END_TEST

/* One line each, with the name, the value and what counts instead. */
START_TEST(wrong_values_warn_once_and_leave_the_default)
{
    static const char *const wrong[][2] = {{"SCALANA_ENABLE", "yes"}, {"SCALANA_FREQUENCY", "1e9"},
                                           {"SCALANA_EVENTS", "a;b"}, {"SCALANA_BUDGET", "-1"},
                                           {"SCALANA_RECORD", "all"}, {"SCALANA_LOG", "loud"}};
    char both[64];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        setenv(wrong[i][0], wrong[i][1], 1);
    sca_settings_read();
    ck_assert(sca_settings.enable);
    ck_assert_uint_eq(sca_settings.frequency, 200);
    ck_assert_double_eq(sca_settings.budget, 2);
    ck_assert(!sca_settings.full);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snprintf(both, sizeof both, "%s='%s'", wrong[i][0], wrong[i][1]);
        const char *first = strstr(sca_settings.warnings, both);
        ck_assert_msg(first && !strstr(first + 1, both), "%s", sca_settings.warnings);
    }
}
END_TEST

START_TEST(times_between_snapshots_have_units)
{
    static const struct {
        const char *value;
        unsigned long s;
    } good[] = {{"90", 90}, {"90s", 90}, {"10m", 600}, {"2h", 7200}, {"0", 0}};
    static const char *const wrong[] = {"m", "10 m", "10mm", "-1", "1.5h", "soon", "10000000"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        setenv("SCALANA_SNAPSHOT", good[i].value, 1);
        sca_settings_read();
        ck_assert_uint_eq(sca_settings.snapshot_s, good[i].s);
        ck_assert_str_eq(sca_settings.warnings, "");
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        setenv("SCALANA_SNAPSHOT", wrong[i], 1);
        sca_settings_read();
        ck_assert_uint_eq(sca_settings.snapshot_s, 0);
        ck_assert_ptr_nonnull(strstr(sca_settings.warnings, "SCALANA_SNAPSHOT="));
    }
}
END_TEST

START_TEST(events_past_the_fourth_are_told)
{
    setenv("SCALANA_EVENTS", "a,b,c,d", 1);
    sca_settings_read();
    ck_assert_str_eq(sca_settings.warnings, "");
    setenv("SCALANA_EVENTS", "a,b,c,d,e", 1);
    sca_settings_read();
    ck_assert_ptr_nonnull(strstr(sca_settings.warnings, "more than 4 events"));
    ck_assert_str_eq(sca_settings.events, "a,b,c,d,e");
}
END_TEST

START_TEST(an_endless_value_stays_bounded)
{
    static char value[100000];
    memset(value, 'x', sizeof value - 1);
    setenv("SCALANA_FREQUENCY", value, 1);
    setenv("SCALANA_LOG", value, 1);
    sca_settings_read();
    ck_assert_uint_eq(sca_settings.frequency, 200);
    ck_assert_uint_lt(strlen(sca_settings.warnings), sizeof sca_settings.warnings);
}
END_TEST

START_TEST(directories_are_new_ones)
{
    char root[TEMP_FOLDER], made[SCA_DIRECTORY], expected[96];
    temp_folder(root);
    ck_assert_int_eq(chdir(root), 0);
    ck_assert_int_eq(sca_rundir_make(made, NULL, "cg", 8), 0);
    snprintf(expected, sizeof expected, "%s/scalana-cg-8p", root);
    ck_assert_str_eq(made, expected);
    ck_assert_int_eq(sca_rundir_make(made, NULL, "cg", 8), 0);
    ck_assert_str_eq(made + strlen(expected), ".2");
    ck_assert_int_eq(sca_rundir_make(made, NULL, "cg", 8), 0);
    ck_assert_str_eq(made + strlen(expected), ".3");
    ck_assert_int_eq(chdir("/"), 0);
    temp_folder_drop(root);
}
END_TEST

START_TEST(an_empty_directory_of_the_users_is_taken)
{
    char root[TEMP_FOLDER], made[SCA_DIRECTORY];
    temp_folder(root);
    ck_assert_int_eq(sca_rundir_make(made, root, "cg", 8), 0);
    ck_assert_str_eq(made, root);
    temp_folder_drop(root);
    ck_assert_int_eq(sca_rundir_make(made, "/proc/none/run", "cg", 8), ENOENT);
    ck_assert_str_eq(made, "/proc/none/run");
}
END_TEST

START_TEST(the_program_knows_its_build_id)
{
    char path[4096], hex[65];
    sca_rundir_program_path(path, sizeof path);
    ck_assert_str_eq(sca_rundir_base_name(path), "test_settings");
    sca_rundir_program_build_id(hex, sizeof hex);
    ck_assert_uint_eq(strlen(hex), 40);
    ck_assert_uint_eq(strspn(hex, "0123456789abcdef"), 40);
}
END_TEST

SCA_SUITE("settings", defaults_without_environment, values_are_taken,
          wrong_values_warn_once_and_leave_the_default, times_between_snapshots_have_units,
          events_past_the_fourth_are_told, an_endless_value_stays_bounded, directories_are_new_ones,
          an_empty_directory_of_the_users_is_taken, the_program_knows_its_build_id)
