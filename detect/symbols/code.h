/*
 * A file of machine code that took part in a run, as the attribution keeps it.
 */
#ifndef SCA_DETECT_CODE_H
#define SCA_DETECT_CODE_H

#include "sca_binary.h"
#include "sca_compile_units.h"
#include "sca_structure.h"

struct sca_code {
    const char *path, *build_id;
    bool program;              /* the main program */
    bool application;          /* is looked into: application.h */
    struct sca_binary *binary; /* NULL: could not be read */
    struct sca_units units;
    bool recovered; /* `structure` is there */
    struct sca_structure structure;
};

#endif
