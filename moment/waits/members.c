#include "waits/members.h"

#include <stdlib.h>

static void ask(const struct sca_look *look, struct sca_members *m, uint32_t group)
{
    struct scalana_group row;
    m->ranks = calloc(look->nranks + 1ul, sizeof *m->ranks);
    m->done = calloc(look->nranks + 1ul, sizeof *m->done);
    if (!m->ranks || !m->done || scalana_run_groups(look->runs, 0, group, 1, &row, sizeof row) ||
        scalana_group_members(look->runs, 0, group, look->nranks, m->ranks, &m->n))
        return;
    m->whole = row.size && row.size == m->n;
    for (uint32_t i = 0; i < m->n; i++)
        m->done[i] = UINT64_MAX;
}

const struct sca_members *sca_members_of(const struct sca_look *look, struct sca_members *groups,
                                         uint32_t group)
{
    struct sca_members *m = &groups[group];
    if (!m->asked)
        ask(look, m, group);
    m->asked = true;
    return m->ranks && m->done ? m : NULL;
}

uint64_t sca_members_done(const struct sca_look *look, struct sca_members *groups, uint32_t group,
                          uint32_t i)
{
    struct sca_members *m = &groups[group];
    if (m->done[i] == UINT64_MAX &&
        scalana_collectives_done(look->runs, 0, group, m->ranks[i], &m->done[i]))
        m->done[i] = 0;
    return m->done[i];
}

void sca_members_free(struct sca_members *groups, uint32_t n)
{
    for (uint32_t g = 0; groups && g < n; g++) {
        free(groups[g].ranks);
        free(groups[g].done);
    }
    free(groups);
}
