/*
 * Which functions never come back: by name, by what debug information says (DW_AT_noreturn), and
 * those all of whose ways end in such a call.
 */
#ifndef STRUCTURE_NO_RETURN_H
#define STRUCTURE_NO_RETURN_H

#include "flow/flow_graph.h"
#include "sca_compile_units.h"

struct sca_no_return; /* names */

/* Sets no_return, called and owner of the functions. *names is to be freed by
 * sca_no_return_free(); code->names has to be it from then on. SCA_ENOMEM. */
int sca_no_return_find(struct sca_flow_code *code, const struct sca_units *units,
                       struct sca_no_return **names);
void sca_no_return_free(struct sca_no_return *names);

#endif
