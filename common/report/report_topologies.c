#include "report/report_topologies.h"
#include "sca_part.h"

#include <stdio.h>
#include <string.h>

enum {
    LISTED = 1024,       /* ranks whose places are listed although they can be counted */
    MOST_RANKS = 1 << 24 /* that a report may make us count */
};

/* ---- writing ---- */

static void put_dimensions(cJSON *object, const struct sca_topology *t,
                           sca_report_topologies_text *text)
{
    cJSON *dims = cJSON_AddArrayToObject(object, "dims");
    cJSON *periodic = cJSON_AddArrayToObject(object, "periodic");
    cJSON *names = cJSON_AddArrayToObject(object, "dimension_names");
    bool named = false;
    for (uint32_t d = 0; d < t->ndims; d++) {
        cJSON_AddItemToArray(dims, cJSON_CreateNumber(t->dims[d]));
        cJSON_AddItemToArray(periodic, cJSON_CreateBool(t->periodic[d]));
        named |= *t->dimension_names[d] != '\0';
    }
    for (uint32_t d = 0; named && d < t->ndims; d++)
        cJSON_AddItemToArray(names, text(t->dimension_names[d]));
}

static void put_coordinates(cJSON *object, const struct sca_topology *t)
{
    bool counted = sca_topology_is_row_major(t);
    cJSON_AddBoolToObject(object, "row_major", counted);
    if (counted && (t->nranks > LISTED || !strcmp(t->kind, "threads")))
        return;
    cJSON *list = cJSON_AddArrayToObject(object, "coordinates");
    for (uint32_t r = 0; r < t->nranks; r++) {
        const int32_t *place = sca_topology_place(t, r);
        cJSON_AddItemToArray(list, place ? cJSON_CreateIntArray(place, (int)t->ndims)
                                         : cJSON_CreateNull());
    }
}

static void put_number(cJSON *object, const char *name, bool known, double number)
{
    if (known)
        cJSON_AddNumberToObject(object, name, number);
    else
        cJSON_AddNullToObject(object, name);
}

static void put_threads(cJSON *object, const struct sca_report *r, uint32_t rank)
{
    cJSON *array = r->nthreads ? cJSON_AddArrayToObject(object, "threads") : NULL;
    for (uint32_t t = 0; t < r->nthreads; t++)
        cJSON_AddItemToArray(array,
                             cJSON_CreateNumber(r->thread_s[(size_t)rank * r->nthreads + t]));
}

static void put_locations(cJSON *root, const struct sca_report *r, sca_report_topologies_text *text)
{
    cJSON *array = r->nlocations ? cJSON_AddArrayToObject(root, "locations") : NULL;
    for (uint32_t i = 0; i < r->nlocations; i++) {
        const struct sca_location *at = &r->locations[i];
        cJSON *object = cJSON_CreateObject();
        cJSON_AddItemToArray(array, object);
        cJSON_AddNumberToObject(object, "rank", i);
        put_number(object, "host", at->host != SCA_NONE, at->host);
        put_number(object, "package", at->package >= 0, at->package);
        put_number(object, "core", at->core >= 0, at->core);
        if (at->core < 0 && *at->cores)
            cJSON_AddItemToObject(object, "cores", text(at->cores));
        put_threads(object, r, i);
    }
}

void sca_report_topologies_put(cJSON *root, const struct sca_report *r,
                               sca_report_topologies_text *text)
{
    cJSON *array = r->ntopologies ? cJSON_AddArrayToObject(root, "topologies") : NULL;
    for (uint32_t i = 0; i < r->ntopologies; i++) {
        const struct sca_topology *t = &r->topologies[i];
        cJSON *object = cJSON_CreateObject();
        cJSON_AddItemToArray(array, object);
        cJSON_AddItemToObject(object, "name", text(t->name));
        cJSON_AddStringToObject(object, "kind", t->kind);
        put_dimensions(object, t, text);
        put_coordinates(object, t);
    }
    if (r->topologies_left_out)
        cJSON_AddNumberToObject(root, "topologies_left_out", r->topologies_left_out);
    put_locations(root, r, text);
}

/* ---- reading ---- */

static bool is_size(const cJSON *number)
{
    return cJSON_IsNumber(number) && number->valuedouble >= 0 && number->valuedouble < INT32_MAX;
}

