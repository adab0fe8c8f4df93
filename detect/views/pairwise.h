/* The correlation view of two metrics, context by context. */
#ifndef SCA_DETECT_PAIRWISE_H
#define SCA_DETECT_PAIRWISE_H

#include "views/table.h"
#include "views/view_input.h"

/* Of settings->pairwise; out->status says whether it could. */
void sca_pairwise_view(const struct sca_view_input *in, struct sca_table *out);

#endif
