#include "wrapper.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_one_of(const char *word, const char *const *list)
{
    for (; *list; list++)
        if (!strcmp(word, *list))
            return true;
    return false;
}

static bool starts_with(const char *word, const char *prefix)
{
    return !strncmp(word, prefix, strlen(prefix));
}

/* Options that compile nothing into an object. */
static bool asks_only(const char *word)
{
    static const char *const exact[] = {"-E",
                                        "-S",
                                        "-M",
                                        "-MM",
                                        "--version",
                                        "-V",
                                        "-###",
                                        "-fsyntax-only",
                                        "--help",
                                        "-dumpversion",
                                        "-dumpmachine",
                                        "--showme",
                                        "-show",
                                        "--show",
                                        "-compile_info",
                                        "-link_info",
                                        "--preprocess",
                                        NULL};
    return is_one_of(word, exact) || starts_with(word, "-print-") ||
           starts_with(word, "--print-") || starts_with(word, "--showme:") ||
           starts_with(word, "-showme") || starts_with(word, "--help");
}

static bool takes_value(const char *word)
{
    static const char *const list[] = {"-o",
                                       "-I",
                                       "-L",
                                       "-D",
                                       "-U",
                                       "-MF",
                                       "-MT",
                                       "-MQ",
                                       "-MJ",
                                       "-l",
                                       "-isystem",
                                       "-iquote",
                                       "-idirafter",
                                       "-include",
                                       "-imacros",
                                       "-Xclang",
                                       "-Xlinker",
                                       "-Xflang",
                                       "-mllvm",
                                       "-target",
                                       "-T",
                                       "-u",
                                       "-z",
                                       "-J",
                                       "-module-dir",
                                       "-Xpreprocessor",
                                       "-Xassembler",
                                       "-arch",
                                       "-isysroot",
                                       "-iprefix",
                                       "-iwithprefix",
                                       "-rpath",
                                       "-e",
                                       "-current_version",
                                       NULL};
    return is_one_of(word, list);
}

static bool is_source(const char *word)
{
    static const char *const suffixes[] = {"c",   "i",   "cc",  "cp",  "cxx", "cpp", "c++", "C",
                                           "CPP", "ii",  "f",   "F",   "for", "FOR", "ftn", "f90",
                                           "F90", "f95", "F95", "f03", "F03", "f08", "F08", "f18",
                                           "F18", "fpp", "FPP", "bc",  "ll",  NULL};
    const char *dot = strrchr(base_name(word), '.');
    return dot && is_one_of(dot + 1, suffixes);
}

static void scan_debug(struct request *r, const char *word)
{
    static const char *const enough[] = {
        "-g", "-g1", "-g2", "-g3", "-glldb", "-gline-tables-only", "-gmlt", NULL};
    if (is_one_of(word, enough) || starts_with(word, "-ggdb") || starts_with(word, "-gdwarf"))
        r->debug = true;
    else if (!strcmp(word, "-g0") || !strcmp(word, "-gline-directives-only"))
        r->debug = false;
    else
        return;
    r->debug_off_last = !r->debug;
}

static void scan_word(struct request *r, const char *word)
{
    scan_debug(r, word);
    r->untouched |= asks_only(word);
    if (!strcmp(word, "-c"))
        r->links = false;
    if (starts_with(word, "-flto"))
        r->lto = true;
    if (!strcmp(word, "-fno-lto"))
        r->lto = false;
    if (starts_with(word, "-fuse-ld="))
        r->lld = strstr(word, "lld") != NULL;
    if (!strcmp(word, "-fdebug-info-for-profiling") ||
        !strcmp(word, "-fpseudo-probe-for-profiling"))
        r->refused = word;
    if (r->refused && starts_with(word, "-fno-") && !strcmp(word + 5, r->refused + 2))
        r->refused = NULL;
}

static void scan_list(struct request *r, char **arguments, int depth);

/* One word of a response file: blanks end it unless quoted; a backslash keeps what follows. */
static bool next_word(FILE *file, struct words *into)
{
    char word[4096];
    size_t length = 0;
    int c = fgetc(file), quote = 0;
    while (c != EOF && isspace(c))
        c = fgetc(file);
    if (c == EOF)
        return false;
    for (; c != EOF && (quote || !isspace(c)); c = fgetc(file)) {
        if (c == quote)
            quote = 0;
        else if (!quote && (c == '"' || c == '\''))
            quote = c;
        else if (length + 1 < sizeof word)
            word[length++] = (char)(c == '\\' ? fgetc(file) : c);
    }
    word[length] = 0;
    words_add(into, word);
    return true;
}

static void scan_response(struct request *r, const char *name, int depth)
{
    struct words words = {0};
    FILE *file = depth < 8 ? fopen(name, "r") : NULL;
    if (!file)
        return; /* the compiler will say so */
    while (next_word(file, &words))
        continue;
    fclose(file);
    if (words.count)
        scan_list(r, words.list, depth + 1);
}

static void scan_list(struct request *r, char **arguments, int depth)
{
    for (; *arguments; arguments++) {
        const char *word = *arguments;
        if (word[0] == '@') {
            scan_response(r, word + 1, depth);
            continue;
        }
        scan_word(r, word);
        if (!strcmp(word, "-x") && arguments[1]) {
            r->compiles |= strcmp(arguments[1], "none") != 0;
            arguments++;
        } else if (takes_value(word) && arguments[1]) {
            arguments++;
        } else if (word[0] != '-' && is_source(word)) {
            r->compiles = true;
            words_add(&r->sources, word);
        }
    }
}

void scan_request(struct request *request, char **arguments)
{
    *request = (struct request){.links = true};
    scan_list(request, arguments, 0);
}
