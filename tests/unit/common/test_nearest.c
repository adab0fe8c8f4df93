/* Did you mean ...? */
#include "sca_nearest.h"
#include "check_main.h"

#include <string.h>

static const char *meant(const char *word, const char *names)
{
    static char text[SCA_NEAREST_PHRASE];
    struct sca_nearest nearest = sca_nearest_to(word, strlen(word));
    sca_nearest_try_all(&nearest, names);
    return sca_nearest_phrase(text, &nearest, "", "");
}

START_TEST(letters_that_are_missing_wrong_or_swapped)
{
    ck_assert_str_eq(meant("hotpaths", "flat hotpath diff"), "hotpath");
    ck_assert_str_eq(meant("wating", "computation,waiting,bytes_sent"), "waiting");
    ck_assert_str_eq(meant("rnu", "run report view"), "run");
    ck_assert_str_eq(meant("FREQENCY", "OUTPUT FREQUENCY LOG"), "FREQUENCY");
    ck_assert_str_eq(meant("bytes-sent", "bytes_received bytes_sent"), "bytes_sent");
    ck_assert_str_eq(meant("Flat", "flat"), "flat");
}
END_TEST

START_TEST(what_is_another_word_is_no_misspelt_one)
{
    ck_assert_str_eq(meant("PREFIX", "OUTPUT FREQUENCY EVENTS LOG"), "");
    ck_assert_str_eq(meant("HOME", "KEEP LOG RECORD"), "");
    ck_assert_str_eq(meant("x", "flat"), "");
    ck_assert_str_eq(meant("", "flat"), "");
}
END_TEST

START_TEST(very_long_words_are_near_to_nothing)
{
    char word[200];
    memset(word, 'a', sizeof word);
    word[sizeof word - 1] = '\0';
    ck_assert_str_eq(meant(word, word), "");
}
END_TEST

SCA_SUITE("nearest", letters_that_are_missing_wrong_or_swapped,
          what_is_another_word_is_no_misspelt_one, very_long_words_are_near_to_nothing)
