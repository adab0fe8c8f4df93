#include "inspect/inspect.h"
#include "sca_error.h"
#include "sca_options.h"
#include "sca_psg.h"
#include "wrapper/wrapper.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct choice {
    unsigned long depth;
    bool depth_given, stats, structure;
    const char *dump, *mpi_module, *output;
};

static int set_depth(void *context, const char *value)
{
    struct choice *choice = context;
    choice->depth_given = true;
    return sca_options_parse_uint(value, 0, 1000000, &choice->depth);
}

static int set_stats(void *context, const char *value)
{
    (void)value;
    ((struct choice *)context)->stats = true;
    return SCA_OK;
}

static int set_dump(void *context, const char *value)
{
    ((struct choice *)context)->dump = value;
    return SCA_OK;
}

static int set_structure(void *context, const char *value)
{
    (void)value;
    ((struct choice *)context)->structure = true;
    return SCA_OK;
}

static int set_output(void *context, const char *value)
{
    ((struct choice *)context)->output = value;
    return SCA_OK;
}

static int set_mpi_module(void *context, const char *value)
{
    ((struct choice *)context)->mpi_module = value;
    return SCA_OK;
}

static const struct sca_option options[] = {
    {.name = "max-loop-depth",
     .argument = "N",
     .help = "nested loops kept in the graph (default 10)",
     .set = set_depth,
     .detail = "Loops with MPI calls are kept at any depth. Deeper loops without MPI calls become "
               "part of the computation around them."},
    {.name = "stats",
     .help = "counts of the graph in a binary",
     .set = set_stats,
     .detail = "Vertices before and after contraction by kind, and the size of the call tree with "
               "every call expanded."},
    {.name = "dump",
     .argument = "FORMAT",
     .help = "the graph in a binary, before and after contraction: text, dot, json",
     .set = set_dump,
     .choices = "text dot json",
     .detail = "dot is for Graphviz."},
    {.name = "structure",
     .help = "recover the graph from machine code of any compiler",
     .set = set_structure,
     .detail = "For x86-64 and aarch64 programs and shared libraries of any compiler; debug "
               "information (-g) adds lines. --stats and --dump show that graph. They need no "
               "--structure for a binary without a graph."},
    {.name = "output",
     .letter = 'o',
     .argument = "FILE",
     .help = "with --structure: write the structure to FILE",
     .set = set_output},
    {.name = "mpi-module",
     .argument = "DIR",
     .help = "make the Fortran module mpi in DIR, for -I DIR",
     .set = set_mpi_module,
     .detail = "From mpif.h of the given mpifort's MPI, for builds without scalana-static. A "
               "program with 'use mpi' needs it where gfortran wrote the MPI's module files, "
               "because flang cannot read them. Behind scalana-static the module is made "
               "automatically, and kept in $XDG_CACHE_HOME/scalana/mpi-module or ~/.cache. It has "
               "no interfaces: arguments are not checked."},
    {0}};

static const struct sca_command command = {
    .name = "scalana-static",
    .usage = "scalana-static [--max-loop-depth=N] COMPILER ARGUMENT...\n"
             "       scalana-static [--max-loop-depth=N] [--structure] --stats | --dump=FORMAT "
             "BINARY...\n"
             "       scalana-static --structure [-o FILE] BINARY\n"
             "       scalana-static --mpi-module=DIR MPIFORT",
    .summary = "Compiles and links with clang or flang, alone or behind mpicc, mpicxx and mpifort. "
               "Puts the Program Structure Graph into the binary, or shows that graph.",
    .options = options,
    .stop_at_operand = 1,
    .operand = "command"};

static int fail(int status)
{
    fprintf(stderr, "scalana-static: %s\n", sca_error_message());
    return status == SCA_EINVAL ? SCA_EXIT_USAGE : SCA_EXIT_FAILED;
}

static int inspect(const struct choice *choice, const char *path)
{
    struct sca_inspect_choice how = {choice->depth_given ? (long)choice->depth : -1,
                                     choice->structure};
    int status = choice->stats ? sca_inspect_stats(path, &how) : SCA_OK;
    if (!status && choice->dump)
        status = sca_inspect_dump(path, &how, choice->dump);
    if (!status && choice->structure && (choice->output || (!choice->stats && !choice->dump)))
        status = sca_inspect_structure(path, choice->output);
    return status;
}

static int inspect_all(const struct choice *choice, char **paths, int count)
{
    int result = SCA_EXIT_OK;
    if (choice->output && count > 1)
        return fail(
            sca_fail(SCA_EINVAL, "-o writes the structure of one binary, not of %d", count));
    for (int i = 0; i < count; i++)
        if (inspect(choice, paths[i]))
            result = fail(SCA_EIO);
    return result;
}

static bool inspects(const struct choice *choice)
{
    return choice->stats || choice->dump || choice->structure;
}

/* Called by a link such as scalana-mpicc: mpicc. One word, for build systems that take CC apart.
 * Called by a link named like the compiler itself, it stands in PATH in front of that. */
static char *compiler_in_name(char *self)
{
    static const char prefix[] = "scalana-";
    char *slash = strrchr(self, '/'), *base = slash ? slash + 1 : self;
    if (!strcmp(base, SCA_WRAPPER_NAME))
        return NULL;
    return strncmp(base, prefix, strlen(prefix)) ? base : base + strlen(prefix);
}

/* `word` comes first: an option of ours is a long one, or -h. */
static bool lacks_compiler(const char *word)
{
    bool ours = !strncmp(word, "--", 2) || !strcmp(word, "-h");
    return !ours && sca_scan_follows_compiler(word) && !sca_words_find_program(word);
}

static int refuse_without_compiler(const char *word)
{
    return fail(
        sca_fail(SCA_EINVAL,
                 "no compiler in front of '%s'. If CC=\"scalana-static mpicc\" lost its second "
                 "word, use CC=scalana-mpicc, CXX=scalana-mpicxx, FC=scalana-mpifort (see --help)",
                 word));
}

int main(int argc, char **argv)
{
    struct choice choice = {.depth = SCA_PSG_DEFAULT_DEPTH};
    int operands = 0;
    char *compiler = compiler_in_name(argv[0]);
    if (sca_system_is_asked())
        return puts(SCA_WRAPPER_NAME) < 0 ? SCA_EXIT_FAILED : SCA_EXIT_OK;
    if (compiler) {
        argv[0] = compiler;
        return sca_wrapper_run(argv, choice.depth);
    }
    if (argc > 1 && lacks_compiler(argv[1]))
        return refuse_without_compiler(argv[1]);
    int status = sca_options_parse(&command, &choice, argc, argv, &operands);
    if (status == SCA_PARSE_DONE)
        return SCA_EXIT_OK;
    if (status)
        return fail(status);
    if (!operands)
        return fail(sca_fail(SCA_EINVAL, inspects(&choice) ? "no binary given (see --help)"
                                                           : "no compiler given (see --help)"));
    argv[1 + operands] = NULL;
    if (choice.mpi_module)
        return sca_fortran_module_make(choice.mpi_module, argv[1]);
    if (inspects(&choice))
        return inspect_all(&choice, argv + 1, operands);
    return sca_wrapper_run(argv + 1, choice.depth);
}
