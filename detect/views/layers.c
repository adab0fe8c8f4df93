#include "views/layers.h"

#include <math.h>
#include <string.h>

static void add(struct sca_workspace *space, const struct sca_selection *s,
                const struct scalana_metric *metric, struct sca_table *table,
                struct sca_layers *out)
{
    if (*metric->absent)
        sca_table_note(table, "%s: n/a: %s.", metric->name, metric->absent);
    else
        sca_selection_sum(space, s, metric, &out->of[out->n++]);
}

void sca_layers_load(struct sca_workspace *space, const struct sca_selection *s, unsigned which,
                     struct sca_table *table, struct sca_layers *out)
{
    static const struct {
        unsigned of;
        const char *name;
    } usual[SCA_MOST_LAYERS] = {{SCA_LAYERS_OF_RANKS | SCA_LAYERS_OF_THREADS, "computation"},
                                {SCA_LAYERS_OF_RANKS, "waiting"},
                                {SCA_LAYERS_OF_RANKS, "delay_cost"},
                                {SCA_LAYERS_OF_THREADS, "sampled_time"}};
    *out = (struct sca_layers){0};
    if (s->metric)
        add(space, s, s->metric, table, out);
    for (int i = 0; i < SCA_MOST_LAYERS && !s->metric; i++)
        if (usual[i].of & which)
            add(space, s, sca_metric_catalogue_find(&s->catalogue, usual[i].name), table, out);
}

bool sca_layers_has_threads(const struct scalana_metric *metric)
{
    if (!sca_metric_is_ratio(metric))
        return sca_metric_block_of_samples(metric->id);
    return sca_metric_block_of_samples(metric->of) && sca_metric_block_of_samples(metric->per);
}

const double *sca_layers_by_thread(struct sca_workspace *space, const struct sca_selection *s,
                                   const struct scalana_metric *metric,
                                   const struct sca_threads *threads)
{
    uint32_t nranks = s->source.run->nranks;
    if (!sca_layers_has_threads(metric))
        return NULL;
    double *values = sca_workspace_alloc(space, (size_t)nranks * threads->n, sizeof *values);
    for (size_t i = 0; i < (size_t)nranks * threads->n; i++)
        values[i] = (double)NAN;
    for (uint32_t t = 0; t < threads->n; t++) {
        struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
        struct sca_selection one = *s;
        struct sca_selected_ranks m;
        one.source = sca_threads_source(&s->source, threads->numbers[t]);
        sca_selection_sum(&scratch, &one, metric, &m);
        for (uint32_t i = 0; i < s->nranks; i++)
            values[(size_t)s->ranks[i] * threads->n + t] = sca_selection_of_some(&one, &m, &i, 1);
        sca_workspace_free(&scratch);
    }
    return values;
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
