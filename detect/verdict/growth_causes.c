#include "verdict/growth_causes.h"
#include "imbalance/single_instance.h"

/* What grows but is done a few times only, in a program that goes in steps, is its set-up: a longer
 * run pays it no more often. */
static void tell_set_up(struct sca_analysis *c)
{
    const struct sca_measure *m = &c->measures[c->last];
    if (!sca_single_instance_goes_in_iterations(m))
        return;
    for (uint32_t i = 0; i < c->findings.open.count; i++) {
        const struct sca_finding *each = c->findings.open.items[i];
        if (each->category != SCA_CAUSE_NONSCALABLE)
            continue;
        uint64_t n = sca_single_instance_count(m, c->ends, each);
        if (n > 0 && n < SCA_SEVERAL)
            sca_ledger_add_evidence(
                &c->findings, each,
                (struct sca_evidence){.kind = SCA_EVIDENCE_SET_UP, .number = (double)n});
    }
}

/* Growth that is one in one reading only, at places that have no cause: told, not a cause. */
static struct sca_finding_list find_reading(struct sca_analysis *c, enum sca_scaling mode,
                                            struct sca_growth *items, uint32_t count)
{
    struct sca_ledger *ledger = &c->findings;
    struct sca_finding_list found = {0};
    struct sca_growths one = {.mode = mode, .items = items, .count = count};
    uint32_t before = ledger->open.count;
    if (!count)
        return found;
    one.fewest = c->growths.fewest;
    one.same_problem = mode == SCA_SCALING_STRONG;
    sca_growth_findings_add(c->space, &c->measures[c->last], c->ends, &one, ledger);
    for (uint32_t i = before; i < ledger->open.count; i++)
        sca_finding_list_add(c->space, &found, ledger->open.items[i]);
    for (uint32_t i = 0; i < found.count; i++) {
        sca_ledger_withhold(ledger, found.items[i]);
        sca_ledger_add_evidence(
            ledger, found.items[i],
            (struct sca_evidence){.kind = SCA_EVIDENCE_ONE_READING, .of = mode});
    }
    return found;
}

static double loss_of(const struct sca_finding_list *growth)
{
    return growth->count ? growth->items[0]->excess : 0;
}

/* Of two readings a note tells the one with the worst place. */
static void find_readings(struct sca_analysis *c)
{
    const struct sca_growths *g = &c->growths;
    c->if_same = find_reading(c, SCA_SCALING_STRONG, g->if_same, g->nif_same);
    c->if_grown = find_reading(c, SCA_SCALING_WEAK, g->if_grown, g->nif_grown);
    c->told_if_same = loss_of(&c->if_same) >= loss_of(&c->if_grown);
    sca_ledger_close_all(&c->findings, &c->if_same,
                         c->told_if_same ? SCA_OUTCOME_NOTE : SCA_OUTCOME_ONE_READING);
    sca_ledger_close_all(&c->findings, &c->if_grown,
                         c->told_if_same ? SCA_OUTCOME_ONE_READING : SCA_OUTCOME_NOTE);
}

void sca_growth_causes_find(struct sca_analysis *c)
{
    struct sca_growths *g = &c->growths;
    sca_growth_find(&c->comparable, c->settings, c->settings->min_share * c->accounts[c->last].base,
                    g);
    sca_growth_findings_add(c->space, &c->measures[c->last], c->ends, g, &c->findings);
    find_readings(c);
    tell_set_up(c);
}
