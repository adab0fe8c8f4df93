/* The memory of a report: one arena, so that releasing it cannot miss a string. */
#include "sca_report.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK_BYTES = 64 * 1024, ALIGNMENT = 16 };

struct report_chunk {
    struct report_chunk *next;
    size_t used, size;
    _Alignas(ALIGNMENT) unsigned char data[];
};

static struct report_chunk *new_chunk(struct sca_report *report, size_t bytes)
{
    size_t size = bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES;
    struct report_chunk *chunk = calloc(1, sizeof *chunk + size);
    if (!chunk)
        return NULL;
    chunk->size = size;
    chunk->next = report->memory;
    report->memory = chunk;
    return chunk;
}

void *sca_report_alloc(struct sca_report *report, size_t bytes)
{
    struct report_chunk *chunk = report->memory;
    if (bytes > SIZE_MAX / 2)
        return NULL;
    bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (!chunk || chunk->size - chunk->used < bytes)
        chunk = new_chunk(report, bytes);
    if (!chunk)
        return NULL;
    void *memory = chunk->data + chunk->used;
    chunk->used += bytes;
    return memory;
}

const char *sca_report_string(struct sca_report *report, const char *text)
{
    if (!text || !*text)
        return "";
    size_t size = strlen(text) + 1;
    char *copy = sca_report_alloc(report, size);
    return copy ? memcpy(copy, text, size) : "";
}

struct sca_report *sca_report_new(void)
{
    struct sca_report *report = calloc(1, sizeof *report);
    if (!report)
        return NULL;
    report->program = report->path = report->build_id = "";
    report->scaling_mode = "single";
    return report;
}

void sca_report_free(struct sca_report *report)
{
    if (!report)
        return;
    for (struct report_chunk *chunk = report->memory, *next; chunk; chunk = next) {
        next = chunk->next;
        free(chunk);
    }
    free(report);
}

bool sca_report_note_is_told(const struct sca_report *report, uint32_t note)
{
    for (uint32_t i = 0; i < report->nunconfirmed; i++)
        if (report->causes[report->ncauses + i].note == note)
            return true;
    return false;
}
