/*
 * What the kernels share: program options, planted defects, the random
 * numbers of the NAS specification, and the closing verdict.
 *
 * One struct npb_run lives in main() and is passed down. Nothing is global,
 * and nothing here may be called before npb_start() or after npb_finish().
 */
#ifndef NPB_H
#define NPB_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NPB_CLASSES = 4 }; /* S, W, A, B: class tables are indexed in this order */

enum npb_plant_kind {
    NPB_PLANT_NONE,
    NPB_PLANT_DELAY,
    NPB_PLANT_BOUNDARY,
    NPB_PLANT_SEARCH,
    NPB_PLANT_MEMORY,
    NPB_PLANT_SERIAL,
    NPB_PLANT_UNDIVIDED,
};

struct npb_plant {
    enum npb_plant_kind kind;
    int rank;             /* the one rank to slow down, or NPB_KIND_DECIDES */
    double amount;        /* percent of one step's work, all ranks taken together */
    volatile double sink; /* planted work ends here, so no compiler removes it */
};

enum { NPB_KIND_DECIDES = -1 };

struct npb_run {
    const char *kernel;
    int rank;
    int size;
    int class_index;
    char class_letter;
    int iterations;
    bool class_iterations; /* false: a count of the user's, so nothing to verify against */
    struct npb_plant plant;
    int status; /* exit status when npb_start() or npb_refuse() said stop */
};

struct npb_kernel {
    const char *name;
    int iterations[NPB_CLASSES];
    unsigned plants; /* 1u << enum npb_plant_kind for each kind the kernel can plant */
};

/* Starts MPI and reads the options. False: return npb_stop() from main(). */
bool npb_start(struct npb_run *run, const struct npb_kernel *kernel, int argc, char **argv);

/* One line on rank 0's stderr, exit status 2; all ranks must call it. Returns false. */
bool npb_refuse(struct npb_run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));
int npb_stop(const struct npb_run *run);

/* Reads KIND[:RANK[:AMOUNT]]. Returns NULL, or what is wrong with the text. */
const char *npb_plant_parse(struct npb_plant *plant, const char *text);
const char *npb_plant_name(enum npb_plant_kind kind);

/* Whether this kind is planted and strikes this rank. `by_kind` is the kind's
 * own choice of rank; it holds unless the user named one. */
bool npb_plant_here(const struct npb_run *run, enum npb_plant_kind kind, bool by_kind);

/* The planted share of `units` pieces of work. */
long npb_plant_share(const struct npb_run *run, double units);

/* x(k+1) = a x(k) mod 2^46: moves the seed on, returns it scaled to (0,1). */
double npb_random(uint64_t *seed, uint64_t multiplier);
uint64_t npb_random_power(uint64_t multiplier, uint64_t exponent);
uint64_t npb_random_skip(uint64_t seed, uint64_t multiplier, uint64_t steps);

#define NPB_MULTIPLIER UINT64_C(1220703125) /* 5^13 */

/* Printed by rank 0 only. */
void npb_say(const struct npb_run *run, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Zeroed memory; a program that cannot have it ends here. */
void *npb_alloc(size_t count, size_t size);

double npb_clock_start(void);
double npb_clock_stop(double start); /* seconds of the slowest rank */

/* |value - expected| <= tolerance * |expected|; false for a NaN. */
bool npb_close(double value, double expected, double tolerance);

/* Prints the verdict of rank 0 and ends MPI; main() returns what it returns. */
int npb_finish(const struct npb_run *run, double seconds, bool verified);

int npb_log2(int power_of_two);

#endif
