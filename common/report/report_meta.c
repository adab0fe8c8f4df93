#include "report/report_meta.h"

void sca_report_meta_put(cJSON *run, const struct sca_report_run *from)
{
    if (!from->nmeta)
        return;
    cJSON *object = cJSON_AddObjectToObject(run, "meta");
    for (uint32_t i = 0; i < from->nmeta; i++)
        cJSON_AddStringToObject(object, from->meta[i].key, from->meta[i].value);
}

void sca_report_meta_get(struct sca_in *in, const cJSON *run, struct sca_report_run *out)
{
    const cJSON *object = sca_report_fields_get(in, run, "meta", cJSON_Object), *item;
    int size = object ? cJSON_GetArraySize(object) : 0;
    if (!size)
        return;
    out->meta = sca_report_alloc(in->report, (size_t)size * sizeof *out->meta);
    cJSON_ArrayForEach(item, object)
    {
        if (!out->meta)
            return; /* without memory: the report's own reader says so */
        if (cJSON_IsString(item))
            out->meta[out->nmeta++] =
                (struct sca_report_meta){sca_report_string(in->report, item->string),
                                         sca_report_string(in->report, item->valuestring)};
        else
            sca_report_fields_fault(in, "meta", "has a value that is not text");
    }
}
