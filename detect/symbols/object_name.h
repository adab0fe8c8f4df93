/*
 * Objects of a program by what a person calls them: "table_lock", "Grid::lock", "locks+128",
 * "critical section update".
 */
#ifndef SCA_DETECT_OBJECT_NAME_H
#define SCA_DETECT_OBJECT_NAME_H

#include "symbols/attribution.h"

/* What lies at a file address of a module, from the arena. *out is "" if no symbol tells.
 * SCA_ENOMEM.
 */
int sca_object_name(struct sca_arena *arena, const struct sca_attribution *a, uint32_t module,
                    uint64_t address, const char **out);

/* As a person calls a symbol that lies so many bytes before what is meant. SCA_ENOMEM: NULL. */
const char *sca_object_name_written(struct sca_arena *arena, const char *symbol, uint64_t offset);

#endif