static bool take_memory(struct sca_in *in, struct sca_topology *t)
{
    t->dims = sca_report_alloc(in->report, t->ndims * sizeof *t->dims);
    t->periodic = sca_report_alloc(in->report, t->ndims * sizeof *t->periodic);
    t->dimension_names = sca_report_alloc(in->report, t->ndims * sizeof *t->dimension_names);
    bool taken = t->dims && t->periodic && t->dimension_names;
    if (!taken)
        sca_report_fields_fault(in, "dims", "needs more memory than there is");
    return taken;
}

static void get_names(struct sca_in *in, const cJSON *o, struct sca_topology *t)
{
    const cJSON *names = sca_report_fields_get(in, o, "dimension_names", cJSON_Array);
    for (uint32_t d = 0; d < t->ndims; d++) {
        const cJSON *name = names ? cJSON_GetArrayItem(names, (int)d) : NULL;
        t->dimension_names[d] =
            cJSON_IsString(name) ? sca_report_string(in->report, name->valuestring) : "";
        if (!t->dimension_names[d])
            t->dimension_names[d] = "";
    }
}

static bool get_dimensions(struct sca_in *in, const cJSON *o, struct sca_topology *t)
{
    const cJSON *dims = sca_report_fields_get(in, o, "dims", cJSON_Array), *item;
    const cJSON *periodic = sca_report_fields_get(in, o, "periodic", cJSON_Array);
    int count = cJSON_GetArraySize(dims);
    uint32_t d = 0;
    if (count < 1 || count > SCA_MOST_DIMENSIONS) {
        sca_report_fields_fault(in, "dims", count < 1 ? "is empty" : "has too many dimensions");
        return false;
    }
    t->ndims = (uint32_t)count;
    if (!take_memory(in, t))
        return false;
    cJSON_ArrayForEach(item, dims)
    {
        if (!is_size(item) || item->valuedouble < 1) {
            sca_report_fields_fault(in, "dims", "is not a list of sizes");
            return false;
        }
        t->periodic[d] = cJSON_IsTrue(cJSON_GetArrayItem(periodic, (int)d));
        t->dims[d++] = (uint32_t)item->valuedouble;
    }
    get_names(in, o, t);
    return true;
}

/* A coordinate lies within its dimension. */
static bool get_place(const struct sca_topology *t, const cJSON *from, int32_t *to)
{
    uint32_t d = 0;
    const cJSON *item;
    if (cJSON_IsNull(from)) {
        to[0] = -1;
        return true;
    }
    if (!cJSON_IsArray(from) || cJSON_GetArraySize(from) != (int)t->ndims)
        return false;
    cJSON_ArrayForEach(item, from)
    {
        if (!is_size(item) || item->valuedouble >= t->dims[d])
            return false;
        to[d++] = (int32_t)item->valuedouble;
    }
    return true;
}

static bool take_places(struct sca_in *in, struct sca_topology *t)
{
    size_t places = (size_t)t->nranks * t->ndims;
    t->coordinates = sca_report_alloc(in->report, (places ? places : 1) * sizeof(int32_t));
    if (!t->coordinates)
        sca_report_fields_fault(in, "coordinates", "needs more memory than there is");
    return t->coordinates != NULL;
}

static void count_places(struct sca_in *in, struct sca_topology *t)
{
    if (t->nranks > MOST_RANKS || !sca_topology_has_all(t))
        sca_report_fields_fault(in, "row_major", "does not fit the run's ranks");
    else if (take_places(in, t))
        sca_topology_count_off(t);
}

static void get_coordinates(struct sca_in *in, const cJSON *o, struct sca_topology *t)
{
    const cJSON *list = sca_report_fields_get(in, o, "coordinates", cJSON_Array), *item;
    uint32_t rank = 0;
    if (!list && sca_report_fields_bool(in, o, "row_major", false)) {
        count_places(in, t);
        return;
    }
    if (cJSON_GetArraySize(list) != (int)t->nranks) {
        sca_report_fields_fault(in, "coordinates", "does not have one place for each rank");
        return;
    }
    if (!take_places(in, t))
        return;
    cJSON_ArrayForEach(item, list)
    {
        int32_t *place = &t->coordinates[(size_t)rank++ * t->ndims];
        if (!get_place(t, item, place)) {
            sca_report_fields_fault(in, "coordinates", "has a place that is outside");
            return;
        }
        t->members += place[0] >= 0;
    }
}

