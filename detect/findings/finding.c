#include "findings/finding.h"

const char *sca_finding_category_name(enum sca_category category)
{
    static const char *const names[] = {"imbalance", "serial", "nonscalable", "communication"};
    return names[category];
}

struct sca_finding *sca_finding_add(struct sca_findings *findings)
{
    return &findings->items[findings->count++];
}
