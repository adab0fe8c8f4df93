/* Reads the options that every kernel takes. */
#include "npb.h"

#include <ctype.h>
#include <getopt.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char class_letters[] = "SWAB";

static const struct option long_options[] = {
    {"class", required_argument, NULL, 'c'},
    {"iterations", required_argument, NULL, 'n'},
    {"plant", required_argument, NULL, 'p'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static void usage(const struct npb_run *run, unsigned plants)
{
    npb_say(run,
            "usage: %s [options]\n"
            "  -c, --class=S|W|A|B     problem class (default S)\n"
            "  -n, --iterations=N      iterations (default 0: those of the class)\n"
            "  -p, --plant=KIND[:RANK[:AMOUNT]]\n"
            "                          plant a defect; AMOUNT is a percentage\n"
            "  -h, --help              this text\n"
            "kinds:",
            run->kernel);
    for (int kind = NPB_PLANT_DELAY; kind <= NPB_PLANT_UNDIVIDED; kind++)
        if (plants >> kind & 1u)
            npb_say(run, " %s", npb_plant_name(kind));
    npb_say(run, "\n");
}

bool npb_refuse(struct npb_run *run, const char *format, ...)
{
    run->status = 2;
    if (run->rank == 0) {
        va_list args;
        va_start(args, format);
        fprintf(stderr, "%s: ", run->kernel);
        vfprintf(stderr, format, args);
        fputc('\n', stderr);
        va_end(args);
    }
    return false;
}

int npb_stop(const struct npb_run *run)
{
    MPI_Finalize();
    return run->status;
}

static bool set_class(struct npb_run *run, const char *text)
{
    int letter = toupper((unsigned char)text[0]);
    const char *found = letter ? strchr(class_letters, letter) : NULL;

    if (!found || text[1])
        return npb_refuse(run, "unknown class '%s'; the classes are S, W, A and B", text);
    run->class_index = (int)(found - class_letters);
    run->class_letter = *found;
    return true;
}

static bool set_iterations(struct npb_run *run, const char *text)
{
    char *end;
    long count = strtol(text, &end, 10);

    if (end == text || *end || count < 0 || count > INT_MAX)
        return npb_refuse(run, "iterations must be a number from 0 up, not '%s'", text);
    run->iterations = (int)count;
    return true;
}

static bool set_plant(struct npb_run *run, unsigned plants, const char *text)
{
    const char *wrong = npb_plant_parse(&run->plant, text);

    if (wrong)
        return npb_refuse(run, "cannot plant '%s': %s", text, wrong);
    if (!(plants >> run->plant.kind & 1u))
        return npb_refuse(run, "this kernel has no '%s' to plant; --help lists the kinds",
                          npb_plant_name(run->plant.kind));
    if (run->plant.rank >= run->size)
        return npb_refuse(run, "cannot plant on rank %d of %d", run->plant.rank, run->size);
    return true;
}

static bool set_option(struct npb_run *run, unsigned plants, int option, char **argv)
{
    switch (option) {
    case 'c':
        return set_class(run, optarg);
    case 'n':
        return set_iterations(run, optarg);
    case 'p':
        return set_plant(run, plants, optarg);
    case 'h':
        usage(run, plants);
        return false;
    default:
        return npb_refuse(run, "wrong option '%s'; try --help", argv[optind - 1]);
    }
}

static bool read_options(struct npb_run *run, unsigned plants, int argc, char **argv)
{
    int option;

    opterr = 0; /* rank 0 alone complains */
    while ((option = getopt_long(argc, argv, "c:n:p:h", long_options, NULL)) != -1)
        if (!set_option(run, plants, option, argv))
            return false;
    if (optind < argc)
        return npb_refuse(run, "needless argument '%s'; try --help", argv[optind]);
    return true;
}

bool npb_start(struct npb_run *run, const struct npb_kernel *kernel, int argc, char **argv)
{
    *run = (struct npb_run){.kernel = kernel->name, .class_letter = 'S'};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &run->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &run->size);
    if (!read_options(run, kernel->plants, argc, argv))
        return false;
    if (run->size & (run->size - 1))
        return npb_refuse(run, "%d ranks: the number must be a power of two", run->size);

    int usual = kernel->iterations[run->class_index];
    if (run->iterations == 0)
        run->iterations = usual;
    run->class_iterations = run->iterations == usual;
    npb_say(run, "%s class %c, %d iterations, %d ranks\n", run->kernel, run->class_letter,
            run->iterations, run->size);
    if (run->plant.kind != NPB_PLANT_NONE)
        npb_say(run, "planted: %s, %g %%\n", npb_plant_name(run->plant.kind), run->plant.amount);
    return true;
}
