#include "report/report_communication.h"

/* ---- writing ---- */

static void put_row(cJSON *rows, const double *numbers, int n)
{
    cJSON_AddItemToArray(rows, cJSON_CreateDoubleArray(numbers, n));
}

void sca_report_communication_put(cJSON *root, const struct sca_report *report)
{
    const struct sca_report_communication *c = &report->communication;
    if (!c->nblocks)
        return;
    cJSON *object = cJSON_AddObjectToObject(root, "communication");
    cJSON_AddNumberToObject(object, "blocks", c->nblocks);
    cJSON_AddNumberToObject(object, "ranks_per_block", c->block_ranks);
    cJSON_AddNumberToObject(object, "collective_calls", c->collective_calls);
    cJSON_AddNumberToObject(object, "collective_bytes", c->collective_bytes);
    cJSON_AddNumberToObject(object, "not_in_pairs", c->not_in_pairs);
    cJSON *pairs = cJSON_AddArrayToObject(object, "pairs");
    for (uint32_t i = 0; i < c->npairs; i++) {
        const struct sca_report_pair *p = &c->pairs[i];
        put_row(pairs, (const double[]){p->from, p->to, p->messages, p->bytes}, 4);
    }
    cJSON *sizes = cJSON_AddArrayToObject(object, "sizes");
    for (uint32_t i = 0; i < c->nsizes; i++) {
        const struct sca_report_size *s = &c->sizes[i];
        put_row(sizes, (const double[]){s->from_bytes, s->messages, s->collectives}, 3);
    }
}

/* ---- reading ---- */

static void get_pairs(struct sca_in *in, const cJSON *object, struct sca_report_communication *c)
{
    const cJSON *list = sca_report_fields_get(in, object, "pairs", cJSON_Array), *item;
    double row[4];
    if (!list || in->status)
        return;
    c->pairs =
        sca_report_alloc(in->report, ((size_t)cJSON_GetArraySize(list) + 1) * sizeof *c->pairs);
    cJSON_ArrayForEach(item, list)
    {
        if (!c->pairs || !sca_report_fields_row(item, row, 4) || row[0] >= c->nblocks ||
            row[1] >= c->nblocks) {
            sca_report_fields_fault(in, "communication.pairs", "is not a list of pairs of blocks");
            return;
        }
        c->pairs[c->npairs++] =
            (struct sca_report_pair){(uint32_t)row[0], (uint32_t)row[1], row[2], row[3]};
    }
}

static void get_sizes(struct sca_in *in, const cJSON *object, struct sca_report_communication *c)
{
    const cJSON *list = sca_report_fields_get(in, object, "sizes", cJSON_Array), *item;
    double row[3];
    if (!list || in->status)
        return;
    c->sizes =
        sca_report_alloc(in->report, ((size_t)cJSON_GetArraySize(list) + 1) * sizeof *c->sizes);
    cJSON_ArrayForEach(item, list)
    {
        if (!c->sizes || !sca_report_fields_row(item, row, 3)) {
            sca_report_fields_fault(in, "communication.sizes", "is not a list of classes");
            return;
        }
        c->sizes[c->nsizes++] = (struct sca_report_size){row[0], row[1], row[2]};
    }
}

void sca_report_communication_get(struct sca_in *in, const cJSON *root, struct sca_report *report)
{
    struct sca_report_communication *c = &report->communication;
    const cJSON *object = sca_report_fields_get(in, root, "communication", cJSON_Object);
    if (!object || in->status)
        return;
    uint32_t ranks = report->nruns ? report->runs[report->nruns - 1].ranks : 0;
    c->nblocks = sca_report_fields_u32(in, object, "blocks", 0);
    c->block_ranks = sca_report_fields_u32(in, object, "ranks_per_block", 1);
    if (c->nblocks > SCA_MOST_BLOCKS || !c->block_ranks || c->nblocks > ranks)
        sca_report_fields_fault(in, "communication.blocks", "does not fit the ranks of the run");
    c->collective_calls = sca_report_fields_double(in, object, "collective_calls");
    c->collective_bytes = sca_report_fields_double(in, object, "collective_bytes");
    c->not_in_pairs = sca_report_fields_double(in, object, "not_in_pairs");
    get_pairs(in, object, c);
    get_sizes(in, object, c);
}
