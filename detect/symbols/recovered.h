/*
 * Vertices of code that was not compiled with scalana-static: its structure is recovered from
 * machine code (sca_structure.h), and addresses are looked up in its table.
 */
#ifndef SCA_DETECT_RECOVERED_H
#define SCA_DETECT_RECOVERED_H

#include "sca_structure.h"
#include "symbols/place.h"

#include <stdbool.h>

/* Whether there is code in the file that no graph describes. */
bool sca_recovered_is_wanted(const struct sca_binary *binary, const struct sca_units *units);

/* The frames at the address as the table knows them, outermost first, SCA_DEEPEST_CHAIN at most:
 * function, vertex, names and lines. Returns how many. */
uint32_t sca_recovered_frames(const struct sca_structure *structure, const struct sca_psg *psg,
                              uint64_t address, struct sca_frame *frames);

#endif
