#include "sca_error.h"
#include "sca_options.h"
#include "check_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int set_text(void *context, const char *value)
{
    *(const char **)context = value;
    return SCA_OK;
}

static const struct sca_option options[] = {
    {.name = "mode",
     .letter = 'm',
     .argument = "MODE",
     .help = "how",
     .set = set_text,
     .choices = "auto strong rank:"},
    {.name = "file", .argument = "FILE", .help = "where to", .set = set_text},
    {0}};

static const struct sca_command command = {
    .name = "tool", .usage = "tool X", .summary = "Does.", .options = options};

/* What --mode=VALUE sets, or NULL when it is refused. */
static char *mode(const char *value)
{
    char word[64], *argv[] = {"tool", word, NULL};
    const char *set = NULL;
    int operands;
    snprintf(word, sizeof word, "--mode=%s", value);
    return sca_options_parse(&command, &set, 2, argv, &operands) == SCA_PARSE_RUN ? strdup(set)
                                                                                  : NULL;
}

START_TEST(a_choice_is_one_of_those_listed)
{
    static const char *const good[] = {"auto", "strong", "rank:7"};
    static const char *const wrong[] = {"", "aut", "autos", "rank", "rank:", "x", "auto strong"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        char *set = mode(good[i]);
        ck_assert_str_eq(set, good[i]);
        free(set);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        ck_assert_ptr_null(mode(wrong[i]));
    ck_assert_str_eq(sca_error_message(), "--mode=auto strong: choose auto, strong or rank:");
}
END_TEST

START_TEST(values_stand_behind_or_beside_their_option)
{
    char *argv[] = {"tool", "a", "-mauto", "--file", "x", "--", "--mode", NULL};
    const char *set = NULL;
    int operands = 0;
    ck_assert_int_eq(sca_options_parse(&command, &set, 7, argv, &operands), SCA_PARSE_RUN);
    ck_assert_int_eq(operands, 2);
    ck_assert_str_eq(argv[1], "a");
    ck_assert_str_eq(argv[2], "--mode");
    ck_assert_str_eq(set, "x");
}
END_TEST

SCA_SUITE("options", a_choice_is_one_of_those_listed, values_stand_behind_or_beside_their_option)
