/*
 * check_regions RUN PHASES...: the run has these phases and no others: "PARENT/NAME:COUNT", parent
 * and name without what is around them; of the last named iteration, "@NAME".
 */
#include "sca_error.h"
#include "sca_profile.h"
#include "sca_series.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int bad(const char *what, const char *of)
{
    fprintf(stderr, "check_regions: %s: %s\n", what, of);
    return 1;
}

static const char *parent_of(const struct sca_series *s, uint32_t i)
{
    uint32_t parent = s->phases[i].parent;
    return parent == SCA_NONE ? "" : s->phases[parent].name;
}

static int check_phase(const struct sca_series *s, const char *expected, uint32_t nranks)
{
    char text[256];
    for (uint32_t i = 0; i < s->nphases; i++) {
        const struct sca_series_phase *p = &s->phases[i];
        snprintf(text, sizeof text, "%s/%s:%" PRIu64, parent_of(s, i), p->name, p->count);
        if (strcmp(text, expected) != 0)
            continue;
        int fine = p->nranks == nranks && p->begin <= p->end && p->own.min <= p->own.max &&
                   p->own.mean + p->mpi.mean <= 1.01 * p->span + 1e-3;
        return fine ? 0 : bad("times do not fit", expected);
    }
    return bad("there is none", expected);
}

static int check_last(const struct sca_series *s, const char *name)
{
    uint32_t phase = s->npoints ? s->points[s->npoints - 1].phase : SCA_NONE;
    const char *is = phase == SCA_NONE ? "" : s->phases[phase].name;
    return strcmp(is, name) ? bad("the last iteration lies in", is) : 0;
}

int main(int argc, char **argv)
{
    struct sca_profile *p;
    int faults = 0;
    uint32_t expected = 0;
    if (argc < 3 || sca_profile_load(argv[1], &p) < 0)
        return bad("cannot be read", argc < 3 ? "nothing" : sca_error_message());
    if (!p->series)
        return bad("there is no series", argv[1]);
    for (int i = 2; i < argc; i++) {
        expected += *argv[i] != '@';
        faults += *argv[i] == '@' ? check_last(p->series, argv[i] + 1)
                                  : check_phase(p->series, argv[i], p->nranks);
    }
    if (p->series->nphases != expected)
        faults += bad("other phases", p->series->phases[p->series->nphases - 1].name);
    sca_profile_free(p);
    return faults ? EXIT_FAILURE : EXIT_SUCCESS;
}
