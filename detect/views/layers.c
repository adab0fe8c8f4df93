#include "views/layers.h"

#include <string.h>

static void add(struct sca_workspace *space, const struct sca_selection *s,
                const struct scalana_metric *metric, struct sca_table *table,
                struct sca_layers *out)
{
    if (*metric->absent)
        sca_table_note(table, "%s: n/a: %s.", metric->name, metric->absent);
    else
        sca_selection_load(space, s, metric, &out->of[out->n++]);
}

void sca_layers_load(struct sca_workspace *space, const struct sca_selection *s,
                     struct sca_table *table, struct sca_layers *out)
{
    static const char *const usual[SCA_MOST_LAYERS] = {"computation", "waiting", "delay_cost"};
    *out = (struct sca_layers){0};
    if (s->metric)
        add(space, s, s->metric, table, out);
    for (int i = 0; i < SCA_MOST_LAYERS && !s->metric; i++)
        add(space, s, sca_metric_catalogue_find(&s->catalogue, usual[i]), table, out);
}

void sca_layers_columns(const struct sca_layers *layers, const struct sca_column *fixed,
                        uint32_t nfixed, struct sca_table *table)
{
    struct sca_column *columns =
        sca_workspace_alloc(table->space, nfixed + layers->n, sizeof *columns);
    memcpy(columns, fixed, nfixed * sizeof *fixed);
    for (uint32_t i = 0; i < layers->n; i++) {
        const char *name = layers->of[i].metric->name;
        columns[nfixed + i] = (struct sca_column){name, name, SCA_CELL_NUMBER};
    }
    table->columns = columns;
    table->ncolumns = nfixed + layers->n;
}
