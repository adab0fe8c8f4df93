#include "report/report_fields.h"
#include "report/report_text.h"
#include "sca_error.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void sca_report_fields_fault(struct sca_in *in, const char *name, const char *what)
{
    if (!in->status)
        in->status =
            sca_fail(SCA_EFORMAT, "%s: damaged report: %s%s %s", in->file, in->where, name, what);
}

const cJSON *sca_report_fields_get(struct sca_in *in, const cJSON *object, const char *name,
                                   int type)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    if (!item || cJSON_IsNull(item))
        return NULL;
    if (item->type & type)
        return item;
    sca_report_fields_fault(in, name, "has the wrong type");
    return NULL;
}

double sca_report_fields_double(struct sca_in *in, const cJSON *object, const char *name)
{
    const cJSON *item = sca_report_fields_get(in, object, name, cJSON_Number);
    if (item && !isfinite(item->valuedouble))
        sca_report_fields_fault(in, name, "is out of range");
    return item ? item->valuedouble : 0;
}

double sca_report_fields_measured(struct sca_in *in, const cJSON *object, const char *name)
{
    bool there = cJSON_IsNumber(cJSON_GetObjectItemCaseSensitive(object, name));
    double value = sca_report_fields_double(in, object, name);
    return there ? value : NAN;
}

static bool is_index(double value, double limit)
{
    return value >= 0 && value < limit && value == floor(value);
}

uint32_t sca_report_fields_u32(struct sca_in *in, const cJSON *object, const char *name,
                               uint32_t fallback)
{
    const cJSON *item = sca_report_fields_get(in, object, name, cJSON_Number);
    if (!item)
        return fallback;
    if (is_index(item->valuedouble, 4294967296.0))
        return (uint32_t)item->valuedouble;
    sca_report_fields_fault(in, name, "is not a whole number in range");
    return fallback;
}

uint32_t sca_report_fields_index(struct sca_in *in, const cJSON *object, const char *name,
                                 uint32_t limit)
{
    const cJSON *item = sca_report_fields_get(in, object, name, cJSON_Number);
    if (item && is_index(item->valuedouble, limit))
        return (uint32_t)item->valuedouble;
    sca_report_fields_fault(in, name, item ? "points to nothing" : "is missing");
    return 0;
}

bool sca_report_fields_bool(struct sca_in *in, const cJSON *object, const char *name, bool fallback)
{
    const cJSON *item = sca_report_fields_get(in, object, name, cJSON_True | cJSON_False);
    return item ? cJSON_IsTrue(item) : fallback;
}

static const char *keep(struct sca_in *in, const char *text)
{
    if (sca_utf8_valid(text))
        return sca_report_string(in->report, text);
    char *repaired = sca_utf8_repair(text);
    const char *kept = sca_report_string(in->report, repaired);
    free(repaired);
    return kept;
}

const char *sca_report_fields_string(struct sca_in *in, const cJSON *object, const char *name,
                                     const char *fallback)
{
    const cJSON *item = sca_report_fields_get(in, object, name, cJSON_String);
    return item ? keep(in, item->valuestring) : fallback;
}

static void *get_memory(struct sca_in *in, size_t count, size_t size)
{
    void *memory = count ? sca_report_alloc(in->report, count * size) : NULL;
    if (count && !memory && !in->status)
        in->status = sca_fail(SCA_ENOMEM, "out of memory reading %s", in->file);
    return memory;
}

static uint32_t count_of(const cJSON *array)
{
    return array ? (uint32_t)cJSON_GetArraySize(array) : 0;
}

double *sca_report_fields_doubles(struct sca_in *in, const cJSON *object, const char *name,
                                  uint32_t *count)
{
    const cJSON *array = sca_report_fields_get(in, object, name, cJSON_Array), *item;
    double *values = get_memory(in, count_of(array), sizeof *values);
    *count = 0;
    if (values)
        cJSON_ArrayForEach(item, array)
        {
            bool number = cJSON_IsNumber(item) && isfinite(item->valuedouble);
            if (!number && !cJSON_IsNull(item))
                sca_report_fields_fault(in, name, "holds something that is not a number");
            values[(*count)++] = number ? item->valuedouble : 0;
        }
    return values;
}

uint32_t *sca_report_fields_ranks(struct sca_in *in, const cJSON *object, uint32_t limit,
                                  uint32_t *count)
{
    const cJSON *array = sca_report_fields_get(in, object, "ranks", cJSON_Array), *item;
    uint32_t *ranks = array ? get_memory(in, count_of(array) + 1ul, sizeof *ranks) : NULL;
    *count = 0;
    if (ranks)
        cJSON_ArrayForEach(item, array)
        {
            bool good = cJSON_IsNumber(item) && is_index(item->valuedouble, limit);
            if (!good)
                sca_report_fields_fault(in, "ranks", "holds a rank the run did not have");
            ranks[(*count)++] = good ? (uint32_t)item->valuedouble : 0;
        }
    return ranks;
}

const char **sca_report_fields_strings(struct sca_in *in, const cJSON *object, const char *name,
                                       uint32_t *count)
{
    const cJSON *array = sca_report_fields_get(in, object, name, cJSON_Array), *item;
    const char **strings = get_memory(in, count_of(array), sizeof *strings);
    *count = 0;
    if (strings)
        cJSON_ArrayForEach(item, array)
        {
            if (!cJSON_IsString(item))
                sca_report_fields_fault(in, name, "holds something that is not text");
            strings[(*count)++] = cJSON_IsString(item) ? keep(in, item->valuestring) : "";
        }
    return strings;
}

void *sca_report_fields_list(struct sca_in *in, const cJSON *parent, const char *name, size_t size,
                             sca_in_element *read, uint32_t *count)
{
    const cJSON *array = sca_report_fields_get(in, parent, name, cJSON_Array), *item;
    char *elements = get_memory(in, count_of(array), size);
    size_t end = strlen(in->where);
    *count = 0;
    if (!elements)
        return NULL;
    cJSON_ArrayForEach(item, array)
    {
        snprintf(in->where + end, sizeof in->where - end, "%s[%u].", name, *count);
        if (!cJSON_IsObject(item))
            sca_report_fields_fault(in, "", "is not an object");
        read(in, item, elements + size * *count, *count);
        ++*count;
        if (in->status)
            return elements; /* `where` no longer matters */
    }
    in->where[end] = '\0';
    return elements;
}

bool sca_report_fields_row(const cJSON *from, double *numbers, int n)
{
    int used = 0;
    const cJSON *item;
    if (!cJSON_IsArray(from) || cJSON_GetArraySize(from) != n)
        return false;
    cJSON_ArrayForEach(item, from)
    {
        if (!cJSON_IsNumber(item) || !(item->valuedouble >= 0) || isinf(item->valuedouble))
            return false;
        numbers[used++] = item->valuedouble;
    }
    return true;
}
