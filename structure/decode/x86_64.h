/* x86-64, in 64-bit mode, by Zydis; the calling convention of System V. */
#ifndef STRUCTURE_X86_64_H
#define STRUCTURE_X86_64_H

#include "decode/decoder.h"

extern const struct sca_decoder sca_decoder_x86_64;

#endif
