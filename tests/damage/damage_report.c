/* A report cut at each byte, and with each byte changed: an error or a sound report, no crash. */
#include "sample_report.h"
#include "sca_error.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static char path[64]; /* of a file in memory: tens of thousands of versions are read from it */
static int faults, memory;

static void put(const char *bytes, size_t length)
{
    if (ftruncate(memory, 0) || pwrite(memory, bytes, length, 0) != (ssize_t)length)
        exit(EXIT_FAILURE);
}

static char *sample(size_t *length)
{
    char name[] = "/tmp/sca-damage-XXXXXX";
    struct sca_report *r = sca_sample_cg("/src/cg.c");
    int given = mkstemp(name);
    char *bytes = malloc(1 << 20);
    if (given < 0 || !bytes || sca_report_write(r, name))
        exit(EXIT_FAILURE);
    int written = open(name, O_RDONLY); /* the report took the place of the file given */
    ssize_t got = read(written, bytes, (1 << 20) - 1);
    close(written);
    close(given);
    unlink(name);
    sca_report_free(r);
    if (got <= 0)
        exit(EXIT_FAILURE);
    *length = (size_t)got;
    return bytes;
}

/* Follows every reference, so that the sanitizers see a wrong one. */
static double follow(const struct sca_report *r)
{
    double sum = 0;
    for (uint32_t i = 0; i < r->nvertices; i++)
        for (uint32_t k = 0; k < r->vertices[i].nranks; k++)
            sum += r->vertices[r->vertices[i].parent].line + r->vertices[i].rank_s[k];
    for (uint32_t i = 0; i < r->ncauses; i++) {
        const struct sca_report_cause *c = &r->causes[i];
        sum += strlen(r->vertices[c->vertex].name) + strlen(c->category);
        for (uint32_t k = 0; k < c->npath; k++)
            sum += r->vertices[c->path[k].vertex].line + strlen(c->path[k].via);
    }
    for (uint32_t i = 0; i < r->nmetrics; i++)
        for (uint32_t k = 0; k < r->metrics[i].nrows; k++) {
            const struct sca_report_metric_row *row = &r->metrics[i].rows[k];
            for (uint32_t rank = 0; rank < r->runs[r->nruns - 1].ranks && rank < 64; rank++)
                sum += sca_report_metric_value(row, rank) + r->vertices[row->vertex].line;
        }
    return sum;
}

static int outcome(void)
{
    struct sca_report *r = NULL;
    int status = sca_report_read(path, &r);
    if (!status)
        follow(r);
    else if (status != SCA_EFORMAT && status != SCA_EVERSION)
        faults += fprintf(stderr, "odd status %d: %s\n", status, sca_error_message()) > 0;
    sca_report_free(r);
    return status;
}

static void cut_everywhere(const char *bytes, size_t length)
{
    size_t needed = length;
    while (needed && bytes[needed - 1] != '}')
        needed--;
    for (size_t i = 0; i < needed; i++) {
        put(bytes, i);
        if (outcome() == SCA_OK)
            faults += fprintf(stderr, "cut at byte %zu and yet read\n", i) > 0;
    }
}

static void change_everywhere(char *bytes, size_t length)
{
    static const char with[] = {'9', '"', '-', ']', '\xff', '\0'};
    for (size_t i = 0; i < length; i++) {
        char kept = bytes[i];
        bytes[i] = with[i % sizeof with];
        put(bytes, length);
        outcome();
        bytes[i] = kept;
    }
}

int main(void)
{
    size_t length;
    memory = memfd_create("report", 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", memory);
    char *bytes = sample(&length);
    cut_everywhere(bytes, length);
    change_everywhere(bytes, length);
    free(bytes);
    printf("%zu bytes, %d faults\n", length, faults);
    return faults ? EXIT_FAILURE : EXIT_SUCCESS;
}
