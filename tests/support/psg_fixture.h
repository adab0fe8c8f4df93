/*
 * A linked program of a few functions, each written down as its local graph:
 *
 *     static struct psg_text text[] = {{"main", .nvertices = 2, {PSG_ROOT, PSG_CALL(0, "sync")}},
 *                                      {"sync", .nvertices = 2, {PSG_ROOT, PSG_MPI(0,
 * "MPI_Bcast")}}}; struct psg_fixture p; psg_fixture_open(&p, text, 2);     // functions of
 * p.program in the same order psg_fixture_close(&p);
 */
#ifndef SCA_TEST_PSG_FIXTURE_H
#define SCA_TEST_PSG_FIXTURE_H

#include "sca_psg.h"

enum { PSG_VERTICES = 12, PSG_FUNCTIONS = 16, PSG_UNITS = 4, PSG_HASH = 0x5ca00 };

#define PSG_ROOT        {.kind = SCA_ROOT, .callee = ""}
#define PSG_LOOP(up)    {.kind = SCA_LOOP, .parent = (up), .callee = ""}
#define PSG_COMP(up)    {.kind = SCA_COMP, .parent = (up), .callee = ""}
#define PSG_BRANCH(up)  {.kind = SCA_BRANCH, .parent = (up), .callee = ""}
#define PSG_CALL(up, f) {.kind = SCA_CALL, .parent = (up), .callee = (f)}
#define PSG_MPI(up, f)  {.kind = SCA_MPI, .parent = (up), .callee = (f)}
#define PSG_POINTER(up) {.kind = SCA_CALL, .flags = SCA_VF_INDIRECT, .parent = (up), .callee = ""}
/* With the lines it covers. */
#define PSG_ROOT_AT(first, last)                                                                   \
    {.kind = SCA_ROOT, .callee = "", .line = (first), .end_line = (last)}
#define PSG_LOOP_AT(up, first, last)                                                               \
    {.kind = SCA_LOOP, .parent = (up), .callee = "", .line = (first), .end_line = (last)}

struct psg_text {
    const char *linkage;
    const char *name; /* NULL: as linked */
    const char *file; /* NULL: user.c */
    bool local;
    uint32_t unit; /* its hash is PSG_HASH + unit; ids from 1 on, in order */
    uint32_t nvertices;
    struct sca_vertex vertices[PSG_VERTICES];
};

struct psg_fixture {
    struct sca_psg psg;
    struct sca_program program;
    const char *files[PSG_FUNCTIONS];
    struct sca_function functions[PSG_FUNCTIONS];
    struct sca_unit units[PSG_UNITS];
    struct sca_unit_entry entries[PSG_UNITS][PSG_FUNCTIONS];
};

/* The text must outlive it. */
void psg_fixture_open(struct psg_fixture *p, struct psg_text *text, uint32_t count);
void psg_fixture_close(struct psg_fixture *p);

#endif
