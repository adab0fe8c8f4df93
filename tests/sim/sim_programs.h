/*
 * Programs for the simulator, each with one defect that sim_options.defect switches on, and what
 * the verdict must then say.
 */
#ifndef SCA_SIM_PROGRAMS_H
#define SCA_SIM_PROGRAMS_H

#include "sim.h"

struct sim_case {
    const char *name;
    struct sim_program program;
    uint32_t cause;       /* place; that of the first cause if there are two */
    uint32_t second;      /* place of the second one, 0: none */
    const char *category; /* NULL: healthy, with or without the defect */
    /* Whether the rank carries the cause, in a run on so many. */
    bool (*carries)(uint32_t rank, uint32_t ranks);
    struct sim_options options; /* noise and cores; ranks, seed and defect are the test's */
    uint32_t least, most;       /* ranks it makes sense on */
    bool shares_cores;          /* four ranks on each */
    uint32_t after, before;     /* the calls it lies between, where no more can be known; 0 */
    bool at_line;               /* between these, and the line is known all the same */
    const char *told;           /* how a note begins that there is although no line is to blame */
};

extern const struct sim_case sim_cases[];
extern const uint32_t sim_ncases;

#endif
