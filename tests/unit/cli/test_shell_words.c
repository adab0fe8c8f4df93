#include "base/process.h"
#include "check_main.h"
#include "sca_words.h"

#include <stdlib.h>
#include <string.h>

START_TEST(a_shell_reads_the_word_back)
{
    static const char *const words[] = {"plain", "",       "a b", "it's",  "$HOME",   "*",
                                        "a\nb",  "`date`", "\\",  "\"q\"", "~",       "-n",
                                        "a=b",   "#x",     "!!",  "'",     "\xc3\xa9"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char *quoted = sca_process_quote(words[i]);
        char *line = sca_words_format("printf '%%s.' %s", quoted);
        char *expected = sca_words_format("%s.", words[i]);
        int status;
        char *text =
            sca_process_output((char *[]){(char *)"sh", (char *)"-c", line, NULL}, 0, &status);
        ck_assert_int_eq(status, 0);
        ck_assert_str_eq(text, expected);
        free(text);
        free(expected);
        free(line);
        free(quoted);
    }
}
END_TEST

START_TEST(a_text_falls_into_words)
{
    struct sca_words words = {0};
    sca_words_split(&words, "  mpirun\t-x  A ");
    ck_assert_uint_eq(words.count, 3);
    ck_assert_str_eq(words.list[0], "mpirun");
    ck_assert_str_eq(words.list[2], "A");
    ck_assert_ptr_null(words.list[3]);
    sca_words_free(&words);
    sca_words_split(&words, " ");
    ck_assert_uint_eq(words.count, 0);
}
END_TEST

START_TEST(exit_statuses_are_a_shells)
{
    static const struct {
        const char *script;
        int status;
    } cases[] = {{"exit 0", 0}, {"exit 7", 7}, {"kill -SEGV $$", 139}, {"kill -TERM $$", 143}};
    int signal = -1, status;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *command[] = {(char *)"sh", (char *)"-c", (char *)cases[i].script, NULL};
        ck_assert_int_eq(sca_process_run(command, &signal), cases[i].status);
        ck_assert_int_eq(signal, 0);
        free(sca_process_output(command, 1, &status));
        ck_assert_int_eq(status, cases[i].status);
    }
    ck_assert_int_eq(sca_process_run((char *[]){(char *)"/no/such", NULL}, &signal), 127);
    ck_assert_int_eq(sca_process_run((char *[]){(char *)"/etc", NULL}, &signal), 126);
}
END_TEST

SCA_SUITE("shell_words", a_shell_reads_the_word_back, a_text_falls_into_words,
          exit_statuses_are_a_shells)
