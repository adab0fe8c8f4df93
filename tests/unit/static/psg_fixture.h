/* Graphs written by hand for the tests of psg_records and psg_link: sections in memory. */
#ifndef PSG_FIXTURE_H
#define PSG_FIXTURE_H

#include "sca_psg.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

struct section {
    uint8_t bytes[8192];
    struct sca_writer w;
    struct sca_psg_output out;
};

static inline void section_init(struct section *s)
{
    sca_wire_writer_init(&s->w, s->bytes, sizeof s->bytes);
    s->out = (struct sca_psg_output){0};
}

/* Adds a function with these vertices in file "/src/a.c". */
static inline void section_function(struct section *s, const char *linkage, bool local,
                                    struct sca_vertex *vertices, uint32_t count)
{
    const char *files[] = {"/src/a.c"};
    struct sca_function f = {.linkage = linkage,
                             .name = linkage,
                             .local = local,
                             .nfiles = 1,
                             .files = files,
                             .nvertices = count,
                             .vertices = vertices};
    sca_psg_put_function(&s->out, &f, true);
}

/* The unit's hash. */
static inline uint64_t section_unit(struct section *s, uint32_t depth)
{
    uint64_t hash = sca_psg_put_unit(&s->w, &s->out, "/src/a.c", depth);
    sca_psg_output_free(&s->out);
    ck_assert_int_eq(s->w.failed, 0);
    return hash;
}

/* The functions of the paper's Figure 3: main() of 6 vertices, foo() of 4. */
static inline void section_figure3(struct section *s)
{
    struct sca_vertex main_[] = {
        {SCA_ROOT, 0, 0, 0, 0, 1, 10, ""},        {SCA_LOOP, 0, 0, 0, 0, 2, 7, ""},
        {SCA_COMP, 0, 0, 1, 0, 3, 3, ""},         {SCA_LOOP, 0, 0, 1, 0, 4, 5, ""},
        {SCA_COMP, 0, 0, 3, 0, 5, 5, ""},         {SCA_LOOP, 0, 0, 1, 0, 6, 7, ""},
        {SCA_COMP, 0, 0, 5, 0, 7, 7, ""},         {SCA_CALL, 0, 0, 0, 0, 8, 8, "foo"},
        {SCA_MPI, 0, 0, 0, 0, 9, 9, "MPI_Bcast"},
    };
    struct sca_vertex foo[] = {
        {SCA_ROOT, 0, 0, 0, 0, 11, 16, ""},
        {SCA_BRANCH, 0, 0, 0, 0, 12, 15, ""},
        {SCA_MPI, 0, 0, 1, 0, 13, 13, "MPI_Send"},
        {SCA_MPI, 0, 1, 1, 0, 15, 15, "MPI_Recv"},
    };
    section_function(s, "main", false, main_, 9);
    section_function(s, "foo", false, foo, 4);
}

static inline uint32_t function_named(const struct sca_psg *psg, const char *linkage)
{
    for (uint32_t f = 0; f < psg->nfunctions; f++)
        if (!strcmp(psg->functions[f].linkage, linkage))
            return f;
    ck_abort_msg("no function %s", linkage);
    return 0;
}

#endif
