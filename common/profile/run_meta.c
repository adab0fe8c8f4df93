#include "sca_run_meta.h"
#include "sca_error.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 16 };

static int replace(char **value, const char *with)
{
    char *copy = strdup(with);
    if (!copy)
        return sca_fail(SCA_ENOMEM, "out of memory");
    free(*value);
    *value = copy;
    return SCA_OK;
}

static int append(struct sca_run_meta *meta, const char *key, const char *value)
{
    struct sca_run_note note = {strdup(key), strdup(value)};
    void *longer = realloc(meta->notes, (meta->count + 1) * sizeof *meta->notes);
    if (longer)
        meta->notes = longer;
    if (!longer || !note.key || !note.value) {
        free(note.key);
        free(note.value);
        return sca_fail(SCA_ENOMEM, "out of memory");
    }
    meta->notes[meta->count++] = note;
    return SCA_OK;
}

int sca_run_meta_put(struct sca_run_meta *meta, const char *key, const char *value)
{
    for (size_t i = 0; i < meta->count; i++)
        if (!strcmp(meta->notes[i].key, key))
            return replace(&meta->notes[i].value, value);
    return append(meta, key, value);
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

static FILE *open_in(const char *directory, const char *mode)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/%s", directory, SCA_RUN_META_FILE) >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    return fopen(path, mode);
}

static char *as_text(const struct sca_run_meta *meta)
{
    cJSON *object = cJSON_CreateObject();
    for (size_t i = 0; i < meta->count; i++)
        cJSON_AddStringToObject(object, meta->notes[i].key, meta->notes[i].value);
    char *text = cJSON_Print(object);
    cJSON_Delete(object);
    return text;
}

int sca_run_meta_write(const struct sca_run_meta *meta, const char *directory)
{
    char *text = as_text(meta);
    FILE *file = text ? open_in(directory, "we") : NULL;
    int failed = !file || fprintf(file, "%s\n", text) < 0;
    failed |= file && fclose(file);
    cJSON_free(text);
    return failed ? sca_fail(SCA_EIO, "cannot write %s in %s: %s", SCA_RUN_META_FILE, directory,
                             strerror(errno))
                  : SCA_OK;
}

void sca_run_meta_read(struct sca_run_meta *meta, const char *directory)
{
    char text[MOST_BYTES];
    FILE *file = open_in(directory, "re");
    *meta = (struct sca_run_meta){0};
    if (!file)
        return;
    size_t length = fread(text, 1, sizeof text, file);
    fclose(file);
    cJSON *object = cJSON_ParseWithLength(text, length), *item;
    cJSON_ArrayForEach(item, object)
    {
        if (item->string && cJSON_IsString(item) &&
            sca_run_meta_put(meta, item->string, item->valuestring) != SCA_OK)
            break;
    }
    cJSON_Delete(object);
}
