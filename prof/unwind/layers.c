#include "unwind/layers.h"
#include "base/dynamic.h"
#include "mpi_functions.h"
#include "unwind/modules.h"

#include <string.h>

enum answer { UNKNOWN, NO, YES };

static uint8_t answers[SCA_MODULES]; /* of enum answer; asked of few */

static bool is_c(const char *name)
{
    for (unsigned i = 0; i < SCA_FN_COUNT; i++)
        if (!strcmp(name, sca_function_name(i)))
            return true;
    return false;
}

static bool is_fortran(const char *name)
{
    for (unsigned i = 0; i < SCA_FORTRAN_COUNT; i++)
        if (!strcmp(name, sca_fortran_name(i)))
            return true;
    return false;
}

static bool is_mpi_function(const struct sca_dynamic *d, const ElfW(Sym) * symbol)
{
    const char *name = d->strings + symbol->st_name;
    if (symbol->st_shndx == SHN_UNDEF || ELF64_ST_TYPE(symbol->st_info) != STT_FUNC)
        return false;
    return !strncmp(name, "MPI", 3) ? is_c(name) : !strncmp(name, "mpi_", 4) && is_fortran(name);
}

static bool offers_mpi(uint32_t slot)
{
    struct sca_dynamic d;
    uint64_t first, last;
    if (!sca_modules_library(slot, &first, &last) ||
        !sca_dynamic_read_at(first, last, sca_modules_bias(slot), &d))
        return false;
    for (uint32_t i = 0; i < d.nsymbols; i++)
        if (is_mpi_function(&d, &d.symbols[i]))
            return true;
    return false;
}

bool sca_layers_has(uint32_t slot)
{
    if (slot >= SCA_MODULES)
        return false;
    if (answers[slot] == UNKNOWN)
        answers[slot] = offers_mpi(slot) ? YES : NO;
    return answers[slot] == YES;
}

void sca_layers_forget(void)
{
    memset(answers, UNKNOWN, sizeof answers);
}
