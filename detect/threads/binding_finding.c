#include "threads/binding_finding.h"

void sca_binding_finding_add(struct sca_workspace *space, const struct sca_measure *m, double least,
                             struct sca_ledger *out)
{
    const struct sca_core_waits *waits = &m->core_waits;
    struct sca_finding draft = {.category = SCA_CAUSE_BINDING,
                                .nranks = waits->nranks,
                                .ranks = waits->ranks,
                                .excess = waits->seconds};
    if (!waits->nranks || waits->seconds < least)
        return;
    draft.nvertices = 1;
    draft.vertices = sca_workspace_alloc(space, 1, sizeof *draft.vertices);
    draft.transform.factor = sca_workspace_alloc(space, m->nranks, sizeof *draft.transform.factor);
    for (uint32_t r = 0; r < m->nranks; r++)
        draft.transform.factor[r] = 1;
    sca_ledger_append(out, &draft);
}
