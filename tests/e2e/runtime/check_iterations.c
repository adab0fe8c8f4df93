/*
 * check_iterations RUN none|LEAST STEPS EACH [EARLY]: are windows of a run of line.c what its loop
 * went through?
 *
 * A message there is as long as the number of its step and one. Each window that a loop began, with
 * its n-th iteration, must hold messages of the 4 * EACH steps from n * EACH on, on every rank, and
 * no others; the last one those up to STEPS - 1. At least so many such windows on each rank, or
 * none; one of them begins before the iteration EARLY.
 */
#include "sca_error.h"
#include "sca_profile.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITERATIONS = 4 };

static uint64_t number_of(const struct sca_window *window)
{
    return window->iteration & ((1u << 29) - 1);
}

static int is_of_loop(const struct sca_window *window)
{
    return (window->iteration >> 29 & 7) != 0;
}

/* Bit i: the window holds messages of the i-th step from its first on; the highest: of another. */
static uint64_t steps_in(const struct sca_window *window, uint64_t each)
{
    uint64_t found = 0;
    for (uint32_t e = 0; e < window->nevents; e++)
        for (uint32_t i = 0; i < window->events[e].nops; i++) {
            const struct sca_op *op = &window->ops[window->events[e].first_op + i];
            if (op->kind != SCA_OP_SEND)
                continue;
            uint64_t ahead = op->bytes - 1 - number_of(window) * each;
            found |= 1ull << (ahead < ITERATIONS * each ? ahead : 63);
        }
    return found;
}

static int is_right(const struct sca_window *window, uint64_t steps, uint64_t each, uint32_t rank)
{
    uint64_t left = steps - number_of(window) * each, most = ITERATIONS * each;
    uint64_t wanted = (1ull << (left < most ? left : most)) - 1, found = steps_in(window, each);
    if (found == wanted)
        return 1;
    fprintf(stderr,
            "check_iterations: rank %u: iteration %" PRIu64 ": steps %#" PRIx64 ", not %#" PRIx64
            "\n",
            rank, number_of(window), found, wanted);
    return 0;
}

static int check(const struct sca_profile *p, uint64_t least, uint64_t steps, uint64_t each,
                 uint64_t early)
{
    for (uint32_t r = 0; r < p->nranks; r++) {
        uint64_t n = 0, first = UINT64_MAX;
        for (uint32_t w = 0; w < p->ranks[r].nwindows; w++) {
            const struct sca_window *window = &p->ranks[r].windows[w];
            if (!is_of_loop(window))
                continue;
            if (!least)
                fprintf(stderr, "check_iterations: rank %u: a window\n", r);
            if (!least || !is_right(window, steps, each, r))
                return EXIT_FAILURE;
            first = number_of(window) < first ? number_of(window) : first;
            n++;
        }
        if (early && first >= early) {
            fprintf(stderr, "check_iterations: rank %u: none before %" PRIu64 "\n", r, first);
            return EXIT_FAILURE;
        }
        if (n < least) {
            fprintf(stderr, "check_iterations: rank %u: %" PRIu64 " windows\n", r, n);
            return EXIT_FAILURE;
        }
    }
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    struct sca_profile *p;
    if (argc < 5 || argc > 6 || sca_profile_load(argv[1], &p) < 0) {
        fprintf(stderr, "check_iterations: %s\n", argc >= 5 ? sca_error_message() : "usage");
        return EXIT_FAILURE;
    }
    int status = check(p, strtoul(argv[2], NULL, 10), strtoul(argv[3], NULL, 10),
                       strtoul(argv[4], NULL, 10), argc > 5 ? strtoul(argv[5], NULL, 10) : 0);
    sca_profile_free(p);
    return status;
}
