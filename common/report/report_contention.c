#include "report/report_contention.h"

enum { COLUMNS = 7 };

/* ---- writing ---- */

void sca_report_contention_put(cJSON *root, const struct sca_report *report)
{
    const struct sca_report_contention *c = &report->contention;
    if (!(c->wait_s > 0))
        return;
    cJSON *object = cJSON_AddObjectToObject(root, "contention");
    cJSON_AddNumberToObject(object, "wait_s", c->wait_s);
    cJSON_AddNumberToObject(object, "unknown_s", c->unknown_s);
    cJSON_AddNumberToObject(object, "left_out", c->left_out);
    cJSON *rows = cJSON_AddArrayToObject(object, "hand_overs");
    for (uint32_t i = 0; i < c->nhand_overs; i++) {
        const struct sca_report_hand_over *h = &c->hand_overs[i];
        const double row[COLUMNS] = {h->rank, h->from_thread, h->from,   h->to_thread,
                                     h->to,   h->count,       h->seconds};
        cJSON_AddItemToArray(rows, cJSON_CreateDoubleArray(row, COLUMNS));
    }
}

/* ---- reading ---- */

static bool is_hand_over(const double row[COLUMNS], const struct sca_report *report)
{
    uint32_t ranks = report->nruns ? report->runs[report->nruns - 1].ranks : 0;
    return row[0] < ranks && row[1] <= UINT16_MAX && row[3] <= UINT16_MAX &&
           row[2] < report->nvertices && row[4] < report->nvertices;
}

static void get_rows(struct sca_in *in, const cJSON *list, struct sca_report_contention *c)
{
    const cJSON *item;
    double row[COLUMNS];
    c->hand_overs = sca_report_alloc(in->report, ((size_t)cJSON_GetArraySize(list) + 1) *
                                                     sizeof *c->hand_overs);
    cJSON_ArrayForEach(item, list)
    {
        if (!c->hand_overs || !sca_report_fields_row(item, row, COLUMNS) ||
            !is_hand_over(row, in->report)) {
            sca_report_fields_fault(in, "contention.hand_overs", "is not a list of hand-overs");
            return;
        }
        c->hand_overs[c->nhand_overs++] = (struct sca_report_hand_over){(uint32_t)row[0],
                                                                        (uint32_t)row[1],
                                                                        (uint32_t)row[3],
                                                                        (uint32_t)row[2],
                                                                        (uint32_t)row[4],
                                                                        row[5],
                                                                        row[6]};
    }
}

void sca_report_contention_get(struct sca_in *in, const cJSON *root, struct sca_report *report)
{
    struct sca_report_contention *c = &report->contention;
    const cJSON *object = sca_report_fields_get(in, root, "contention", cJSON_Object);
    const cJSON *list =
        object ? sca_report_fields_get(in, object, "hand_overs", cJSON_Array) : NULL;
    if (!list || in->status)
        return;
    c->wait_s = sca_report_fields_double(in, object, "wait_s");
    c->unknown_s = sca_report_fields_double(in, object, "unknown_s");
    c->left_out = sca_report_fields_u32(in, object, "left_out", 0);
    get_rows(in, list, c);
}
