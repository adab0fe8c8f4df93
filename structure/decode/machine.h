/* The decoder of a machine. */
#ifndef STRUCTURE_MACHINE_H
#define STRUCTURE_MACHINE_H

#include "decode/decoder.h"

/* Of an ELF machine (EM_X86_64, EM_AARCH64); NULL: none. */
const struct sca_decoder *sca_machine_decoder(unsigned machine);

#endif