static uint32_t ranks_of(const struct sca_report *report)
{
    return report->nruns ? report->runs[report->nruns - 1].ranks : 0;
}

/* -1: null, or none. */
static int32_t get_number(struct sca_in *in, const cJSON *o, const char *name)
{
    uint32_t number = sca_report_fields_u32(in, o, name, SCA_NONE);
    return number < INT32_MAX ? (int32_t)number : -1;
}

/* One core needs no list. */
static const char *one_core(struct sca_in *in, const struct sca_location *at)
{
    char text[32];
    if (at->core < 0 || at->package < 0)
        return "";
    snprintf(text, sizeof text, "%d:%d", at->package, at->core);
    const char *copy = sca_report_string(in->report, text);
    return copy ? copy : "";
}

static void get_location(struct sca_in *in, const cJSON *o, void *out, uint32_t index)
{
    struct sca_location *at = out;
    const struct sca_report *r = in->report;
    if (sca_report_fields_u32(in, o, "rank", index) != index)
        sca_report_fields_fault(in, "rank", "is not its place in the list");
    at->host = sca_report_fields_u32(in, o, "host", SCA_NONE);
    if (at->host != SCA_NONE && (!r->nruns || at->host >= r->runs[r->nruns - 1].nhosts))
        sca_report_fields_fault(in, "host", "points to nothing");
    at->package = get_number(in, o, "package");
    at->core = get_number(in, o, "core");
    at->cores = sca_report_fields_string(in, o, "cores", one_core(in, at));
}

static void get_topology(struct sca_in *in, const cJSON *o, void *out, uint32_t index)
{
    struct sca_topology *t = out;
    const struct sca_report *report = in->report;
    (void)index;
    t->name = sca_report_fields_string(in, o, "name", "");
    t->kind = sca_report_fields_string(in, o, "kind", "");
    t->nranks = ranks_of(report);
    bool threads = !strcmp(t->kind, "threads"); /* has a place for each */
    if (in->status || !get_dimensions(in, o, t))
        return;
    if (threads && (t->ndims != 2 || t->dims[0] != t->nranks || t->dims[1] > MOST_RANKS))
        sca_report_fields_fault(in, "dims", "are not ranks and their threads");
    else if (threads && !__builtin_mul_overflow(t->nranks, t->dims[1], &t->nranks))
        count_places(in, t);
    else if (!threads)
        get_coordinates(in, o, t);
}

static bool take_threads(struct sca_in *in, uint32_t n)
{
    struct sca_report *r = in->report;
    size_t numbers = (size_t)r->nlocations * n;
    r->thread_s = sca_report_alloc(r, (numbers ? numbers : 1) * sizeof *r->thread_s);
    r->nthreads = r->thread_s ? n : 0;
    return r->thread_s != NULL;
}

/* As many of each rank. */
static void get_threads(struct sca_in *in, const cJSON *root)
{
    struct sca_report *r = in->report;
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, "locations"), *item;
    uint32_t rank = 0, n = 0;
    cJSON_ArrayForEach(item, list)
    {
        const double *of = sca_report_fields_doubles(in, item, "threads", &n);
        if (in->status)
            return;
        if ((rank && n != r->nthreads) || (!rank && !take_threads(in, n))) {
            sca_report_fields_fault(in, "locations", "differ in their number of threads");
            return;
        }
        if (n)
            memcpy(&r->thread_s[(size_t)rank * n], of, n * sizeof *of);
        rank++;
    }
}

void sca_report_topologies_get(struct sca_in *in, const cJSON *root, struct sca_report *report)
{
    report->topologies = sca_report_fields_list(in, root, "topologies", sizeof *report->topologies,
                                                get_topology, &report->ntopologies);
    report->topologies_left_out = sca_report_fields_u32(in, root, "topologies_left_out", 0);
    report->locations = sca_report_fields_list(in, root, "locations", sizeof *report->locations,
                                               get_location, &report->nlocations);
    if (report->nlocations && report->nlocations != ranks_of(report))
        sca_report_fields_fault(in, "locations", "does not have one entry per rank");
    get_threads(in, root);
}
