#include "decode/machine.h"
#include "decode/aarch64.h"
#include "decode/x86_64.h"

#include <elf.h>
#include <stddef.h>

const struct sca_decoder *sca_machine_decoder(unsigned machine)
{
    if (machine == EM_X86_64)
        return &sca_decoder_x86_64;
    return machine == EM_AARCH64 ? &sca_decoder_aarch64 : NULL;
}
