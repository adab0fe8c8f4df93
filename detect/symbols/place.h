/*
 * What an address belongs to: the functions that are active there, each with its vertex. Strings
 * belong to the attribution (attribution.h).
 */
#ifndef SCA_DETECT_PLACE_H
#define SCA_DETECT_PLACE_H

#include "sca_psg.h"
#include <stdbool.h>
#include <stdint.h>

struct sca_frame {     /* a function that is active at an address, inlined or not */
    uint32_t function; /* in psg.functions; SCA_NO_FUNCTION: code without graph */
    uint32_t vertex;   /* in it: of the address, or of the call the next frame was inlined at */
    const char *name;  /* as the user wrote it, never NULL */
    const char *file;  /* "" unknown */
    uint32_t line;     /* 0 unknown */
};

struct sca_address_info {
    uint32_t nframes;         /* 0: nothing known */
    struct sca_frame *frames; /* outermost first; all but the first are inlined */
    bool user;    /* has lines or a graph, or is all we know of the program: can be changed */
    bool program; /* in the main program's file */
    bool unnamed; /* no symbol is there: the only frame is called by file and address */
};

#endif
