#include "wrapper/wrapper.h"

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
                                        "-compile-info",
                                        "-compile_info",
                                        "-link-info",
                                        "-link_info",
                                        "--preprocess",
                                        "-cc1", /* not the driver: knows none of our options */
                                        "-cc1as",
                                        "-fc1",
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
    static const char *const suffixes[] = {
        "c",   "i",   "cc",  "cp",   "cxx", "cpp",  "c++",  "C",   "CPP", "CXX",
        "ii",  "m",   "mm",  "cppm", "ccm", "cxxm", "c++m", "pcm", "f",   "F",
        "for", "FOR", "ftn", "f90",  "F90", "f95",  "F95",  "f03", "F03", "f08",
        "F08", "f18", "F18", "fpp",  "FPP", "bc",   "ll",   NULL};
    const char *dot = strrchr(sca_words_base_name(word), '.');
    return dot && is_one_of(dot + 1, suffixes);
}

bool sca_scan_follows_compiler(const char *word)
{
    static const char *const suffixes[] = {"o", "a", "so", "s", "S", NULL};
    const char *dot = strrchr(sca_words_base_name(word), '.');
    return word[0] == '-' || word[0] == '@' || is_source(word) ||
           (dot && is_one_of(dot + 1, suffixes));
}

/* Unlike -gdwarf64, which alone writes nothing. */
static bool is_dwarf_version(const char *word)
{
    return starts_with(word, "-gdwarf-") && isdigit((unsigned char)word[strlen("-gdwarf-")]);
}

static void scan_debug(struct request *r, const char *word)
{
    static const char *const enough[] = {
        "-g", "-g1", "-g2", "-g3", "-glldb", "-gline-tables-only", "-gmlt", "-gdwarf", NULL};
    static const char *const too_little[] = {"-g0", "-ggdb0", "-gline-directives-only", NULL};
    if (is_one_of(word, too_little))
        r->debug = false;
    else if (is_one_of(word, enough) || starts_with(word, "-ggdb") || is_dwarf_version(word))
        r->debug = true;
    else
        return;
    r->debug_off_last = !r->debug;
}

/* What wants the line table's discriminators for itself. To read a profile by them changes the
 * code; to write them for one to come does not, so that is taken back behind the user's words. */
static void scan_profiling(struct request *r, const char *word)
{
    static const char *const reads[] = {"-fprofile-sample-use", "-fauto-profile", NULL};
    static const char *const reads_not[] = {"-fno-profile-sample-use", "-fno-auto-profile", NULL};
    size_t length = strcspn(word, "=");
    for (size_t i = 0; reads[i]; i++)
        if (strlen(reads[i]) == length && !strncmp(word, reads[i], length))
            r->refused = word;
    if (is_one_of(word, reads_not))
        r->refused = NULL;
    if (!strcmp(word, "-fdebug-info-for-profiling"))
        sca_words_add(&r->taken_back, "-fno-debug-info-for-profiling");
    if (!strcmp(word, "-fpseudo-probe-for-profiling"))
        sca_words_add(&r->taken_back, "-fno-pseudo-probe-for-profiling");
}

bool sca_scan_chooses_compiler(const char *word)
{
    static const char *const options[] = {
        "-cc=", "-cxx=", "-CC=", "-fc=", "-f90=", "-f77=", "-config=", NULL};
    for (size_t i = 0; options[i]; i++)
        if (starts_with(word, options[i]))
            return true;
    return false;
}

static bool keeps_text(const char *word)
{
    return starts_with(word, "-save-temps") || starts_with(word, "--save-temps") ||
           !strcmp(word, "-via-file-asm");
}

static void scan_word(struct request *r, const char *word)
{
    static const char *const links_not[] = {"-c", "-S", "-E", "-M", "-MM", NULL};
    scan_debug(r, word);
    r->keeps_text |= keeps_text(word);
    r->untouched |= asks_only(word);
    if (is_one_of(word, links_not))
        r->links = false;
    if (starts_with(word, "-flto"))
        r->lto = true;
    if (!strcmp(word, "-fno-lto"))
        r->lto = false;
    if (starts_with(word, "-fuse-ld=") || starts_with(word, "--ld-path="))
        r->lld = strstr(word, "lld") != NULL;
    scan_profiling(r, word);
    if (sca_scan_chooses_compiler(word))
        sca_words_add(&r->choices, word);
}

static void scan_list(struct request *r, char **arguments, int depth);

/* One word of a response file: blanks end it unless quoted; a backslash keeps what follows. */
static bool next_word(FILE *file, struct sca_words *into)
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
    sca_words_add(into, word);
    return true;
}

static void scan_response(struct request *r, const char *name, int depth)
{
    struct sca_words words = {0};
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
        if (starts_with(word, "-x") && (word[2] || arguments[1])) {
            const char *language = word[2] ? word + 2 : *++arguments;
            r->compiles |= strcmp(language, "none") != 0;
        } else if (takes_value(word) && arguments[1]) {
            arguments++;
        } else if (word[0] != '-' && is_source(word)) {
            r->compiles = true;
            sca_words_add(&r->sources, word);
        }
    }
}

void sca_scan_request(struct request *request, char **arguments)
{
    bool version = arguments[0] && !strcmp(arguments[0], "-v") && !arguments[1];
    *request = (struct request){.links = !version};
    scan_list(request, arguments, 0);
}
