/*
 * Layers between the application and MPI: libraries with MPI functions of their own, which call
 * the profiling names (PMPI_X). An MPI call of such a one is that of the code that called it.
 */
#ifndef SCA_PROF_LAYERS_H
#define SCA_PROF_LAYERS_H

#include <stdbool.h>
#include <stdint.h>

/* Whether the module in this slot (modules.h) is a layer. The program itself never is, whatever is
 * linked into it. Any thread, not in a handler. */
bool sca_layers_has(uint32_t slot);
/* The slot's module has gone. */
void sca_layers_forget(void);

#endif
