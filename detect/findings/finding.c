#include "findings/finding.h"

#include <math.h>

const char *sca_finding_category_name(enum sca_category category)
{
    static const char *const names[] = {"imbalance", "serial", "nonscalable", "communication",
                                        "imbalance", "serial", "contention",  "binding"};
    return names[category];
}

void sca_finding_add_evidence(struct sca_workspace *space, struct sca_finding *draft,
                              struct sca_evidence evidence)
{
    sca_evidence_add(space, &draft->evidence, evidence);
}

static double number_of(const struct sca_finding *finding, enum sca_evidence_kind kind)
{
    const struct sca_evidence *e = sca_evidence_find(&finding->evidence, kind);
    return e ? e->number : 0;
}

/* A run with a core for each rank decides what cores leave open. What came once, or is uneven, is
 * not asked for cores. */
bool sca_finding_is_inconclusive(const struct sca_finding *finding)
{
    if (sca_finding_has(finding, SCA_EVIDENCE_CORES) &&
        !sca_finding_has(finding, SCA_EVIDENCE_CONFIRMED))
        return true;
    if (sca_finding_has(finding, SCA_EVIDENCE_UNCERTAIN) ||
        sca_finding_has(finding, SCA_EVIDENCE_DYNAMIC) ||
        sca_finding_has(finding, SCA_EVIDENCE_UNLIKE_STEPS) ||
        sca_finding_has(finding, SCA_EVIDENCE_SLOW_ELSEWHERE))
        return true;
    return sca_finding_has(finding, SCA_EVIDENCE_NOT_CONFIRMED) &&
           !sca_finding_has(finding, SCA_EVIDENCE_SINGLE) &&
           !sca_finding_has(finding, SCA_EVIDENCE_SKEWED);
}

static bool is_denied(const struct sca_finding *finding)
{
    return sca_finding_has(finding, SCA_EVIDENCE_NOT_CONFIRMED) ||
           sca_finding_has(finding, SCA_EVIDENCE_SLOW_ELSEWHERE) ||
           sca_finding_has(finding, SCA_EVIDENCE_PATTERN_INCONCLUSIVE);
}

bool sca_finding_is_note(const struct sca_finding *finding)
{
    return sca_finding_is_inconclusive(finding) ||
           sca_finding_has(finding, SCA_EVIDENCE_OFF_CORE) ||
           sca_finding_has(finding, SCA_EVIDENCE_SET_UP) ||
           sca_finding_has(finding, SCA_EVIDENCE_PATTERN_INCONCLUSIVE) ||
           (sca_finding_has(finding, SCA_EVIDENCE_SINGLE) && is_denied(finding));
}

uint64_t sca_finding_instances(const struct sca_finding *finding)
{
    double n = number_of(finding, SCA_EVIDENCE_SINGLE);
    return (uint64_t)(n > 0 ? n : number_of(finding, SCA_EVIDENCE_SET_UP));
}

bool sca_finding_has_rank(const struct sca_finding *finding, uint32_t rank)
{
    for (uint32_t i = 0; i < finding->nranks; i++)
        if (finding->ranks[i] == rank)
            return true;
    return false;
}

double sca_finding_off_core(const struct sca_finding *finding)
{
    return number_of(finding, SCA_EVIDENCE_OFF_CORE);
}

double sca_finding_error(const struct sca_finding *finding)
{
    const struct sca_evidence *e = sca_evidence_find(&finding->evidence, SCA_EVIDENCE_REPLICATED);
    double here = finding->transform.error;
    return e && here > 0 ? here * e->number / hypot(here, e->number) : here;
}
