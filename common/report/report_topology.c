#include "report/report_topology.h"
#include "sca_part.h"

#include <string.h>

/* ---- writing ---- */

static void put_dimensions(cJSON *object, const struct sca_report_topology *t)
{
    cJSON *dims = cJSON_AddArrayToObject(object, "dims");
    cJSON *periodic = cJSON_AddArrayToObject(object, "periodic");
    for (uint32_t d = 0; d < t->ndims; d++) {
        cJSON_AddItemToArray(dims, cJSON_CreateNumber(t->dims[d]));
        cJSON_AddItemToArray(periodic, cJSON_CreateBool(t->periodic[d]));
    }
}

void sca_report_topology_put(cJSON *run, const struct sca_report_topology *t)
{
    if (!t->nranks)
        return;
    cJSON *object = cJSON_AddObjectToObject(run, "topology");
    cJSON_AddStringToObject(object, "kind", t->kind);
    put_dimensions(object, t);
    cJSON *places = cJSON_AddArrayToObject(object, "places");
    for (uint32_t r = 0; r < t->nranks; r++) {
        const int32_t *place = &t->places[(size_t)r * t->width];
        cJSON_AddItemToArray(places, place[0] < 0 ? cJSON_CreateNull()
                                                  : cJSON_CreateIntArray(place, (int)t->width));
    }
}

/* ---- reading ---- */

static uint32_t numbers_of(const struct sca_report_topology *t)
{
    return !strcmp(t->kind, "cart")         ? t->ndims
           : !strcmp(t->kind, "graph")      ? 1
           : !strcmp(t->kind, "dist_graph") ? 2
           : !strcmp(t->kind, "worlds")     ? 2
                                            : 0;
}

static bool is_size(const cJSON *number)
{
    return cJSON_IsNumber(number) && number->valuedouble >= 0 && number->valuedouble < INT32_MAX;
}

static void get_dimensions(struct sca_in *in, const cJSON *object, struct sca_report_topology *t)
{
    const cJSON *dims = sca_report_fields_get(in, object, "dims", cJSON_Array);
    const cJSON *periodic = sca_report_fields_get(in, object, "periodic", cJSON_Array), *item;
    uint32_t n = 0;
    if (cJSON_GetArraySize(dims) > SCA_MOST_DIMENSIONS) {
        sca_report_fields_fault(in, "topology.dims", "has too many dimensions");
        return;
    }
    t->dims = sca_report_alloc(in->report, SCA_MOST_DIMENSIONS * sizeof *t->dims);
    t->periodic = sca_report_alloc(in->report, SCA_MOST_DIMENSIONS * sizeof *t->periodic);
    cJSON_ArrayForEach(item, dims)
    {
        if (!t->dims || !t->periodic || !is_size(item) || item->valuedouble < 1) {
            sca_report_fields_fault(in, "topology.dims", "is not a list of sizes");
            return;
        }
        t->periodic[n] = cJSON_IsTrue(cJSON_GetArrayItem(periodic, (int)n));
        t->dims[n++] = (uint32_t)item->valuedouble;
    }
    t->ndims = n;
}

/* A coordinate lies within its dimension. */
static bool get_place(const struct sca_report_topology *t, const cJSON *from, int32_t *to)
{
    uint32_t n = 0;
    const cJSON *item;
    if (cJSON_IsNull(from)) {
        to[0] = -1;
        return true;
    }
    if (!cJSON_IsArray(from) || cJSON_GetArraySize(from) != (int)t->width)
        return false;
    cJSON_ArrayForEach(item, from)
    {
        if (!is_size(item) || (t->ndims && item->valuedouble >= t->dims[n]))
            return false;
        to[n++] = (int32_t)item->valuedouble;
    }
    return true;
}

void sca_report_topology_get(struct sca_in *in, const cJSON *run, struct sca_report_run *out)
{
    const cJSON *object = sca_report_fields_get(in, run, "topology", cJSON_Object), *item;
    struct sca_report_topology *t = &out->topology;
    uint32_t rank = 0;
    t->kind = sca_report_fields_string(in, object, "kind", "");
    if (!object || in->status)
        return;
    if (!strcmp(t->kind, "cart"))
        get_dimensions(in, object, t);
    t->width = numbers_of(t);
    const cJSON *places = sca_report_fields_get(in, object, "places", cJSON_Array);
    if (in->status || !t->width || !places) /* of a kind that a newer release knows */
        return;
    size_t count = (size_t)out->ranks * t->width;
    t->places = cJSON_GetArraySize(places) == (int)out->ranks
                    ? sca_report_alloc(in->report, count * sizeof *t->places)
                    : NULL;
    cJSON_ArrayForEach(item, places)
    {
        if (!t->places || !get_place(t, item, &t->places[(size_t)rank++ * t->width])) {
            sca_report_fields_fault(in, "topology.places", "does not have one place for each rank");
            return;
        }
    }
    t->nranks = t->places ? rank : 0;
}
