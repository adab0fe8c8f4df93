#include "wrapper/wrapper.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool has(char **arguments, const char *word)
{
    for (; *arguments; arguments++)
        if (!strcmp(*arguments, word))
            return true;
    return false;
}

static bool asks_what_runs(const char *word)
{
    static const char *const list[] = {"-show", "-compile-info", "-compile_info", "-link-info",
                                       "-link_info"};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (!strcmp(word, list[i]))
            return true;
    return false;
}

static void print_words(const struct sca_words *words, const char *before)
{
    for (size_t i = 0; i < words->count; i++, before = " ")
        printf("%s%s", before, words->list[i]);
}

static void print_what_runs(const struct compiler *c, char **arguments)
{
    print_words(&c->plain, "");
    for (; *arguments; arguments++)
        if (!asks_what_runs(*arguments) && !sca_scan_chooses_compiler(*arguments))
            printf(" %s", *arguments);
    print_words(&c->after, " ");
    putchar('\n');
}

/* "mpifort for MPICH version 4.0.2": behind it the compiler says its own. */
static void print_version(const struct compiler *c)
{
    setenv("MPICH_FC", "true", 1);
    char *line = sca_system_first_line((char *[]){(char *)c->command, (char *)"-v", NULL});
    if (line)
        puts(line);
    fflush(stdout);
}

enum answer sca_answer_in_place(const struct compiler *c, char **arguments)
{
    if (!c->plain.count)
        return ANSWER_NONE;
    if (!*arguments || has(arguments, "-help"))
        return ANSWER_BY_WRAPPER;
    for (char **word = arguments; *word; word++)
        if (asks_what_runs(*word)) {
            print_what_runs(c, arguments);
            return ANSWER_GIVEN;
        }
    if (has(arguments, "-v"))
        print_version(c);
    return ANSWER_NONE;
}
