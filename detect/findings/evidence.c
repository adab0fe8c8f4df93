#include "findings/evidence.h"

void sca_evidence_add(struct sca_workspace *space, struct sca_evidence_list *list,
                      struct sca_evidence evidence)
{
    struct sca_evidence *items =
        sca_workspace_grow(space, list->items, list->count, (size_t)list->count + 1, sizeof *items);
    items[list->count++] = evidence;
    list->items = items;
}

const struct sca_evidence *sca_evidence_find(const struct sca_evidence_list *list,
                                             enum sca_evidence_kind kind)
{
    for (uint32_t i = list->count; i-- > 0;)
        if (list->items[i].kind == kind)
            return &list->items[i];
    return NULL;
}
