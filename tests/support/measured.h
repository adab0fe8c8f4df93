/*
 * What the detectors ask of a graph that a test made (synthetic_ppg.h): its runs measured, in a
 * room of their own.
 *
 *     struct measured d = measured_open(model);        // nothing may be added to the model then
 *     sca_category_of(&d.room, &d.m[0], d.ends, &finding);
 *     measured_close(&d);                              // the model too
 */
#ifndef SCA_TEST_MEASURED_H
#define SCA_TEST_MEASURED_H

#include "base/workspace.h"
#include "measure/measure.h"
#include "synthetic_ppg.h"

enum { MEASURED_RUNS = 8 };

struct measured {
    struct model *model;
    const struct sca_ppg *ppg;
    struct sca_workspace space;
    uint32_t *ends;
    struct sca_measure m[MEASURED_RUNS];
};

struct measured measured_open(struct model *model);
void measured_close(struct measured *d);

/* A room whose lack of memory ends the test. */
struct sca_workspace test_room(void);

#endif
