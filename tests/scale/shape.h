/*
 * The program that generated runs are runs of: `phases` functions, called in turn by every step of
 * main. Each has five loops and six MPI calls, a halo exchange on a ring that overlaps with
 * computation and an MPI_Allreduce, which makes 12 vertices. Its source is written with every
 * loop and call on a line known beforehand, so that a compiled program can be asked for addresses.
 */
#ifndef SCA_SCALE_SHAPE_H
#define SCA_SCALE_SHAPE_H

#include <stdint.h>
#include <stdio.h>

enum scale_loop { SCALE_FIRST, SCALE_OUTER, SCALE_INNER, SCALE_OVERLAP, SCALE_ODD, SCALE_LOOPS };

enum scale_call {
    SCALE_IRECV_LEFT,
    SCALE_IRECV_RIGHT,
    SCALE_ISEND_RIGHT,
    SCALE_ISEND_LEFT,
    SCALE_WAITALL,
    SCALE_ALLREDUCE,
    SCALE_CALLS
};

enum { SCALE_MOST_PHASES = 5000, SCALE_HALO_BYTES = 8192 };

/* A whole C program. */
void scale_write_source(FILE *out, uint32_t phases);

/* Lines, from 1: the statement inside a loop, the loop itself, an MPI call, main's call. */
uint32_t scale_body_line(uint32_t phase, enum scale_loop loop);
uint32_t scale_loop_line(uint32_t phase, enum scale_loop loop);
uint32_t scale_mpi_line(uint32_t phase, enum scale_call call);
uint32_t scale_main_line(uint32_t phases, uint32_t phase);

/* "MPI_Irecv" */
const char *scale_call_name(enum scale_call call);

#endif
