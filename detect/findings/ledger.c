#include "findings/ledger.h"

#include <string.h>

void sca_finding_list_add(struct sca_workspace *space, struct sca_finding_list *list,
                          const struct sca_finding *finding)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 8;
        list->items = sca_workspace_grow(space, list->items, list->count, list->capacity,
                                         sizeof *list->items);
    }
    list->items[list->count++] = finding;
}

void sca_ledger_begin(struct sca_workspace *space, struct sca_ledger *out)
{
    *out = (struct sca_ledger){.space = space};
}

static void make_room(struct sca_ledger *l)
{
    if (l->count < l->capacity)
        return;
    l->capacity = l->capacity ? 2 * l->capacity : 16;
    l->all = sca_workspace_grow(l->space, l->all, l->count, l->capacity, sizeof *l->all);
    l->outcomes =
        sca_workspace_grow(l->space, l->outcomes, l->count, l->capacity, sizeof *l->outcomes);
}

const struct sca_finding *sca_ledger_append_closed(struct sca_ledger *ledger,
                                                   const struct sca_finding *draft,
                                                   struct sca_outcome outcome)
{
    make_room(ledger);
    struct sca_finding *finding = sca_workspace_alloc(ledger->space, 1, sizeof *finding);
    *finding = *draft;
    finding->number = ledger->count;
    ledger->all[ledger->count] = finding;
    ledger->outcomes[ledger->count++] = outcome;
    return finding;
}

const struct sca_finding *sca_ledger_append(struct sca_ledger *ledger,
                                            const struct sca_finding *draft)
{
    const struct sca_finding *finding =
        sca_ledger_append_closed(ledger, draft, (struct sca_outcome){.kind = SCA_OUTCOME_OPEN});
    sca_finding_list_add(ledger->space, &ledger->open, finding);
    return finding;
}

static uint32_t turn_of(const struct sca_ledger *ledger, const struct sca_finding *finding)
{
    uint32_t i = 0;
    while (i < ledger->open.count && ledger->open.items[i] != finding)
        i++;
    return i;
}

static void set_outcome(struct sca_ledger *ledger, const struct sca_finding *finding,
                        struct sca_outcome outcome)
{
    if (ledger->outcomes[finding->number].kind == SCA_OUTCOME_OPEN)
        ledger->outcomes[finding->number] = outcome;
}

const struct sca_finding *sca_ledger_refine(struct sca_ledger *ledger,
                                            const struct sca_finding *from,
                                            const struct sca_finding *draft)
{
    struct sca_finding better = *draft;
    sca_finding_add_evidence(
        ledger->space, &better,
        (struct sca_evidence){.kind = SCA_EVIDENCE_REFINED, .of = from->number});
    const struct sca_finding *finding =
        sca_ledger_append_closed(ledger, &better, (struct sca_outcome){.kind = SCA_OUTCOME_OPEN});
    ledger->open.items[turn_of(ledger, from)] = finding;
    set_outcome(ledger, from,
                (struct sca_outcome){.kind = SCA_OUTCOME_REFINED, .of = finding->number});
    return finding;
}

void sca_ledger_add_evidence(struct sca_ledger *ledger, const struct sca_finding *finding,
                             struct sca_evidence evidence)
{
    sca_finding_add_evidence(ledger->space, ledger->all[finding->number], evidence);
}

void sca_ledger_withhold(struct sca_ledger *ledger, const struct sca_finding *finding)
{
    struct sca_finding_list *open = &ledger->open;
    uint32_t turn = turn_of(ledger, finding);
    if (turn == open->count)
        return;
    memmove(open->items + turn, open->items + turn + 1,
            (--open->count - turn) * sizeof *open->items);
}

void sca_ledger_put_back(struct sca_ledger *ledger, const struct sca_finding *finding)
{
    sca_finding_list_add(ledger->space, &ledger->open, finding);
}

void sca_ledger_close(struct sca_ledger *ledger, const struct sca_finding *finding,
                      struct sca_outcome outcome)
{
    sca_ledger_withhold(ledger, finding);
    set_outcome(ledger, finding, outcome);
}

void sca_ledger_close_all(struct sca_ledger *ledger, const struct sca_finding_list *list,
                          enum sca_outcome_kind kind)
{
    for (uint32_t i = 0; i < list->count; i++)
        sca_ledger_close(ledger, list->items[i], (struct sca_outcome){.kind = kind});
}

void sca_ledger_close_for_last(struct sca_ledger *ledger, const struct sca_finding *finding,
                               struct sca_outcome outcome)
{
    uint32_t turn = turn_of(ledger, finding);
    set_outcome(ledger, finding, outcome);
    ledger->open.items[turn] = ledger->open.items[--ledger->open.count];
}
