/*
 * Functions that the linker folded into one because their machine code is the same (--icf). The
 * line table knows one of them; which one was meant, the call says. Through a pointer nobody can
 * tell.
 */
#ifndef SCA_DETECT_IDENTICAL_CODE_H
#define SCA_DETECT_IDENTICAL_CODE_H

#include "symbols/place.h"
#include "sca_psg.h"

#include <stdint.h>

/* The function that `caller` calls by name, if it is another than the one `frame` is in and has a
 * graph of the same shape; else SCA_NO_FUNCTION. */
uint32_t sca_identical_code_into(const struct sca_program *program, const struct sca_frame *caller,
                                 const struct sca_frame *frame);
/* The same place in that function. Its strings are the program's. */
struct sca_frame sca_identical_code_frame(const struct sca_program *program, uint32_t function,
                                          const struct sca_frame *frame);

#endif
