#include "report/report_threads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t count_ranks(const struct sca_report *r)
{
    return r->nruns ? r->runs[r->nruns - 1].ranks : 0;
}

/* ---- writing ---- */

/* Six significant digits: so many bytes at most. */
static cJSON *short_seconds(double seconds)
{
    char text[32];
    snprintf(text, sizeof text, "%.6g", seconds);
    return cJSON_CreateRaw(text);
}

static void put_row(cJSON *rows, const struct sca_report_thread_row *row, uint32_t n)
{
    cJSON *list = cJSON_CreateArray();
    cJSON_AddItemToArray(list, cJSON_CreateNumber(row->vertex));
    for (uint32_t i = 0; i < n; i++)
        cJSON_AddItemToArray(list, short_seconds(row->seconds[i]));
    cJSON_AddItemToArray(rows, list);
}

void sca_report_threads_put(cJSON *root, const struct sca_report *r)
{
    const struct sca_report_thread_times *t = &r->thread_times;
    if (!t->nrows)
        return;
    cJSON *object = cJSON_AddObjectToObject(root, "thread_times");
    cJSON_AddStringToObject(object, "metric", "computation");
    cJSON_AddNumberToObject(object, "nthreads", t->nthreads);
    cJSON *listed = cJSON_AddArrayToObject(object, "threads");
    for (uint32_t i = 0; i < t->nlisted; i++)
        cJSON_AddItemToArray(listed, cJSON_CreateNumber(t->listed[i]));
    cJSON_AddNumberToObject(object, "left_out", t->left_out);
    cJSON *rows = cJSON_AddArrayToObject(object, "rows");
    for (uint32_t i = 0; i < t->nrows; i++)
        put_row(rows, &t->rows[i], count_ranks(r) * t->nlisted);
}

/* ---- reading ---- */

static bool get_listed(const cJSON *list, struct sca_report *r)
{
    struct sca_report_thread_times *t = &r->thread_times;
    double numbers[SCA_MOST_THREADS_LISTED];
    int n = cJSON_GetArraySize(list);
    if (n < 1 || n > SCA_MOST_THREADS_LISTED || !sca_report_fields_row(list, numbers, n))
        return false;
    t->listed = sca_report_alloc(r, (size_t)n * sizeof *t->listed);
    for (; t->listed && t->nlisted < (uint32_t)n; t->nlisted++) {
        if (numbers[t->nlisted] > UINT16_MAX)
            return false;
        t->listed[t->nlisted] = (uint32_t)numbers[t->nlisted];
        if (t->nlisted && t->listed[t->nlisted - 1] >= t->listed[t->nlisted])
            return false;
    }
    return t->listed;
}

/* The vertex, and behind it the seconds. */
static bool get_row(const cJSON *item, struct sca_report *r, uint32_t n)
{
    struct sca_report_thread_times *t = &r->thread_times;
    double *row = sca_report_alloc(r, (n + 1ul) * sizeof *row);
    if (!row || !sca_report_fields_row(item, row, (int)n + 1) || row[0] >= r->nvertices ||
        (t->nrows && t->rows[t->nrows - 1].vertex >= row[0]))
        return false;
    t->rows[t->nrows++] = (struct sca_report_thread_row){(uint32_t)row[0], row + 1};
    return true;
}

static bool get_rows(const cJSON *list, struct sca_report *r)
{
    struct sca_report_thread_times *t = &r->thread_times;
    size_t each = (size_t)count_ranks(r) * t->nlisted, n = (size_t)cJSON_GetArraySize(list);
    const cJSON *item;
    if (!each || each * n > SCA_MOST_THREAD_SECONDS)
        return false;
    t->rows = sca_report_alloc(r, (n + 1) * sizeof *t->rows);
    cJSON_ArrayForEach(item, list)
    {
        if (!t->rows || !get_row(item, r, (uint32_t)each))
            return false;
    }
    return true;
}

void sca_report_threads_get(struct sca_in *in, const cJSON *root, struct sca_report *r)
{
    const cJSON *object = sca_report_fields_get(in, root, "thread_times", cJSON_Object);
    if (!object || in->status)
        return;
    r->thread_times.nthreads = sca_report_fields_u32(in, object, "nthreads", 0);
    r->thread_times.left_out = sca_report_fields_u32(in, object, "left_out", 0);
    const cJSON *listed = sca_report_fields_get(in, object, "threads", cJSON_Array);
    const cJSON *rows = sca_report_fields_get(in, object, "rows", cJSON_Array);
    if (!listed || !get_listed(listed, r))
        sca_report_fields_fault(in, "thread_times.threads", "is not a list of threads");
    else if (!rows || !get_rows(rows, r))
        sca_report_fields_fault(in, "thread_times.rows", "is not a list of rows of seconds");
}

/* ---- asking ---- */

static bool is_in(const struct sca_report *r, uint32_t v, uint32_t outer)
{
    while (v != outer && r->vertices[v].parent != v)
        v = r->vertices[v].parent;
    return v == outer;
}

bool sca_report_thread_seconds(const struct sca_report *r, uint32_t vertex, bool below,
                               uint32_t rank, double *seconds)
{
    const struct sca_report_thread_times *t = &r->thread_times;
    bool any = false;
    memset(seconds, 0, t->nlisted * sizeof *seconds);
    for (uint32_t i = 0; i < t->nrows && rank < count_ranks(r); i++) {
        if (below ? !is_in(r, t->rows[i].vertex, vertex) : t->rows[i].vertex != vertex)
            continue;
        any = true;
        for (uint32_t k = 0; k < t->nlisted; k++)
            seconds[k] += t->rows[i].seconds[(size_t)rank * t->nlisted + k];
    }
    return any;
}
