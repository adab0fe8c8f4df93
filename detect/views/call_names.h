/*
 * Names of calls that tell apart those of one line in several contexts: as many of the calls around
 * them as it takes; and the call path of a context.
 */
#ifndef SCA_DETECT_CALL_NAMES_H
#define SCA_DETECT_CALL_NAMES_H

#include "views/table.h"

/* "cg.c:13 MPI_Send in exchange, called at cg.c:52"; "call not known" of SCA_NONE. In the table's
 * workspace. */
const char *sca_call_name(struct sca_table *table, const struct sca_ppg *ppg, uint32_t vertex);

/* The calls that lead to a vertex, outermost first: "main > relax (line 12)". In the table's
 * workspace. */
const char *sca_call_path(struct sca_table *table, const struct sca_ppg *ppg, uint32_t vertex);

#endif
