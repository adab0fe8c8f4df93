#include "report/report_contention.h"

enum { OLD_COLUMNS = 7, COLUMNS = 8 };

/* ---- writing ---- */

static void put_locks(cJSON *object, const struct sca_report_contention *c)
{
    cJSON *list = c->nlocks ? cJSON_AddArrayToObject(object, "locks") : NULL;
    for (uint32_t i = 0; i < c->nlocks; i++) {
        cJSON *lock = cJSON_CreateObject();
        cJSON_AddStringToObject(lock, "name", c->locks[i].name);
        if (c->locks[i].line) {
            cJSON_AddStringToObject(lock, "file", c->locks[i].file);
            cJSON_AddNumberToObject(lock, "line", c->locks[i].line);
        }
        cJSON_AddNumberToObject(lock, "wait_s", c->locks[i].wait_s);
        cJSON_AddItemToArray(list, lock);
    }
}

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
        const double row[COLUMNS] = {h->rank, h->from_thread, h->from,    h->to_thread,
                                     h->to,   h->count,       h->seconds, h->lock};
        cJSON_AddItemToArray(rows, cJSON_CreateDoubleArray(row, COLUMNS));
    }
    put_locks(object, c);
}

/* ---- reading ---- */

static void get_lock(struct sca_in *in, const cJSON *object, void *out, uint32_t index)
{
    struct sca_report_lock *lock = out;
    (void)index;
    lock->name = sca_report_fields_string(in, object, "name", "");
    lock->file = sca_report_fields_string(in, object, "file", "");
    lock->line = sca_report_fields_u32(in, object, "line", 0);
    lock->wait_s = sca_report_fields_double(in, object, "wait_s");
}

static bool is_hand_over(const double row[COLUMNS], const struct sca_report *report)
{
    uint32_t ranks = report->nruns ? report->runs[report->nruns - 1].ranks : 0;
    return row[0] < ranks && row[1] <= UINT16_MAX && row[3] <= UINT16_MAX &&
           row[2] < report->nvertices && row[4] < report->nvertices &&
           row[7] <= report->contention.nlocks;
}

static void get_rows(struct sca_in *in, const cJSON *list, struct sca_report_contention *c)
{
    const cJSON *item;
    double row[COLUMNS] = {0};
    c->hand_overs = sca_report_alloc(in->report, ((size_t)cJSON_GetArraySize(list) + 1) *
                                                     sizeof *c->hand_overs);
    cJSON_ArrayForEach(item, list)
    {
        int n = cJSON_GetArraySize(item) == OLD_COLUMNS ? OLD_COLUMNS : COLUMNS;
        if (!c->hand_overs || !sca_report_fields_row(item, row, n) ||
            !is_hand_over(row, in->report)) {
            sca_report_fields_fault(in, "contention.hand_overs", "is not a list of hand-overs");
            return;
        }
        c->hand_overs[c->nhand_overs++] = (struct sca_report_hand_over){
            (uint32_t)row[0], (uint32_t)row[1], (uint32_t)row[3], (uint32_t)row[2],
            (uint32_t)row[4], row[5],           row[6],           (uint32_t)row[7]};
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
    c->locks = sca_report_fields_list(in, object, "locks", sizeof *c->locks, get_lock, &c->nlocks);
    get_rows(in, list, c);
}
