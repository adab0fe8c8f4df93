#include "sca_run_meta.h"
#include "sca_error.h"
#include "sca_words.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 16 };

void sca_run_meta_put(struct sca_run_meta *meta, const char *key, const char *value)
{
    char *copy = sca_must(strdup(value));
    for (size_t i = 0; i < meta->count; i++)
        if (!strcmp(meta->notes[i].key, key)) {
            free(meta->notes[i].value);
            meta->notes[i].value = copy;
            return;
        }
    meta->notes = sca_must(realloc(meta->notes, (meta->count + 1) * sizeof *meta->notes));
    meta->notes[meta->count++] = (struct sca_run_note){sca_must(strdup(key)), copy};
}

void sca_run_meta_free(struct sca_run_meta *meta)
{
    for (size_t i = 0; i < meta->count; i++) {
        free(meta->notes[i].key);
        free(meta->notes[i].value);
    }
    free(meta->notes);
    *meta = (struct sca_run_meta){0};
}

static char *path_in(const char *directory)
{
    return sca_words_format("%s/%s", directory, SCA_RUN_META_FILE);
}

int sca_run_meta_write(const struct sca_run_meta *meta, const char *directory)
{
    char *path = path_in(directory);
    cJSON *object = sca_must(cJSON_CreateObject());
    for (size_t i = 0; i < meta->count; i++)
        cJSON_AddStringToObject(object, meta->notes[i].key, meta->notes[i].value);
    char *text = sca_must(cJSON_Print(object));
    FILE *file = fopen(path, "we");
    int failed = !file || fprintf(file, "%s\n", text) < 0;
    failed |= file && fclose(file);
    int status = failed ? sca_fail(SCA_EIO, "cannot write %s: %s", path, strerror(errno)) : SCA_OK;
    cJSON_free(text);
    cJSON_Delete(object);
    free(path);
    return status;
}

void sca_run_meta_read(struct sca_run_meta *meta, const char *directory)
{
    char text[MOST_BYTES];
    char *path = path_in(directory);
    FILE *file = fopen(path, "re");
    free(path);
    *meta = (struct sca_run_meta){0};
    if (!file)
        return;
    size_t length = fread(text, 1, sizeof text, file);
    fclose(file);
    cJSON *object = cJSON_ParseWithLength(text, length), *item;
    cJSON_ArrayForEach(item, object)
    {
        if (item->string && cJSON_IsString(item))
            sca_run_meta_put(meta, item->string, item->valuestring);
    }
    cJSON_Delete(object);
}
