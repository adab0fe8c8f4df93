/*
 * Where the program's loops and calls lie in its binary, read from the line table and the machine
 * code with libdw alone: not by the code under test.
 */
#ifndef SCA_SCALE_PLACES_H
#define SCA_SCALE_PLACES_H

#include "shape.h"

struct scale_phase_places {
    uint64_t main_call;         /* return address in main */
    uint64_t loop[SCALE_LOOPS]; /* an instruction of the loop's body */
    uint64_t call[SCALE_CALLS]; /* return addresses */
};

struct scale_places {
    uint8_t build_id[32];
    uint32_t build_id_size;
    struct scale_phase_places *phases; /* from malloc */
};

/* Prints a line and exits with 1 when the file is not such a program. */
void scale_places_read(const char *path, uint32_t phases, struct scale_places *out);

#endif
