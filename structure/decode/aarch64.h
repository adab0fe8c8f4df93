/* AArch64, by the bit patterns of its instructions; the calling convention AAPCS64. */
#ifndef STRUCTURE_AARCH64_H
#define STRUCTURE_AARCH64_H

#include "decode/decoder.h"

extern const struct sca_decoder sca_decoder_aarch64;

#endif
